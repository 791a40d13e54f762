import { expect, test } from 'vitest';
import { explainStatus, type StatusFacts } from '../../src/domain/explain-status.js';
import { RECORD_STATUSES } from '../../src/domain/record-status.js';

const FACTS: StatusFacts = {
  status: 'synced',
  inSource: true,
  everAcknowledged: false,
  lastError: null,
  firstIssue: null,
  waitsFor: null,
  nextAttemptAt: null,
  confirmAt: null,
  vanishedAs: null,
  exhausted: false,
  sourceDiffers: false,
  newerApplication: false,
  entityHeld: null,
};

test.each<[Partial<StatusFacts>, RegExp]>([
  [
    { status: 'rejected', exhausted: true, lastError: 'HTTP 500' },
    /as often as retry\.maxAttempts allows, at last with: HTTP 500\. It/,
  ],
  [
    { status: 'rejected', lastError: 'HTTP 422: invalid.' },
    /refused this very payload: HTTP 422: invalid\. It/,
  ],
  [{ status: 'vanished', vanishedAs: 'deleted' }, /is deleted at the platform/],
  [{ status: 'pending', vanishedAs: 'closed' }, /will be closed at the platform/],
  [{ status: 'vanished' }, /no longer in the query/],
  [{ status: 'invalid', firstIssue: 'quota must be a whole number' }, /nothing is sent of it: quota must be/],
  [{ status: 'invalid', everAcknowledged: true }, /the platform keeps what it holds/],
  [
    { status: 'rejected', lastError: '422: no such city.' },
    /refused this very payload: 422: no such city\. .*retry/,
  ],
  [{ status: 'waiting', waitsFor: 'companies c1' }, /waits for its parent: companies c1\.$/],
  [
    { status: 'deferred', lastError: '503', nextAttemptAt: '2026-01-31T08:00:00Z' },
    /failed \(503\).*again at 2026-01-31T08:00:00Z/,
  ],
  [{ status: 'pending' }, /not known to have it/],
  [{ status: 'pending', everAcknowledged: true }, /differs from what the platform is known to hold/],
  [{ status: 'synced' }, /^The platform holds what is wanted\.$/],
  [{ status: 'synced', confirmAt: '2026-01-31T08:00:00Z' }, /confirmed after 2026-01-31T08:00:00Z/],
])('%o is explained', (facts, text) => {
  expect(explainStatus({ ...FACTS, ...facts })).toMatch(text);
});

test.each(RECORD_STATUSES)(
  'a record that is %s says too that its entity is held and that its row has changed',
  (status) => {
    const text = explainStatus({
      ...FACTS,
      status,
      entityHeld: '11 of 100 records vanished',
      sourceDiffers: true,
    });
    expect(text).toMatch(
      /The entity is held: 11 of 100 records vanished The source has changed since the last sweep/,
    );
    expect(text).not.toMatch(/undefined|null|an unknown time.*an unknown time/);
  },
);
