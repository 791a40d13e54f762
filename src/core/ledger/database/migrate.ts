import type { Knex } from 'knex';
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { escapeIdentifier, escapeLiteral } from 'pg';
import { MIGRATIONS, type SchemaMigration } from '../../../../migrations/all.js';
import { SyncError, usageError } from '../../domain/errors.js';
import { batched } from '../../domain/group-by.js';
import { joinParent, statusSql } from '../status-sql.js';
import { encodingFault } from './encoding.js';
import { OWN_NAMES, type StateDatabase } from './state-database.js';

/**
 * Migrations of a schema: that of a ledger, or that of the fleet. `migrate` and `migrateDown` run in one transaction under
 * a lock (`lockMigrations`), with short waits for other locks and pauses between tries: whoever uses the tables
 * goes on meanwhile. After the migrations comes the view of records, which is made from the registry of entities
 * (`makeRecordView`). `pendingMigrations` and `appliedMigrations` only look, and `lossOfMigrateDown` tries and undoes it.
 */

/** Of the database for migrations: one connection, and time to rewrite a large table. Waits for locks have a limit of their own. */
export const MIGRATION_DATABASE = { poolMax: 1, statementTimeoutMs: 6 * 60 * 60 * 1_000 } as const;

export interface MigrateOptions {
  /**
   * Longest wait for a lock, milliseconds. Every other use of the table queues behind that wait: the webhook, and all
   * readers. Default 3 s.
   */
  readonly lockTimeoutMs?: number;
  /** How often it is tried. Default 10. */
  readonly tries?: number;
  /** Pause between two tries, milliseconds, in which the queued sessions go on. Default 3 s. */
  readonly pauseMs?: number;
  /** Called with one sentence after each try that met a lock, except the last. */
  readonly onBlocked?: (message: string) => void;
  /** Ends the pauses: SyncError `interrupted`. */
  readonly signal?: AbortSignal;
  /** What the schema is for. Default: a ledger. */
  readonly kind?: SchemaKind;
  /** Down to which number; left out: the last one is undone. */
  readonly to?: number;
}

/** What a schema is for: a ledger, or the table of a fleet. */
export interface SchemaKind {
  readonly migrations: readonly SchemaMigration[];
  /** Whether it has the view of records. */
  readonly recordView: boolean;
  /** The setting with its name. */
  readonly setting: string;
  /** The command that migrates it. */
  readonly command: string;
}

const LEDGER: SchemaKind = {
  migrations: MIGRATIONS,
  recordView: true,
  setting: 'state.schema',
  command: 'placement-sync migrate',
};

/** The name of the view among the pending migrations. */
const RECORD_VIEW = 'record-view';

/**
 * Brings the state schema up to date: the migrations, then the view that is made from the registry, in one transaction: a
 * kill leaves no half schema and no stuck lock row, which knex is known for. Gives the names that ran.
 * Errors: SyncError `state-unavailable` naming who holds the lock, when every try met one; `state-failed`; `config-invalid`
 * of a new schema in a database that is not UTF8.
 */
export async function migrate(
  database: StateDatabase,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  const fault = await encodingFault(database);
  if (fault && (await appliedMigrations(database)).length === 0)
    throw new SyncError('config-invalid', fault.message, { scope: 'usage', hint: fault.hint });
  return inTransaction(database, options, async (trx) => {
    const { schema } = database;
    const [, names] = (await trx.migrate.latest(migrationConfig(schema, options))) as [number, string[]];
    const { recordView } = options.kind ?? LEDGER;
    const replaced = recordView && (await makeRecordView(trx, schema));
    return names.length === 0 && replaced ? [RECORD_VIEW] : names;
  });
}

/** A statement may rewrite a large table; a wait for a lock has a bound. */
const LIMITS = `select set_config('statement_timeout', '0', true), set_config('lock_timeout', :lockTimeout, true)`;

/** Lock time-out, and deadlock with other users of the tables. */
const LOCKED = ['55P03', '40P01'];

