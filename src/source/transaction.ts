import pg from 'pg';
import { SyncError } from '../domain/errors.js';
import { errorFields } from '../domain/sql/error-fields.js';
import type { EntityQuery } from '../ports/source.js';
import { cancelStatement, keepCancelling } from '../runtime/cancel-statement.js';

/**
 * One read-only transaction on the partner's database. A statement waits for the one before it (`inTurn`), is sent with a
 * time limit, and hands on all rows at once or as they come (`openRowStream`). Its error names entity, file and place in the
 * partner's own query (`translateSourceError`). When the caller leaves, the running statement is cancelled.
 */

export interface PostgresSourceOptions {
  readonly url: string;
  readonly poolMax: number;
  /** How many reads may wait for a connection; further reads are refused. Absent: any number. */
  readonly maxWaiting?: number;
  readonly statementTimeoutMs: number;
  /** The client waits this much longer for an answer than the statement time-out; default 30 s. */
  readonly answerGraceMs?: number;
  /** Zone of the source's timestamps without time zone; null: not known, they are handed on as they are. */
  readonly timeZone: string | null;
  /** Zone of the session in which the partner's queries run; null: the server's, the database's or the role's own. */
  readonly sessionTimeZone: string | null;
  /** Zone in which timestamps with time zone are handed on. */
  readonly platformTimeZone: string;
  readonly rowSecurity: 'refuse' | 'allow';
}

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

/** Runs one statement of a transaction; values come as text. Errors: SyncError of scope `entity`. */
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
      if (lost) throw translateSourceError(lost, query, text, sql);
      try {
        return await work();
      } catch (error) {
        if (connectionLost(error)) lost ??= error as Error;
        if (signal?.aborted) throw interrupted(query);
        throw translateSourceError(lost ?? error, query, text, sql);
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

const REPLICA_HINT =
  'The replica cancelled the read to replay changes. Raise max_standby_streaming_delay or set hot_standby_feedback there.';

const LOST_HINT = 'The connection to the source was lost during the read. The next run reads again.';

const HINTS: Readonly<Record<string, string>> = {
  '57014': 'Make the query faster (an index, fewer joins), or raise source.statementTimeout.',
  '42501':
    'Grant the role of source.url what is missing: GRANT SELECT on the table, GRANT USAGE on its schema.',
  '25006':
    'The query runs in a read-only transaction: it must be one SELECT, and its functions must not change data.',
  '0A000':
    'The query stands in parentheses: it must be one SELECT, without INSERT, UPDATE or DELETE in its WITH.',
  '42703': 'The database has no such column; compare the query with the tables.',
  '42P01':
    'The database has no such table, or it is in a schema that the role does not see: write schema.table.',
  '42883': 'The database has no such function or operator, or it is in a schema that the role does not see.',
  '55P03':
    'Another session held a lock on a table of the query (a migration, TRUNCATE, VACUUM FULL) for longer than the lock_timeout of the role. The next run reads again.',
  '53100': 'The disk of the source database is full (sorting needs room for temporary files).',
  '53200': 'The source database is out of memory.',
};

const OTHER_HINT = 'Try the query in psql with the same role.';

/**
 * What pg throws while a query is read, as a SyncError of scope `entity`. `sql` is the partner's part of the statement, so
 * that the message names the partner's own lines. Without the driver's error: its `detail` quotes values of rows.
 */
function translateSourceError(
  error: unknown,
  query: Pick<EntityQuery, 'entity' | 'file'>,
  statement: string,
  sql: string,
): SyncError {
  if (error instanceof SyncError) return error;
  const { code = '', message, routine, position } = errorFields(error);
  const found = placeOf(statement, sql, position);
  const where = found ? `${query.file}:${found.line}:${found.column}` : query.file;
  const recoveryConflict = isRecoveryConflict(code, message);
  const details = { entity: query.entity, file: query.file, sqlstate: code, recoveryConflict, ...found };
  // The message is in the server's language, the routine is always English.
  if (code === '42501' && (routine === 'check_enable_rls' || /row-level security/i.test(message))) {
    return new SyncError(
      'row-security',
      `${where}: the query of ${query.entity} would not see all rows: ${message}.`,
      {
        scope: 'entity',
        hint: 'Hidden rows look like deleted ones. Use a role with BYPASSRLS, or set source.rowSecurity: allow if rows are hidden on purpose.',
        details,
      },
    );
  }
  const hint = () => {
    if (recoveryConflict) return REPLICA_HINT;
    if (connectionLost(error)) return LOST_HINT;
    return HINTS[code] ?? (code.startsWith('22') ? dataHint(query.entity) : OTHER_HINT);
  };
  return new SyncError(
    'query-failed',
    `${where}: the query of ${query.entity} failed: ${code.startsWith('22') ? withoutValue(message) : message}${code ? ` (${code})` : ''}.`,
    { scope: 'entity', hint: hint(), details },
  );
}

/** A place in a text, both numbers from 1; columns count characters (code points). */
interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Line and column in the partner's SQL; null when the position is not in it. Postgres counts characters from 1. */
function placeOf(statement: string, sql: string, at: string | undefined): TextPosition | null {
  const start = statement.indexOf(sql);
  if (at === undefined || start < 0) return null;
  const offset = offsetOfCharacter(statement, Number(at) - 1) - start;
  return offset < 0 || offset > sql.length ? null : positionIn(sql, offset);
}

/** UTF-16 offset of the character with this number (from 0, counted in code points, as Postgres counts). */
function offsetOfCharacter(text: string, number: number): number {
  let offset = 0;
  for (const character of text) {
    if (number-- <= 0) break;
    offset += character.length;
  }
  return offset;
}

/** Line and column of a UTF-16 offset. */
export function positionIn(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: [...before.slice(lineStart)].length + 1 };
}

