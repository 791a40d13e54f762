import pg from 'pg';
import { SyncError } from '../../domain/errors.js';
import { connectError, errorFields } from '../../domain/sql/error-fields.js';
import { cancelStatement } from '../../runtime/cancel-statement.js';
import { guardConnection } from '../../runtime/guard-connection.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** How much longer than the server's own limit an answer may take. */
const ANSWER_GRACE_MS = 5_000;

/**
 * Where names are found. In `pg_catalog` alone nobody's function or operator can stand in for one of Postgres: a
 * namesake in `public` whose types fit better would run as the reader. A statement with a partner's own query in it needs
 * what the role finds, so everything around that query is written with its schema.
 */
export const SEARCH_PATH = {
  catalog: 'set local search_path = pg_catalog, pg_temp',
  ofRole: 'set local search_path to default',
} as const;

export interface ReadOnlyOptions {
  readonly url: string;
  /** Of each statement. */
  readonly statementTimeoutMs: number;
  /** How long `attempt` may go on; after that it refuses everything. */
  readonly attemptForMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Default: `catalog`. */
  readonly searchPath?: keyof typeof SEARCH_PATH;
}

/** A statement that the server refused, or that took too long: SQLSTATE and message. */
export interface Refusal {
  readonly sqlstate: string;
  readonly message: string;
  /** The statement was not sent, because the time of `attemptForMs` was over. */
  readonly unbegun?: boolean;
}

/** Reads in one transaction that cannot write. */
export interface ReadOnly {
  /** Rows of one statement. Errors: SyncError `source-unavailable`; the transaction is over then. */
  run<T extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<T[]>;
  /** The same; a refused statement is an answer, and the transaction goes on. */
  attempt<T extends pg.QueryResultRow>(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ readonly rows: T[] } | { readonly refused: Refusal }>;
  /** Names and type oids of the columns of a statement, without its rows. */
  describe(text: string): Promise<readonly Pick<pg.FieldDef, 'name' | 'dataTypeID'>[]>;
}

/**
 * Does `work` in one REPEATABLE READ READ ONLY transaction on a connection of its own, which finds names in `pg_catalog` only
 * unless `searchPath` says otherwise. Each statement goes by the extended
 * protocol, so it is one statement by construction; its time is limited on the server and here. An abort cancels the
 * running statement. Errors: SyncError `source-unavailable`; those of `work`.
 */
export async function withReadOnly<T>(
  options: ReadOnlyOptions,
  work: (read: ReadOnly) => Promise<T>,
): Promise<T> {
  const { url, statementTimeoutMs, signal } = options;
  const client = await connect(url);
  // Without a listener, a connection that ends between two statements would end the process.
  client.on('error', () => undefined);
  const send = (text: string, values: readonly unknown[] = []) => {
    signal?.throwIfAborted();
    return client.query({
      text,
      values: [...values],
      queryMode: 'extended',
      query_timeout: statementTimeoutMs + ANSWER_GRACE_MS,
    } as pg.QueryConfig);
  };
  const lastAttempt = Date.now() + (options.attemptForMs ?? Infinity);
  const cancel = () => cancelStatement(client);
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    await send('begin isolation level repeatable read read only');
    await send(
      `select pg_catalog.set_config('statement_timeout', $1, true), pg_catalog.set_config('lock_timeout', $1, true),
         pg_catalog.set_config('idle_in_transaction_session_timeout', '0', true),
         pg_catalog.set_config('standard_conforming_strings', 'on', true)`,
      [String(Math.max(1, Math.round(statementTimeoutMs)))],
    );
    await send(SEARCH_PATH[options.searchPath ?? 'catalog']);
    return await work({
      run: async (text, values) => {
        try {
          return (await send(text, values)).rows as never[];
        } catch (error) {
          signal?.throwIfAborted();
          throw readError(error);
        }
      },
      attempt: async (text, values) => {
        if (Date.now() > lastAttempt)
          return { refused: { sqlstate: '57014', message: 'the time is over', unbegun: true } };
        await send('savepoint attempt');
        try {
          const { rows } = await send(text, values);
          await send('release savepoint attempt');
          return { rows: rows as never[] };
        } catch (error) {
          signal?.throwIfAborted();
          const { code = '', message, severity } = errorFields(error);
          // Without a severity it is not the server's answer: the connection is lost.
          if (severity !== 'ERROR') throw readError(error);
          await send('rollback to savepoint attempt');
          return { refused: { sqlstate: code, message } };
        }
      },
      describe: async (text) => (await send(text)).fields,
    });
  } finally {
    signal?.removeEventListener('abort', cancel);
    await client.end().catch(() => undefined);
  }
}

/** Without the driver's error: its detail may quote values of rows. */
function readError(error: unknown): SyncError {
  const { code = '', message } = errorFields(error);
  return new SyncError(
    'source-unavailable',
    `The source database could not be read: ${message}${code ? ` (${code})` : ''}.`,
    {
      scope: 'run',
      details: { sqlstate: code },
    },
  );
}

async function connect(url: string): Promise<pg.Client> {
  let client: pg.Client | undefined;
  try {
    client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'placement-sync',
    });
    guardConnection(client);
    await client.connect();
    return client;
  } catch (error) {
    await client?.end().catch(() => undefined);
    throw connectError(error, url);
  }
}

/** The one row of a statement that counts; empty where the server refuses. Numbers come as text. */
export async function onlyRow(
  read: Pick<ReadOnly, 'attempt'>,
  text: string,
): Promise<Readonly<Record<string, string | boolean | null | undefined>>> {
  const answer = await read.attempt(text);
  return 'rows' in answer ? (answer.rows[0] ?? {}) : {};
}
