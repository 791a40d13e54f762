import pg from 'pg';
import { cancelStatement } from '../runtime/cancel-statement.js';
import { keepCancelling } from '../runtime/keep-cancelling.js';
import { interrupted } from './interrupted.js';
import type { EntityQuery } from '../ports/source.js';
import type { PostgresSourceOptions } from './postgres-source-options.js';
import { openRowStream, type RowStream } from './row-stream.js';
import { transactionSettings } from './transaction-settings.js';
import { connectionLost, translateSourceError } from './translate-source-error.js';

/** The client waits this much longer for an answer than the statement time-out, unless an option sets it. */
const ANSWER_GRACE_MS = 30_000;
/** How long a server may take to cancel a statement before the connection is closed. */
const CANCEL_GRACE_MS = 700;
const LONGEST_TIMER_MS = 2_147_483_647;

/** Runs one statement of a transaction; values come as text. Errors: SyncError of scope `entity`. */
export type RunStatement = <T extends pg.QueryResultRow>(
  text: string,
  values?: readonly unknown[],
) => Promise<T[]>;

/** An option that pg takes for a single query and its types lack; `query_timeout` is the client's own timer. */
type StatementConfig = pg.QueryConfig & {
  readonly queryMode: 'extended';
  readonly query_timeout: number;
};

export interface Transaction {
  readonly run: RunStatement;
  /**
   * Runs one statement, and hands on its rows as they come; errors as of `run`. A pause ends when another statement
   * comes, because that waits for this one.
   */
  readonly stream: <T extends pg.QueryResultRow>(text: string, take: (row: T) => void) => RowStream;
  /** Column names and type OIDs of a statement, without its rows. */
  readonly describe: (text: string) => Promise<readonly pg.FieldDef[]>;
  /** Ends it, never rejects; true when the connection is no longer usable. Later statements are refused. */
  readonly end: () => Promise<boolean>;
}

/**
 * Begins a REPEATABLE READ READ ONLY transaction with its settings on a connection. `sql` is the partner's part
 * of the statements, for the positions in messages. Statements wait for each other, because a reader fetches ahead
 * while its consumer may start another statement. Every answer has a time limit: without it, a network that drops
 * everything silently would block the read forever. When `signal` aborts, the running statement is cancelled, and
 * further ones are refused.
 */
export async function beginTransaction(
  client: pg.PoolClient,
  options: Omit<PostgresSourceOptions, 'url' | 'poolMax'>,
  query: EntityQuery,
  sql: string,
  signal?: AbortSignal,
): Promise<Transaction> {
  let lost: Error | null = null;
  let ended = false;
  // An error while no statement runs is an event; without a listener it would end the process.
  const onError = (error: Error) => {
    lost ??= error;
  };
  client.on('error', onError);
  const answerTimeout = Math.min(
    options.statementTimeoutMs + (options.answerGraceMs ?? ANSWER_GRACE_MS),
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
      if (signal?.aborted && !ended) throw interrupted(query);
      // Each further statement, first the CLOSE, would wait again for a connection without answers.
      if (lost) throw translateSourceError(lost, query, { statement: text, sql });
      try {
        return await work();
      } catch (error) {
        if (connectionLost(error)) lost ??= error as Error;
        if (signal?.aborted) throw interrupted(query);
        throw translateSourceError(lost ?? error, query, { statement: text, sql });
      }
    });
    queue = answer.catch(() => undefined);
    return answer;
  };
  const send = <T extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
    inTurn(text, () => client.query<T>(config(text, values)));
  const whileOpen = <T>(work: () => Promise<T>): Promise<T> =>
    ended ? Promise.reject(new Error('The reader was used after its transaction had ended.')) : work();

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

  const end = async (): Promise<boolean> => {
    ended = true;
    if (!lost) await send('rollback').catch((error: Error) => (lost ??= error));
    stopCancelling();
    signal?.removeEventListener('abort', cancel);
    client.off('error', onError);
    // The server may cancel late, and end the first statement of the connection's next user.
    return lost !== null || signal?.aborted === true;
  };

  try {
    await send('begin isolation level repeatable read read only');
    const settings = transactionSettings(options);
    await send(settings.text, settings.values);
  } catch (error) {
    client.release(await end());
    throw error;
  }
  return {
    run: async (text, values) => (await whileOpen(() => send(text, values))).rows as never[],
    stream,
    describe: async (text) => (await whileOpen(() => send(text))).fields,
    end,
  };
}
