import { describe, expect, it, test } from 'vitest';
import {
  clockSkew,
  describeClockSkew,
  parseHttpDate,
  retryAfterDelay,
  withoutStatus,
} from '../../../src/domain/reply/reply.js';

describe('clock skew', () => {
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
});

describe('http date', () => {
  const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT';
  const MOMENT = Date.UTC(1994, 10, 6, 8, 49, 37);

  describe('an HTTP date', () => {
    it.each([DATE, 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
      'is read from %s',
      (text) => {
        expect(parseHttpDate(text)).toBe(MOMENT);
      },
    );

    it.each([
      '',
      '120 x',
      '1994-11-06T08:49:37',
      'Sun, 06 Nov 1994 08:49:37',
      'Sun, 40 Foo 1994 08:49:37 GMT',
    ])('is not read from %j', (text) => {
      expect(parseHttpDate(text)).toBeNull();
    });
  });
});

describe('retry after', () => {
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
});

describe('without status', () => {
  test.each([
    ['HTTP 500: Server Error', 500, 'Server Error'],
    ['HTTP 500', 500, null],
    ['HTTP 200 was not understood: data is missing', 200, 'not understood: data is missing'],
    ['HTTP 5001 is a text', 500, 'HTTP 5001 is a text'],
    ['HTTP 500: Server Error', 502, 'HTTP 500: Server Error'],
    ['name: is taken', 422, 'name: is taken'],
    ['the connection broke', null, 'the connection broke'],
    [null, 200, null],
  ])('%o beside the status %o is %o', (reason, statusCode, shown) => {
    expect(withoutStatus(reason, statusCode)).toBe(shown);
  });
});
