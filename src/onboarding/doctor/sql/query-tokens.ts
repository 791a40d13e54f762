import { sqlTokens } from '../../../domain/sql/sql-text.js';

/** A token of a query with its depth in parentheses (0: outside of all). */
export interface QueryToken {
  readonly kind: 'word' | 'quoted' | 'text' | 'sign';
  /** As it stands there; a word in small letters. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Of the token itself; a parenthesis belongs to the outside. */
  readonly depth: number;
}

/** The tokens of a query, without comments. CASE … END counts as parentheses, because AND stands in it. Pure. */
export function queryTokens(sql: string): readonly QueryToken[] {
  const tokens: QueryToken[] = [];
  let depth = 0;
  for (const { kind, start, end } of sqlTokens(sql)) {
    const raw = sql.slice(start, end);
    const text = kind === 'word' ? raw.toLowerCase() : raw;
    const closes = text === ')' || text === ']' || (kind === 'word' && text === 'end');
    if (closes) depth = Math.max(0, depth - 1);
    tokens.push({ kind: kindOf(kind, raw), text, start, end, depth });
    if (text === '(' || text === '[' || (kind === 'word' && text === 'case')) depth += 1;
  }
  return tokens;
}

function kindOf(kind: string, raw: string): QueryToken['kind'] {
  if (kind === 'word') return 'word';
  if (kind !== 'literal') return 'sign';
  return /^(?:[uU]&)?"/.test(raw) ? 'quoted' : 'text';
}

/** The name that a word or a quoted name stands for; null: it is no name. */
export function nameOf(token: QueryToken | undefined): string | null {
  if (token?.kind === 'word') return token.text;
  if (token?.kind !== 'quoted' || /^[uU]/.test(token.text)) return null;
  return token.text.slice(1, -1).replaceAll('""', '"');
}
