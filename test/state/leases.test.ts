import { expect, test } from 'vitest';
import type { Lease, Leases } from '../../src/ports/leases.js';
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
