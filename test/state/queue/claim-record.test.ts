import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { accepted, hashOf, openTestState, otherNonce, TAKING_OVER, wants } from '../open-test-state.js';

const sending = (key: string, name: string) => ({
  ...{ entity: 'companies', key, requestId: randomUUID(), hash: hashOf(name), payload: { name } },
});

test('a record is claimed whatever its status, and what was sent is acknowledged instead of what is desired', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', 'whole'));
  await state.acceptAll();
  expect(await state.claim()).toEqual([]);
  const claim = await state.queue.claimRecord({ fence: state.push, ...sending('a', 'part') });
  expect(claim).toMatchObject({ key: 'a', hash: hashOf('part'), unacknowledged: false, confirming: false });
  expect(await state.queue.claimRecord({ fence: state.push, ...sending('a', 'part') }), 'claimed').toBeNull();
  if (claim) await state.record(accepted(claim));
  expect(await state.row('a')).toMatchObject({
    desired_hash: hashOf('whole'),
    acknowledged_hash: hashOf('part'),
    acknowledged_payload: { name: 'part' },
    claim_token: null,
  });
  expect(await state.claim(), 'the next push sends the desired one').toMatchObject([
    { hash: hashOf('whole') },
  ]);
});

test('a claim that nobody ended is confirmed later, like that of a push', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', 'whole'));
  await state.acceptAll();
  await state.queue.claimRecord({ fence: state.push, ...sending('a', 'part') });
  expect(await state.queue.takeOver(state.push, null, TAKING_OVER)).toBe(1);
  const row = await state.row('a');
  expect([row?.acknowledged_hash, row?.confirm_at]).toEqual([null, expect.any(Date)]);
});

test('a record that is not there is not claimed, and without the lease none is', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', 'whole'));
  expect(await state.queue.claimRecord({ fence: state.push, ...sending('b', 'x') })).toBeNull();
  const lost = state.queue.claimRecord({ fence: otherNonce(state.push), ...sending('a', 'x') });
  await expect(lost).rejects.toMatchObject({ code: 'lease-lost' });
  expect(await state.row('a')).toMatchObject({ claim_token: null, attempted_at: null });
});

test('single records are published without the stamp of a sweep', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', 'one'));
  await state.staging.clear(state.sweep);
  const before = await state.entityStates.read('companies');
  await state.staging.stage(state.sweep, 'companies', [wants('b', 'two')]);
  const { signal } = new AbortController();
  await state.staging.publish(state.sweep, 'companies', { renamings: [], expected: 1, stamp: null, signal });
  expect({ ...(await state.entityStates.read('companies')), readAt: null }).toEqual({
    ...before,
    readAt: null,
  });
  expect(await state.claim()).toHaveLength(2);
});
