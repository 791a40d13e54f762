import { expect, test, vi } from 'vitest';
import { MIGRATIONS } from '../../migrations/all.js';
import { migrateDown } from '../../src/state/database/migrate.js';
import { createStateDatabase } from '../../src/state/database/state-database.js';
import { addCompanies, createCliWorld, type CliWorld } from './cli-world.js';
import { onTerminal } from './on-terminal.js';

vi.setConfig({ testTimeout: 120_000 });

const applied = async (world: CliWorld) =>
  (await world.sql('select name from placement_sync.migration order by name')).map(({ name }) => name);

/** A ledger with two reported companies, at an earlier migration. */
async function worldAt(last: string): Promise<CliWorld> {
  const world = await createCliWorld();
  await addCompanies(world, 2);
  expect((await world.run()).code).toBe(0);
  const state = createStateDatabase({
    url: world.env.SOURCE_DATABASE_URL ?? '',
    poolMax: 1,
    schema: 'placement_sync',
  });
  const names = MIGRATIONS.map(({ name }) => name);
  for (let at = names.length - 1; names[at] !== last; at -= 1) await migrateDown(state);
  await state.close();
  return world;
}

test('migrate --down says what it deletes, and without a terminal it refuses unless --yes', async () => {
  const world = await worldAt('0013-delivery');
  const before = await applied(world);
  const refused = await world.cli('migrate', '--down');
  expect(refused.exitCode).toBe(2);
  expect(refused.stdout).toMatch(
    /This deletes 2 rows of the journal \(the proof of reporting since 20\d\d-\d\d-\d\d\)\. Only a backup brings it back\./,
  );
  expect(refused.stderr).toContain('there is no terminal. Nothing was done.');
  expect(refused.stderr).toContain('placement-sync migrate --down --yes');
  expect(await applied(world)).toEqual(before);
  expect(await world.sql('select count(*)::int as rows from placement_sync.delivery')).toEqual([{ rows: 2 }]);

  const undone = await world.cli('migrate', '--down', '--yes');
  expect(undone.exitCode).toBe(0);
  expect(undone.stdout).toContain('took back 0013-delivery');
  expect(await applied(world)).toEqual(before.slice(0, -1));

  // The journal of the next version begins anew, and a report of the day before says so.
  expect((await world.cli('migrate')).exitCode).toBe(0);
  const report = await world.cli('report', '--from', '2026-01-01', '--to', '2026-01-02');
  expect(report.stdout).not.toContain('Nothing was sent on these days.');
});

test('on a terminal migrate --down asks, and names the ledger and the inbox', async () => {
  const world = await worldAt('0001-ledger');
  const { exitCode, shown } = await onTerminal(world, ['migrate', '--down'], () => 'n\n');
  expect(shown).toContain('This deletes the ledger of 2 records, ');
  expect(shown).toContain('Nothing was undone.');
  expect(exitCode).toBe(1);
  expect(await applied(world)).toEqual(['0001-ledger']);
  const yes = await onTerminal(world, ['migrate', '--down'], () => 'y\n');
  expect(yes.exitCode).toBe(0);
  expect(await applied(world)).toEqual([]);
});
