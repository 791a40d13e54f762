import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MIGRATIONS } from '../../migrations/all.js';
import { migrate, pendingMigrations } from '../../src/core/ledger/database/migrate.js';
import { createStateDatabase } from '../../src/core/ledger/database/state-database.js';
import { block } from './world-settings.js';
import { createWorld, TRAINING_BLOCKS, type World } from './world.js';

/**
 * What version 1.0.0 itself left after two runs: the partner's tables and its ledger, rows by table. v02 was rejected when it
 * changed, v03 deferred, v04 closed; the three statuses were named by vacancy and e-mail address.
 */
const LEFT = join(import.meta.dirname, '../fixtures/ledger-1.0.0.json');

type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

async function insert(world: World, tables: Rows, schema: string): Promise<void> {
  for (const [table, rows] of Object.entries(tables)) {
    if (!table.startsWith(`${schema}.`)) continue;
    const columns = Object.keys(rows[0] ?? {}).join(', ');
    await world.sql(
      `insert into ${table} (${columns}) overriding system value
       select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(rows)],
    );
  }
}

test('a ledger of 1.0.0 goes through all migrations, and what the platform has is not sent again', async () => {
  const world = await createWorld();
  const tables = JSON.parse(readFileSync(LEFT, 'utf8').replaceAll('SANDBOX', world.sandbox.url)) as Rows;
  await world.sql(
    'create table hiring (vacancy_key text, email text, status text, at timestamptz, pay numeric)',
  );
  await insert(world, tables, 'public');
  world.settings.guards.maxVanishedPercent = 100;
  Object.assign(world.blocks, {
    institutions: TRAINING_BLOCKS.institutions(),
    trainings: TRAINING_BLOCKS.trainings(),
    'application-statuses': {
      ...block(`select a.application_ref as key, h.status, h.at as timestamp, h.pay as salary_amount
        from hiring h join placement_sync.job_application a
          on a.vacancy_key = h.vacancy_key and lower(a.email) = lower(h.email)`),
      onVanished: 'ignore',
    },
  });
  if (world.blocks.companies) world.blocks.companies.plainText = ['about'];
  if (world.blocks.vacancies) world.blocks.vacancies.onVanished = 'close';

  // The platform gets its records: what 1.0.0 sent, with a ledger of their own.
  const titles = (suffix: string) =>
    world.sql(`update vacancy set title = 'Vacancy ' || right(id, 1) || $1 where id in ('v02', 'v03')`, [
      suffix,
    ]);
  await titles('');
  await world.sql(`insert into vacancy (id, company_id, title) values ('v04', 'c01', 'Vacancy 4')`);
  await insert(
    world,
    { 'placement_sync.job_application': inboxOfNow(tables['placement_sync.job_application'] ?? []) },
    'placement_sync',
  );
  await world.run();
  await world.sql(`delete from vacancy where id = 'v04'`);
  await world.run();
  await titles(', new');
  world.requests();
  const held = () =>
    Object.fromEntries(Object.keys(world.blocks).map((name) => [name, world.held(name)] as const));
  const before = held();

  await world.sql('drop schema placement_sync cascade');
  const database = createStateDatabase({ url: world.url, poolMax: 2, schema: 'placement_sync' });
  onTestFinished(() => database.close());
  const first = { migrations: MIGRATIONS.slice(0, 1), recordView: false, setting: '', command: '' };
  await migrate(database, { kind: first });
  await insert(world, tables, 'placement_sync');
  // Within the world's retention.
  await world.sql(`update placement_sync.job_application set received_at = now()`);
  await world.sql(
    `update placement_sync.sync_state set acknowledged_at = now() where acknowledged_at is not null`,
  );
  expect(await migrate(database)).toEqual(MIGRATIONS.slice(1).map(({ name }) => name));
  expect(await pendingMigrations(database)).toEqual([]);

  // Only what 1.0.0 deferred is due.
  const deferred = await world.idOf('vacancies', 'v03');
  expect(await world.run()).toMatchObject({
    entities: {
      companies: { read: 3, unchanged: 3, sent: 0, error: null },
      vacancies: { read: 5, unchanged: 5, sent: 1, accepted: 1, error: null },
      institutions: { read: 1, unchanged: 1, sent: 0, error: null },
      trainings: { read: 2, unchanged: 2, sent: 0, error: null },
      'application-statuses': { read: 3, unchanged: 3, foreign: 0, vanished: 0, sent: 0, error: null },
    },
  });
  expect(world.requests()).toEqual([`PUT /api/v1/jobs/${deferred}/industrial-vacancy`]);
  expect(held()).toEqual({
    ...before,
    vacancies: {
      ...before.vacancies,
      [deferred]: { ...before.vacancies?.[deferred], title: 'Vacancy 3, new' },
    },
  });
  expect(
    await world.sql(
      `select key, status from placement_sync.record where status <> 'synced' order by entity, key`,
    ),
  ).toEqual([
    { key: 'v02', status: 'rejected' },
    { key: 'v04', status: 'vanished' },
  ]);

  await world.run();
  expect(world.requests()).toEqual([]);
});

/** As this version stores applications. */
function inboxOfNow(rows: Rows[string]): Rows[string] {
  return rows.map(({ statement_ran: _, ...was }) => ({
    ...was,
    received_at: new Date(),
    application_ref: was.application_id,
    job_ref: was.job_id,
  }));
}
