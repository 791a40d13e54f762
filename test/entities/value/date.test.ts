import { expect, test } from 'vitest';
import { date } from '../../../src/entities/values.js';

test.each([
  ['2026-12-31', '2026-12-31'],
  [' 2026-12-31 ', '2026-12-31'],
  ['2026-12-31 00:30:00+07', '2026-12-31'],
  ['2026-12-31 23:59:59.999999+05:30', '2026-12-31'],
  ['2026-12-31T23:59:59', '2026-12-31'],
  ['2026-12-31T23:59:59.5', '2026-12-31'],
  ['1850-12-31 23:59:59+07:07:12', '1850-12-31'],
  ['2026-12-31 23:59', '2026-12-31'],
  ['2000-02-29', '2000-02-29'],
  ['0001-01-01', '0001-01-01'],
  ['0050-06-01', '0050-06-01'],
  ['9999-12-31 23:00:00+07', '9999-12-31'],
])('takes the day of %j', (text, day) => {
  expect(date(text)).toEqual({ value: day });
});

test.each([
  '0044-03-15 BC',
  '0044-03-15 10:00:00+07:07:12 BC',
  '31/12/2026',
  '12-31-2026',
  '2026-1-5',
  '12026-01-01',
  '0000-01-01',
  '1900-02-29',
  '2026-02-30',
  '2026-13-01',
  '2026-00-10',
  '1767139200',
  'segera',
  '2026-12-31 or later',
  '2026-12-31 10:00 or later',
  '2026-12-31 10:00:00xyz',
  '2026-12-31 10',
  '2026-12-31T',
  '2026-12-31+07',
  '2026-12-31T10:00:00+7',
])('refuses %j', (text) => {
  expect(date(text)).toMatchObject({ fault: { code: 'format' } });
});

test.each([
  '2026-01-15T23:00:00Z',
  '2026-01-15 23:00:00Z',
  '2026-01-15T23:00:00.000z',
  '2026-01-15T23:00:00+00:00',
  '2026-01-15T23:00+07',
  '2026-01-15 23:00:00 UTC',
  '2026-01-15 23:00:00 +0700',
])('refuses %j, whose day depends on its zone, and says how to cast it', (text) => {
  expect(date(text)).toMatchObject({
    fault: { code: 'format', hint: expect.stringContaining('::timestamptz') as string },
  });
});

test.each([
  ['infinity', 'is "infinity"; the platform needs a date'],
  ['-infinity', 'is "-infinity"; the platform needs a date'],
])('says of %s what it means', (text, message) => {
  expect(date(text)).toMatchObject({
    fault: { message, hint: expect.stringContaining(`nullif(column, '${text}')`) as string },
  });
});
