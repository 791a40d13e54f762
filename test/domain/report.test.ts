import { describe, expect, it, test } from 'vitest';
import {
  type DeliveryKind,
  type DeliveryOutcome,
  isDay,
  recordEvents,
  reportDays,
} from '../../src/domain/report.js';

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

describe('record events', () => {
  const events = (...requests: readonly (readonly [DeliveryKind, DeliveryOutcome?])[]) =>
    recordEvents(requests.map(([kind, outcome = 'accepted']) => ({ kind, outcome })));

  test.each([
    [[['new'], ['update'], ['close'], ['update'], ['close']], 'opened updated closed reopened closed'],
    [[['new'], ['delete'], ['new']], 'opened deleted reopened'],
    [[['new', 'rejected'], ['new']], 'opened opened'],
    // A close that the platform did not accept closed nothing.
    [[['new'], ['close', 'deferred'], ['update']], 'opened closed updated'],
    // A repetition without a known outcome does not open it.
    [[['close'], ['update', 'unknown'], ['update']], 'closed reopened reopened'],
    [[['new'], ['state', 'seen']], 'opened seen'],
    [[], ''],
  ] as const)('%j is %s', (requests, expected) => {
    expect(events(...requests).join(' ')).toBe(expected);
  });
});
