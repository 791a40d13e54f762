import { expect, test } from 'vitest';
import { explainStatus, type StatusFacts } from '../../src/domain/explain-status.js';
import { RECORD_STATUSES } from '../../src/domain/names.js';

const FACTS: StatusFacts = {
  status: 'synced',
  inLedger: true,
  everAcknowledged: false,
  lastError: null,
  firstIssue: null,
  waitsFor: null,
  nextAttemptAt: null,
  pausedUntil: null,
  confirmAt: null,
  vanishedAs: null,
  expiredOn: null,
  exhausted: false,
  difference: null,
  keptBack: null,
  newerApplication: false,
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
  [{ status: 'invalid', everAcknowledged: true }, /the platform keeps what it holds/],
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
  [{ status: 'pending', everAcknowledged: true }, /differs from the acknowledged one/],
  [
    { status: 'synced', everAcknowledged: true, keptBack: { onVanished: 'close' } },
    /^It is no longer in the query’s result\. The hold keeps that .*still holds it as before\. After approve, it is closed there\.$/,
  ],
  [
    { expiredOn: '2026-01-31', keptBack: { onVanished: 'close' } },
    /It has expired: its last day, 2026-01-31, is over\. The hold .* After approve, nothing more of it is sent\.$/,
  ],
  [
    { difference: 'The row has changed.' },
    /^The platform holds what the last sweep desired\. The row has changed\.$/,
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
  [{ status: 'synced' }, /^The platform holds what is desired\.$/],
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
