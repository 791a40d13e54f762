import { describe, expect, test } from 'vitest';
import {
  describeDifference,
  explainStatus,
  type SourceDifference,
  type StatusFacts,
} from '../../../src/features/look/explain-status.js';
import { RECORD_STATUSES } from '../../../src/core/domain/names.js';

describe('explain status', () => {
  const AT = '2026-01-30T05:08:00Z';
  const LATER = '2026-01-31T05:08:00Z';
  const FACTS: StatusFacts = {
    status: 'synced',
    inLedger: true,
    acceptedAt: null,
    lookedAt: null,
    drifted: false,
    lastError: null,
    atPlatform: null,
    firstIssue: null,
    waitsFor: null,
    nextAttemptAt: null,
    pausedUntil: null,
    areaStopped: null,
    confirmAt: null,
    vanishedAs: null,
    expiredOn: null,
    exhausted: false,
    difference: null,
    keptBack: null,
    entityHeld: null,
  };

  test.each<[Partial<StatusFacts>, RegExp]>([
    [
      { status: 'rejected', exhausted: true, lastError: 'HTTP 500' },
      /as often as retry\.maxAttempts allows\. Last error: HTTP 500\. It/,
    ],
    [{ status: 'rejected', lastError: 'HTTP 422: invalid.' }, /refused this payload: HTTP 422: invalid\. It/],
    [{ status: 'vanished', vanishedAs: 'deleted' }, /is deleted at the platform/],
    [{ status: 'pending', vanishedAs: 'closed' }, /will be closed at the platform/],
    [
      { status: 'vanished', expiredOn: '2026-01-31' },
      /^It has expired: its last day, 2026-01-31, was over when /,
    ],
    [{ status: 'vanished' }, /no longer in the query/],
    [{ status: 'invalid', firstIssue: 'quota must be a whole number' }, /it is not sent: quota must be/],
    [{ status: 'invalid', acceptedAt: AT }, /the platform keeps what it holds/],
    [
      { status: 'rejected', lastError: '422: no such city.' },
      /refused this payload: 422: no such city\. .*retry/,
    ],
    [{ status: 'waiting', waitsFor: 'companies c1' }, /waits for its parent: companies c1\.$/],
    [
      { status: 'deferred', lastError: '503', nextAttemptAt: '2026-01-31T08:00:00Z' },
      /failed \(503\).*due at 2026-01-31T08:00:00Z/,
    ],
    [{ status: 'pending' }, /has not accepted it yet/],
    [
      { status: 'pending', areaStopped: 'The certificate of the platform is not trusted.' },
      /Nothing is sent to its area now\. The certificate of the platform is not trusted\.$/,
    ],
    [
      { acceptedAt: AT },
      /^The platform accepted what is desired at 2026-01-30T05:08:00Z\. It was not looked at since\.$/,
    ],
    [{ acceptedAt: LATER, lookedAt: AT }, /at 2026-01-31T05:08:00Z\. It was not looked at since\.$/],
    [
      { acceptedAt: AT, lookedAt: LATER },
      /at 2026-01-30T05:08:00Z\. A look at it at 2026-01-31T05:08:00Z found the same\.$/,
    ],
    [
      { acceptedAt: AT, lookedAt: LATER, drifted: true },
      /A look at it at 2026-01-31T05:08:00Z found that the platform lacks it/,
    ],
    [{ status: 'pending', acceptedAt: AT }, /differs from the acknowledged one/],
    [
      { status: 'synced', acceptedAt: AT, keptBack: { onVanished: 'close' } },
      /^It is no longer in the query’s result\. The hold keeps that .*still holds it as before\. After approve, it is closed there\.$/,
    ],
    [
      { expiredOn: '2026-01-31', keptBack: { onVanished: 'close' } },
      /It has expired: its last day, 2026-01-31, is over\. The hold .* After approve, nothing more of it is sent\.$/,
    ],
    [
      { difference: 'The row has changed.' },
      /^The platform accepted what the last sweep desired\. It was not looked at since\. The row has changed\.$/,
    ],
    [
      { status: 'pending', keptBack: { onVanished: 'close' } },
      /The hold keeps that .*: the platform has not accepted it\. After approve/,
    ],
    [
      { status: 'pending', inLedger: false, difference: 'No run has read it yet.' },
      /^No run has read it yet\.$/,
    ],
    [
      { status: 'invalid', inLedger: false, firstIssue: 'name is required', difference: 'It is new.' },
      /it is not sent: name is required It is new\.$/,
    ],
    [{ status: 'synced' }, /^The platform accepted what is desired\. It was not looked at since\.$/],
    [{ status: 'synced', confirmAt: '2026-01-31T08:00:00Z' }, /confirmed after 2026-01-31T08:00:00Z/],
  ])('%o is explained', (facts, text) => {
    expect(explainStatus({ ...FACTS, ...facts })).toMatch(text);
  });

  test.each(RECORD_STATUSES)(
    'a record that is %s says too that its row has changed and that its entity is held',
    (status) => {
      const text = explainStatus({
        ...FACTS,
        status,
        entityHeld: { message: '11 of 100 records vanished', since: '2026-01-31T08:00:00Z' },
        difference: 'The row has changed.',
      });
      expect(text).toMatch(
        /The row has changed\. The entity is held \(since 2026-01-31T08:00:00Z\): 11 of 100 records vanished\.$/,
      );
      expect(text).not.toMatch(/undefined|null|an unknown time.*an unknown time/);
    },
  );
});

