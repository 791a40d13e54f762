import knexModule, { type Knex } from 'knex';
import type { ClientBase, QueryConfig } from 'pg';
import { againAfterDeadlock } from './again-after-deadlock.js';
import { createOpenConnections } from './open-connections.js';
import { createOpenStatements, type OpenStatements } from './open-statements.js';
import { translateStateError } from './translate-state-error.js';

export interface StateDatabaseOptions {
  /** postgres:// URL of the state database. */
  readonly url: string;
  readonly poolMax: number;
  /** Schema of all tables; quoted, so any name works. */
  readonly schema: string;
  /** Longest wait for the answer to one statement, milliseconds; a migration of a large table may need more. */
  readonly queryTimeoutMs?: number;
}

/** Longest wait for an answer: a connection that a firewall forgot gives none, and no error either. */
const QUERY_TIMEOUT_MS = 120_000;

/**
 * Of every transaction, by SET LOCAL because a pooler may stand between: a process that was stopped, or cut off from
 * the network, in the middle of one must not keep the next run waiting for longer than its lease does.
 */
const TRANSACTION_LIMITS = `select set_config('lock_timeout', '30s', true), set_config('idle_in_transaction_session_timeout', '10s', true)`;

/** What the statements are made for, whatever is the default of database or role. */
const ISOLATION = { isolationLevel: 'read committed' } as const;

/** Named parameters. `:name` is a value; `:schema:` stands for the schema in every statement. */
export type Parameters = Readonly<Record<string, unknown>>;

/** knex would print warnings on standard output, which belongs to results. What matters is thrown as well. */
const SILENT = { warn: () => {}, error: () => {}, deprecate: () => {}, debug: () => {} };

/** Runs statements: on a connection of its own, or all on one inside a transaction. */
export interface Statements {
  /** Result rows of one statement. Errors: SyncError `state-unavailable` or `state-failed`. */
  query<T>(sql: string, parameters?: Parameters): Promise<T[]>;
}

/** Result rows of SQL that is not ours, with `$1` and so on; it goes to pg untouched, because knex rewrites every `?`. */
export type Verbatim = (sql: string, values: readonly (string | null)[]) => Promise<unknown[]>;

/** The state database: a pool, and the schema that statements refer to. */
export interface StateDatabase extends Statements {
  readonly schema: string;
  readonly knex: Knex;
  /** `work` is done again when Postgres ended it for a deadlock, so it must do nothing but statements. */
  transaction<T>(work: (statements: Statements, verbatim: Verbatim) => Promise<T>): Promise<T>;
  /** From its abort on, no statement may take long: SyncError `interrupted`. */
  endAfter(signal: AbortSignal): void;
  close(): Promise<void>;
}

/**
 * Opens a pool without connecting. Nothing is set per session and nothing is prepared by name, so that a pooler
 * in transaction mode may stand between.
 */
export function createStateDatabase(options: StateDatabaseOptions): StateDatabase {
  const open = createOpenStatements();
  const connections = createOpenConnections(open.note);
  const translated = (error: unknown, statement?: string) =>
    open.interruption(error) ?? translateStateError(error, options.url, statement);
  const knex = knexModule.default({
    client: 'pg',
    connection: {
      connectionString: options.url,
      application_name: 'placement-sync',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      query_timeout: options.queryTimeoutMs ?? QUERY_TIMEOUT_MS,
    } as Knex.PgConnectionConfig,
    pool: {
      min: 0,
      max: options.poolMax,
      afterCreate(connection: unknown, done: (error: Error | null, connection: unknown) => void) {
        connections.add(connection);
        done(null, connection);
      },
    },
    acquireConnectionTimeout: 30_000,
    log: SILENT,
  });
  const statements = (on: Knex): Statements => ({
    async query<T>(sql: string, parameters: Parameters = {}) {
      const statement = () => on.raw<{ rows: T[] }>(sql, { ...parameters, schema: options.schema });
      try {
        // Inside a transaction the whole of it has to be done again, not the statement.
        const result = await (on === knex ? againAfterDeadlock(async () => statement()) : statement());
        return result.rows;
      } catch (error) {
        throw translated(error, statement().toSQL().toNative().sql);
      }
    },
  });
  return {
    ...statements(knex),
    schema: options.schema,
    knex,
    async transaction(work) {
      try {
        return await againAfterDeadlock(() =>
          knex.transaction(async (trx) => {
            await trx.raw(TRANSACTION_LIMITS);
            return work(statements(trx), verbatimOn(trx, open));
          }, ISOLATION),
        );
      } catch (error) {
        throw translated(error);
      }
    },
    endAfter: open.endAfter,
    async close() {
      open.close();
      await knex.destroy();
      // One that is cut off never hears that it is to end, and would keep the process alive.
      connections.dropAll();
    },
  };
}

/** On the connection of a transaction. Errors: those of pg, and SyncError `interrupted`. */
function verbatimOn(trx: Knex.Transaction, open: OpenStatements): Verbatim {
  return async (text, values) => {
    const { acquireConnection } = trx.client as Knex.Client;
    const connection = (await acquireConnection()) as ClientBase;
    // Extended also without values: a simple query could hold a second statement.
    const query: QueryConfig & { queryMode: 'extended' } = {
      text,
      values: [...values],
      queryMode: 'extended',
    };
    try {
      return (await connection.query<Record<string, unknown>>(query)).rows;
    } catch (error) {
      throw open.interruption(error) ?? error;
    }
  };
}
