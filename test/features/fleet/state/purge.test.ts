import { expect, test } from 'vitest';
import { migrate } from '../../../../src/core/ledger/database/migrate.js';
import { createLeases } from '../../../../src/core/ledger/lease.js';
import { LEDGER_TABLES } from '../../../../src/features/fleet/state/purge-tenant.js';
import { openFleet, tenant } from './open-fleet.js';

const ALL = { removeOthers: true };

/** A fleet with the tenant `a`, whose ledger is migrated. */
async function fleetWithLedger() {
  const fleet = await openFleet();
  await fleet.tenants.apply([tenant('a')], ALL);
  const ledger = fleet.state.inSchema('ledger_a');
  await migrate(ledger);
  const exists = async (schema = 'ledger_a') =>
    (await fleet.database.query('select 1 from pg_namespace where nspname = $1', [schema])).length > 0;
  return { ...fleet, ledger, exists };
}

test('purge deletes a removed tenant and its ledger, and nothing before it is removed', async () => {
  const { tenants, exists } = await fleetWithLedger();
  expect(await tenants.purge('a')).toBeNull();
  expect(await tenants.purge('nobody')).toBeNull();
  expect(await exists()).toBe(true);
  await tenants.remove('a');
  expect(await exists()).toBe(true);
  expect(await tenants.purge('a')).toEqual({ schema: 'ledger_a', ledger: 'deleted', other: null });
  expect(await exists()).toBe(false);
  expect(await tenants.list({ removed: true })).toEqual([]);
  expect(await exists('fleet')).toBe(true);
});

test('the list of tables is that of a migrated ledger', async () => {
  const { database } = await fleetWithLedger();
  const tables = await database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'ledger_a' order by 1`,
  );
  expect(tables.map(({ name }) => name)).toEqual(LEDGER_TABLES);
});

test('a ledger stays that another tenant has by its state.url, which may lead to the same database', async () => {
  const { tenants, exists } = await fleetWithLedger();
  await tenants.apply([tenant('other', { schema: 'ledger_a', ledgerHere: false })], ALL);
  expect(await tenants.purge('a')).toEqual({ schema: 'ledger_a', ledger: 'of-another', other: 'other' });
  expect(await exists()).toBe(true);
});

test('a ledger in another database, or that another tenant has now, stays', async () => {
  const { tenants, exists } = await fleetWithLedger();
  await tenants.apply([tenant('renamed', { schema: 'ledger_a' })], ALL);
  expect(await tenants.purge('a')).toMatchObject({ ledger: 'of-another', other: 'renamed' });
  expect(await exists()).toBe(true);
  await tenants.apply([tenant('renamed', { schema: 'ledger_a', ledgerHere: false })], ALL);
  await tenants.remove('renamed');
  expect(await tenants.purge('renamed')).toEqual({ schema: 'ledger_a', ledger: 'elsewhere', other: null });
  expect(await exists()).toBe(true);
});

test('a schema that is no ledger stays, and that of the fleet always', async () => {
  const { database, tenants, exists } = await fleetWithLedger();
  await database.query('create schema of_others; create table of_others.lease (x int)');
  await tenants.apply([tenant('b', { schema: 'of_others' })], ALL);
  await tenants.remove('b');
  expect(await tenants.purge('b')).toEqual({ schema: 'of_others', ledger: 'none', other: null });
  expect(await exists('of_others')).toBe(true);
  await database.query(`update fleet.tenant set ledger_schema = 'fleet';
    create table fleet.sync_state (x int); create table fleet.lease (expires_at timestamptz)`);
  expect(await tenants.purge('a')).toMatchObject({ schema: 'fleet', ledger: 'none' });
  expect(await exists('fleet')).toBe(true);
});

test('a schema with other tables is refused, and the tenant stays', async () => {
  const { database, tenants, exists } = await fleetWithLedger();
  await database.query('create table ledger_a.salaries (x int)');
  await tenants.remove('a');
  await expect(tenants.purge('a')).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('(salaries)') as string,
  });
  expect(await exists()).toBe(true);
  expect(await tenants.list({ removed: true })).toHaveLength(1);
});

test.each([
  [
    'a view elsewhere',
    'create view public.of_operator as select * from ledger_a.record',
    'view public.of_operator',
  ],
  [
    'a function in its schema',
    'create function ledger_a.f() returns int language sql return 1',
    'ledger_a.f()',
  ],
])('%s that others made is refused by its name, and nothing is lost', async (_, sql, name) => {
  const { database, tenants, exists } = await fleetWithLedger();
  await database.query(sql);
  await tenants.remove('a');
  await expect(tenants.purge('a')).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining(name) as string,
  });
  expect(await exists()).toBe(true);
  expect(await database.query('select 1 from ledger_a.sync_state')).toBeDefined();
  expect(await tenants.list({ removed: true })).toHaveLength(1);
});

test('a ledger in which a run is under way is refused until the run has ended', async () => {
  const { ledger, tenants, exists } = await fleetWithLedger();
  const leases = createLeases(ledger);
  const acquired = await leases.acquire('push', 'replica-1', 60_000);
  await tenants.remove('a');
  await expect(tenants.purge('a')).rejects.toMatchObject({
    code: 'busy',
    message: expect.stringContaining('(replica-1)') as string,
  });
  expect(await exists()).toBe(true);
  if ('lease' in acquired) await leases.release(acquired.lease);
  expect(await tenants.purge('a')).toEqual({ schema: 'ledger_a', ledger: 'deleted', other: null });
  expect(await exists()).toBe(false);
});