async function inTransaction<T>(
  database: StateDatabase,
  options: MigrateOptions,
  work: (trx: Knex.Transaction) => Promise<T>,
): Promise<T> {
  const { lockTimeoutMs = 3_000, tries = 10, pauseMs = 3_000, onBlocked, signal } = options;
  const { command } = options.kind ?? LEDGER;
  for (let attempt = 1; ; attempt += 1) {
    let isLocked = false;
    try {
      return await database.withKnex((knex) =>
        knex.transaction(async (trx) => {
          await trx.raw(OWN_NAMES);
          await trx.raw(LIMITS, { lockTimeout: String(lockTimeoutMs) });
          await lockMigrations(trx, database.schema);
          isLocked = true;
          return work(trx);
        }),
      );
    } catch (error) {
      // A signal ended the statement: `interrupted`.
      const failure = database.translated(error);
      // What two begin at once, only one makes: then it is there.
      if (!isLocked && MADE_TWICE.includes(String(failure.details.code)) && attempt < tries) continue;
      if (!LOCKED.includes(String(failure.details.code))) throw failure;
      const blocker = await findBlocker(database);
      if (attempt >= tries) throw blocked(database.schema, command, blocker, error);
      onBlocked?.(`The migration waits for ${blocker ?? 'a lock'} (try ${attempt} of ${tries}).`);
      await pause(pauseMs, command, signal);
    }
  }
}

/** A schema, table, or row of a catalogue that another transaction has made meanwhile. */
const MADE_TWICE = ['23505', '42P06', '42P07', '42710'];

/**
 * Migrations of one schema come one after the other, and those of other schemas go on at the same time. The lock is that of
 * knex's own table, which ends with the transaction. Only a role that may write to the table can hold it: an advisory lock
 * belongs to whoever may connect. Of several that find no table, each waits for the first one to make it.
 */
async function lockMigrations(trx: Knex.Transaction, schema: string): Promise<void> {
  const table = `${escapeIdentifier(schema)}.${LOCK_TABLE}`;
  const sql = 'select pg_catalog.to_regclass(:table) is not null as exists';
  const found = await trx.raw<{ rows: { exists: boolean }[] }>(sql, { table });
  if (found.rows[0]?.exists === true)
    return void (await trx.raw(`lock table :schema:.${LOCK_TABLE} in share row exclusive mode`, { schema }));
  await createSchema(trx, schema);
  await trx.raw(`create table :schema:.${LOCK_TABLE} (index serial primary key, is_locked integer)`, {
    schema,
  });
}

/** As knex makes and names it. */
const LOCK_TABLE = 'migration_lock';

type HolderRow = Record<'pid' | 'minutes', number | null> & Record<'role' | 'application', string | null>;

/**
 * The session that has held a lock on the state schema for longest: program, process and role,
 * such as "pg_dump (process 4711, role backup, for 12 min)". Null: no session holds one any more.
 */
async function findBlocker(database: StateDatabase): Promise<string | null> {
  const [holder] = await database.query<HolderRow>(
    `select l.pid, a.usename as role, nullif(a.application_name, '') as application,
       cast(floor(extract(epoch from clock_timestamp() - a.xact_start) / 60) as integer) as minutes
     from pg_locks l
     left join pg_stat_activity a on a.pid = l.pid
     left join pg_class c on l.locktype = 'relation' and c.oid = l.relation
     where l.granted and l.pid is distinct from pg_backend_pid()
       and l.database = (select oid from pg_database where datname = current_database())
       and c.relnamespace = (select oid from pg_namespace where nspname = :name)
     order by a.xact_start nulls last limit 1`,
    { name: database.schema },
  );
  if (!holder) return null;
  // A transaction prepared for two-phase commit has no process.
  if (holder.pid === null) return 'a prepared transaction (see pg_prepared_xacts)';
  const { pid, role, application, minutes } = holder;
  const known = [`process ${pid}`, role && `role ${role}`, minutes && `for ${minutes} min`].filter(Boolean);
  return `${application ?? 'a session'} (${known.join(', ')})`;
}

