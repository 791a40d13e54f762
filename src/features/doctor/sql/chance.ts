import { closeOf, lineAt, type QueryToken, queryShape, queryTokens } from './query-shape.js';

/** What of a query chance decides: rows without an order, and functions that say something else each time. */

interface Undecided {
  /** `LIMIT 100`, `DISTINCT ON`, `row_number()`. */
  readonly what: string;
  /** In the query's text, from 1. */
  readonly line: number;
  /** It cuts the whole query, not a part for each row. */
  readonly cuts: boolean;
}

/** LIMIT, OFFSET and FETCH that are left in or take any row, DISTINCT ON and window functions whose order says nothing. */
export function undecidedRows(
  sql: string,
  isUnique: (table: string, column: string) => boolean,
): readonly Undecided[] {
  const tokens = queryTokens(sql);
  return tokens.flatMap((token, at): Undecided[] => {
    const { kind, text, depth } = token;
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    if (kind !== 'word' || before?.text === '.' || before?.text === 'as') return [];
    if (WINDOWS.has(text) && next?.text === '(')
      return windowOf(tokens, at) ? [{ what: `${text}()`, line: lineAt(sql, token.start), cuts: false }] : [];
    const isCut =
      text === 'limit' ||
      (text === 'fetch' && ['first', 'next'].includes(next?.text ?? '')) ||
      text === 'offset';
    const isDistinct = text === 'distinct' && next?.text === 'on';
    if (!isCut && !isDistinct) return [];
    const select = isDistinct
      ? at - 1
      : tokens.findLastIndex((each, index) => index < at && each.text === 'select' && each.depth === depth);
    const after = tokens.slice(select);
    const close = after.findIndex((each) => each.depth < depth);
    const own = (close === -1 ? after : after.slice(0, close)).filter((each) => each.depth === depth);
    const order = own.findIndex((each, index) => each.text === 'order' && own[index + 1]?.text === 'by');
    if (isDistinct) {
      const list = itemsBehind(tokens, at + 2, sql);
      const sorted = order === -1 ? 0 : sortItems(own.slice(order + 2));
      return sorted > list ? [] : [{ what: 'DISTINCT ON', line: lineAt(sql, token.start), cuts: false }];
    }
    const what = `${text.toUpperCase()} ${sql.slice(next?.start, (text === 'fetch' ? tokens[at + 2] : next)?.end)}`;
    if (depth === 0)
      return next?.text === 'all' ? [] : [{ what, line: lineAt(sql, token.start), cuts: true }];
    if (order !== -1 || text === 'offset') return [];
    const end = close === -1 ? sql.length : (after[close]?.start ?? sql.length);
    return namesOneRow(sql.slice(after[0]?.start, end), isUnique)
      ? []
      : [{ what, line: lineAt(sql, token.start), cuts: false }];
  });
}

const WINDOWS = new Set('row_number first_value last_value lag lead nth_value ntile'.split(' '));

/** Whether a window function is over rows without an order. */
function windowOf(tokens: readonly QueryToken[], at: number): boolean {
  const depth = tokens[at]?.depth;
  const over = tokens.findIndex((each, index) => index > at && each.depth === depth && each.text === 'over');
  if (over === -1 || tokens[over + 1]?.text !== '(') return false;
  return !tokens.slice(over, closeOf(tokens, over + 1)).some(({ text }) => text === 'order');
}

/** Expressions between the parentheses that open here. */
function itemsBehind(tokens: readonly QueryToken[], open: number, sql: string): number {
  const depth = tokens[open]?.depth ?? 0;
  const close = closeOf(tokens, open);
  return sql.slice(tokens[open]?.end, tokens[close]?.start).trim() === ''
    ? 0
    : 1 + tokens.slice(open, close).filter((each) => each.depth === depth + 1 && each.text === ',').length;
}

function sortItems(tokens: readonly QueryToken[]): number {
  const end = tokens.findIndex(({ text }) => ['limit', 'offset', 'fetch', 'for', 'union'].includes(text));
  const list = end === -1 ? tokens : tokens.slice(0, end);
  return 1 + list.filter(({ text }) => text === ',').length;
}

/** Whether a condition of a SELECT names a unique column of its table, or it is one aggregate. */
function namesOneRow(sql: string, isUnique: (table: string, column: string) => boolean): boolean {
  const [select] = queryShape(sql).selects;
  const table = select?.parts[0]?.table;
  if (!table) return false;
  if (select.items.every((item) => /^\s*(min|max|count|sum|avg|bool_or|bool_and)\s*\(/i.test(item.sql)))
    return true;
  const { alias, name } = table;
  return select.conditions.some((condition) =>
    condition.split('=').some((side) => {
      const [, of, column = ''] = /^\s*(?:"?(\w+)"?\.)?"?(\w+)"?\s*$/.exec(side) ?? [];
      return condition.split('=').length === 2 && (of ?? alias) === alias && isUnique(name, column);
    }),
  );
}

const RANDOM =
  /^(random|gen_random_uuid|uuid_generate_v4|uuid_generate_v1|nextval|clock_timestamp|timeofday|txid_current|pg_current_xact_id)$/;
const PRESENT =
  /^(now|current_timestamp|current_date|current_time|localtimestamp|localtime|statement_timestamp|transaction_timestamp)$/;

/** The function in an expression that says something else at each reading; null: none. A time that is only compared is none. */
export function volatileIn(expression: string): string | null {
  const tokens = queryTokens(expression);
  const found = tokens.find(({ kind, text, depth }, at) => {
    if (kind !== 'word' || tokens[at - 1]?.text === '.') return false;
    if (RANDOM.test(text)) return tokens[at + 1]?.text === '(';
    if (!PRESENT.test(text)) return false;
    return !tokens.some(
      (other, index) =>
        (/^(<|>|=|!|between|extract|age|date_part|isfinite)$/.test(other.text) &&
          other.depth <= depth &&
          Math.abs(index - at) <= NEAR) ||
        (other.text === 'when' &&
          index < at &&
          !tokens.slice(index, at).some(({ text: word }) => word === 'then')),
    );
  });
  return found?.text ?? null;
}

/** Tokens between a time and what it is compared with. */
const NEAR = 12;

/** What the text alone shows: rows that are cut or taken without an order, and columns that are other ones each time. */
export function chanceIn(sql: string): readonly string[] {
  const rows = undecidedRows(sql, () => true).map(({ what, line }) => `${what} in line ${line}`);
  const moving = queryShape(sql).selects.flatMap(({ items }) =>
    items.flatMap(({ name, sql: expression }) => {
      const called = volatileIn(expression);
      return called === null || name === null ? [] : [`${name} has ${called}`];
    }),
  );
  return [...rows, ...moving];
}
