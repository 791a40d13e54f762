import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { MIGRATIONS, type SchemaMigration } from '../../../../migrations/all.js';
import { FLEET_MIGRATIONS } from '../../../../migrations/fleet/all.js';
import {
  appliedMigrations,
  lossOfMigrateDown,
  migrate,
  migrateDown,
  pendingMigrations,
  type SchemaKind,
} from '../../../../src/core/ledger/database/migrate.js';
import { createStateDatabase } from '../../../../src/core/ledger/database/state-database.js';
import { FLEET_SCHEMA } from '../../../../src/features/fleet/state/tenants.js';
import { createTestDatabase } from '../../../postgres/test-database.js';

const NAMES = MIGRATIONS.map(({ name }) => name);

/** What a later version may add: a column of a table that stays, and a table. */
const LATER: SchemaMigration = {
  name: '9999-later',
  async up(knex, schema) {
    await knex.raw('alter table :schema:.sync_state add column later text', { schema });
    await knex.raw('create table :schema:.later (id integer primary key)', { schema });
  },
  async down(knex, schema) {
    await knex.raw('drop table :schema:.later', { schema });
    await knex.raw('alter table :schema:.sync_state drop column later', { schema });
  },
};

/** The ledger of a later version. */
const LATER_LEDGER: SchemaKind = {
  migrations: [...MIGRATIONS, LATER],
  recordView: true,
  setting: 'state.schema',
  command: 'placement-sync migrate',
};

/** What a migration holds from its begin to its end. */
const LOCK = 'lock table placement_sync.migration_lock in share row exclusive mode';

async function emptyState(schema = 'placement_sync') {
  const database = await createTestDatabase();
  const state = createStateDatabase({ url: database.url, poolMax: 4, schema });
  onTestFinished(() => state.close());
  const tables = async () =>
    (
      await database.query<{ name: string }>(
        "select table_name as name from information_schema.tables where table_schema = $1 and table_name not like 'migration%' order by 1",
        [schema],
      )
    ).map(({ name }) => name);
  return { database, state, tables };
}

test('goes up, down and up again, and up twice changes nothing', async () => {
  const { state, tables } = await emptyState();
  expect(await pendingMigrations(state)).toEqual(NAMES);
  expect(await migrate(state)).toEqual(NAMES);
  expect(await pendingMigrations(state)).toEqual([]);
  const after = await tables();
  expect(after).toContain('sync_state');
  expect(after).toContain('record');
  expect(await migrate(state)).toEqual([]);
  for (const name of NAMES.toReversed()) expect(await migrateDown(state)).toEqual([name]);
  expect(await tables()).toEqual([]);
  expect(await migrateDown(state), 'nothing is left').toEqual([]);
  expect(await migrate(state)).toEqual(NAMES);
  expect(await tables()).toEqual(after);
});

test.each([
  ['a ledger', MIGRATIONS, 'area_state', 'learned_rate'],
  ['the fleet', FLEET_MIGRATIONS, 'rate', 'learned'],
])(
  'version 1.1 adds the learned rate to %s of 1.0, and takes back only that',
  async (_, all, table, column) => {
    const { database, state } = await emptyState();
    const kind: SchemaKind = { migrations: all.slice(0, 1), recordView: false, setting: '', command: '' };
    const columns = async () =>
      (
        await database.query<{ name: string }>(
          'select column_name as name from information_schema.columns where table_name = $1 order by ordinal_position',
          [table],
        )
      ).map(({ name }) => name);
    await migrate(state, { kind });
    const before = await columns();
    const later = { ...kind, migrations: all.slice(0, 2) };
    expect(await migrate(state, { kind: later })).toEqual(['0002-learned-rate']);
    expect(await columns()).toEqual([...before, column]);
    expect(await migrateDown(state, { kind: later })).toEqual(['0002-learned-rate']);
    expect(await columns()).toEqual(before);
  },
);

