import { expect, it } from 'vitest';
import { isDay, reportDays } from '../../src/domain/report.js';

it.each([
  [{}, { from: '2026-02-02', to: '2026-03-03' }],
  [{ from: '2026-03-01' }, { from: '2026-03-01', to: '2026-03-03' }],
  [{ to: '2026-01-31' }, { from: '2026-01-02', to: '2026-01-31' }],
  [
    { from: '2026-01-05', to: '2026-01-05' },
    { from: '2026-01-05', to: '2026-01-05' },
  ],
  [{ from: '2026-03-04' }, null],
  [{ from: '2026-02-01', to: '2026-01-31' }, null],
])('the days %j are %j when today is 2026-03-03', (asked, days) => {
  expect(reportDays(asked, '2026-03-03')).toEqual(days);
});

it.each(['2026-01-31', '2024-02-29'])('%s is a day', (text) => expect(isDay(text)).toBe(true));
it.each(['2026-02-30', '2026-13-01', '2026-1-1', '20260101', '', '2026-01-01T00:00', 'today'])(
  '%j is no day',
  (text) => expect(isDay(text)).toBe(false),
);
