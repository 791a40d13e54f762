import { describe, expect, it } from 'vitest';
import { createConnectionWarmth } from '../../src/fleet/shared-rate-limit.js';

function opened() {
  let now = 50;
  return { warmth: createConnectionWarmth({ monotonic: () => now }), pass: (ms: number) => void (now += ms) };
}

describe('the warmth of connections', () => {
  it('is awaited while the first attempt is under way, and not after it', () => {
    const { warmth, pass } = opened();
    expect(warmth.isOpening()).toBe(false);
    const end = warmth.begin();
    pass(200);
    expect(warmth.isOpening()).toBe(true);
    end(true);
    warmth.begin();
    expect(warmth.isOpening()).toBe(false);
  });

  it('is awaited no longer than a second', () => {
    const { warmth, pass } = opened();
    warmth.begin();
    pass(1_000);
    expect(warmth.isOpening()).toBe(false);
    // Each further one would hold up the others by one more second.
    warmth.begin();
    expect(warmth.isOpening()).toBe(false);
  });

  it('begins anew when nothing was sent, and when no connection was used for some seconds', () => {
    const { warmth, pass } = opened();
    warmth.begin()(false);
    const end = warmth.begin();
    expect(warmth.isOpening()).toBe(true);
    end(true);
    pass(3_999);
    warmth.begin()(false);
    pass(3_999);
    const later = warmth.begin();
    expect(warmth.isOpening()).toBe(false);
    later(true);
    pass(4_000);
    warmth.begin();
    expect(warmth.isOpening()).toBe(true);
  });
});
