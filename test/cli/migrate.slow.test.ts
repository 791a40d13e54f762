import { expect, test, vi } from 'vitest';
import { MIGRATIONS } from '../../migrations/all.js';
import { addCompanies, createCliWorld, type CliWorld } from './cli-world.js';
import { onTerminal } from './run-cli.js';

vi.setConfig({ testTimeout: 120_000 });

const NAMES = MIGRATIONS.map(({ name }) => name);
const [FIRST = ''] = NAMES;

const applied = async (world: CliWorld) =>
  (await world.sql('select name from placement_sync.migration order by name')).map(({ name }) => name);

/** Undoes the newest migrations, which have these names. */
async function undo(world: CliWorld, names: readonly string[]): Promise<void> {
  for (const name of names.toReversed()) {
    const { stdout } = await world.cli('migrate', '--down', '--yes');
    expect(stdout).toContain(`took back ${name}`);
  }
}

/** Undoes what came after the first migration, which has the ledger, the journal and the inbox. */
async function undoLater(world: CliWorld): Promise<void> {
  await undo(world, NAMES.slice(1));
  expect(await applied(world)).toEqual([FIRST]);
}

/** A ledger with two reported companies. */
async function reported(): Promise<CliWorld> {
  const world = await createCliWorld();
  await addCompanies(world, 2);
  expect((await world.run()).code).toBe(0);
  return world;
}

test('migrate --down says what it deletes, and without a terminal it refuses unless --yes', async () => {
  const world = await reported();
  const newest = await world.cli('migrate', '--down');
  expect(newest.exitCode).toBe(2);
  expect(newest.stdout).toContain(`migrate --down undoes ${NAMES.at(-1)} in the schema "placement_sync".`);
  expect(newest.stdout).toContain(
    'This deletes the column area_state.retry_at and the column refused_webhook.ended_at.',
  );
  expect(await applied(world)).toEqual(NAMES);
  await undo(world, NAMES.slice(NAMES.indexOf('0012-notice-cause') + 1));
  const notice = await world.cli('migrate', '--down');
  expect(notice.stdout).toMatch(/This deletes the column notice\.about\. Only a backup/);
  await undo(world, ['0011-looks', '0012-notice-cause']);
  const options = `select reloptions from pg_class where oid = 'placement_sync.sync_state'::regclass`;
  expect(await world.sql(options)).toEqual([
    { reloptions: ['autovacuum_vacuum_scale_factor=0.05', 'autovacuum_vacuum_threshold=500'] },
  ]);
  await undo(world, ['0010-autovacuum']);
  expect(await world.sql(options)).toEqual([{ reloptions: null }]);
  const before = await world.cli('migrate', '--down');
  expect(before.stdout).toMatch(/This deletes the column .*job_application\.version/);
  expect((await world.cli('migrate')).exitCode).toBe(0);

  await undoLater(world);
  const refused = await world.cli('migrate', '--down');
  expect(refused.exitCode).toBe(2);
  expect(refused.stdout).toMatch(
    /This deletes the ledger of 2 records, 2 rows of the journal \(the proof of reporting since 20\d\d-\d\d-\d\d\), 0 applications of the inbox, .*Only a backup brings it back\./,
  );
  expect(refused.stderr).toContain('there is no terminal. Nothing was done.');
  expect(refused.stderr).toContain('placement-sync migrate --down --yes');
  expect(await applied(world)).toEqual([FIRST]);
  expect(await world.sql('select count(*)::int as rows from placement_sync.delivery')).toEqual([{ rows: 2 }]);

  const undone = await world.cli('migrate', '--down', '--yes');
  expect(undone.exitCode).toBe(0);
  expect(undone.stdout).toContain(`took back ${FIRST}`);
  expect(await applied(world)).toEqual([]);
  const again = await world.cli('migrate', '--down', '--yes');
  expect(again.stdout).toContain('has no migration to undo');

  // The journal begins anew, and a report of the day before says so.
  expect((await world.cli('migrate')).exitCode).toBe(0);
  const report = await world.cli('report', '--from', '2026-01-01', '--to', '2026-01-02');
  expect(report.stdout).not.toContain('Nothing was sent on these days.');
});

test('on a terminal migrate --down asks, and names the ledger and the inbox', async () => {
  const world = await reported();
  await undoLater(world);
  const { exitCode, shown } = await onTerminal(world, ['migrate', '--down'], () => 'n\n');
  expect(shown).toContain('This deletes the ledger of 2 records, ');
  expect(shown).toContain('Nothing was undone.');
  expect(exitCode).toBe(1);
  expect(await applied(world)).toEqual([FIRST]);
  const yes = await onTerminal(world, ['migrate', '--down'], () => 'y\n');
  expect(yes.exitCode).toBe(0);
  expect(await applied(world)).toEqual([]);
});