test('what only this version can hold of the inbox stays as unrecognised when it is taken back', async () => {
  const { database, state } = await emptyState();
  await migrate(state);
  const uuid = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';
  const insert = (id: string | null, version: number, hash: string) =>
    database.query(
      `insert into placement_sync.job_application
         (layout, application_ref, application_id, job_ref, job_id, version, request_id, request_timestamp, body, delivery_hash)
       values (case when $1::text is null then 'unrecognised' else 'flat' end, $1, $4, $1, $4, $2, 'r', now(), $3, $3)`,
      [id, version, hash, id === uuid ? uuid : null],
    );
  await insert(uuid, 1, 'a');
  await insert(uuid, 2, 'b');
  await insert('17', 1, 'c');
  await insert(null, 1, 'd');
  await insert('18', 1, 'd');
  await expect(insert(uuid, 2, 'e')).rejects.toThrow('job_application_application');
  for (const name of NAMES.slice(NAMES.indexOf('0009-versions')).toReversed())
    expect(await migrateDown(state)).toEqual([name]);
  const rows = () =>
    database.query(
      'select layout, application_id as id, job_id as job, body from placement_sync.job_application order by id',
    );
  const down = await rows();
  expect(down).toHaveLength(4);
  expect(down).toContainEqual({ layout: 'flat', id: uuid, job: uuid, body: 'a' });
  for (const body of ['b', 'c', 'd'])
    expect(down).toContainEqual({ layout: 'unrecognised', id: null, job: null, body });
  await migrate(state);
  expect(await rows()).toEqual(down);
  expect(
    await database.query(
      `select application_ref as id, job_ref as job, version from placement_sync.job_application where body = 'a'`,
    ),
  ).toEqual([{ id: uuid, job: uuid, version: 1 }]);
});

test('a later version adds its migration to a ledger, and takes back only that one', async () => {
  const { database, state, tables } = await emptyState();
  await migrate(state);
  const before = await tables();
  await database.query(
    `insert into placement_sync.sync_state (entity, key, platform_id) values ('companies', 'c1', gen_random_uuid())`,
  );
  expect(await pendingMigrations(state, LATER_LEDGER)).toEqual([LATER.name]);
  expect(await migrate(state, { kind: LATER_LEDGER })).toEqual([LATER.name]);
  expect(await tables()).toEqual([...before, 'later'].toSorted());
  expect(await migrateDown(state, { kind: LATER_LEDGER })).toEqual([LATER.name]);
  expect(await tables()).toEqual(before);
  expect(await database.query('select key from placement_sync.sync_state')).toEqual([{ key: 'c1' }]);
});

test('the journal of a new ledger begins when its table is made', async () => {
  const { database, state } = await emptyState();
  await migrate(state);
  const gaps = await database.query(
    `select cast(begins as text) as begins, ends between now() - interval '5 minutes' and now() as "endsNow"
     from placement_sync.journal_gap`,
  );
  expect(gaps).toEqual([{ begins: '-infinity', endsNow: true }]);
});

test('what undoing a migration would delete is what it deletes, and looking changes nothing', async () => {
  const { database, state, tables } = await emptyState();
  const kind = LATER_LEDGER;
  expect(await lossOfMigrateDown(state, { kind })).toMatchObject({ names: [], tables: [], columns: [] });
  await migrate(state, { kind });
  await database.query(
    `insert into placement_sync.delivery (entity, key, platform_id, kind, operation, request_id, claimed_at, answered_at, outcome)
     select 'companies', 'c' || n, gen_random_uuid(), 'new', 'putCompany', gen_random_uuid(), now(), cast('2026-03-0' || n || 'T00:00:00Z' as timestamptz), 'accepted'
     from generate_series(1, 3) n`,
  );
  const columns = async () =>
    (
      await database.query<{ name: string }>(
        `select c.table_name || '.' || c.column_name as name from information_schema.columns c
         join information_schema.tables t using (table_schema, table_name)
         where c.table_schema = 'placement_sync' and t.table_type = 'BASE TABLE' and c.table_name not like 'migration%'`,
      )
    ).map(({ name }) => name);
  for (const name of [LATER.name, ...NAMES.toReversed()]) {
    const before = { tables: await tables(), columns: await columns() };
    const loss = await lossOfMigrateDown(state, { kind });
    expect({ tables: await tables(), columns: await columns() }, 'only looked').toEqual(before);
    await expect(migrateDown(state, { kind, only: ['another'] })).rejects.toMatchObject({ code: 'usage' });
    expect(await migrateDown(state, { kind, only: [name] })).toEqual([name]);
    const after = { tables: await tables(), columns: await columns() };
    const gone = before.tables.filter((table) => !after.tables.includes(table) && table !== 'record');
    expect(loss, name).toMatchObject({ names: [name] });
    expect(loss.tables.map((table) => table.name).toSorted(), name).toEqual(gone.toSorted());
    const lost = before.columns.filter(
      (column) => !after.columns.includes(column) && !gone.includes(column.split('.')[0] ?? ''),
    );
    expect(loss.columns.toSorted(), name).toEqual(lost.toSorted());
    if (name === LATER.name)
      expect(loss).toMatchObject({ columns: ['sync_state.later'], journalSince: null });
    if (gone.includes('delivery')) {
      expect(loss.tables).toContainEqual({ name: 'delivery', rows: 3 });
      expect(loss.journalSince).toEqual(new Date('2026-03-01'));
    }
  }
  expect(await tables()).toEqual([]);
});

