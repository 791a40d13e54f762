import { expect, test } from 'vitest';
import type { KnownPayloads } from '../../../src/ports/ledger.js';
import { vanishedFinding } from '../../../src/sync/sweep/read-changes.js';
import { configured } from '../push/push-fixture.js';

const TODAY = '2026-03-10';
const CLOSING = { ...configured('vacancies'), onVanished: 'close' as const };

/** A vacancy that was accepted, with this last day. */
function known(lastDay: string | null): KnownPayloads {
  const payload = { title: 'Welder', ...(lastDay === null ? {} : { expire_at: lastDay }) };
  return {
    desired: payload,
    acknowledged: payload,
    deleted: false,
    parentPlatformId: null,
    acknowledgedParentPlatformId: null,
  };
}

test.each([
  ['before its last day', '2026-03-11', 'closed'],
  ['on its last day, which is not over', TODAY, 'closed'],
  ['after its last day, so the platform has ended it', '2026-03-09', null],
  ['without a last day', null, 'closed'],
])('a vacancy that vanishes %s', (_name, lastDay, status) => {
  const { finding, expired } = vanishedFinding(CLOSING, { key: 'v' }, known(lastDay), TODAY);
  expect(expired).toBe(status === null);
  expect(finding.desiredPayload?.status ?? null).toBe(status);
  expect(finding.desiredHash === null).toBe(status === null);
});

test('a record without any payload has nothing to close', () => {
  const { finding, expired } = vanishedFinding(CLOSING, { key: 'v' }, null, TODAY);
  expect({ expired, hash: finding.desiredHash }).toEqual({ expired: false, hash: null });
});
