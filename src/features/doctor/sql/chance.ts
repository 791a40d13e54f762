import { closeOf, lineAt, type QueryToken, queryShape, queryTokens, until } from './query-shape.js';

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
  return tokens.flatMap(({ kind, text, depth, start }, at): Undecided[] => {
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    if (kind !== 'word' || before?.text === '.' || before?.text === 'as') return [];
    const undecided = (what: string) => [{ what, line: lineAt(sql, start), cuts: false }];
    if (WINDOWS.has(text) && next?.text === '(') return isUnordered(tokens, at) ? undecided(`${text}()`) : [];
    const isFetch = text === 'fetch' && ['first', 'next'].includes(next?.text ?? '');
    const isDistinct = text === 'distinct' && next?.text === 'on';
    if (!isFetch && !isDistinct && text !== 'limit' && text !== 'offset') return [];
    const select = tokens.findLastIndex(
      (each, index) => index < at && each.text === 'select' && each.depth === depth,
    );
    const end = tokens.findIndex((each, index) => index > select && each.depth < depth);
    const own = tokens.slice(select, end === -1 ? undefined : end);
    const beside = own.filter((each) => each.depth === depth);
    const order = beside.findIndex(
      (each, index) => each.text === 'order' && beside[index + 1]?.text === 'by',
    );
    if (isDistinct) {
      const list = itemsOf(tokens.slice(at + 3, closeOf(tokens, at + 2)));
      const sorted = order === -1 ? 0 : itemsOf(until(beside.slice(order + 2), ENDS_OF_ORDER));
      return sorted > list ? [] : undecided('DISTINCT ON');
    }
    const what = `${text.toUpperCase()} ${sql.slice(next?.start, (isFetch ? tokens[at + 2] : next)?.end)}`;
    if (depth === 0) return next?.text === 'all' ? [] : [{ what, line: lineAt(sql, start), cuts: true }];
    const isDecided =
      order !== -1 || text === 'offset' || namesOneRow(sql.slice(own[0]?.start, own.at(-1)?.end), isUnique);
    return isDecided ? [] : undecided(what);
  });
}

const WINDOWS = new Set('row_number first_value last_value lag lead nth_value ntile'.split(' '));
const ENDS_OF_ORDER = ['limit', 'offset', 'fetch', 'for', 'union'];

/** Whether a window function is over rows without an order. */
function isUnordered(tokens: readonly QueryToken[], at: number): boolean {
  const over = tokens[closeOf(tokens, at + 1) + 1]?.text === 'over' ? closeOf(tokens, at + 1) + 2 : -1;
  return (
    tokens[over]?.text === '(' &&
    !tokens.slice(over, closeOf(tokens, over)).some(({ text }) => text === 'order')
  );
}

/** Expressions of a list. */
function itemsOf(tokens: readonly QueryToken[]): number {
  const [first] = tokens;
  if (first === undefined) return 0;
  return 1 + tokens.filter(({ depth, text }) => depth === first.depth && text === ',').length;
}

/** Whether a condition of a SELECT names a unique column of its table, or it is one aggregate. */
function namesOneRow(sql: string, isUnique: (table: string, column: string) => boolean): boolean {
  const [select] = queryShape(sql).selects;
  const table = select?.parts[0]?.table;
  if (!table) return false;
  if (select.items.every((item) => /^\s*(min|max|count|sum|avg|bool_or|bool_and)\s*\(/i.test(item.sql)))
    return true;
  return select.conditions.some((condition) => {
    const sides = condition.split('=');
    return (
      sides.length === 2 &&
      sides.some((side) => {
        const [, of, column = ''] = /^\s*(?:"?(\w+)"?\.)?"?(\w+)"?\s*$/.exec(side) ?? [];
        return (of ?? table.alias) === table.alias && isUnique(table.name, column);
      })
    );
  });
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
