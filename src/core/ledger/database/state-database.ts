import type { Knex } from 'knex';
import pg, { type ClientBase, escapeIdentifier } from 'pg';
import type { SyncError } from '../../domain/errors.js';
import { databaseConnection } from '../../runtime/database-address.js';
import { guardConnection } from '../../runtime/guard-connection.js';
import { createPlaceQueue } from '../../runtime/place-queue.js';
import {
  createOpenConnections,
  createOpenStatements,
  inOnePacket,
  type OpenStatements,
  wasDropped,
} from './open-connections.js';
import { type DatabaseSettings, interruptedState, translateStateError } from './translate-state-error.js';

/**
 * The state database: a pool of connections, and the statements of one ledger's schema. A statement passes in this order.
 * It takes a place, if a schema has only a share of the pool, and then a connection. Begin with all settings
 * (`beginTransaction`), the statement with its parameters (`bindParameters`) and commit leave together. After a deadlock it
 * runs again (`againAfterDeadlock`). An error leaves as a SyncError, without details of the connection. knex has its
 * own way for migrations (`withKnex`).
 */

/** Named parameters of a statement. `:name` is a value; `:schema:` stands for the schema in every statement. */
export type Parameters = Readonly<Record<string, unknown>>;

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

/** The state database: a pool, and the schema that statements refer to. */
export interface StateDatabase extends Statements {
  readonly schema: string;
  /** knex on a connection of its own, for migrations, one at a time. Closed with the database. */
  withKnex<T>(use: (knex: Knex) => Promise<T>): Promise<T>;
  /**
   * `work` runs again after a deadlock, so it must contain nothing but statements. When `signal`
   * aborts, the statement under way is cancelled: SyncError `interrupted`.
   */
  transaction<T>(
    work: (statements: Statements) => Promise<T>,
    signal?: AbortSignal,
    /** `afterLocks`: one snapshot for all, which is taken after the locks with which it begins. */
    kind?: 'usual' | 'afterLocks',
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

/** Runs statements: each in a transaction of its own, or all in one. */
export interface Statements {
  /** Result rows of one statement. Errors: SyncError `state-unavailable` or `state-failed`. */
  query<T>(sql: string, parameters?: Parameters): Promise<T[]>;
}

const STATEMENT_TIMEOUT_MS = 120_000;
const LOCK_TIMEOUT_MS = 30_000;

/**
 * How long to wait for an answer after the server should have ended the statement: a connection that a firewall dropped
 * gives neither an answer nor an error.
 */
const ANSWER_GRACE_MS = 5_000;

/** Longest wait for a free connection, milliseconds. */
const POOL_TIMEOUT_MS = 30_000;

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
    () => databaseConnection(options.url),
  );
  const answerTimeoutMs = statementTimeoutMs + Math.min(ANSWER_GRACE_MS, statementTimeoutMs);
  const pool = new pg.Pool({
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

  let knex: Promise<Knex> | undefined;
  /** The last connection of knex, and whose statements run on it. */
  const ofKnex: { connection?: object; user?: OpenStatements } = {};
  const onConnectionOfKnex = (made: unknown): void => {
    const connection = made as object;
    ofKnex.connection = connection;
    connections.add(connection);
    if (ofKnex.user) users.set(connection, ofKnex.user);
  };

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
    const transaction: StateDatabase['transaction'] = (work, signal, kind = 'usual') =>
      onConnection(async (connection) => {
        const unwatch = signal && open.endWith(signal, connection);
        try {
          if (signal?.aborted) throw interruptedState();
          await connection.query(begin[kind]);
          const result = await work(statements(connection));
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
    const query: StateDatabase['query'] = <T>(sql: string, parameters?: Parameters) =>
      onConnection(async (connection) => {
        // One round trip. After a statement that failed, the server answers the commit by a rollback.
        const sent = inOnePacket(connection, () => [
          connection.query(begin.usual),
          statements(connection).query<T>(sql, parameters),
          connection.query('commit'),
        ]);
        await Promise.allSettled(sent);
        return (await Promise.all(sent))[1];
      });
    return {
      query,
      async tidy(sql) {
        // A database that is gone ends the next statement.
        await onConnection((connection) => statements(connection).query(sql)).catch(() => undefined);
      },
      schema,
      async withKnex(use) {
        ofKnex.user = open;
        if (ofKnex.connection) users.set(ofKnex.connection, open);
        knex ??= openKnex(options.url, answerTimeoutMs, onConnectionOfKnex);
        try {
          return await use(await knex);
        } finally {
          if (ofKnex.connection) open.endUse(ofKnex.connection);
        }
      },
      transaction,
      translated,
      endAfter: open.endAfter,
      inSchema,
      close: () => Promise.resolve(open.close()),
    };
  };

  const database = inSchema(options.schema);
  let closed: Promise<void> | undefined;
  // Also twice: the pool ends once.
  const close = async (): Promise<void> => {
    await database.close();
    await (await knex)?.destroy();
    await connections.close(pool);
  };
  return { ...database, close: () => (closed ??= close()) };
}

/**
 * SQL: without a schema a transaction finds only Postgres' own names. With `public`, a role that may create functions or
 * operators there could add one that fits a call better than Postgres' own, and it would run with the rights of this role.
 * `pg_temp` is named so that it comes last: if not named, it would come first.
 */
export const OWN_NAMES = 'set local search_path = pg_catalog, pg_temp';

/** The number that a statement gives in its column `count`. */
export async function countOf(statements: Statements, sql: string, parameters: Parameters): Promise<number> {
  const [row] = await statements.query<{ count: number | string }>(sql, parameters);
  return Number(row?.count ?? 0);
}

/**
 * Does what changes at most `size` records again until it changes fewer: short transactions, so that nobody waits for long.
 * Gives how many it changed in all.
 */
export async function inBatches(size: number, change: () => Promise<number>): Promise<number> {
  for (let all = 0; ;) {
    const count = await change();
    all += count;
    if (count < size) return all;
  }
}

/**
 * SQL that begins a transaction with all its settings, as one message of two statements: most transactions have one statement,
 * and a SET LOCAL for each setting made eight of it. All are of the transaction alone, because there may be a pooler. The
 * limits are of one statement and of one wait for a lock.
 * - Read committed: the statements rely on it, whatever the default of database or role.
 * - No statement and no wait for a lock goes on at the server after this process gave up. A process that was stopped
 *   inside a transaction must not delay the next run for longer than its lease.
 */
export function beginTransaction({
  statementTimeoutMs,
  lockTimeoutMs,
}: {
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
}): Readonly<Record<'usual' | 'afterLocks', string>> {
  const settings = Object.entries({
    search_path: 'pg_catalog, pg_temp',
    standard_conforming_strings: 'on',
    statement_timeout: Math.max(1, Math.round(statementTimeoutMs)),
    lock_timeout: Math.max(1, Math.round(lockTimeoutMs)),
    idle_in_transaction_session_timeout: 10_000,
  });
  const set = settings.map(([name, value]) => `pg_catalog.set_config('${name}', '${value}', true)`);
  // A select takes the snapshot of the whole transaction, SET and LOCK do not.
  const local = settings.map(([name, value]) => `set local ${name} = ${value}`);
  return {
    usual: `begin isolation level read committed; select ${set.join(', ')}`,
    afterLocks: `begin isolation level repeatable read; ${local.join('; ')}`,
  };
}

/** Not the second colon of a cast. A name that no parameter has is part of a literal, such as `HH24:MI`. */
const NAMED = /(?<!:):(\w+)(:?)/g;

/**
 * Puts `$1` and so on in place of names, and the quoted schema in place of `:schema:`. Each occurrence is a parameter of its
 * own, because the server derives its type from where it stands.
 */
export function bindParameters(
  sql: string,
  schema: string,
  parameters: Parameters,
): { readonly text: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [];
  const text = sql.replace(NAMED, (found, name: string, colon: string) => {
    if (colon === ':' && name === 'schema') return escapeIdentifier(schema);
    if (!Object.hasOwn(parameters, name)) return found;
    values.push(parameters[name]);
    return `$${String(values.length)}${colon}`;
  });
  return { text, values };
}

const MOST_TRIES = 5;

/** Deadlock and serialisation failure: Postgres undid everything, and the next try usually succeeds. */
const UNDONE = ['40P01', '40001'];

/**
 * Does `work` again when Postgres ended it in favour of another transaction. A sweep publishes, a push stores outcomes
 * and a person requests resends at the same time, each in its own order, so two of them can wait for each other.
 * Postgres then ends one; the run has not failed.
 */
export async function againAfterDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= MOST_TRIES || !UNDONE.includes(codeOf(error))) throw error;
    }
  }
}

