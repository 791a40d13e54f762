import pg from 'pg';
import { SyncError } from '../domain/errors.js';
import { errorFields } from '../domain/sql/error-fields.js';
import { cancelStatement, keepCancelling } from '../runtime/cancel-statement.js';
import { databaseConnection } from '../runtime/database-address.js';
import { connectionLost } from './source-error.js';

/**
 * One read-only transaction on the partner's database, with the same settings for all who read: what `doctor` and `init`
 * see is what `plan` and `run` read. A statement waits for the one before it (`inTurn`), is sent with a time limit, and
 * hands on all rows at once or as they come (`openRowStream`). When the caller leaves, the running statement is cancelled.
 */

/** In what sessions on the partner's database differ. */
export interface SessionOptions {
  readonly statementTimeoutMs: number;
  /** The client waits this much longer for an answer than the statement time-out; default 30 s. */
  readonly answerGraceMs?: number;
  /** Zone of the session in which the partner's queries run; null: the server's, the database's or the role's own. */
  readonly sessionTimeZone: string | null;
  /** `refuse`: rows that the role may not see are an error. */
  readonly rowSecurity: 'refuse' | 'allow';
}

/** How a connection is opened; the pool of a source adds its own. Errors: as `databaseConnection`. */
export function connectionTo(url: string) {
  return {
    ...databaseConnection(url),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  } as const;
}

export interface Transaction {
  readonly run: RunStatement;
  /** The same; a statement that the server refuses is an answer, and the transaction goes on. */
  readonly attempt: <T extends pg.QueryResultRow>(
    text: string,
    values?: readonly unknown[],
  ) => Promise<{ readonly rows: T[] } | { readonly refused: Refusal }>;
  /**
   * Runs one statement, and hands on its rows as they come; errors as of `run`. A pause ends when another statement
   * comes, because that waits for this one.
   */
  readonly stream: <T extends pg.QueryResultRow>(text: string, take: (row: T) => void) => RowStream;
  /** Column names and type OIDs of a statement, without its rows. */
  readonly describe: (text: string) => Promise<readonly pg.FieldDef[]>;
}

/** A statement that the server refused, or that took too long: SQLSTATE and message. */
export interface Refusal {
  readonly sqlstate: string;
  readonly message: string;
  /** The statement was not sent, because the time for all of them was over. */
  readonly unbegun?: boolean;
}

/** Runs one statement of a transaction; values come as text. Errors: those of its `errors`. */
export type RunStatement = <T extends pg.QueryResultRow>(
  text: string,
  values?: readonly unknown[],
) => Promise<T[]>;

/** The rows of one statement, as they come. */
interface RowStream {
  /** After the last row; rejects as the statement does, also when its connection ends while it is held back. */
  readonly ended: Promise<void>;
  /** Lets no further rows come: nothing is read from the connection, so that the server waits. */
  pause(): void;
  resume(): void;
  /** Lets all further rows come, whatever `pause` says. */
  release(): void;
}

/** The client waits this much longer for an answer than the statement time-out, unless an option sets it. */
const ANSWER_GRACE_MS = 30_000;

const LONGEST_TIMER_MS = 2_147_483_647;

/** An option that pg takes for a single query and its types lack; `query_timeout` is the client's own timer. */
type StatementConfig = pg.QueryConfig & {
  readonly queryMode: 'extended';
  readonly query_timeout: number;
};

/** How long a server may take to cancel a statement before the connection is closed. */
const CANCEL_GRACE_MS = 700;

interface TransactionUse {
  readonly session: SessionOptions;
  readonly signal: AbortSignal | undefined;
  readonly errors: {
    /** Of what pg throws, and the statement that it is about. */
    readonly failed: (error: unknown, statement: string) => SyncError;
    /** Of an abort. */
    readonly interrupted: () => SyncError;
  };
  /** Gives the connection back; `broken`: it is no longer usable. */
  readonly leave: (broken: boolean) => unknown;
}

/**
 * Does `work` in a REPEATABLE READ READ ONLY transaction with its settings. Statements wait for each other, because a reader
 * fetches ahead while its consumer may start another statement. Every answer has a time limit: without it, a network that
 * drops everything silently would block the read forever. When `signal` aborts, the running statement is cancelled, and
 * further ones are refused.
 */
