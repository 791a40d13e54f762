import type { Knex } from 'knex';
import { MIGRATIONS, type SchemaMigration } from '../../migrations/all.js';
import { SyncError } from '../domain/errors.js';
import type { StateDatabase } from './state-database.js';
import { translateStateError } from './translate-state-error.js';

/** Serialises migrations of all schemas of a database; released with the transaction, so it cannot strand. */
const MIGRATION_LOCK = 7_461_002_118;

function migrationConfig(schema: string): Knex.MigratorConfig {
  return {
    schemaName: schema,
    tableName: 'migration',
    migrationSource: {
      getMigrations: () => Promise.resolve([...MIGRATIONS]),
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
 * Brings the state schema up to date. Everything happens in one transaction: a kill leaves neither half a schema
 * nor the stuck lock row that knex is known for. Gives the names that ran.
 */
export async function migrate(database: StateDatabase): Promise<readonly string[]> {
  return inTransaction(database, async (trx) => {
    await createSchema(trx, database.schema);
    const [, names] = (await trx.migrate.latest(migrationConfig(database.schema))) as [number, string[]];
    return names;
  });
}

/** `create schema if not exists` asks for CREATE on the database even where the schema is there. */
async function createSchema(trx: Knex.Transaction, schema: string): Promise<void> {
  const found = await trx.raw<{ rows: unknown[] }>('select 1 from pg_namespace where nspname = :schema', {
    schema,
  });
  if (found.rows.length === 0) await trx.raw('create schema if not exists :schema:', { schema });
}

/** Takes the last migration back, with everything in its tables. Gives the names that ran. */
export async function migrateDown(database: StateDatabase): Promise<readonly string[]> {
  return inTransaction(database, async (trx) => {
    const [, names] = (await trx.migrate.down(migrationConfig(database.schema))) as [number, string[]];
    return names;
  });
}

/** Names of migrations that have not run. Creates nothing. */
export async function pendingMigrations(database: StateDatabase): Promise<readonly string[]> {
  const names = MIGRATIONS.map(({ name }) => name);
  const done = await appliedMigrations(database);
  const newer = done.filter((name) => !names.includes(name));
  if (newer.length > 0) {
    throw new SyncError(
      'schema-not-migrated',
      `The state schema "${database.schema}" was migrated by a newer version (${newer.join(', ')}).`,
      { scope: 'usage', hint: 'Run the newer version, or give this one a schema of its own (state.schema).' },
    );
  }
  return names.filter((name) => !done.includes(name));
}

/** Names of migrations that have run, in their order; none where there is no schema. Creates nothing. */
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
  work: (trx: Knex.Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await database.knex.transaction(async (trx) => {
      await trx.raw('select pg_advisory_xact_lock(:lock)', { lock: MIGRATION_LOCK });
      return work(trx);
    });
  } catch (error) {
    throw translateStateError(error, '');
  }
}