test('of several at once one migrates and the others find it done', async () => {
  const { state } = await emptyState();
  const ran = await Promise.all([migrate(state), migrate(state), migrate(state)]);
  expect(ran.flat()).toEqual(NAMES);
});

test('a kill in the middle leaves nothing, and the next try succeeds', async () => {
  const { database, state, tables } = await emptyState();
  const blocker = new pg.Client({ connectionString: database.url });
  await blocker.connect();
  // The migration waits for a table of the same name, with others made before it.
  await blocker.query('begin; create schema placement_sync; create table placement_sync.lease (x int)');
  const migrating = migrate(state).catch((error: unknown) => error);
  const waiting =
    "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  while ((await database.query(waiting)).length === 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
  await database.query(`select pg_terminate_backend(pid) from (${waiting}) waiting`);
  expect(await migrating).toMatchObject({ name: 'SyncError' });
  await blocker.query('rollback');
  await blocker.end();
  expect(await tables()).toEqual([]);
  expect(await migrate(state)).toEqual(NAMES);
});

test('a schema may have any name', async () => {
  const { state, tables } = await emptyState('Odd "name" – 1');
  expect(await migrate(state)).toEqual(NAMES);
  expect(await pendingMigrations(state)).toEqual([]);
  expect(await tables()).toContain('sync_state');
});

test('a schema of a newer version is refused', async () => {
  const { database, state } = await emptyState();
  await migrate(state);
  await database.query("insert into placement_sync.migration (name, batch) values ('9999-later', 2)");
  const refused = {
    code: 'schema-not-migrated',
    message: 'The state schema "placement_sync" was migrated by a newer version (9999-later).',
  };
  await expect(pendingMigrations(state)).rejects.toMatchObject(refused);
  await expect(lossOfMigrateDown(state), 'nor is anything of it taken back').rejects.toMatchObject(refused);
});

test('a ledger from before the first release is refused, and with the statements of the upgrade page it is kept', async () => {
  const { database, state } = await emptyState();
  await migrate(state, { kind: { ...LATER_LEDGER, recordView: false, migrations: MIGRATIONS.slice(0, 1) } });
  await database.query(
    `delete from placement_sync.migration;
     insert into placement_sync.migration (name, batch) values ('0001-ledger', 1), ('0021-area-pause', 1)`,
  );
  const refused = {
    code: 'schema-not-migrated',
    message: 'The state schema "placement_sync" was made before version 1.0.0.',
    hint: expect.stringContaining('help moves a-ledger-from-before-100') as string,
  };
  await expect(pendingMigrations(state)).rejects.toMatchObject(refused);
  await expect(lossOfMigrateDown(state)).rejects.toMatchObject(refused);
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/moves.md'), 'utf8');
  const [, statements = ''] = /```sql\n([\s\S]*?0001-state[\s\S]*?)```/.exec(page) ?? [];
  await database.query(statements);
  expect(await pendingMigrations(state)).toEqual(NAMES.slice(1));
  expect(await migrate(state)).toEqual(NAMES.slice(1));
});