export async function inTransaction<T>(
  client: pg.ClientBase,
  { session, signal, errors, leave }: TransactionUse,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  let lost: Error | null = null;
  let ended = false;
  // An error while no statement runs is an event; without a listener it would end the process.
  const onError = (error: Error) => {
    lost ??= error;
  };
  client.on('error', onError);
  const answerTimeout = Math.min(
    session.statementTimeoutMs + (session.answerGraceMs ?? ANSWER_GRACE_MS),
    LONGEST_TIMER_MS,
  );

  /** Extended also without values: a simple query could hold a second statement, such as the end of the transaction. */
  const config = (text: string, values: readonly unknown[]): StatementConfig => ({
    text,
    values: [...values],
    queryMode: 'extended',
    query_timeout: answerTimeout,
  });

  let queue: Promise<unknown> = Promise.resolve();
  let streaming: RowStream | null = null;
  const inTurn = <T>(text: string, work: () => Promise<T>): Promise<T> => {
    streaming?.release();
    const answer = queue.then(async () => {
      if (signal?.aborted && !ended) throw errors.interrupted();
      // Each further statement, first the CLOSE, would wait again for a connection without answers.
      if (lost) throw errors.failed(lost, text);
      const value = await work().catch((error: unknown) => {
        if (connectionLost(error)) lost ??= error as Error;
        if (signal?.aborted) throw errors.interrupted();
        throw errors.failed(lost ?? error, text);
      });
      // The cancel may come after the last row. A read that was stopped is never taken for a whole one.
      if (signal?.aborted && !ended) throw errors.interrupted();
      return value;
    });
    queue = answer.catch(() => undefined);
    return answer;
  };
  const send = <T extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
    inTurn(text, () => client.query<T>(config(text, values)));
  const whileOpen = <T>(work: () => Promise<T>): Promise<T> =>
    ended ? Promise.reject(new Error('The reader was used after its transaction had ended.')) : work();

  const attempt: Transaction['attempt'] = (text, values = []) =>
    whileOpen(() =>
      inTurn(text, async () => {
        await client.query(config('savepoint attempt', []));
        try {
          const { rows } = await client.query(config(text, values));
          await client.query(config('release savepoint attempt', []));
          return { rows: rows as never[] };
        } catch (error) {
          const { code = '', message, severity } = errorFields(error);
          // Without a severity it is not the server's answer: the connection is lost.
          if (severity !== 'ERROR' || signal?.aborted) throw error;
          await client.query(config('rollback to savepoint attempt', []));
          return { refused: { sqlstate: code, message } };
        }
      }),
    );

  const stream: Transaction['stream'] = (text, take) => {
    let opened: RowStream | null = null;
    let released = false;
    const own: RowStream = {
      ended: whileOpen(() =>
        inTurn(text, async () => {
          opened = openRowStream(client, config(text, []), answerTimeout, take);
          if (released) opened.release();
          await opened.ended;
        }),
      ),
      pause: () => opened?.pause(),
      resume: () => opened?.resume(),
      release() {
        released = true;
        opened?.release();
      },
    };
    streaming = own;
    return own;
  };

  let stopCancelling = () => {};
  const cancel = () => {
    stopCancelling = keepCancelling(
      () => cancelStatement(client),
      CANCEL_GRACE_MS,
      // No further wait for a server or network that does not react.
      () => void (client as unknown as pg.Client).end().catch(() => undefined),
    );
  };
  signal?.addEventListener('abort', cancel, { once: true });

  try {
    await send('begin isolation level repeatable read read only');
    await send(SET_ALL, [transactionSettings(session)]);
    return await work({
      run: async (text, values) => (await whileOpen(() => send(text, values))).rows as never[],
      attempt,
      stream,
      describe: async (text) => (await whileOpen(() => send(text))).fields,
    });
  } finally {
    ended = true;
    if (!lost) await send('rollback').catch((error: Error) => (lost ??= error));
    stopCancelling();
    signal?.removeEventListener('abort', cancel);
    client.off('error', onError);
    // The server may cancel late, and end the first statement of the connection's next user.
    await leave(lost !== null || signal?.aborted === true);
  }
}

/**
 * Runs a statement and hands each row to `take` when it arrives, where the driver would collect all of them first. After
 * a pause, what has arrived already still comes: the rows of one packet, 64 KB, or one row that is larger.
 * An answer that takes longer than `limitMs` is an error; time in a pause does not count.
 */
function openRowStream<T extends pg.QueryResultRow>(
  client: pg.ClientBase,
  config: pg.QueryConfig,
  limitMs: number,
  take: (row: T) => void,
): RowStream {
  const query = new pg.Query<T>(config);
  // Missing in the driver's types. An encrypted connection has its own stream, which has replaced the first one by now.
  const { stream } = (client as unknown as { connection: { stream: { pause(): void; resume(): void } } })
    .connection;
  let paused = false;
  let released = false;
  let giveUp = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    timer = setTimeout(() => giveUp(), limitMs);
  };
  const resume = () => {
    if (!paused) return;
    paused = false;
    wait();
    stream.resume();
  };
  const release = () => {
    released = true;
    resume();
  };
  const ended = new Promise<void>((resolve, reject) => {
    giveUp = () => reject(new Error('Query read timeout'));
    query.on('row', take);
    query.on('error', reject);
    query.on('end', () => resolve());
    wait();
    client.query(query);
  }).finally(() => {
    // The connection's next statement needs the stream.
    release();
    clearTimeout(timer);
  });
  return {
    ended,
    pause() {
      if (paused || released) return;
      paused = true;
      clearTimeout(timer);
      stream.pause();
    },
    resume,
    release,
  };
}

/** `transaction_timeout` exists from 17 on. A transaction of two passes may take longer than the partner's limit. */
const SET_ALL = `select pg_catalog.set_config(key, value, true)
  from pg_catalog.json_each_text(cast($1 as pg_catalog.json))
  union all select pg_catalog.set_config(name, '0', true) from pg_catalog.pg_settings
  where name OPERATOR(pg_catalog.=) 'transaction_timeout'`;

/**
 * Sets how values are printed and how long statements may take, for the current transaction only:
 * a pooler in transaction mode refuses start-up options and would leak a session's SET to other clients. One statement,
 * because SET takes no parameters and each would be a round trip. `row_security = off` makes rows that the role may not
 * see an error, because a hidden row would look like a deleted one.
 */
function transactionSettings(options: SessionOptions): string {
  return JSON.stringify({
    // Without a setting the session's zone stays the server's, so that a query gives the same rows as in psql.
    ...(options.sessionTimeZone === null ? {} : { timezone: options.sessionTimeZone }),
    datestyle: 'ISO, YMD',
    intervalstyle: 'postgres',
    extra_float_digits: '1',
    bytea_output: 'hex',
    // The check of the query's quotes treats backslashes in '…' as plain characters.
    standard_conforming_strings: 'on',
    // We read cursors to their end; the default plan favours an early first row.
    cursor_tuple_fraction: '1',
    statement_timeout: String(Math.max(1, Math.round(options.statementTimeoutMs))),
    idle_in_transaction_session_timeout: '0',
    ...(options.rowSecurity === 'refuse' ? { row_security: 'off' } : {}),
  });
}
