import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffDelay } from '../../../src/domain/reply/judge-reply.js';

describe('backoff', () => {
  it.each([
    [1, 0, 15_000],
    [1, 0.999999, 30_000],
    [2, 0, 30_000],
    [4, 0.5, 180_000],
    [10, 0, 7_680_000],
    [11, 0, 10_800_000],
    [5_000, 0.999999999, 21_600_000],
  ])('after %i attempts with random %d waits %i ms of base 30 s and at most 6 h', (attempts, random, ms) => {
    expect(backoffDelay(attempts, 30_000, 21_600_000, random)).toBe(ms);
  });

  it('stays between half and all of the longest delay', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 60_000 }),
        fc.integer({ min: 1, max: 86_400_000 }),
        fc.double({ min: 0, max: 0.999999, noNaN: true }),
        (attempts, base, max, random) => {
          const longest = Math.min(max, base * 2 ** (attempts - 1));
          const delay = backoffDelay(attempts, base, max, random);
          expect(delay).toBeGreaterThanOrEqual(Math.floor(longest / 2));
          expect(delay).toBeLessThanOrEqual(longest);
        },
      ),
    );
  });
});