function blocked(schema: string, command: string, blocker: string | null, cause: unknown): SyncError {
  return new SyncError(
    'state-unavailable',
    `The schema "${schema}" was not migrated: its tables are in use by ${blocker ?? 'another session'}. Nothing was changed.`,
    { scope: 'run', hint: `Wait until that session ends, or end it. Then run \`${command}\` again.`, cause },
  );
}

async function pause(ms: number, command: string, signal: AbortSignal | undefined): Promise<void> {
  try {
    await setTimeout(ms, undefined, signal ? { signal } : {});
  } catch {
    throw new SyncError('interrupted', 'A signal stopped the migration. Nothing was changed.', {
      scope: 'run',
      hint: `Run \`${command}\` again.`,
    });
  }
}

/** `create schema if not exists` needs CREATE on the database even where the schema exists. */
async function createSchema(trx: Knex.Transaction, schema: string): Promise<void> {
  const sql = 'select 1 from pg_catalog.pg_namespace where nspname = :schema';
  const found = await trx.raw<{ rows: unknown[] }>(sql, { schema });
  if (found.rows.length === 0) await trx.raw('create schema if not exists :schema:', { schema });
}

function migrationConfig(schema: string, { kind = LEDGER }: MigrateOptions): Knex.MigratorConfig {
  return {
    schemaName: schema,
    tableName: 'migration',
    migrationSource: {
      getMigrations: () => Promise.resolve([...kind.migrations]),
      getMigrationName: (migration: SchemaMigration) => migration.name,
      getMigration: (migration: SchemaMigration) =>
        Promise.resolve({
          up: (knex: Knex) => migration.up(knex, schema),
          down: (knex: Knex) => migration.down(knex, schema),
        }),
    },
  };
}

const COMMENT_ON = `select obj_description(to_regclass(:view), 'pg_class') as comment`;

/**
 * The view of records for the partner's own SQL. A further column comes last, because the view is replaced in place and
 * keeps its grants.
 */
const RECORD = `
select s.entity, s.key, s.platform_id, s.reference, s.remote_id, ${statusSql('s', 'p')} as status,
    s.invalid_reason, s.last_status_code, s.last_error, s.attempts, s.attempted_at, s.next_attempt_at,
    s.acknowledged_at, s.acknowledged_reply, s.vanished_at, s.desired_at, p.key as parent_key,
    s.platform_state, s.platform_word, s.platform_state_at
    from :schema:.sync_state s ${joinParent('s', 'p')}`;

/** The comment on the view names its definition, because Postgres rewrites the text of the view. */
const COMMENT = `Every record with its derived status; definition ${createHash('sha256').update(RECORD).digest('hex').slice(0, 16)}`;

/** Creates the view, or replaces another version's. False: nothing to do. */
async function makeRecordView(trx: Knex.Transaction, schema: string): Promise<boolean> {
  const found = await trx.raw<{ rows: { comment: string | null }[] }>(COMMENT_ON, named(schema));
  if (found.rows[0]?.comment === COMMENT) return false;
  await trx.raw(`create or replace view :schema:.record as ${RECORD}`, { schema });
  await trx.raw(`comment on view :schema:.record is '${COMMENT}'`, { schema });
  return true;
}

function named(schema: string): { readonly view: string } {
  return { view: `${escapeIdentifier(schema)}.record` };
}

/** Names of migrations that have not run; the view of records comes after them, and from the registry. Creates nothing. */
export async function pendingMigrations(
  database: StateDatabase,
  kind: SchemaKind = LEDGER,
): Promise<readonly string[]> {
  const names = kind.migrations.map(({ name }) => name);
  const done = await appliedMigrations(database);
  checkKnown(database, done, kind);
  const pending = names.filter((name) => !done.includes(name));
  if (pending.length > 0 || !kind.recordView || (await isRecordViewCurrent(database))) return pending;
  return [RECORD_VIEW];
}

