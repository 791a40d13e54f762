import { describe, expect, it } from 'vitest';
import { retryAfterDelay } from '../../../src/domain/reply/reply.js';

const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT';
const MOMENT = Date.UTC(1994, 10, 6, 8, 49, 37);

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    [' 30 ', 30_000],
    ['1.5', 1_500],
    ['99999999999999999999', 86_400_000],
    ['-5', null],
    ['', null],
    ['1e3', null],
    [null, null],
  ])('of %j is %j ms', (header, expected) => {
    expect(retryAfterDelay(header, null, 0)).toBe(expected);
  });

  it("measures a date against the reply's own date and not against a wrong clock", () => {
    const later = 'Sun, 06 Nov 1994 08:50:07 GMT';
    expect(retryAfterDelay(later, DATE, MOMENT - 3_600_000)).toBe(30_000);
    expect(retryAfterDelay(later, null, MOMENT + 10_000)).toBe(20_000);
    expect(retryAfterDelay(later, 'nonsense', MOMENT + 10_000)).toBe(20_000);
  });

  it('does not wait for a date that has passed', () => {
    expect(retryAfterDelay(DATE, 'Sun, 06 Nov 1994 09:00:00 GMT', MOMENT)).toBe(0);
  });
});
