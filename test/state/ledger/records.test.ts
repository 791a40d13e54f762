import { expect, test } from 'vitest';
import { openTestState, refused, says, wants } from '../open-test-state.js';

const PAST = "now() - interval '1 hour'";
const LATER = "now() + interval '1 hour'";
const VANISHED = 'vanished_at = now()';
const INVALID = `invalid_reason = '[]'`;
const REFUSED = 'refused_hash = desired_hash';
const SAME = 'acknowledged_hash = desired_hash, acknowledged_at = now()';
const ORPHAN = 'parent_platform_id = gen_random_uuid()';

/** A pending vacancy without parent, changed by SQL. */
test.each([
  ['synced', SAME],
  ['pending', 'attempts = 0'],
  ['pending', `${SAME}, confirm_at = ${PAST}`],
  ['synced', `${SAME}, confirm_at = ${LATER}`],
  ['pending', `confirm_at = ${LATER}`],
  ['synced', `${SAME}, next_attempt_at = ${LATER}`],
  ['deferred', `next_attempt_at = ${LATER}`],
  ['pending', `next_attempt_at = ${PAST}`],
  ['deferred', `${SAME}, confirm_at = ${PAST}, next_attempt_at = ${LATER}`],
  ['waiting', ORPHAN],
  ['waiting', `${ORPHAN}, next_attempt_at = ${LATER}`],
  ['synced', `${ORPHAN}, ${SAME}`],
  ['waiting', `${ORPHAN}, ${SAME}, confirm_at = ${PAST}`],
  ['rejected', REFUSED],
  ['rejected', `${REFUSED}, ${ORPHAN}, next_attempt_at = ${LATER}`],
  ['pending', "refused_hash = 'v1:another'"],
  ['invalid', INVALID],
  ['invalid', `${INVALID}, ${REFUSED}, ${ORPHAN}`],
  ['invalid', `${INVALID}, desired_hash = null`],
  ['invalid', `${INVALID}, ${SAME}`],
  ['vanished', `${VANISHED}, desired_hash = null`],
  ['vanished', `${VANISHED}, desired_hash = null, ${INVALID}, confirm_at = ${PAST}`],
  ['vanished', `${VANISHED}, ${SAME}`],
  ['pending', VANISHED],
  ['rejected', `${VANISHED}, ${REFUSED}`],
  ['synced', `${VANISHED}, ${SAME}, confirm_at = ${LATER}`],
  ['pending', `${VANISHED}, ${SAME}, confirm_at = ${PAST}`],
])('is %s with %s, and is claimed exactly when it is pending', async (status, change) => {
  const state = await openTestState();
  await state.publish('vacancies', wants('v', '1'));
  await state.sql(`update placement_sync.sync_state set ${change}`);
  expect((await state.records.find('vacancies', 'v'))?.status).toBe(status);
  const { blocked, oldestPendingAt, ...counts } = await state.records.counts('vacancies');
  expect(counts).toMatchObject({ [status]: 1 });
  expect(Object.values(counts).filter((count) => count === 1)).toHaveLength(1);
  expect(oldestPendingAt === null).toBe(status !== 'pending' && status !== 'deferred');
  expect(blocked).toBe(status === 'waiting' ? 1 : 0);
  expect(await state.claim('vacancies')).toHaveLength(status === 'pending' ? 1 : 0);
});

test.each([
  ['absent', 1, 'delete from placement_sync.sync_state where entity = $1'],
  ['vanished', 1, `update placement_sync.sync_state set ${VANISHED}, desired_hash = null where entity = $1`],
  ['invalid', 1, `update placement_sync.sync_state set ${INVALID} where entity = $1`],
  ['rejected', 1, `update placement_sync.sync_state set ${REFUSED} where entity = $1`],
  ['deferred', 0, `update placement_sync.sync_state set next_attempt_at = ${LATER} where entity = $1`],
  ['pending', 0, 'update placement_sync.sync_state set attempts = 0 where entity = $1'],
])('a child of a parent that is %s waits; %i blocked', async (status, blocked, sql) => {
  const state = await openTestState();
  await state.publish('companies', wants('p', '1'));
  await state.publish('vacancies', wants('v', '1', 'p'));
  await state.sql(sql, ['companies']);
  expect(await state.records.counts('vacancies')).toMatchObject({ waiting: 1, blocked });
  expect(await state.records.blocked('vacancies', 5)).toEqual(
    blocked === 0 ? [] : [{ key: 'v', parentKey: status === 'absent' ? null : 'p' }],
  );
});

test('a parent that became invalid after it got its reference does not keep its children back', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('p', '1'));
  await state.acceptAll();
  await state.publish('companies', says('invalid', 'p'));
  await state.publish('vacancies', wants('v', '1', 'p'));
  expect(await state.claim('vacancies')).toHaveLength(1);
});

test('a record is found with its last reply and its parent', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('p', '1'));
  await state.acceptAll();
  await state.publish('vacancies', wants('v', '1', 'p'));
  await state.record(...(await state.claim('vacancies')).map(refused));
  expect(await state.records.find('vacancies', 'v')).toMatchObject({
    status: 'rejected',
    claimed: false,
    lastReply: { statusCode: 422, error: 'HTTP 422: no' },
    parent: { key: 'p', status: 'synced', reference: 'ref-p', payload: { name: '1' } },
  });
  expect(await state.records.find('vacancies', 'unknown')).toBeNull();
});