/** SQLSTATE of pg's error, or of the cause of a translated error. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return typeof cause === 'object' && cause !== null ? codeOf(cause) : String(code);
}

/** knex would print warnings on standard output, which is for results. Real errors are thrown too. */
const SILENT = { warn: () => {}, error: () => {}, deprecate: () => {}, debug: () => {} };

/**
 * knex on one connection of its own. Loaded when it is needed: it is a third of all modules of
 * a run, and only migrations use it.
 */
async function openKnex(
  url: string,
  answerTimeoutMs: number,
  onConnection: (connection: unknown) => void,
): Promise<Knex> {
  const { default: knexModule } = await import('knex');
  return knexModule.default({
    client: createKnexClient(knexModule.default),
    // Without it knex reads it outside our transactions, by the unqualified name of a function. The oldest supported
    // version; only knex's own column types depend on it.
    version: '13',
    // A function, because what is wrong with the address is an error of the connection.
    connection: () => ({
      ...databaseConnection(url),
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      query_timeout: answerTimeoutMs,
    }),
    pool: {
      min: 0,
      max: 1,
      afterCreate(connection: unknown, done: (error: Error | null, connection: unknown) => void) {
        onConnection(connection);
        done(null, connection);
      },
    },
    acquireConnectionTimeout: 30_000,
    log: SILENT,
  });
}

