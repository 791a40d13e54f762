import { describe, expect, it } from 'vitest';
import { platformTimestamp, readRequestTimestamp, requestTimestamp } from '../../src/contract/time.js';

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
