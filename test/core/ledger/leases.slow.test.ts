import { expect, test } from 'vitest';
import type { Lease } from '../../../src/core/ports/clock.js';
import { checkLease, type Leases } from '../../../src/core/ledger/lease.js';
import { openTestState, otherNonce, otherToken, wants, type TestState } from './open-test-state.js';

/** Leases that nobody holds. */
async function freeLeases(): Promise<{
  leases: Leases;
  sql: Awaited<ReturnType<typeof openTestState>>['sql'];
}> {
  const { leases, sql } = await openTestState();
  await sql(`update placement_sync.lease set token = 0, expires_at = '-infinity'`);
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
  expect(second.fence.token).toBeGreaterThan(first.fence.token);
  expect(second.fence.nonce).not.toBe(first.fence.nonce);
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
    await sql(
      "select expires_at > now() + interval '9 minutes' as far from placement_sync.lease where name = 'push'",
    ),
  ).toEqual([{ far: true }]);
});

test('a released lease is free at once and cannot be renewed', async () => {
  const { leases } = await freeLeases();
  const lease = await take(leases);
  expect(lease.idleMs).toBeNull();
  await leases.release(lease);
  expect(await leases.renew(lease, 60_000)).toBe(false);
  const next = await take(leases, 'two');
  expect(next.fence.token).toBe(lease.fence.token + 1n);
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

test.each([otherToken, otherNonce])(
  'a hold is refused once the lease has gone to somebody else (%o)',
  async (other) => {
    const { entityStates, sweep, push } = await openTestState();
    const counts = { vanished: 1, invalid: 0 };
    const hold = {
      guard: 'empty-source',
      message: 'm',
      counts,
      sampleKeys: [],
      since: '2026-01-01',
    } as const;
    await expect(entityStates.hold(other(sweep), 'companies', hold)).rejects.toMatchObject({
      code: 'lease-lost',
    });
    const pushHold = {
      guard: 'max-rejected-in-a-row',
      message: 'm',
      refused: 1,
      sampleKeys: [],
      since: '2026-01-01',
    } as const;
    await expect(entityStates.holdPush(other(push), 'companies', pushHold)).rejects.toMatchObject({
      code: 'lease-lost',
    });
    expect(await entityStates.read('companies')).toMatchObject({ hold: null, pushHold: null });
  },
);

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

/** When the entity was found to be in doubt. */
const doubt = async ({ entityStates }: TestState) => (await entityStates.read('companies')).inDoubtSince;

/** The rows of the leases as they are now, and what puts them back. */
async function keepLeases({ sql }: TestState): Promise<() => Promise<unknown>> {
  await sql('create table kept_lease as select * from placement_sync.lease');
  return () =>
    sql(
      `do $$ begin delete from placement_sync.lease; insert into placement_sync.lease select * from kept_lease; end $$`,
    );
}

test('of two holders with one token, as after a restore, the former can neither renew nor release', async () => {
  const state = await openTestState();
  await state.sql(`update placement_sync.lease set expires_at = now()`);
  const goBack = await keepLeases(state);
  const former = await take(state.leases);
  await goBack();
  const next = await take(state.leases, 'two');
  expect(next.fence.token).toBe(former.fence.token);
  expect(await state.leases.renew(former, 60_000)).toBe(false);
  await state.leases.release(former);
  expect(await state.leases.renew(next, 60_000)).toBe(true);
});

test.each([
  ["expires_at = now() + interval '1 hour'", 60],
  ["expires_at = 'infinity'", 60],
  // A holder with a longer time than that of whoever asks is healthy.
  ["expires_at = now() + interval '1 hour', ttl_ms = 3600000", 3_600],
  // A holder of the version before, which does not say.
  ["expires_at = now() + interval '1 hour', ttl_ms = null", 3_600],
])('a lease (%s) blocks for no longer than its time to live', async (change, secondsLeft) => {
  const { leases, sql } = await freeLeases();
  await take(leases, 'one', 60_000);
  await sql(`update placement_sync.lease set ${change}`);
  expect(await leases.acquire('push', 'two', 5_000)).toMatchObject({ heldBy: { holder: 'one' } });
  const [left] = await sql<{ seconds: number }>(
    `select ceil(extract(epoch from expires_at - now()))::int as seconds from placement_sync.lease where name = 'push'`,
  );
  expect(left?.seconds).toBe(secondsLeft);
});

test('a renewal that finds fewer renewals than this process was answered ends the lease, and the doubt is noted', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  await state.publish('application-statuses', wants('s', '1'));
  await state.sql(`update placement_sync.lease set expires_at = now() where name = 'push'`);
  const lease = await take(state.leases);
  const goBack = await keepLeases(state);
  expect(await state.leases.renew(lease, 60_000)).toBe(true);
  expect(await doubt(state)).toBeNull();
  await goBack();
  expect(await state.leases.renew(lease, 60_000)).toBe(false);
  expect(await doubt(state)).toBeInstanceOf(Date);
  // Of these nothing could be done about it.
  expect(await state.entityStates.read('application-statuses')).toMatchObject({ inDoubtSince: null });
});

test('whoever takes a lease with fewer renewals than it was answered before notes the doubt, and does not rely on the row', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  await state.sql(`update placement_sync.lease set expires_at = now() where name = 'push'`);
  const goBack = await keepLeases(state);
  await state.leases.renew(await take(state.leases, 'one', 10_000), 10_000);
  await goBack();
  await state.sql(
    `insert into placement_sync.delivery (entity, key, platform_id, kind, operation, request_id, claimed_at, answered_at, outcome)
     values ('companies', 'a', gen_random_uuid(), 'new', 'putCompany', gen_random_uuid(), '2026-03-01', '2026-03-01', 'accepted')`,
  );
  expect(await take(state.leases, 'one', 5_000)).toMatchObject({ idleMs: -3_600_000 });
  const since = await doubt(state);
  expect(since).toBeInstanceOf(Date);
  // The journal lacks what was sent after its last row: a report must not say that this was nothing.
  const gap = (await state.deliveries.gaps()).at(-1);
  expect(gap?.from).toEqual(new Date('2026-03-01'));
  expect(Number(gap?.to)).toBeGreaterThanOrEqual(Number(since));
});

