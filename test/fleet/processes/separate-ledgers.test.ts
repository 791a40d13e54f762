import { expect, test } from 'vitest';
import { createFleetWorld, type FleetWorld, ledgerOf } from './fleet-world.js';
import { openFeeder } from './keep-busy.js';
import { settle } from './settle.js';

/** Every table of a ledger, with all its rows. */
async function contents(
  { database: { query } }: FleetWorld,
  tenant: string,
): Promise<Record<string, unknown>> {
  const tables = await query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = $1 and table_type = 'BASE TABLE' order by 1`,
    [ledgerOf(tenant)],
  );
  const found: Record<string, unknown> = {};
  for (const { name } of tables) {
    const rows = await query<{ row: string }>(
      `select t::text as row from ${ledgerOf(tenant)}.${name} t order by t::text collate "C"`,
    );
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}

test('a run of one tenant leaves the ledgers of the others as they are, also where a bare name would find them', async () => {
  const world = await createFleetWorld({ tenants: ['acme', 'beta', 'gamma'] });
  const first = await world.start();
  const feeder = await openFeeder(world);
  expect(await settle(world, feeder)).toEqual([]);
  for (const tenant of ['beta', 'gamma']) expect((await world.fleet('pause', tenant)).exitCode).toBe(0);
  expect(await first.stop()).toBe(0);
  // From now on a statement that names no schema is one on the ledger of beta.
  await world.database.query(`alter database ${world.database.name} set search_path = ${ledgerOf('beta')}`);
  const before = { beta: await contents(world, 'beta'), gamma: await contents(world, 'gamma') };
  expect(Object.keys(before.beta)).toContain('sync_state');
  await world.start();
  for (let edits = 0; edits < 5; edits += 1) await world.sources.edit('acme');
  expect(await settle(world, feeder, ['acme'])).toEqual([]);
  await feeder.stop();
  expect({ beta: await contents(world, 'beta'), gamma: await contents(world, 'gamma') }).toEqual(before);
});