/** Whether the view exists with this version's entities and statuses. */
async function isRecordViewCurrent(database: StateDatabase): Promise<boolean> {
  const [row] = await database.query<{ comment: string | null }>(COMMENT_ON, named(database.schema));
  return row?.comment === COMMENT;
}

/** Errors: SyncError `schema-not-migrated` when a migration ran that this version does not have. */
function checkKnown({ schema }: StateDatabase, done: readonly string[], kind: SchemaKind): void {
  const known = kind.migrations.map(({ name }) => name);
  const unknown = done.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const moved = unknown.find((name) => name.startsWith(MOVED));
  if (moved !== undefined)
    throw new SyncError('schema-not-migrated', `The ledger of the schema "${schema}" was ${moved}.`, {
      scope: 'usage',
      hint: 'Use the ledger there: it knows what was sent. If nobody needs this address any more, drop the schema here.',
    });
  const isOfDevelopment = unknown.includes(FIRST_OF_DEVELOPMENT);
  throw new SyncError(
    'schema-not-migrated',
    isOfDevelopment
      ? `The state schema "${schema}" was made before version 1.0.0.`
      : `The state schema "${schema}" was migrated by a newer version (${unknown.join(', ')}).`,
    {
      scope: 'usage',
      hint: isOfDevelopment
        ? `Keep it and what it knows: placement-sync help moves a-ledger-from-before-100.`
        : `Run the newer version. To go back to this one, take its migrations back with the newer one first (docs/moves.md). A second ledger would send everything again.`,
      details: isOfDevelopment ? {} : { otherVersion: 'newer' },
    },
  );
}

/** The only migration of a schema whose ledger was moved begins with it. Nothing makes a new ledger there. */
export const MOVED = 'moved to ';

/** Ledgers made before 1.0.0 have many migrations, and this one first. Their tables may lack columns. */
const FIRST_OF_DEVELOPMENT = '0001-ledger';

/** Schemas in one statement of `currentSchemas`: each is a table that it opens. */
const SCHEMAS_AT_ONCE = 200;

/** Which of these schemas have a ledger that is up to date, as `pendingMigrations` says of one, in a few statements for all. */
export async function currentSchemas(
  database: StateDatabase,
  schemas: readonly string[],
): Promise<ReadonlySet<string>> {
  const { comments } = (
    await database.query<{ comments: Readonly<Record<string, string | null>> }>(
      `select coalesce(jsonb_object_agg(n.nspname, obj_description(v.oid, 'pg_class')), '{}') as comments
       from pg_namespace n join pg_class m on m.relnamespace = n.oid and m.relname = 'migration'
       join pg_class v on v.relnamespace = n.oid and v.relname = 'record'
       where n.nspname = any(cast(:schemas as text[]))`,
      { schemas },
    )
  )[0] ?? { comments: {} };
  const known = MIGRATIONS.map(({ name }) => name).join();
  const made = Object.keys(comments).filter((schema) => comments[schema] === COMMENT);
  const current = new Set<string>();
  for (const batch of batched(made, SCHEMAS_AT_ONCE)) {
    const applied = await database.query<{ schema: string; names: string | null }>(
      batch
        .map(
          (schema) =>
            `select ${escapeLiteral(schema)} as schema, (select string_agg(name, ',' order by name collate "C") from ${escapeIdentifier(schema)}.migration) as names`,
        )
        .join(' union all '),
    );
    for (const { schema, names } of applied) if (names === known) current.add(schema);
  }
  return current;
}

/** Names of migrations that have run, in their order; none without a schema. Creates nothing. */
export async function appliedMigrations(database: StateDatabase): Promise<readonly string[]> {
  const [table] = await database.query<{ exists: boolean }>(
    'select to_regclass(:name) is not null as exists',
    { name: `${escapeIdentifier(database.schema)}.migration` },
  );
  if (!table?.exists) return [];
  const done = await database.query<{ name: string }>('select name from :schema:.migration order by name');
  return done.map(({ name }) => name);
}

/**
 * Undoes the last migration, or all after one, with what is in their tables. Gives their names, the latest first. `only`: those that a
 * person was asked about. Errors: SyncError `usage` when others are the last by now; nothing was changed then.
 */
