import knexModule, { type Knex } from 'knex';
import type { ClientBase, QueryConfig } from 'pg';
import type { SyncError } from '../../domain/errors.js';
import { againAfterDeadlock } from './again-after-deadlock.js';
import { beginTransaction } from './begin-transaction.js';
import { NAME_LOOKUP } from './name-lookup.js';
import { createOpenConnections } from './open-connections.js';
import { createOpenStatements, type OpenStatements } from './open-statements.js';
import { interruptedState, translateStateError } from './translate-state-error.js';

export interface StateDatabaseOptions {
  /** postgres:// URL of the state database. */
  readonly url: string;
  readonly poolMax: number;
  /** Schema of all tables; quoted, so any name works. */
  readonly schema: string;
  /** Longest time of one statement, milliseconds: the server ends it then. Default two minutes. */
  readonly statementTimeoutMs?: number;
  /** Longest wait for a lock, milliseconds: the server gives up then. Default 30 s. */
  readonly lockTimeoutMs?: number;
}

const STATEMENT_TIMEOUT_MS = 120_000;
const LOCK_TIMEOUT_MS = 30_000;

/**
 * How long after the server should have ended a statement its answer is waited for: a connection that a firewall forgot
 * gives none, and no error either.
 */
const ANSWER_GRACE_MS = 5_000;

/** Named parameters. `:name` is a value; `:schema:` stands for the schema in every statement. */
export type Parameters = Readonly<Record<string, unknown>>;

/** knex would print warnings on standard output, which belongs to results. What matters is thrown as well. */
const SILENT = { warn: () => {}, error: () => {}, deprecate: () => {}, debug: () => {} };

/** Runs statements: each in a transaction of its own, or all in one. */
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
  /**
   * `work` is done again when Postgres ended it for a deadlock, so it must do nothing but statements. When `signal`
   * aborts, the statement under way is cancelled: SyncError `interrupted`.
   */
  transaction<T>(
    work: (statements: Statements, verbatim: Verbatim) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;
  /** What knex or pg threw, as a SyncError without particulars of the connection. */
  translated(error: unknown): SyncError;
  /** From its abort on, no statement may take long: SyncError `interrupted`. */
  endAfter(signal: AbortSignal): void;
  close(): Promise<void>;
}

/**
 * Opens a pool without connecting. Nothing is set per session and nothing is prepared by name, so that a pooler
 * in transaction mode may stand between. Every statement runs in a transaction that `beginTransaction` describes.
 */
export function createStateDatabase(options: StateDatabaseOptions): StateDatabase {
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS, lockTimeoutMs = LOCK_TIMEOUT_MS } = options;
  const begin = beginTransaction({ statementTimeoutMs, lockTimeoutMs });
  const open = createOpenStatements();
  const connections = createOpenConnections(open.note);
  const translated = (error: unknown, statement?: string) =>
    open.interruption(error) ?? translateStateError(error, options.url, statement);
  const knex = knexModule.default({
    client: 'pg',
    // Otherwise knex asks for it outside of our transactions, by the unqualified name of a function. The oldest that is
    // supported; only knex's own types of columns depend on it.
    version: '13',
    connection: {
      connectionString: options.url,
      application_name: 'placement-sync',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      query_timeout: statementTimeoutMs + Math.min(ANSWER_GRACE_MS, statementTimeoutMs),
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
  const statements = (connection: ClientBase): Statements => ({
    async query<T>(sql: string, parameters: Parameters = {}) {
      const statement = knex.raw<{ rows: T[] }>(sql, { ...parameters, schema: options.schema });
      try {
        return (await statement.connection(connection)).rows;
      } catch (error) {
        throw translated(error, statement.toSQL().toNative().sql);
      }
    },
  });
  const transaction: StateDatabase['transaction'] = async (work, signal) => {
    const client = knex.client as Knex.Client;
    try {
      return await againAfterDeadlock(async () => {
        const connection = (await client.acquireConnection()) as ClientBase;
        const unwatch = signal && open.endWith(signal, connection);
        try {
          if (signal?.aborted) throw interruptedState();
          await connection.query(begin);
          const result = await work(statements(connection), verbatimOn(connection, open));
          await connection.query('commit');
          return result;
        } catch (error) {
          // One that cannot be asked any more has undone it, or does when it finds the connection gone.
          await connection.query('rollback').catch(() => undefined);
          throw error;
        } finally {
          unwatch?.();
          await client.releaseConnection(connection);
        }
      });
    } catch (error) {
      throw translated(error);
    }
  };
  return {
    query: (sql, parameters) => transaction((alone) => alone.query(sql, parameters)),
    schema: options.schema,
    knex,
    transaction,
    translated,
    endAfter: open.endAfter,
    async close() {
      open.close();
      await knex.destroy();
      // One that is cut off never hears that it is to end, and would keep the process alive.
      connections.dropAll();
    },
  };
}

/**
 * On the connection of a transaction, with the names that the role finds by default: the partner's own statement is
 * written for these. Errors: those of pg, and SyncError `interrupted`.
 */
function verbatimOn(connection: ClientBase, open: OpenStatements): Verbatim {
  return async (text, values) => {
    // Extended also without values: a simple query could hold a second statement.
    const query: QueryConfig & { queryMode: 'extended' } = {
      text,
      values: [...values],
      queryMode: 'extended',
    };
    try {
      await connection.query(NAME_LOOKUP.usual);
      const { rows } = await connection.query<Record<string, unknown>>(query);
      await connection.query(NAME_LOOKUP.safe);
      return rows;
    } catch (error) {
      throw open.interruption(error) ?? error;
    }
  };
}