/** knex's compiler of statements about the schema, as far as it is used here. */
interface SchemaCompiler {
  readonly schema: string | undefined;
  hasTable(table: string): void;
  pushQuery(query: {
    readonly sql: string;
    readonly bindings: readonly unknown[];
    readonly output: (reply: { readonly rows: readonly unknown[] }) => boolean;
  }): void;
}

/**
 * knex's client for Postgres, whose connections are guarded, and which asks otherwise whether a table exists. knex asks
 * information_schema four times for each migrated schema, and that reads all tables of the database: with the ledgers of
 * thousands of tenants it took longer than the migration itself.
 */
function createKnexClient(knex: (config: Knex.Config) => Knex): typeof Knex.Client {
  const plain = knex({ client: 'pg', version: '13' });
  const PgClient = (plain.client as Knex.Client).constructor as typeof Knex.Client;
  return class extends PgClient {
    /** Called by knex; missing in its types. */
    _driver(): unknown {
      return { ...pg, Client: GuardedClient };
    }

    override schemaCompiler(builder: Knex.SchemaBuilder): SchemaCompiler {
      const compiler = super.schemaCompiler(builder) as SchemaCompiler;
      const { schema } = compiler;
      if (schema === undefined) return compiler;
      compiler.hasTable = (table) =>
        compiler.pushQuery({
          sql: 'select 1 where pg_catalog.to_regclass(?) is not null',
          bindings: [[schema, table].map(escapeIdentifier).join('.')],
          output: ({ rows }) => rows.length > 0,
        });
      return compiler;
    }
  };
}

class GuardedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    guardConnection(this);
  }
}
