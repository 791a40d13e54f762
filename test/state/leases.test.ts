import { expect, test } from 'vitest';
import type { Lease, Leases } from '../../src/ports/leases.js';
import { checkLease } from '../../src/state/check-lease.js';
import { openTestState } from './open-test-state.js';

/** Leases that nobody holds. */
async function freeLeases(): Promise<{
  leases: Leases;
  sql: Awaited<ReturnType<typeof openTestState>>['sql'];
}> {
  const { leases, sql } = await openTestState();
  await sql('delete from placement_sync.lease');
  return { leases, sql };
}

async function take(leases: Leases, holder = 'one', ttlMs = 60_000): Promise<Lease> {
  const acquired = await leases.acquire('push', holder, ttlMs);
  if ('heldBy' in acquired) throw new Error('held');
  return acquired.lease;
}

test('of two at once exactly one gets the lease, and the other learns who has it and for how long', async () => {
  const { leases } = await freeLeases();
  const both = await Promise.all([
    leases.acquire('push', 'one', 60_000),
    leases.acquire('push', 'two', 60_000),
  ]);
  const winner = both.findIndex((result) => 'lease' in result);
  expect(both.filter((result) => 'lease' in result)).toHaveLength(1);
  expect(both.find((result) => 'heldBy' in result)).toEqual({
    heldBy: { name: 'push', holder: ['one', 'two'][winner], secondsLeft: 60 },
  });
});

test('the two leases are apart from each other', async () => {
  const { leases } = await freeLeases();
  await take(leases);
  expect(await leases.acquire('sweep', 'two', 60_000)).toHaveProperty('lease');
});

test('an expired lease is free, its token has grown, and the old holder cannot renew or release it', async () => {
  const { leases, sql } = await freeLeases();
  const first = await take(leases);
  await sql("update placement_sync.lease set expires_at = now() - interval '5 s'");
  expect(await leases.renew(first, 60_000)).toBe(false);
  const second = await take(leases, 'two');
  expect(second.token).toBeGreaterThan(first.token);
  expect(second.idleMs).toBeGreaterThanOrEqual(5_000);
  expect(await leases.renew(first, 60_000)).toBe(false);
  await leases.release(first);
  expect(await leases.renew(second, 60_000)).toBe(true);
});

test('renewing moves the end of the lease', async () => {
  const { leases, sql } = await freeLeases();
  const lease = await take(leases, 'one', 5_000);
  expect(await leases.renew(lease, 600_000)).toBe(true);
  expect(
    await sql("select expires_at > now() + interval '9 minutes' as far from placement_sync.lease"),
  ).toEqual([{ far: true }]);
});

test('a released lease is free at once and cannot be renewed', async () => {
  const { leases } = await freeLeases();
  const lease = await take(leases);
  expect(lease.idleMs).toBeNull();
  await leases.release(lease);
  expect(await leases.renew(lease, 60_000)).toBe(false);
  const next = await take(leases, 'two');
  expect(next.token).toBe(lease.token + 1n);
  expect(next.idleMs).toBeLessThan(5_000);
});

test('a holder stopped in the middle of a transaction keeps nobody waiting: the next one learns who it is', async () => {
  const state = await openTestState();
  await state.transaction(async (statements) => {
    await checkLease(statements, 'push', state.push);
    await state.sql("update placement_sync.lease set holder = 'stopped' where name = 'sweep'");
    expect(await state.leases.acquire('push', 'next', 60_000)).toMatchObject({ heldBy: { name: 'push' } });
  });
});

test('every transaction bounds its waits for locks and for its own process', async () => {
  const state = await openTestState();
  const limits = await state.transaction((statements) =>
    statements.query(`select current_setting('lock_timeout') as locks,
      current_setting('idle_in_transaction_session_timeout') as idle`),
  );
  expect(limits).toEqual([{ locks: '30s', idle: '10s' }]);
});

test('a hold is refused once the lease has gone to somebody else', async () => {
  const { entityStates, sweep, push } = await openTestState();
  const counts = { vanished: 1, invalid: 0 };
  const hold = { guard: 'empty-source', message: 'm', counts, sampleKeys: [], since: '2026-01-01' } as const;
  await expect(entityStates.hold(sweep - 1n, 'companies', hold)).rejects.toMatchObject({
    code: 'lease-lost',
  });
  const pushHold = {
    guard: 'max-rejected-in-a-row',
    message: 'm',
    refused: 1,
    sampleKeys: [],
    since: '2026-01-01',
  } as const;
  await expect(entityStates.holdPush(push - 1n, 'companies', pushHold)).rejects.toMatchObject({
    code: 'lease-lost',
  });
  expect(await entityStates.read('companies')).toMatchObject({ hold: null, pushHold: null });
});

test('the holders of leases are listed while they hold them', async () => {
  const { leases } = await openTestState();
  const holders = async () => (await leases.holders()).map(({ name, holder }) => [name, holder]);
  expect(await holders()).toEqual([
    ['sweep', 'test'],
    ['push', 'test'],
  ]);
  const short = await openTestState();
  await short.sql(`update placement_sync.lease set expires_at = now() where name = 'push'`);
  expect(await short.leases.holders()).toMatchObject([{ name: 'sweep', secondsLeft: 3_600 }]);
});