describe('source difference', () => {
  const CHANGED: SourceDifference = {
    kind: 'changed',
    fields: [],
    sweptAt: '2026-01-31T08:00:00Z',
    held: false,
    mappingChanged: false,
    passedOver: null,
  };
  const HELD = { held: true };

  test.each<[Partial<SourceDifference>, string]>([
    [
      { kind: 'new', sweptAt: null },
      'No run has read vacancies yet, so the ledger does not have this record. The next run reads it.',
    ],
    [
      { kind: 'new' },
      'The query has this record only since the last sweep (2026-01-31T08:00:00Z); the next sweep will read it.',
    ],
    [
      { kind: 'new', sweptAt: null, ...HELD },
      'The query has this record, the ledger does not have it yet. The hold keeps that from being applied.',
    ],
    [{ kind: 'gone' }, 'It is no longer in the query’s result; the next sweep will see that.'],
    [
      { fields: ['title', 'min_salary.amount'], ...HELD },
      'The row has changed in title, min_salary.amount: the ledger has another payload. The hold keeps that from being applied.',
    ],
    [
      {
        fields: ['title'],
        passedOver: { until: '2026-02-01T08:00:00Z', command: 'placement-sync resync --key v1' },
      },
      'The row has changed in title: the ledger has another payload. The query’s row_version did not change, so the sweeps did not read the row. It is read in full at 2026-02-01T08:00:00Z (sweep.fullEvery), or at once by: placement-sync resync --key v1',
    ],
    [
      { mappingChanged: true },
      'The row has changed: the ledger has another payload. Query, lookups or settings changed since the last sweep (2026-01-31T08:00:00Z); the next sweep reads every row.',
    ],
    [
      { kind: 'broken' },
      'The row has errors since the last sweep (2026-01-31T08:00:00Z); the next sweep will read it.',
    ],
  ])('%o', (difference, text) => {
    expect(describeDifference('vacancies', { ...CHANGED, ...difference })).toBe(text);
  });

  test('the fields that changed since the last sweep are named', () => {
    expect(describeDifference('vacancies', { ...CHANGED, fields: ['title', 'quota'] })).toBe(
      'The row has changed since the last sweep (2026-01-31T08:00:00Z) in title, quota; the next sweep will read it.',
    );
  });

  test('of many fields the first are named', () => {
    const fields = Array.from({ length: 10 }, (_, index) => `f${index}`);
    expect(describeDifference('vacancies', { ...CHANGED, fields })).toContain('f6, f7 and 2 more;');
  });
});
