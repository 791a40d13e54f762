import { describe, expect, it, test } from 'vitest';
import {
  instantInZone,
  platformTimestamp,
  readRequestTimestamp,
  requestTimestamp,
} from '../../src/contract/time.js';

describe('instant in zone', () => {
  test.each([
    ['2026-01-15 23:00:00+00', 'Asia/Jakarta', '2026-01-16 06:00:00+07'],
    ['2026-01-15 23:00:00.123456+00', 'Asia/Jakarta', '2026-01-16 06:00:00.123456+07'],
    ['2026-01-16 06:00:00+07', 'Asia/Jakarta', '2026-01-16 06:00:00+07'],
    ['2026-07-01 00:00:00-03:30', 'Asia/Kolkata', '2026-07-01 09:00:00+05:30'],
    ['0999-12-31 20:00:00+00', 'Asia/Jakarta', '1000-01-01 03:07:12+07:07:12'],
    // A day that stands for never.
    ['9999-12-30 17:00:00+00', 'Asia/Jakarta', '9999-12-31 00:00:00+07'],
    ['9999-12-31 17:00:00+00', 'America/New_York', '9999-12-31 12:00:00-05'],
    ['0001-01-01 00:00:00+00', 'Asia/Jakarta', '0001-01-01 07:07:12+07:07:12'],
    ['0001-06-01 00:00:00+00', 'UTC', '0001-06-01 00:00:00+00'],
  ])('%s is in %s %s', (text, zone, there) => {
    expect(instantInZone(text, zone)).toBe(there);
  });

  test.each([
    'infinity',
    '2026-01-15',
    '2026-01-15 23:00:00',
    '2026-01-15T23:00:00Z',
    '2026-13-15 23:00:00+00',
    '0044-03-15 12:00:00+00 BC',
    '9999-12-31 23:59:59+00',
    '0001-01-01 00:00:00+08',
    '12026-01-15 23:00:00+00',
    'tomorrow',
    '',
  ])('leaves %j as it is', (text) => {
    expect(instantInZone(text, 'Asia/Jakarta')).toBe(text);
  });
});

describe('timestamps', () => {
  describe('the request timestamp', () => {
    it('is UTC in whole seconds, cut and not rounded', () => {
      expect(requestTimestamp(1663811460000)).toBe('2022-09-22T01:51:00Z');
      expect(requestTimestamp(1663811460999)).toBe('2022-09-22T01:51:00Z');
    });

    it('is read back', () => {
      expect(readRequestTimestamp('2022-09-22T01:51:00Z')).toBe(1663811460000);
    });

    it.each([
      '',
      '2022-09-22 01:51:00',
      '2022-09-22T01:51:00+07:00',
      '2022-09-22T01:51:00.000Z',
      '2022-13-22T01:51:00Z',
    ])('is not %o', (text) => {
      expect(readRequestTimestamp(text)).toBeNull();
    });
  });

  describe('the platform timestamp', () => {
    it.each([
      [1663811460999, 'Asia/Jakarta', '2022-09-22 08:51:00'],
      [1663811460999, 'UTC', '2022-09-22 01:51:00'],
      [1769878800000, 'Asia/Jakarta', '2026-02-01 00:00:00'],
      [1769878800000, 'America/New_York', '2026-01-31 12:00:00'],
    ])('of %d in %s is %s', (ms, timeZone, text) => {
      expect(platformTimestamp(ms, timeZone)).toBe(text);
    });
  });
});
