import { expect, test } from 'vitest';
import {
  accepted,
  deferred,
  hashOf,
  idOf,
  only,
  openTestState,
  refused,
  says,
  TIMEOUT_MS,
  wants,
} from '../open-test-state.js';

test('a resync makes what was synced pending again and keeps the links', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'), wants('b', '1'));
  await state.acceptAll();
  await state.sql("update placement_sync.sync_state set desired_at = now() - interval '30 days'");
  expect(await state.resendRequests.resync('companies', null, TIMEOUT_MS)).toBe(2);
  expect(await state.row('a')).toMatchObject({
    acknowledged_hash: null,
    reference: 'ref-a',
    remote_id: 'id-a',
    confirm_at: null,
  });
  const { pending, oldestPendingAt } = await state.records.counts('companies');
  expect(pending).toBe(2);
  expect(Date.now() - (oldestPendingAt?.getTime() ?? 0)).toBeLessThan(3_600_000);
});

test('a resync of keys has their rows read again and leaves the others alone', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'), wants('b', '1'));
  await state.acceptAll();
  expect(await state.resendRequests.resync('companies', ['a', 'unknown'], TIMEOUT_MS)).toBe(1);
  expect(await state.row('a')).toMatchObject({ row_version: null, acknowledged_hash: null });
  expect(await state.row('b')).toMatchObject({ row_version: '1', acknowledged_hash: hashOf('1') });
});

test('a resync ends an open claim like one without reply, so that its outcome no longer counts', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  const claim = only(await state.claim());
  await state.resendRequests.resync('companies', null, TIMEOUT_MS);
  expect(await state.row('a')).toMatchObject({ claim_token: null, confirm_at: expect.any(Date) as Date });
  await state.record(accepted(claim));
  expect(await state.row('a')).toMatchObject({ acknowledged_at: null });
  expect(await state.claim()).toHaveLength(1);
});

test('a resync sends refused records again, but does not count invalid ones', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'), says('invalid', 'b'));
  await state.record(refused(only(await state.claim())));
  expect(await state.resendRequests.resync('companies', null, TIMEOUT_MS)).toBe(1);
  expect(await state.claim()).toHaveLength(1);
});

test('a retry re-arms rejected records only; a preview only counts them', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'), wants('b', '1'), wants('c', '1'));
  const [a, b, c] = await state.claim();
  if (!a || !b || !c) throw new Error('three claims');
  await state.record(refused(a), accepted(b), refused(c));
  await state.publish('companies', says('invalid', 'c'));
  expect(
    await state.resendRequests.retry('companies', { preview: true, status: 'rejected', sinceMs: null }),
  ).toBe(1);
  expect(await state.claim()).toEqual([]);
  expect(
    await state.resendRequests.retry('companies', { preview: false, status: 'rejected', sinceMs: null }),
  ).toBe(1);
  expect((await state.claim()).map(({ key }) => key)).toEqual(['a']);
});

test('retry takes deferred records too, and only those tried within a time', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('old', '1'), wants('new', '1'));
  await state.record(...(await state.claim()).map((claim) => deferred(claim)));
  await state.sql(
    "update placement_sync.sync_state set attempted_at = now() - interval '3 hours' where key = 'old'",
  );
  const recent = { status: 'deferred', sinceMs: 7_200_000 } as const;
  expect(await state.resendRequests.retry('companies', { preview: true, ...recent })).toBe(1);
  expect(await state.claim()).toEqual([]);
  expect(await state.resendRequests.retry('companies', { preview: false, ...recent })).toBe(1);
  expect((await state.claim()).map(({ key, attempts }) => [key, attempts])).toEqual([['new', 0]]);
  expect(
    await state.resendRequests.retry('companies', { preview: false, status: 'deferred', sinceMs: null }),
  ).toBe(1);
});

test('a retry of some keys leaves the others; a platform id names a record too', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'), wants('b', '1'), wants('c', '1'));
  await state.record(...(await state.claim()).map((claim) => refused(claim)));
  const some = { status: 'rejected', sinceMs: null, keys: ['a', idOf('b').toUpperCase(), 'none'] } as const;
  expect(await state.resendRequests.retry('companies', { preview: true, ...some })).toBe(2);
  expect(await state.resendRequests.retry('companies', { preview: false, ...some })).toBe(2);
  expect((await state.claim()).map(({ key }) => key)).toEqual(['a', 'b']);
});

test('a resync of keys leaves what the platform deleted as it is: it is not deleted once more', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'), wants('b', '1'));
  await state.acceptAll();
  await state.publish('companies', { ...says('vanished', 'a'), desiredHash: 'v1:absent' });
  // Until the deletion is accepted, it can be sent again.
  expect(await state.resendRequests.resync('companies', ['a'], TIMEOUT_MS)).toBe(1);
  await state.acceptAll();
  const deleted = await state.row('a');
  expect(deleted).toMatchObject({ acknowledged_hash: 'v1:absent' });
  expect(await state.resendRequests.resync('companies', ['a', 'b'], TIMEOUT_MS)).toBe(1);
  expect(await state.row('a')).toEqual(deleted);
  expect((await state.claim()).map(({ key }) => key)).toEqual(['b']);
});
