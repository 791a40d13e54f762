import { expect, test } from 'vitest';
import { localTime, withLocalTimes } from '../../../src/cli/output/local-time.js';

const AT = new Date('2026-01-31T20:00:00.250Z');

test.each([
  ['Asia/Jakarta', '2026-02-01 03:00:00 GMT+7'],
  ['UTC', '2026-01-31 20:00:00 UTC'],
  ['Asia/Kolkata', '2026-02-01 01:30:00 GMT+5:30'],
  ['America/New_York', '2026-01-31 15:00:00 GMT-5'],
])('in %s it is %s', (zone, text) => {
  expect(localTime(AT, zone)).toBe(text);
});

test('every ISO time in a sentence becomes one of the zone; other text stays', () => {
  expect(
    withLocalTimes(
      'Due at 2026-01-31T20:00:00.250Z, then 2026-06-01T00:00:00Z; 2026-99-99T00:00:00Z stays.',
      'Asia/Jakarta',
    ),
  ).toBe('Due at 2026-02-01 03:00:00 GMT+7, then 2026-06-01 07:00:00 GMT+7; 2026-99-99T00:00:00Z stays.');
});
