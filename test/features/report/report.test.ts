import { describe, expect, it, test } from 'vitest';
import { isDay, recordEvents, reportDays } from '../../../src/features/report/report.js';
import type { DeliveryKind, DeliveryOutcome } from '../../../src/core/domain/delivery.js';
import { type AcceptedStretch, reportedRecord } from '../../../src/features/report/record-report.js';

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

describe('the line of a record', () => {
  const day = (of: number) => new Date(Date.UTC(2026, 0, of));
  /** What the line says of these accepted requests, each on the day of its place in the text. */
  const KINDS = { n: 'new', u: 'update', c: 'close', d: 'delete' } as const;
  function lineOf(text: string) {
    const accepted = [...text.matchAll(/(.)\1*/g)].map(
      ({ 0: all, 1: kind = '', index }): AcceptedStretch => ({
        kind: KINDS[kind as keyof typeof KINDS],
        count: all.length,
        first: day(index + 1),
        last: day(index + all.length),
      }),
    );
    const { reportedAt, reportedAtLatest, updatedAt, updates, closedAt, deletedAt } = reportedRecord({
      entity: 'vacancies',
      key: 'v',
      platformId: 'id',
      title: null,
      parent: null,
      accepted,
      lastAt: day(31),
      lastRequestId: 'r',
      lastOutcome: 'accepted',
    });
    const of = (time: Date | null) => time?.getUTCDate() ?? null;
    return {
      reported: of(reportedAt),
      latest: of(reportedAtLatest),
      updated: of(updatedAt),
      updates,
      closed: of(closedAt),
      deleted: of(deletedAt),
    };
  }
  const none = { reported: null, latest: null, updated: null, updates: 0, closed: null, deleted: null };

  it.each([
    ['nothing was accepted', '', {}],
    ['it was reported', 'n', { reported: 1 }],
    ['it was updated twice', 'nuu', { reported: 1, updated: 3, updates: 2 }],
    ['it was closed', 'nuc', { reported: 1, updated: 2, updates: 1, closed: 3 }],
    ['its closing was sent again: that moves nothing', 'nccc', { reported: 1, closed: 2 }],
    ['it was opened again', 'ncu', { reported: 1, updated: 3, updates: 1 }],
    ['it was closed, opened and closed again', 'ncuc', { reported: 1, updated: 3, updates: 1, closed: 4 }],
    ['it was closed, then deleted', 'ncd', { reported: 1, closed: 2, deleted: 3 }],
    ['it was deleted twice', 'ndd', { reported: 1, deleted: 2 }],
    ['it was deleted, and sent again', 'ndu', { reported: 1, updated: 3, updates: 1 }],
    ['it was closed, deleted, and sent again as closed', 'ncdc', { reported: 1, closed: 2 }],
    ['the ledger was lost, so it was new twice', 'nun', { reported: 1, updated: 3, updates: 2 }],
    ['the journal does not have its first report', 'uu', { latest: 1, updated: 2, updates: 2 }],
    ['the journal has its closing only', 'c', { latest: 1, closed: 1 }],
    ['the journal has its closing, and then a new report', 'cn', { latest: 1, updated: 2, updates: 1 }],
    ['the journal has its deletion only: perhaps it was never there', 'd', { deleted: 1 }],
    ['the journal has its deletion, then a report', 'dn', { reported: 2 }],
  ])('where %s', (_what, accepted, line) => {
    expect(lineOf(accepted)).toEqual({ ...none, ...line });
  });
});
