import { expect, test } from 'vitest';
import { createSharedClock } from '../../src/fleet/shared-rate-limit.js';

test('the quickest answer decides, and a late one moves nothing', () => {
  const clock = createSharedClock();
  expect(clock.toOwn(5_000, 1_000, 1_040)).toBe(1_040);
  expect(clock.toOwn(6_000, 2_000, 2_004)).toBe(2_004);
  // Seen 200 ms late: the event loop stood still.
  expect(clock.toOwn(7_002, 3_000, 3_206)).toBe(3_006);
});

test('a moment is never before the question, nor behind the answer', () => {
  const clock = createSharedClock();
  clock.toOwn(5_000, 1_000, 1_001);
  for (const [at, askedAt, answeredAt] of [
    [1_500, 2_000, 2_050],
    [9_999_999, 3_000, 3_050],
    [6_999, 4_000, 4_050],
  ] as const) {
    const own = clock.toOwn(at, askedAt, answeredAt);
    expect(own).toBeGreaterThanOrEqual(askedAt);
    expect(own).toBeLessThanOrEqual(answeredAt);
  }
});