test('the view of records is created again where it is of another version, and keeps what was granted on it', async () => {
  const { database, state } = await emptyState();
  await migrate(state);
  const definition = async () =>
    (await database.query<{ sql: string }>("select pg_get_viewdef('placement_sync.record') as sql"))[0]?.sql;
  const current = await definition();
  // As a version with other statuses has it.
  await database.query(`grant select on placement_sync.record to public;
    create or replace view placement_sync.record as
    select s.entity, s.key, s.platform_id, s.reference, s.remote_id, text 'synced' as status, s.invalid_reason,
      s.last_status_code, s.last_error, s.attempts, s.attempted_at, s.next_attempt_at, s.acknowledged_at,
      s.acknowledged_reply, s.vanished_at, s.desired_at, s.key as parent_key,
      s.platform_state, s.platform_word, s.platform_state_at from placement_sync.sync_state s;
    comment on view placement_sync.record is null`);
  expect(await pendingMigrations(state)).toEqual(['record-view']);
  expect(await migrate(state)).toEqual(['record-view']);
  expect(await definition()).toBe(current);
  expect(current).toContain('s.next_attempt_at > now()');
  const [granted] = await database.query(
    "select has_table_privilege('public', 'placement_sync.record', 'select') as may",
  );
  expect(granted).toEqual({ may: true });
  expect(await pendingMigrations(state)).toEqual([]);
  expect(await migrate(state)).toEqual([]);
});

test('a role that owns the schema migrates without any right on the database, and a worker needs only its tables', async () => {
  const { database } = await emptyState();
  const [owner, worker] = ['migrate_owner', 'migrate_worker'].map((name) => `${name}_${process.pid}`);
  const as = (role: string | undefined) => {
    const url = new URL(database.url);
    url.username = role ?? '';
    url.password = 'secret';
    const state = createStateDatabase({ url: url.href, poolMax: 1, schema: 'placement_sync' });
    onTestFinished(() => state.close());
    return state;
  };
  onTestFinished(async () => {
    await database.query(`drop owned by ${owner}, ${worker} cascade; drop role ${owner}, ${worker}`);
  });
  await database.query(
    `create role ${owner} login password 'secret'; create role ${worker} login password 'secret'`,
  );
  await expect(migrate(as(owner))).rejects.toMatchObject({
    code: 'state-failed',
    message: expect.stringMatching(/^The state database [\w.:/]+ refuses access/) as string,
    hint: expect.stringContaining('CREATE on the database, or to own the state schema') as string,
  });
  await database.query(`create schema placement_sync authorization ${owner}`);
  expect(await migrate(as(owner))).toEqual(NAMES);

  const working = as(worker);
  await expect(working.query('select 1 from :schema:.lease')).rejects.toMatchObject({
    hint: expect.stringContaining('USAGE on the schema') as string,
  });
  await database.query(`grant usage on schema placement_sync to ${worker};
    grant select, insert, update, delete on all tables in schema placement_sync to ${worker}`);
  expect(await pendingMigrations(working)).toEqual([]);
});

/** A schema without the migration of a later version, and somebody who reads its ledger as a dump does. */
async function behindADump() {
  const { database, state } = await emptyState();
  await migrate(state);
  const dump = new pg.Client({ connectionString: database.url, application_name: 'pg_dump' });
  await dump.connect();
  onTestFinished(() => dump.end());
  await dump.query(`begin; do $$ declare name regclass; begin
    for name in select c.oid from pg_class c where relnamespace = 'placement_sync'::regnamespace and relkind in ('r', 'p') loop
      execute format('lock table %s in access share mode', name);
    end loop;
  end $$`);
  const [{ pid } = { pid: 0 }] = (await dump.query<{ pid: number }>('select pg_backend_pid() as pid')).rows;
  const waiting = () =>
    database.query(
      `select 1 from pg_locks l join pg_class c on c.oid = l.relation
       where not granted and relnamespace = 'placement_sync'::regnamespace`,
    );
  return { state, url: database.url, dump, pid, waiting };
}

