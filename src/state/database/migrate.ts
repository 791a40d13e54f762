import { setTimeout } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { SchemaMigration } from '../../../migrations/all.js';
import { SyncError } from '../../domain/errors.js';
import { findBlocker, migrationLock } from './find-blocker.js';
import { NAME_LOOKUP } from './name-lookup.js';
import { isRecordViewCurrent, makeRecordView, RECORD_VIEW } from './record-view.js';
import { LEDGER, type SchemaKind } from './schema-kind.js';
import type { StateDatabase } from './state-database.js';

/**
 * Options of the database for migrations: one connection, and time to rewrite a large table. Waits for locks have their
 * own limit.
 */
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

/**
 * Brings the state schema up to date: the migrations, then the view that is made from the registry. Everything happens
 * in one transaction: a kill leaves no half schema and no stuck lock row, which knex is known for. Gives the names that
 * ran.
 * Errors: SyncError `state-unavailable` naming who holds the lock, when every try met one; `state-failed`.
 */
export async function migrate(
  database: StateDatabase,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  return inTransaction(database, options, async (trx) => {
    const { schema } = database;
    await createSchema(trx, schema);
    const [, names] = (await trx.migrate.latest(migrationConfig(schema, options))) as [number, string[]];
    const { recordView } = options.kind ?? LEDGER;
    const replaced = recordView && (await makeRecordView(trx, schema));
    return names.length === 0 && replaced ? [RECORD_VIEW] : names;
  });
}

/** `create schema if not exists` needs CREATE on the database even where the schema exists. */
async function createSchema(trx: Knex.Transaction, schema: string): Promise<void> {
  const found = await trx.raw<{ rows: unknown[] }>(
    'select 1 from pg_catalog.pg_namespace where nspname = :schema',
    {
      schema,
    },
  );
  if (found.rows.length === 0) await trx.raw('create schema if not exists :schema:', { schema });
}

/** Undoes the last migration, with everything in its tables. Gives the names that ran. */
export async function migrateDown(
  database: StateDatabase,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  return inTransaction(database, options, async (trx) => {
    const config = migrationConfig(database.schema, options);
    const [, names] = (await trx.migrate.down(config)) as [number, string[]];
    return names;
  });
}

/** Names of migrations that have not run; the view of records comes after them, and from the registry. Creates nothing. */
export async function pendingMigrations(
  database: StateDatabase,
  kind: SchemaKind = LEDGER,
): Promise<readonly string[]> {
  const names = kind.migrations.map(({ name }) => name);
  const done = await appliedMigrations(database);
  const newer = done.filter((name) => !names.includes(name));
  if (newer.length > 0) {
    throw new SyncError(
      'schema-not-migrated',
      `The state schema "${database.schema}" was migrated by a newer version (${newer.join(', ')}).`,
      {
        scope: 'usage',
        hint: `Run the newer version, or give this one a schema of its own (${kind.setting}).`,
      },
    );
  }
  const pending = names.filter((name) => !done.includes(name));
  if (pending.length > 0 || !kind.recordView || (await isRecordViewCurrent(database))) return pending;
  return [RECORD_VIEW];
}

/** Names of migrations that have run, in their order; none without a schema. Creates nothing. */
export async function appliedMigrations(database: StateDatabase): Promise<readonly string[]> {
  const [table] = await database.query<{ exists: boolean }>(
    'select to_regclass(:name) is not null as exists',
    {
      name: `"${database.schema.replaceAll('"', '""')}".migration`,
    },
  );
  if (!table?.exists) return [];
  const done = await database.query<{ name: string }>('select name from :schema:.migration order by name');
  return done.map(({ name }) => name);
}

async function inTransaction<T>(
  database: StateDatabase,
  options: MigrateOptions,
  work: (trx: Knex.Transaction) => Promise<T>,
): Promise<T> {
  const { lockTimeoutMs = 3_000, tries = 10, pauseMs = 3_000, onBlocked, signal } = options;
  const { command } = options.kind ?? LEDGER;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.withKnex((knex) =>
        knex.transaction(async (trx) => {
          await trx.raw(NAME_LOOKUP.safe);
          await trx.raw(LIMITS, { lockTimeout: String(lockTimeoutMs) });
          await trx.raw('select pg_advisory_xact_lock(:group, :key)', migrationLock(database.schema));
          return work(trx);
        }),
      );
    } catch (error) {
      // A signal ended the statement: `interrupted`.
      const failure = database.translated(error);
      if (!LOCKED.includes(String(failure.details.code))) throw failure;
      const blocker = await findBlocker(database);
      if (attempt >= tries) throw blocked(database.schema, command, blocker, error);
      onBlocked?.(`The migration waits for ${blocker ?? 'a lock'} (try ${attempt} of ${tries}).`);
      await pause(pauseMs, command, signal);
    }
  }
}

/** A statement may rewrite a large table; a wait for a lock has a bound. */
const LIMITS = `select set_config('statement_timeout', '0', true), set_config('lock_timeout', :lockTimeout, true)`;

/** Lock time-out, and deadlock with other users of the tables. */
const LOCKED = ['55P03', '40P01'];

function blocked(schema: string, command: string, blocker: string | null, cause: unknown): SyncError {
  return new SyncError(
    'state-unavailable',
    `The schema "${schema}" was not migrated: its tables are in use by ${blocker ?? 'another session'}. Nothing was changed.`,
    {
      scope: 'run',
      hint: `Wait until that session ends, or end it. Then run \`${command}\` again.`,
      cause,
    },
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