/** A replica cancels reads that block the replay of changes; a second try usually works. */
function isRecoveryConflict(code: string, message: string): boolean {
  // A read-only transaction has no other cause of 40001.
  return code === '40001' || (/conflict with recovery/i.test(message) && /^(57|40)/.test(code));
}

/** Whether the connection is unusable after this error. */
function connectionLost(error: unknown): boolean {
  const { code = '', message, severity } = errorFields(error);
  if (severity === 'FATAL' || severity === 'PANIC' || /^(57P0|08)/.test(code)) return true;
  // Without a severity the error comes from the driver or the socket, not from the server.
  return severity === undefined && (code !== '' || /connection|not queryable|read timeout/i.test(message));
}

const dataHint = (entity: string) =>
  `A value of some row does not fit the query: guard its casts and divisions (CASE, NULLIF). placement-sync explain ${entity} KEY shows the row of a record.`;

/**
 * A data error quotes a value of the row, in the quotes of the server's language. Logs must not have it. Of a message that
 * was cut, the closing quote may be gone.
 */
function withoutValue(message: string): string {
  return message.replace(/["'«»„“”‘’][\s\S]*(?:…$|["'«»„“”‘’])|(?:0x[0-9a-f]{2} ?)+/g, '…');
}

/**
 * Runs a statement and hands each row to `take` when it arrives, where the driver would collect all of them first. After
 * a pause, what has arrived already still comes: the rows of one packet, 64 KB, or one row that is larger.
 * An answer that takes longer than `limitMs` is an error; time in a pause does not count.
 */
function openRowStream<T extends pg.QueryResultRow>(
  client: pg.PoolClient,
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
function transactionSettings(options: Omit<PostgresSourceOptions, 'url' | 'poolMax'>): {
  readonly text: string;
  readonly values: readonly string[];
} {
  const settings = {
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
  };
  return { text: SET_ALL, values: [JSON.stringify(settings)] };
}

/** The connection, unless the signal aborts first; one that comes later is given back. */
export async function unlessInterrupted(
  connecting: Promise<pg.PoolClient>,
  query: EntityQuery,
  signal: AbortSignal,
): Promise<pg.PoolClient> {
  let stop = () => {};
  const aborted = new Promise<null>((resolve) => {
    stop = () => resolve(null);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
  const client = await Promise.race([connecting, aborted]).finally(() =>
    signal.removeEventListener('abort', stop),
  );
  if (client) return client;
  void connecting.then(
    (late) => late.release(true),
    () => undefined,
  );
  throw interrupted(query);
}

/** The error of a read whose signal has aborted. */
export function interrupted({ entity }: Pick<EntityQuery, 'entity'>): SyncError {
  return new SyncError('interrupted', `The reading of ${entity} was stopped.`, { scope: 'run' });
}
