import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import pg, { type ClientBase, type QueryConfig } from 'pg';
import type { SyncError } from '../../domain/errors.js';
import { createPlaceQueue } from '../../runtime/place-queue.js';
import { againAfterDeadlock } from './again-after-deadlock.js';
import { beginTransaction } from './begin-transaction.js';
import { bindParameters, type Parameters } from './bind-parameters.js';
import { NAME_LOOKUP } from './name-lookup.js';
import { createOpenConnections, wasDropped } from './open-connections.js';
import { createOpenStatements, type OpenStatements } from './open-statements.js';
import type { DatabaseSettings } from './database-settings.js';
import { interruptedState, translateStateError } from './translate-state-error.js';
import { withKnex } from './with-knex.js';

export type { Parameters };

export interface StateDatabaseOptions {
  /** postgres:// URL of the state database. */
  readonly url: string;
  readonly poolMax: number;
  /** Schema of all tables; quoted, so any name works. */
  readonly schema: string;
  /** For texts of errors; default: those of the state database. */
  readonly settings?: DatabaseSettings | undefined;
  /** Longest time of one statement, milliseconds: the server ends it then. Default two minutes. */
  readonly statementTimeoutMs?: number;
  /** Longest wait for a lock, milliseconds: the server gives up then. Default 30 s. */
  readonly lockTimeoutMs?: number;
  /** Transactions after which a connection is replaced by a new one. Default: never. */
  readonly maxUses?: number;
  /** Connections that one schema (`inSchema`) uses at a time; its other statements wait. Default: all. */
  readonly poolShare?: number;
}

const STATEMENT_TIMEOUT_MS = 120_000;
const LOCK_TIMEOUT_MS = 30_000;

/**
 * How long to wait for an answer after the server should have ended the statement: a connection that a firewall dropped
 * gives neither an answer nor an error.
 */
const ANSWER_GRACE_MS = 5_000;

/** Longest time to connect, milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;
/** How long `close` waits for statements that are under way; a little longer than their cancellation may take. */
const CLOSE_GRACE_MS = 5_000;
/** Longest wait for a free connection, milliseconds. */
const POOL_TIMEOUT_MS = 30_000;

/** Runs statements: each in a transaction of its own, or all in one. */
export interface Statements {
  /** Result rows of one statement. Errors: SyncError `state-unavailable` or `state-failed`. */
  query<T>(sql: string, parameters?: Parameters): Promise<T[]>;
}

/** Result rows of foreign SQL, with `$1` and so on; it goes to pg unchanged, because knex rewrites every `?`. */
export type Verbatim = (sql: string, values: readonly (string | null)[]) => Promise<unknown[]>;

