import type { Socket } from 'node:net';
import pg from 'pg';
import { SyncError } from '../domain/errors.js';
import { errorFields } from '../domain/sql/error-fields.js';
import { cancelStatement, keepCancelling } from '../runtime/cancel-statement.js';
import { databaseConnection } from '../runtime/database-address.js';
import { connectionLost } from './source-error.js';

/**
 * One read-only transaction on the partner's database, with the same settings for all who read: what `doctor` and `init`
 * see is what `plan` and `run` read. A statement waits for the one before it (`inTurn`), is sent with a time limit, and
 * hands on all rows at once or as they come (`RowStream`). When the caller leaves, the running statement is cancelled.
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
 * Does `work` in a REPEATABLE READ READ ONLY transaction with its settings. Every answer has a time limit: without it, a
 * network that drops everything silently would block the read forever. When `signal` aborts, the running statement is
 * cancelled, and further ones are refused.
 */
export async function inTransaction<T>(
  client: pg.ClientBase,
  use: TransactionUse,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const { session, signal, leave } = use;
  const statements = new StatementQueue(client, use);
  // An error while no statement runs is an event; without a listener it would end the process.
  const onError = (error: Error) => (statements.lost ??= error);
  client.on('error', onError);
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
    await statements.send('begin isolation level repeatable read read only');
    await statements.send(SET_ALL, [transactionSettings(session)]);
    return await work({
      run: async (text, values) => (await statements.send(text, values)).rows as never[],
      attempt: (text, values = []) => statements.attempt(text, values),
      stream: (text, take) => statements.stream(text, take),
      describe: async (text) => (await statements.send(text)).fields,
    });
  } finally {
    await statements.end();
    stopCancelling();
    signal?.removeEventListener('abort', cancel);
    client.off('error', onError);
    // The server may cancel late, and end the first statement of the connection's next user.
    await leave(statements.lost !== null || signal?.aborted === true);
  }
}

/** Statements wait for each other, because a reader fetches ahead while its consumer may start another statement. */
class StatementQueue {
  /** Why the connection answers no more: written when it fails, in a statement or between two. */
  lost: Error | null = null;
  /** The caller has left: only the rollback is still sent, whatever the signal says. */
  private ended = false;
  /** Settles with the last statement, and never rejects. */
  private last: Promise<unknown> = Promise.resolve();
  /** The last stream: the next statement lets it run to its end. */
  private streaming: RowStream | null = null;
  private readonly answerTimeout: number;

  constructor(
    private readonly client: pg.ClientBase,
    private readonly use: TransactionUse,
  ) {
    const { statementTimeoutMs, answerGraceMs = ANSWER_GRACE_MS } = use.session;
    this.answerTimeout = Math.min(statementTimeoutMs + answerGraceMs, LONGEST_TIMER_MS);
  }

  send(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
    return this.whileOpen(text, () => this.query(text, values));
  }

  attempt(
    text: string,
    values: readonly unknown[],
  ): Promise<{ readonly rows: never[] } | { readonly refused: Refusal }> {
    return this.whileOpen(text, async () => {
      await this.query('savepoint attempt');
      try {
        const { rows } = await this.query(text, values);
        await this.query('release savepoint attempt');
        return { rows: rows as never[] };
      } catch (error) {
        const { code = '', message, severity } = errorFields(error);
        // Without a severity it is not the server's answer: the connection is lost.
        if (severity !== 'ERROR' || this.use.signal?.aborted) throw error;
        await this.query('rollback to savepoint attempt');
        return { refused: { sqlstate: code, message } };
      }
    });
  }

  stream<T extends pg.QueryResultRow>(text: string, take: (row: T) => void): RowStream {
    const rows: RowStream = new RowStream(this.answerTimeout, () =>
      this.whileOpen(text, () => rows.open(this.client, new pg.Query(this.config(text)), take)),
    );
    return (this.streaming = rows);
  }

  async end(): Promise<void> {
    this.ended = true;
    if (this.lost) return;
    await this.inTurn('rollback', () => this.query('rollback')).catch(
      (error: Error) => (this.lost ??= error),
    );
  }

  private whileOpen<T>(text: string, work: () => Promise<T>): Promise<T> {
    if (this.ended) return Promise.reject(new Error('The reader was used after its transaction had ended.'));
    return this.inTurn(text, work);
  }

  private inTurn<T>(text: string, work: () => Promise<T>): Promise<T> {
    const { signal, errors } = this.use;
    this.streaming?.release();
    const answer = this.last.then(async () => {
      if (signal?.aborted && !this.ended) throw errors.interrupted();
      // Each further statement, first the CLOSE, would wait again for a connection without answers.
      if (this.lost) throw errors.failed(this.lost, text);
      const value = await work().catch((error: unknown) => {
        if (connectionLost(error)) this.lost ??= error as Error;
        if (signal?.aborted) throw errors.interrupted();
        throw errors.failed(this.lost ?? error, text);
      });
      // The cancel may come after the last row. A read that was stopped is never taken for a whole one.
      if (signal?.aborted && !this.ended) throw errors.interrupted();
      return value;
    });
    this.last = answer.catch(() => undefined);
    return answer;
  }

  private query(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
    return this.client.query(this.config(text, values));
  }

  /** Extended also without values: a simple query could hold a second statement, such as the end of the transaction. */
  private config(text: string, values: readonly unknown[] = []): StatementConfig {
    return { text, values: [...values], queryMode: 'extended', query_timeout: this.answerTimeout };
  }
}

/**
 * The rows of one statement, each handed on when it arrives, where the driver would collect all of them first. After
 * a pause, what has arrived already still comes: the rows of one packet, 64 KB, or one row that is larger.
 * An answer that takes longer than `limitMs` is an error; time in a pause does not count.
 */
class RowStream {
  /** After the last row; rejects as the statement does, also when its connection ends while it is held back. */
  readonly ended: Promise<void>;
  /** What the rows come through, once it is the statement's turn. */
  private socket: Socket | null = null;
  private paused = false;
  private released = false;
  /** Runs while an answer is awaited. */
  private timer: NodeJS.Timeout | undefined;
  private giveUp = (): void => undefined;

  /** @param begin calls `open` when it is the statement's turn */
  constructor(
    private readonly limitMs: number,
    begin: () => Promise<void>,
  ) {
    this.ended = begin();
  }

  async open<T extends pg.QueryResultRow>(
    client: pg.ClientBase,
    query: pg.Query,
    take: (row: T) => void,
  ): Promise<void> {
    // Missing in the driver's types. An encrypted connection has its own stream, which has replaced the first one by now.
    this.socket = (client as unknown as { connection: { stream: Socket } }).connection.stream;
    await new Promise<void>((resolve, reject) => {
      this.giveUp = () => reject(new Error('Query read timeout'));
      query.on('row', take);
      query.on('error', reject);
      query.on('end', () => resolve());
      this.wait();
      client.query(query);
    }).finally(() => {
      // The connection's next statement needs the stream.
      this.release();
      clearTimeout(this.timer);
    });
  }

  /** Lets no further rows come: nothing is read from the connection, so that the server waits. */
  pause(): void {
    if (this.socket === null || this.paused || this.released) return;
    this.paused = true;
    clearTimeout(this.timer);
    this.socket.pause();
  }

  resume(): void {
    if (!this.paused) return;
    this.paused = false;
    this.wait();
    this.socket?.resume();
  }

  /** Lets all further rows come, whatever `pause` says. */
  release(): void {
    this.released = true;
    this.resume();
  }

  private wait(): void {
    this.timer = setTimeout(() => this.giveUp(), this.limitMs);
  }
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
