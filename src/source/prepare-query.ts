import { SyncError } from '../domain/errors.js';
import type { EntityQuery } from '../ports/source.js';
import { misreadCharacter, sqlTokens } from '../domain/sql/sql-text.js';
import { positionIn } from './text-position.js';

const FIRST_WORDS = ['select', 'with', 'values', 'table'];

/**
 * The partner's SQL, ready to be wrapped as `from (\n…\n) as …`: only the semicolon at its end and the text after it
 * are cut, so that every position is still valid in the file. A byte order mark becomes a blank.
 *
 * Errors: SyncError `query-failed` of scope `entity` when it is empty, not one SELECT, has a parameter such as
 * `$1`, a literal or comment that does not end (which would swallow the wrapper), or a character that people misread.
 */
export function prepareQuery(query: Pick<EntityQuery, 'entity' | 'file' | 'sql'>): string {
  const sql = query.sql.replace(/^\uFEFF/, ' ');
  const refuse = (problem: string, hint: string, offset?: number): SyncError => {
    const place = offset === undefined ? undefined : positionIn(sql, offset);
    const where = place ? `, line ${place.line}, column ${place.column}` : '';
    return new SyncError('query-failed', `The query of ${query.entity} (${query.file}${where}) ${problem}.`, {
      scope: 'entity',
      hint,
      details: { entity: query.entity, file: query.file, ...place },
    });
  };

  const misread = misreadCharacter(sql);
  if (misread) throw refuse(misread.problem, misread.hint, misread.at);
  let first: string | undefined;
  let semicolon: number | undefined;
  for (const token of sqlTokens(sql)) {
    const text = sql.slice(token.start, token.end);
    if (token.kind === 'open') {
      throw refuse('has a literal, a quoted name or a comment that does not end', 'Close it.', token.start);
    }
    if (token.kind === 'semicolon') {
      if (first === undefined) break;
      semicolon ??= token.start;
      continue;
    }
    if (semicolon !== undefined) {
      throw refuse(
        'has more than one statement',
        'One SELECT only, with at most one semicolon at its end.',
        token.start,
      );
    }
    if (token.kind === 'parameter') {
      throw refuse(
        `has the parameter ${text}`,
        'Parameters are not supported: write the value itself.',
        token.start,
      );
    }
    if (first === undefined && text !== '(') {
      first = text.toLowerCase();
      if (!FIRST_WORDS.includes(first)) {
        throw refuse(
          `begins with "${text.slice(0, 40)}"`,
          'One SELECT only (it may begin with WITH).',
          token.start,
        );
      }
    }
  }
  if (first === undefined)
    throw refuse('is empty', 'Write one SELECT that returns the columns of this entity.');
  return semicolon === undefined ? sql : sql.slice(0, semicolon);
}
