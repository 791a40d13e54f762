import { nameOf, queryTokens } from './query-tokens.js';

/** What a condition may name. */
export interface Scope {
  /** How the query calls the table. */
  readonly alias: string;
  readonly columns: ReadonlySet<string>;
  /** How it calls the other tables of the same FROM. */
  readonly otherAliases: ReadonlySet<string>;
  /** Columns of other tables that the table has not. */
  readonly otherColumns: ReadonlySet<string>;
}

/** Whether a condition is about this table alone, as far as its names say. Pure. */
export function concernsOnly(condition: string, scope: Scope): boolean {
  const tokens = queryTokens(condition);
  return tokens.every((token, index) => {
    const name = nameOf(token);
    if (name === null || tokens[index - 1]?.text === '.') return true;
    const next = tokens[index + 1]?.text;
    if (next === '.') return !scope.otherAliases.has(name);
    return next === '(' || scope.columns.has(name) || !scope.otherColumns.has(name);
  });
}