test('behind a dump it gives up, says who holds the lock, and lets others at the tables between its tries', async () => {
  const { state, pid, waiting } = await behindADump();
  const said: string[] = [];
  const read: unknown[] = [];
  const migrating = migrate(state, {
    kind: LATER_LEDGER,
    lockTimeoutMs: 100,
    tries: 3,
    pauseMs: 100,
    onBlocked: (message) => {
      said.push(message);
      // What queued behind the migration, as the webhook does, gets its turn.
      read.push(state.query('select count(*) from :schema:.sync_state'));
    },
  });
  await expect(migrating).rejects.toMatchObject({
    code: 'state-unavailable',
    message: expect.stringContaining(`pg_dump (process ${pid}, role postgres)`) as string,
    hint: expect.stringContaining('placement-sync migrate') as string,
  });
  expect(said).toHaveLength(2);
  expect(said[0]).toContain(`waits for pg_dump (process ${pid}, role postgres) (try 1 of 3)`);
  await Promise.all(read);
  expect(await waiting()).toEqual([]);
});

test('a migration goes on as soon as the dump has ended', async () => {
  const { state, dump } = await behindADump();
  const migrating = migrate(state, {
    kind: LATER_LEDGER,
    lockTimeoutMs: 100,
    pauseMs: 10,
    onBlocked: () => void dump.query('commit'),
  });
  expect(await migrating).toEqual([LATER.name]);
});