export async function migrateDown(
  database: StateDatabase,
  options: MigrateOptions & { readonly only?: readonly string[] } = {},
): Promise<readonly string[]> {
  return inTransaction(database, options, async (trx) => {
    const names = await undo(trx, database.schema, options);
    const { only = names } = options;
    if (names.join() !== only.join())
      throw usageError(
        `The last migration is ${names.join() || 'undone'} by now, not ${only.join()}: somebody migrated meanwhile. Nothing was changed.`,
        'Look again: placement-sync migrate --down',
      );
    return names;
  });
}

async function undo(
  trx: Knex.Transaction,
  schema: string,
  options: MigrateOptions,
): Promise<readonly string[]> {
  const { to } = options;
  const { rows } = await trx.raw<{ rows: { name: string }[] }>('select name from :schema:.migration', {
    schema,
  });
  const wanted = to === undefined ? 1 : rows.filter(({ name }) => Number.parseInt(name, 10) > to).length;
  const undone: string[] = [];
  for (let left = wanted; left > 0; left -= 1) {
    const [, names] = (await trx.migrate.down(migrationConfig(schema, options))) as [number, string[]];
    undone.push(...names);
  }
  return undone;
}

/** What goes when migrations are undone. */
export interface MigrationLoss {
  /** The migrations, the latest first; none: there is nothing to undo. */
  readonly names: readonly string[];
  /** Tables that go, with their rows. */
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  /** Columns that go, `table.column`, of tables that stay. */
  readonly columns: readonly string[];
  /** The first row of the journal, if the journal goes and has one. */
  readonly journalSince: Date | null;
}

/**
 * What `migrateDown` would delete. It undoes the migration in a transaction that ends without effect and compares the
 * tables: a list beside each migration could be wrong. Errors: those of `migrate`; SyncError `schema-not-migrated` of a
 * schema of another version.
 */
export async function lossOfMigrateDown(
  database: StateDatabase,
  options: MigrateOptions = {},
): Promise<MigrationLoss> {
  const { schema } = database;
  const done = await appliedMigrations(database);
  if (done.length === 0) return { names: [], tables: [], columns: [], journalSince: null };
  checkKnown(database, done, options.kind ?? LEDGER);
  return inTransaction(database, options, async (trx) => {
    const before = await columnsOf(trx, schema);
    // A savepoint also gives the locks back, so that counting the rows holds up nobody.
    await trx.raw('savepoint as_it_is');
    const names = await undo(trx, schema, options);
    const after = await columnsOf(trx, schema);
    await trx.raw('rollback to savepoint as_it_is');
    const gone = [...before.keys()].filter((table) => !after.has(table));
    const tables = [];
    for (const table of gone) {
      const { rows } = await trx.raw<{ rows: { count: string }[] }>(
        'select count(*) as count from :schema:.:table:',
        { schema, table },
      );
      tables.push({ name: table, rows: Number(rows[0]?.count ?? 0) });
    }
    const columns = [...after].flatMap(([table, left]) =>
      (before.get(table) ?? [])
        .filter((column) => !left.includes(column))
        .map((column) => `${table}.${column}`),
    );
    const first = 'select min(answered_at) as since from :schema:.delivery';
    const { rows } = gone.includes('delivery')
      ? await trx.raw<{ rows: { since: Date | null }[] }>(first, { schema })
      : { rows: [] };
    return { names, tables, columns, journalSince: rows[0]?.since ?? null };
  });
}

/** The columns of each table, without those of knex. */
async function columnsOf(
  trx: Knex.Transaction,
  schema: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await trx.raw<{ rows: { name: string; columns: string[] }[] }>(
    `select c.relname as name, array_agg(cast(a.attname as text) order by a.attnum) as columns
     from pg_catalog.pg_class c
     join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where n.nspname = :schema and c.relkind in ('r', 'p') and c.relname not in ('migration', 'migration_lock')
     group by c.relname order by c.relname`,
    { schema },
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}
