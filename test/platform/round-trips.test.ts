import { describe, expect, it } from 'vitest';
import { createRoundTrips } from '../../src/platform/rate-limit.js';

function attempt(
  trips: ReturnType<typeof createRoundTrips>,
  from: number,
  took: number,
  unreached = false,
): void {
  trips.begin(from)(from + took, !unreached);
}

describe('round trips', () => {
  it('count only after the warm-up, and then the smallest of all', () => {
    const trips = createRoundTrips({ warmUp: 2, forgetAfterMs: 2_000 });
    attempt(trips, 0, 10);
    attempt(trips, 100, 30);
    expect(trips.smallest()).toBe(0);
    attempt(trips, 200, 40);
    expect(trips.smallest()).toBe(10);
  });

  it('leave out attempts that did not reach the server', () => {
    const trips = createRoundTrips({ warmUp: 0, forgetAfterMs: 2_000 });
    attempt(trips, 0, 50);
    attempt(trips, 100, 0.1, true);
    expect(trips.smallest()).toBe(50);
  });

  it('warm up again after a quiet time, because connections may be gone, and keep the smallest', () => {
    const trips = createRoundTrips({ warmUp: 1, forgetAfterMs: 2_000 });
    attempt(trips, 0, 20);
    attempt(trips, 100, 50);
    expect(trips.smallest()).toBe(20);
    attempt(trips, 3_000, 120);
    expect(trips.smallest()).toBe(0);
    attempt(trips, 3_200, 120);
    expect(trips.smallest()).toBe(20);
  });

  it('do not take a long attempt for a quiet time', () => {
    const trips = createRoundTrips({ warmUp: 0, forgetAfterMs: 2_000 });
    attempt(trips, 0, 20);
    trips.begin(100);
    trips.begin(5_000)(5_030, true);
    expect(trips.smallest()).toBe(20);
  });
});
