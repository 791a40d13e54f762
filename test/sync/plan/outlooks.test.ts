import { expect, test } from 'vitest';
import type { RecordStanding } from '../../../src/state/ledger/forecasts.js';
import { parentOutlook, type PlannedParents, recordOutlook } from '../../../src/sync/plan/forecast-entity.js';

/** A record that the platform holds as it is desired. */
const SYNCED: RecordStanding = {
  key: 'k',
  platformId: 'id',
  status: 'synced',
  referenced: true,
  accepted: true,
  desiredHash: 'a',
  acknowledgedHash: 'a',
  refusedHash: null,
  platformState: null,
  confirming: false,
  postponed: false,
  neverThere: false,
  parentPlatformId: null,
};

const changed = (desiredHash: string | null) => ({ kind: 'changed', desiredHash }) as const;
const vanished = (desiredHash: string | null) => ({ kind: 'vanished', desiredHash }) as const;

test.each([
  ['a new record', { kind: 'new', desiredHash: 'a' } as const, null, 'send'],
  ['another payload', changed('b'), {}, 'send'],
  ['an invalid row', { kind: 'invalid', desiredHash: null } as const, {}, 'invalid'],
  ['the payload that the platform has', changed('a'), { desiredHash: 'b' }, 'nothing'],
  ['that payload, which is to be confirmed', changed('a'), { desiredHash: 'b', confirming: true }, 'send'],
  ['the payload that was refused', changed('b'), { desiredHash: 'b', refusedHash: 'b' }, 'rejected'],
  ['another than the one that was refused', changed('c'), { desiredHash: 'b', refusedHash: 'b' }, 'send'],
  ['the payload that failed', changed('b'), { desiredHash: 'b', postponed: true }, 'deferred'],
  ['another than the one that failed', changed('c'), { desiredHash: 'b', postponed: true }, 'send'],
  ['a record that vanished and is kept', vanished(null), {}, 'nothing'],
  ['a record that is closed', vanished('closed'), {}, 'send'],
  ['a record that vanished before it was tried', vanished('closed'), { neverThere: true }, 'nothing'],
  ['a closing that was refused before', vanished('b'), { desiredHash: 'b', refusedHash: 'b' }, 'send'],
])('%s: %s', (_, finding, before, outlook) => {
  expect(recordOutlook(finding, before && { ...SYNCED, ...before })).toBe(outlook);
});

const NOBODY: PlannedParents = {
  coming: new Set(),
  invalid: new Map(),
  gone: new Set(),
  applied: true,
  pushed: true,
  read: true,
};
const COMING = { ...NOBODY, coming: new Set(['p']) };
const INVALID = { ...NOBODY, invalid: new Map([['p', [7]]]) };
const without = (status: RecordStanding['status']) => ({ status, referenced: false });

test.each([
  ['has a reference', { status: 'invalid', referenced: true } as const, INVALID, 'comes'],
  ['is new', null, COMING, 'comes'],
  ['is new and held', null, { ...COMING, applied: false }, 'parent-held'],
  ['is new, and nothing is sent', null, { ...COMING, pushed: false }, 'parent-held'],
  ['is nowhere', null, NOBODY, 'parent-absent'],
  ['is not in the plan', null, null, 'parent-left-out'],
  ['could not be read', null, { ...NOBODY, applied: false, read: false }, 'parent-unread'],
  ['is rejected', without('rejected'), NOBODY, 'parent-rejected'],
  ['was rejected and changed', without('rejected'), COMING, 'comes'],
  [
    'was rejected, changed and is held',
    without('rejected'),
    { ...COMING, applied: false },
    'parent-rejected',
  ],
  ['is pending', without('pending'), NOBODY, 'comes'],
  ['is pending, and nothing is sent', without('pending'), { ...NOBODY, pushed: false }, 'parent-held'],
  ['is pending and not in the plan', without('pending'), null, 'parent-left-out'],
  ['has gone', without('pending'), { ...NOBODY, gone: new Set(['p']) }, 'parent-vanished'],
] as const)('a child whose parent %s', (_, standing, planned, outlook) => {
  const found = parentOutlook('p', standing, planned);
  expect(found === 'comes' ? found : found.problem).toBe(outlook);
});

test('a child of an invalid parent names the groups that are to blame', () => {
  const waits = { problem: 'parent-invalid', groups: [7], parentKey: null };
  expect(parentOutlook('p', null, INVALID)).toEqual(waits);
  expect(parentOutlook('p', without('pending'), INVALID)).toEqual(waits);
  expect(parentOutlook('p', without('invalid'), { ...INVALID, applied: false })).toEqual(waits);
  // A held sweep leaves the parent as the ledger has it.
  expect(parentOutlook('p', without('pending'), { ...INVALID, applied: false })).toBe('comes');
});
