import { describe, expect, it } from 'vitest';
import { createOpening } from '../../src/fleet/shared-rate-limit.js';

function opened() {
  let now = 50;
  return { opening: createOpening({ monotonic: () => now }), pass: (ms: number) => void (now += ms) };
}

describe('the opening of connections', () => {
  it('is awaited while the first attempt is under way, and not after it', () => {
    const { opening, pass } = opened();
    expect(opening.isAwaited()).toBe(false);
    const end = opening.begin();
    pass(200);
    expect(opening.isAwaited()).toBe(true);
    end(true);
    opening.begin();
    expect(opening.isAwaited()).toBe(false);
  });

  it('is awaited no longer than a second', () => {
    const { opening, pass } = opened();
    opening.begin();
    pass(1_000);
    expect(opening.isAwaited()).toBe(false);
    // Each further one would hold up the others by one more second.
    opening.begin();
    expect(opening.isAwaited()).toBe(false);
  });

  it('begins anew when nothing was sent, and when no connection was used for some seconds', () => {
    const { opening, pass } = opened();
    opening.begin()(false);
    const end = opening.begin();
    expect(opening.isAwaited()).toBe(true);
    end(true);
    pass(3_999);
    opening.begin()(false);
    pass(3_999);
    const later = opening.begin();
    expect(opening.isAwaited()).toBe(false);
    later(true);
    pass(4_000);
    opening.begin();
    expect(opening.isAwaited()).toBe(true);
  });
});
