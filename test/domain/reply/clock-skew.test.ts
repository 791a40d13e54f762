import { describe, expect, it } from 'vitest';
import { clockSkew, describeClockSkew } from '../../../src/domain/reply/reply.js';

const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT';
const MOMENT = Date.UTC(1994, 10, 6, 8, 49, 37);

describe('clock skew', () => {
  it('is our time less the time of the platform', () => {
    expect(clockSkew(DATE, MOMENT + 90_000)).toBe(90_000);
    expect(clockSkew(null, MOMENT)).toBeNull();
    expect(clockSkew('yesterday', MOMENT)).toBeNull();
  });

  it.each([
    [null, null],
    [60_000, null],
    [-60_000, null],
    [61_000, "your clock is 61 s ahead of the platform's"],
    [-600_000, "your clock is 10 min behind the platform's"],
    [7 * 3_600_000, "your clock is 7 h ahead of the platform's"],
    [-3 * 86_400_000, "your clock is 3 days behind the platform's"],
  ])('of %j ms reads %j', (skew, text) => {
    expect(describeClockSkew(skew)).toBe(text);
  });
});
