import pg from 'pg';
import { SyncError } from '../../core/domain/errors.js';
import { connectError, errorFields } from '../../core/domain/sql/error-fields.js';
import { guardConnection } from '../../core/runtime/guard-connection.js';
import {
  connectionTo,
  inTransaction,
  type SessionOptions,
  type Transaction,
} from '../../core/source/transaction.js';

/**
 * A look of `doctor` and `init` at the partner's database: one transaction on a connection of its own, in the session that
 * `run` has, with shorter limits.
 */

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

export interface ReadOnlyOptions
  extends Pick<SessionOptions, 'statementTimeoutMs'>, Partial<Pick<SessionOptions, 'sessionTimeZone'>> {
  readonly url: string;
  /** How long `attempt` may go on; after that it refuses everything. */
  readonly attemptForMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Default: `catalog`. */
  readonly searchPath?: keyof typeof SEARCH_PATH;
}

/** Reads in one transaction that cannot write. Errors: SyncError `source-unavailable`, `interrupted`. */
export type ReadOnly = Pick<Transaction, 'run' | 'attempt' | 'describe'>;

/**
 * Does `work` in one transaction, which finds names in `pg_catalog` only unless `searchPath` says otherwise. Row-level
 * security hides rows from it as from any session: whether it does is one of the things to see. Errors: SyncError
 * `source-unavailable`, `interrupted`; those of `work`.
 */
export async function withReadOnly<T>(
  { url, signal, searchPath = 'catalog', attemptForMs = Infinity, ...limits }: ReadOnlyOptions,
  work: (read: ReadOnly) => Promise<T>,
): Promise<T> {
  const client = await connect(url);
  const lastAttempt = Date.now() + attemptForMs;
  const session = {
    sessionTimeZone: null,
    ...limits,
    answerGraceMs: ANSWER_GRACE_MS,
    rowSecurity: 'allow' as const,
  };
  const errors = { failed: readError, interrupted };
  const leave = () => client.end().catch(() => undefined);
  return inTransaction(client, { session, signal, errors, leave }, async (transaction) => {
    if (searchPath === 'catalog') await transaction.run(SEARCH_PATH.catalog);
    return work({
      ...transaction,
      attempt: (text, values) =>
        Date.now() > lastAttempt
          ? Promise.resolve({ refused: { sqlstate: '57014', message: 'the time is over', unbegun: true } })
          : transaction.attempt(text, values),
    });
  });
}

/** Without the driver's error: its detail may quote values of rows. */
function readError(error: unknown): SyncError {
  if (error instanceof SyncError) return error;
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

function interrupted(): SyncError {
  return new SyncError('interrupted', 'The reading of the source was stopped.', { scope: 'run' });
}

async function connect(url: string): Promise<pg.Client> {
  let client: pg.Client | undefined;
  try {
    client = new pg.Client(connectionTo(url));
    guardConnection(client);
    await client.connect();
    // Without a listener, a connection that ends between two statements would end the process.
    client.on('error', () => undefined);
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
