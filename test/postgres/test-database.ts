import { randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { expect, inject, onTestFinished } from 'vitest';
import { type BrokenRecord, seedSample, withClient } from '../../src/features/demo/sample/seed-sample.js';
import { migrate } from '../../src/core/ledger/database/migrate.js';
import { createStateDatabase } from '../../src/core/ledger/database/state-database.js';
import { atEndOfFile } from './at-end-of-file.js';

/** A database of a test's own. */
export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  /** One statement on a pool of the test's own; rows with the driver's default types. */
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
    sql: string,
    params?: readonly unknown[],
  ): Promise<Row[]>;
  /** Ends the pool and removes the database with the connections that others left open, before its test is over. */
  drop(): Promise<void>;
}

/** Makes an empty database (about 25 ms) on the run's server. It ends with its test, or with the file when it is made in `beforeAll`. */
export async function createTestDatabase(encoding = 'UTF8'): Promise<TestDatabase> {
  return await onServer((server) => cloneDatabase(server, 'template0', encoding));
}

/** Makes a database that is a copy of `template`, to which nobody may be connected. */
async function cloneDatabase(server: pg.Client, template: string, encoding = 'UTF8'): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const { rows } = await server.query<Record<string, string>>('show server_version_num');
  // Half of the time of the default, which writes every page into the log.
  const copy = Number(Object.values(rows[0] ?? {})[0]) >= 150_000 ? 'STRATEGY FILE_COPY' : '';
  // Every encoding fits this locale.
  const locale = encoding === 'UTF8' ? '' : `LC_COLLATE 'C' LC_CTYPE 'C'`;
  await server.query(`CREATE DATABASE ${name} TEMPLATE ${template} ENCODING '${encoding}' ${locale} ${copy}`);
  const url = databaseUrl(name);
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  // A dropped database ends idle connections; without a listener that would end the process.
  pool.on('error', () => undefined);
  let dropped: Promise<unknown> | null = null;
  const drop = async () => {
    dropped ??= pool
      .end()
      .then(() => onServer((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)));
    await dropped;
  };
  endLater(drop);
  return {
    url,
    name,
    query: async <Row extends pg.QueryResultRow>(sql: string, params: readonly unknown[] = []) =>
      (await pool.query<Row>(sql, [...params])).rows,
    drop,
  };
}

/** Drops a schema in which others work. When they and the drop wait for each other, Postgres ends one of them. */
export async function dropSchema({ query }: Pick<TestDatabase, 'query'>, schema: string): Promise<void> {
  await expect.poll(() => query(`drop schema if exists ${schema} cascade`)).toEqual([]);
}

function endLater(end: () => Promise<void>): void {
  try {
    onTestFinished(end);
  } catch {
    // Not within a test.
    atEndOfFile.push(end);
  }
}

/** URL of a database on the run's server. */
function databaseUrl(name: string): string {
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

let connected: Promise<pg.Client> | null = null;
let turn: Promise<unknown> = Promise.resolve();

/**
 * Runs `work` on a connection to the server's own database, one after the other. All of a process share the connection:
 * a new one costs Postgres as much as making a database.
 */
export function onServer<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const done = turn.then(async () => await work(await (connected ??= connect())));
  turn = done.catch(() => undefined);
  return done;
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  // A test may end all connections.
  client.on('error', () => undefined).on('end', () => (connected = null));
  await client.connect();
  (client as unknown as { unref(): void }).unref();
  return client;
}

/** Any number, the same in all workers of a run. */
const LOCK = 7_402_311;

/** The run's template, where this process has seen that it is made. */
let migrated: string | null = null;

/**
 * A database whose schema `placement_sync` is migrated, and that has nothing else: a copy of the run's template, which
 * is made once per run, by whichever test comes first.
 */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  const template = `${inject('templatePrefix')}migrated`;
  return await onServer(async (server) => {
    if (migrated !== template) {
      const lock = [LOCK, template];
      await server.query('select pg_advisory_lock($1, hashtext($2))', lock);
      try {
        const found = await server.query('select 1 from pg_database where datname = $1', [template]);
        if (found.rowCount === 0) await makeMigrated(server, template);
      } finally {
        await server.query('select pg_advisory_unlock($1, hashtext($2))', lock);
      }
      migrated = template;
    }
    return await cloneDatabase(server, template);
  });
}

async function makeMigrated(server: pg.Client, name: string): Promise<void> {
  await server.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  const settings = { url: databaseUrl(name), poolMax: 1, schema: 'placement_sync' };
  const state = createStateDatabase(settings);
  try {
    await migrate(state);
    await state.close();
  } catch (error) {
    await state.close();
    await server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    throw error;
  }
  // A first connection keeps what it reads of the catalogue in a file, which every copy then has.
  await withClient(settings.url, (client) => client.query('select 1'));
}

export const SAMPLE_FILE = path.resolve(import.meta.dirname, '../../config/demo/sample.sql');

/** Rows of the sample that the example queries return. The tables hold more: drafts, closed, expired, deleted. */
export const SAMPLE_COUNTS = { companies: 200, vacancies: 1500, institutions: 60, trainings: 90 } as const;

/** A database with the sample of the HR vendor, and the records that are wrong in it on purpose. */
export async function createSampleDatabase(): Promise<
  TestDatabase & { readonly broken: readonly BrokenRecord[] }
> {
  const database = await createTestDatabase();
  const broken = await withClient(database.url, (client) => seedSample(client, SAMPLE_FILE));
  return { ...database, broken };
}

/**
 * Lets the database do `work` (statements of PL/pgSQL) whenever a statement has written to `table`, in its transaction:
 * what happens between two statements of the product happens there every time.
 */
export async function whenWritten(
  sql: (text: string) => Promise<unknown>,
  table: string,
  work: string,
): Promise<void> {
  await sql(`create function public.when_written() returns trigger language plpgsql as $$ begin ${work} return null; end $$;
    create trigger when_written after insert or update on ${table} execute function public.when_written()`);
}
