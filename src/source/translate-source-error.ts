import { SyncError } from '../domain/errors.js';
import type { EntityQuery } from '../ports/source.js';

/** Text before the partner's SQL in a statement, so that positions can be told in the partner's own lines. */
export interface StatementPosition {
  readonly statement: string;
  readonly sql: string;
}

const HINTS: Readonly<Record<string, string>> = {
  '57014': 'Make the query faster (an index, fewer joins), or raise source.statementTimeout.',
  '42501': 'Grant the role of source.url SELECT on it (and USAGE on its schema).',
  '25006': 'The query runs in a read-only transaction: it must be one SELECT that changes nothing.',
  '42703': 'The database has no such column; compare the query with the tables.',
  '42P01': 'The database has no such table, or it is in a schema that the role does not see.',
  '42601': 'Try the query in psql with the same role.',
};

/** What pg throws while a query is read, as a SyncError that names entity, query, place and cure. */
export function translateSourceError(error: unknown, query: EntityQuery, position: StatementPosition | null): SyncError {
  if (error instanceof SyncError) return error;
  const { code = '', message = String(error), position: at } = error as { code?: string; message?: string; position?: string };
  const where = `${query.file}${place(position, at)}`;
  const details = { sqlstate: code, recoveryConflict: isRecoveryConflict(code, message) };
  if (/row-level security/i.test(message)) {
    return new SyncError('row-security', `${where}: the query of ${query.entity} would not see all rows: ${message}.`, {
      scope: 'entity',
      hint: 'Hidden rows look like deleted ones. Use a role with BYPASSRLS, or set source.rowSecurity: allow when hidden rows are meant to be left out.',
      details,
      cause: error,
    });
  }
  return new SyncError('query-failed', `${where}: the query of ${query.entity} failed: ${message}${code ? ` (${code})` : ''}.`, {
    scope: 'entity',
    hint: HINTS[code] ?? (isLost(code, message) ? 'The connection to the source was lost; the next run reads again.' : 'Try the query in psql with the same role.'),
    details,
    cause: error,
  });
}

/** What pg throws while connecting. */
export function translateConnectError(error: unknown, url: string): SyncError {
  const { message = String(error) } = error as { message?: string };
  return new SyncError('source-unavailable', `The source database ${target(url)} cannot be reached: ${message || (error as { code?: string }).code}.`, {
    scope: 'run',
    hint: 'Check source.url, that the server is up, its pg_hba.conf, TLS settings (sslmode) and connection limit.',
    cause: error,
  });
}

/** A replica cancels what stands in the way of replaying changes; a second try usually works. */
function isRecoveryConflict(code: string, message: string): boolean {
  return code === '40001' || (/conflict with recovery/i.test(message) && ['57014', '57P01', '40P01', '25P02'].includes(code));
}

function isLost(code: string, message: string): boolean {
  return /^(57P0|08|ECONN|EPIPE)/.test(code) || /Connection terminated/i.test(message);
}

/** `:line:column` in the partner's file; empty when the position is not in it. */
function place(position: StatementPosition | null, at: string | undefined): string {
  if (!position || at === undefined) return '';
  // Postgres counts characters from 1, not UTF-16 units.
  const offset = [...position.statement].slice(0, Number(at) - 1).join('').length - position.statement.indexOf(position.sql);
  if (offset < 0 || offset > position.sql.length) return '';
  const lines = position.sql.slice(0, offset).split('\n');
  return `:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
}

function target(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `${host}${pathname}`;
  } catch {
    return '(source.url)';
  }
}
