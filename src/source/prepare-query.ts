import { SyncError } from '../domain/errors.js';
import type { EntityQuery } from '../ports/source.js';

/**
 * Makes the partner's SQL fit for standing in parentheses: one trailing semicolon is cut, everything else stays
 * as it is. Knows quotes, dollar quotes and nested comments, so that a `;` inside them is left alone.
 * Errors: SyncError `query-failed` for an empty text, several statements, or a `$1`.
 */
export function prepareQuery({ entity, sql, file }: Pick<EntityQuery, 'entity' | 'sql' | 'file'>): string {
  const refuse = (message: string, hint: string) =>
    new SyncError('query-failed', `${file}: the query of ${entity} ${message}`, { scope: 'entity', hint });
  let semicolon = -1;
  let significant = false;
  for (let at = 0; at < sql.length; ) {
    const skipped = skipQuotedOrComment(sql, at);
    const comment = sql.startsWith('--', at) || sql.startsWith('/*', at);
    if (comment || /\s/.test(sql.charAt(at))) {
      at = Math.max(skipped, at + 1);
      continue;
    }
    if (semicolon >= 0 && sql[at] !== ';') {
      throw refuse('has more than one statement.', 'A query is one SELECT; use WITH for steps.');
    }
    if (sql[at] === ';') {
      if (semicolon < 0) semicolon = at;
    } else significant = true;
    if (skipped === at && sql[at] === '$' && /^\$\d/.test(sql.slice(at, at + 2)) && !/[\w$]/.test(sql.charAt(at - 1))) {
      throw refuse('has a parameter such as $1.', 'Queries take no parameters; write the value into the query.');
    }
    at = Math.max(skipped, at + 1);
  }
  if (!significant) throw refuse('is empty.', 'Write one SELECT that returns the columns of the entity.');
  return semicolon < 0 ? sql : `${sql.slice(0, semicolon)} ${sql.slice(semicolon + 1).replace(/;/g, ' ')}`;
}

/** Where the quote or comment that begins at `at` ends; `at` itself when none begins there. */
function skipQuotedOrComment(sql: string, at: number): number {
  const rest = sql.slice(at, at + 70);
  if (rest.startsWith('--')) {
    const end = sql.indexOf('\n', at);
    return end < 0 ? sql.length : end + 1;
  }
  if (rest.startsWith('/*')) return skipBlockComment(sql, at);
  if (rest.startsWith("'")) {
    const escapes = /[eE]/.test(sql.charAt(at - 1)) && !/\w/.test(sql.charAt(at - 2));
    return skipQuote(sql, at, "'", escapes);
  }
  if (rest.startsWith('"')) return skipQuote(sql, at, '"', false);
  const tag = /\w|\$/.test(sql.charAt(at - 1)) ? null : /^\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/.exec(rest);
  if (tag) {
    const end = sql.indexOf(tag[0], at + tag[0].length);
    return end < 0 ? sql.length : end + tag[0].length;
  }
  return at;
}

function skipBlockComment(sql: string, at: number): number {
  let depth = 1;
  let next = at + 2;
  while (next < sql.length && depth > 0) {
    if (sql.startsWith('/*', next)) depth += 1;
    else if (sql.startsWith('*/', next)) depth -= 1;
    else {
      next += 1;
      continue;
    }
    next += 2;
  }
  return next;
}

function skipQuote(sql: string, at: number, quote: string, escapes: boolean): number {
  for (let next = at + 1; next < sql.length; next += 1) {
    if (escapes && sql[next] === '\\') next += 1;
    else if (sql[next] === quote) {
      if (sql[next + 1] !== quote) return next + 1;
      next += 1;
    }
  }
  return sql.length;
}
