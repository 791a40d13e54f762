import { expect, test } from 'vitest';
import type { RecordStanding } from '../../../src/features/plan/forecasts.js';
import { parentOutlook } from '../../../src/features/plan/wait-for-parents.js';

const NOBODY: Parameters<typeof parentOutlook>[2] = {
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