test('a later process notices by the lease that the database is another copy than before', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  const [row] = await state.sql<{ origin: string | null }>(
    `select origin from placement_sync.lease where name = 'push'`,
  );
  // System, timeline, database and table, also for a role without rights beyond its schema.
  expect(row?.origin).toMatch(/^\d+\/[0-9A-F]{8}\/\d+\/\d+$/);
  await state.sql(`update placement_sync.lease set expires_at = now(), origin = 'another'`);
  const noticed = await take(state.leases, 'one', 5_000);
  expect(noticed.idleMs).toBe(-3_600_000);
  expect(await doubt(state)).toBeInstanceOf(Date);
  await state.leases.release(noticed);
  expect((await take(state.leases)).idleMs).toBeGreaterThanOrEqual(0);

  // The other lease waits too, and the doubt of this copy is not noted once more.
  await state.sql(`update placement_sync.entity_state set in_doubt_since = null`);
  const other = await state.leases.acquire('sweep', 'one', 5_000);
  expect('lease' in other && other.lease.idleMs).toBeLessThan(0);
  expect(await doubt(state)).toBeNull();
});

test('a holder notices at its renewal that the database is another copy, though no renewal was lost', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  await state.sql(`update placement_sync.lease set expires_at = now()`);
  const lease = await take(state.leases, 'one', 5_000);
  expect(await state.leases.renew(lease, 5_000)).toBe(true);
  await state.sql(`update placement_sync.lease set origin = 'another'`);
  expect(await state.leases.renew(lease, 5_000)).toBe(false);
  expect(await doubt(state)).toBeInstanceOf(Date);
});

test('renewals whose answers come in another order are no step back', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  await state.sql(`update placement_sync.lease set expires_at = now()`);
  const lease = await take(state.leases, 'one', 5_000);
  const renewals = Array.from({ length: 20 }, () => state.leases.renew(lease, 5_000));
  expect(new Set(await Promise.all(renewals))).toEqual(new Set([true]));
  expect(await doubt(state)).toBeNull();
});

test('a step back that cannot be noted is noticed again by the next renewal', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  await state.sql(`update placement_sync.lease set expires_at = now()`);
  const lease = await take(state.leases, 'one', 5_000);
  await state.leases.renew(lease, 5_000);
  await state.sql(`update placement_sync.lease set renewals = renewals - 1`);
  await state.sql('alter table placement_sync.entity_state rename to away');
  await expect(state.leases.renew(lease, 5_000)).rejects.toMatchObject({ code: 'state-failed' });
  await state.sql('alter table placement_sync.away rename to entity_state');
  expect(await state.leases.renew(lease, 5_000)).toBe(false);
  expect(await doubt(state)).toBeInstanceOf(Date);
});

test('where the server does not say which copy it is, leases are taken all the same', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  await state.sql(`update placement_sync.lease set expires_at = now(), origin = null where name = 'push'`);
  expect((await take(state.leases)).idleMs).toBeGreaterThanOrEqual(0);
  expect(await doubt(state)).toBeNull();
});