test('a migration that Postgres ends in a deadlock is tried again, when the other session has ended', async () => {
  const { state, url, dump, pid } = await behindADump();
  // Postgres ends whoever looks first; the other session does not look.
  await dump.query("set local deadlock_timeout = '1h'");
  const first = new pg.Client({ connectionString: url });
  await first.connect();
  onTestFinished(() => first.end());
  const lock = LOCK;
  await first.query(`begin; ${lock}`);
  // Of this database only: other tests wait for locks on the same server.
  const waiting = async () =>
    (
      await first.query(
        `select 1 from pg_locks where relation = 'placement_sync.migration_lock'::regclass and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      )
    ).rowCount;
  const said: string[] = [];
  const migrating = migrate(state, {
    kind: LATER_LEDGER,
    lockTimeoutMs: 60_000,
    pauseMs: 10,
    onBlocked: (message) => {
      said.push(message);
      void dump.query('commit');
    },
  });
  // The migration gets its lock next, and the other session, which has the tables, after it: each waits for the other.
  await expect.poll(waiting).toBe(1);
  const locked = dump.query(lock);
  await expect.poll(waiting).toBe(2);
  await first.query('commit');
  expect(await migrating).toEqual([LATER.name]);
  await locked;
  expect(said).toEqual([
    expect.stringContaining(`waits for pg_dump (process ${pid}, role postgres) (try 1 of 10)`),
  ]);
});

test('a signal ends a migration that waits for a lock, and nothing of it stays queued', async () => {
  const { state, waiting } = await behindADump();
  const stop = new AbortController();
  const onBlocked = () => stop.abort();
  const migrating = migrate(state, {
    kind: LATER_LEDGER,
    lockTimeoutMs: 100,
    pauseMs: 60_000,
    onBlocked,
    signal: stop.signal,
  });
  await expect(migrating).rejects.toMatchObject({ code: 'interrupted' });
  expect(await waiting()).toEqual([]);
});

test('two that migrate at once name each other', async () => {
  const { database, state } = await emptyState();
  await migrate(state);
  const other = new pg.Client({ connectionString: database.url, application_name: 'placement-sync' });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query(`begin; ${LOCK}`);
  await expect(migrate(state, { lockTimeoutMs: 50, tries: 1 })).rejects.toMatchObject({
    message: expect.stringContaining('in use by placement-sync (process') as string,
  });
});

test('a role that may only connect holds up no migration, whatever locks it takes', async () => {
  const { database, state } = await emptyState();
  const mallory = `${database.name}_mallory`;
  await database.query(`create role ${mallory} login password 'mallory'`);
  const url = Object.assign(new URL(database.url), { username: mallory, password: 'mallory' }).href;
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  onTestFinished(async () => {
    await other.end();
    await database.query(`drop role ${mallory}`);
  });
  for (const before of [[], NAMES]) {
    expect(await appliedMigrations(state)).toEqual(before);
    // Those of the version before, which anybody can compute, and each lock that the role could try.
    const key = createHash('sha256').update('placement_sync').digest().readUInt32BE() >>> 1;
    await other.query(`begin; select pg_advisory_xact_lock(746100211, ${key})`);
    for (const tried of [LOCK, 'create schema placement_sync', 'comment on schema placement_sync is null'])
      await expect(other.query(`savepoint a; ${tried}`)).rejects.toBeDefined();
    await other.query('rollback');
    await other.query(`begin; select pg_advisory_xact_lock(746100211, ${key})`);
    expect(await migrate(state, { lockTimeoutMs: 50, tries: 1 })).toEqual(before.length === 0 ? NAMES : []);
    await other.query('rollback');
  }
});

test('six that migrate an empty database at once, one of them killed in the middle, leave one whole ledger', async () => {
  const { database, state, tables } = await emptyState();
  const killed = new pg.Client({ connectionString: database.url });
  killed.on('error', () => undefined);
  await killed.connect();
  await killed.query(
    'begin; create schema placement_sync; create table placement_sync.migration_lock (index serial primary key, is_locked integer)',
  );
  const six = Array.from({ length: 6 }, () =>
    createStateDatabase({ url: database.url, poolMax: 1, schema: 'placement_sync' }),
  );
  onTestFinished(async () => void (await Promise.all(six.map((each) => each.close()))));
  const migrating = Promise.all(six.map((each) => migrate(each, { lockTimeoutMs: 60_000 })));
  await expect
    .poll(() => database.query(`select 1 from pg_locks where locktype = 'transactionid' and not granted`))
    .not.toEqual([]);
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where query like 'begin; create schema%' and pid <> pg_backend_pid()`,
  );
  const ran = await migrating;
  expect(ran.filter(({ length }) => length > 0)).toEqual([NAMES]);
  expect(await pendingMigrations(state)).toEqual([]);
  expect(await tables()).toContain('sync_state');
});

test('schemas of one database migrate at the same time, while another schema is being migrated', async () => {
  const { database, state } = await emptyState();
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  onTestFinished(() => other.end());
  // The first migration of this schema, which nobody else sees yet.
  await other.query('begin; create schema placement_sync');
  const schemas = ['tenant_a', 'tenant_b', 'tenant_c'].map((schema) => state.inSchema(schema));
  const ran = await Promise.all(schemas.map((schema) => migrate(schema, { lockTimeoutMs: 60_000 })));
  expect(ran).toEqual([NAMES, NAMES, NAMES]);
  await expect(migrate(state, { lockTimeoutMs: 50, tries: 1 })).rejects.toMatchObject({
    code: 'state-unavailable',
  });
});

test('the schema of a fleet has migrations of its own, and no view of records', async () => {
  const { state, tables } = await emptyState('fleet');
  const kind = FLEET_SCHEMA;
  const names = FLEET_MIGRATIONS.map(({ name }) => name);
  expect(await pendingMigrations(state, kind)).toEqual(names);
  expect(await migrate(state, { kind })).toEqual(names);
  expect(await pendingMigrations(state, kind)).toEqual([]);
  expect(await tables()).toEqual(['alone', 'operator_action', 'rate', 'tenant']);
  expect(await migrate(state, { kind })).toEqual([]);
  for (const name of names.toReversed()) expect(await migrateDown(state, { kind })).toEqual([name]);
  expect(await tables()).toEqual([]);
});

test('a schema of a fleet is not migrated as a ledger', async () => {
  const { state, tables } = await emptyState('fleet');
  await migrate(state, { kind: FLEET_SCHEMA });
  const before = await tables();
  await expect(pendingMigrations(state)).rejects.toMatchObject({ code: 'schema-not-migrated' });
  await expect(migrate(state)).rejects.toMatchObject({ name: 'SyncError' });
  expect(await tables()).toEqual(before);
});
