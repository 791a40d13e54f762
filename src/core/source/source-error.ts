import { SyncError } from '../domain/errors.js';
import { errorFields } from '../domain/sql/error-fields.js';
import type { EntityQuery } from '../ports/source.js';
import { WIDE_ROW } from '../runtime/guard-connection.js';

/**
 * What pg throws while a partner's query is read, in our words: which file and place of it, what to do, and whether the
 * connection is lost.
 */

const REPLICA_HINT =
  'The replica cancelled the read to replay changes. Raise max_standby_streaming_delay or set hot_standby_feedback there.';

const LOST_HINT = 'The connection to the source was lost during the read. The next run reads again.';

const WIDE_ROW_HINT =
  'Find the row with: select max(pg_column_size(t)) from (the query) t. Leave columns that are not sent out of the query, such as pictures and files, or cut long texts with left(column, 100000).';

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
export function translateSourceError(
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
    if (code === WIDE_ROW) return WIDE_ROW_HINT;
    if (connectionLost(error)) return LOST_HINT;
    return (
      HINTS[code] ?? (isDataError(code) ? dataHint(code, /\bjson\b|unicode/i.test(message)) : OTHER_HINT)
    );
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
export function connectionLost(error: unknown): boolean {
  const { code = '', message, severity } = errorFields(error);
  if (severity === 'FATAL' || severity === 'PANIC' || /^(57P0|08)/.test(code)) return true;
  // Without a severity the error comes from the driver or the socket, not from the server.
  return severity === undefined && (code !== '' || /connection|not queryable|read timeout/i.test(message));
}

/** Whether a value of a row caused it, by its SQLSTATE; also a subquery with two rows, a domain, RAISE. */
export const isDataError = (sqlstate: unknown): boolean =>
  typeof sqlstate === 'string' && /^(22|21000|2350|23514|P0001)/.test(sqlstate);

/** Whether an error of the query is one of a value, and not of a text in the query itself, whose place is known. */
export function isOfOneRow(error: unknown): error is SyncError {
  if (!(error instanceof SyncError) || error.code !== 'query-failed') return false;
  return isDataError(error.details.sqlstate) && error.details.line === undefined;
}

/** What is known of the row with the value; nothing, where it was corrected meanwhile or the search took too long. */
export interface BadRow {
  readonly column?: string;
  readonly key?: string;
  /** The key of the row before it, where its own cannot be read. */
  readonly after?: string;
}

/** The same error, with the place of the value. */
export function withBadRow({ code, message, scope, hint, details }: SyncError, bad: BadRow): SyncError {
  const { column, key, after } = bad;
  const what = column === undefined ? 'a condition, a join or a UNION' : `the column "${column}"`;
  const record =
    key === undefined ? `in a row after the record with key "${after}"` : `of the record with key "${key}"`;
  const isKnown = column !== undefined || after !== undefined;
  const place = key === undefined && after === undefined ? '' : `${key === undefined ? ',' : ''} ${record}`;
  const text = isKnown ? `It is in ${what}${place}.` : 'The row was not found.';
  return new SyncError(code, `${message} ${text}`, { scope, hint, details: { ...details, ...bad } });
}

/** By SQLSTATE, how to write the query so that one record waits and not all. A test follows each. */
const ONE_WAITS: Readonly<Record<string, string>> = {
  '22P02': 'Return the text without the cast',
  json: 'Return the whole JSON column, or take broken halves of an emoji and \\u0000 out before ->>',
  '22007': 'Return the day as text in the form 2027-12-31, without to_date and without a cast',
  '22008': 'Return the day as text in the form 2027-12-31, without to_date and without a cast',
  '22003': 'Return the number without a cast to integer, and calculate in numeric',
  '22012': 'Divide by nullif(column, 0), which gives null',
  '22021': 'Convert the text in the query, or correct it in the source',
};

function dataHint(sqlstate: string, isJson: boolean): string {
  const way = ONE_WAITS[isJson ? 'json' : sqlstate] ?? 'Return null for such a value (CASE)';
  return `${way}: then only this record waits, and the others are sent. docs/queries.md, “Values that do not fit”, has more.`;
}

/**
 * A data error quotes a value of the row, in the quotes of the server's language. Logs must not have it. Of a message that
 * was cut, the closing quote may be gone.
 */
function withoutValue(message: string): string {
  return message.replace(/["'«»„“”‘’][\s\S]*(?:…$|["'«»„“”‘’])|(?:0x[0-9a-f]{2} ?)+/g, '…');
}