/** The state database: a pool, and the schema that statements refer to. */
export interface StateDatabase extends Statements {
  readonly schema: string;
  /** knex on a connection of its own, for migrations. Closed at the end. */
  withKnex<T>(use: (knex: Knex) => Promise<T>): Promise<T>;
  /**
   * `work` runs again after a deadlock, so it must contain nothing but statements. When `signal`
   * aborts, the statement under way is cancelled: SyncError `interrupted`.
   */
  transaction<T>(
    work: (statements: Statements, verbatim: Verbatim) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;
  /**
   * VACUUM, which no transaction may contain; so only this process ends it when it takes too long. It makes later
   * statements faster and nothing else, so it never rejects: without the right to it the server logs a warning.
   */
  tidy(sql: string): Promise<void>;
  /** An error of knex or pg as a SyncError, without details of the connection. */
  translated(error: unknown): SyncError;
  /** After its abort no statement may take long: SyncError `interrupted`. Statements in other schemas go on. */
  endAfter(signal: AbortSignal): void;
  /** Another schema on the same pool. Its `close` ends only what its `endAfter` began; the pool stays. */
  inSchema(schema: string): StateDatabase;
  close(): Promise<void>;
}

/**
 * Opens a pool without connecting. No session settings and no named statements, so that a pooler in transaction mode
 * works. Every statement runs in a transaction that `beginTransaction` describes.
 */
export function createStateDatabase(options: StateDatabaseOptions): StateDatabase {
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS, lockTimeoutMs = LOCK_TIMEOUT_MS } = options;
  const begin = beginTransaction({ statementTimeoutMs, lockTimeoutMs });
  /** Whose statements a connection runs now. */
  const users = new WeakMap<object, OpenStatements>();
  const connections = createOpenConnections(
    (connection) => users.get(connection as object)?.note(connection) ?? (() => undefined),
    CONNECT_TIMEOUT_MS,
  );
  const answerTimeoutMs = statementTimeoutMs + Math.min(ANSWER_GRACE_MS, statementTimeoutMs);
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: 'placement-sync',
    max: options.poolMax,
    ...(options.maxUses === undefined ? {} : { maxUses: options.maxUses }),
    connectionTimeoutMillis: POOL_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    query_timeout: answerTimeoutMs,
    // Statements leave before those ahead of them are answered.
    ...{ pipeline: true },
    Client: connections.Client,
  });
  // The pool replaces an idle connection that ends; without a listener its error would end the process.
  pool.on('error', () => undefined);

  const inSchema = (schema: string): StateDatabase => {
    const open = createOpenStatements();
    const places = options.poolShare === undefined ? null : createPlaceQueue(options.poolShare);
    const translated = (error: unknown) =>
      open.interruption(error) ?? translateStateError(error, options.url, options.settings);
    const statements = (connection: ClientBase): Statements => ({
      async query<T>(sql: string, parameters: Parameters = {}) {
        const { text, values } = bindParameters(sql, schema, parameters);
        try {
          return (await connection.query(text, [...values])).rows as T[];
        } catch (error) {
          throw translated(error);
        }
      },
    });
    const onConnection = async <T>(use: (connection: ClientBase) => Promise<T>): Promise<T> => {
      const entry = await places?.enter(AbortSignal.timeout(POOL_TIMEOUT_MS));
      try {
        if (entry === 'aborted') throw new Error('timeout while waiting for a connection');
        return await againAfterDeadlock(async () => {
          const connection = await pool.connect();
          users.set(connection, open);
          try {
            return await use(connection);
          } finally {
            open.endUse(connection);
            connection.release(wasDropped(connection));
          }
        });
      } catch (error) {
        throw translated(error);
      } finally {
        if (entry === 'entered') places?.leave();
      }
    };
    const transaction: StateDatabase['transaction'] = (work, signal) =>
      onConnection(async (connection) => {
        const unwatch = signal && open.endWith(signal, connection);
        try {
          if (signal?.aborted) throw interruptedState();
          await connection.query(begin);
          const result = await work(statements(connection), verbatimOn(connection, open));
          await connection.query('commit');
          return result;
        } catch (error) {
          // A server that is gone has undone it, or does so when it finds the connection closed.
          await connection.query('rollback').catch(() => undefined);
          throw error;
        } finally {
          unwatch?.();
        }
      });
    /** One round trip. After a statement that failed, the server answers the commit by a rollback. */
    const query: StateDatabase['query'] = <T>(sql: string, parameters?: Parameters) =>
      onConnection(async (connection) => {
        const sent = [
          connection.query(begin),
          statements(connection).query<T>(sql, parameters),
          connection.query('commit'),
        ] as const;
        await Promise.allSettled(sent);
        return (await Promise.all(sent))[1];
      });
    const tidy: StateDatabase['tidy'] = async (sql) => {
      // A database that is gone ends the next statement.
      await onConnection((connection) => statements(connection).query(sql)).catch(() => undefined);
    };
    const onOwnConnection = (connection: unknown): void => {
      connections.add(connection);
      users.set(connection as object, open);
    };
    return {
      query,
      tidy,
      schema,
      withKnex: (use) => withKnex({ url: options.url, answerTimeoutMs, onConnection: onOwnConnection }, use),
      transaction,
      translated,
      endAfter: open.endAfter,
      inSchema,
      close: () => Promise.resolve(open.close()),
    };
  };

  const database = inSchema(options.schema);
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await database.close();
    await Promise.race([
      Promise.all([pool.end(), connections.ended()]),
      wait(CLOSE_GRACE_MS, null, { ref: false }),
    ]);
    // A cut-off connection never gets the request to end, and would keep the process alive.
    connections.dropAll();
  };
  // Also twice: the pool ends once.
  return { ...database, close: () => (closed ??= close()) };
}

/**
 * On the connection of a transaction, with the role's default search path, which the partner's statement expects.
 * Errors: those of pg, and SyncError `interrupted`.
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
