import { sqlTokens } from '../../../core/domain/sql/sql-text.js';
import { innerQuery } from '../read/base-tables.js';

/**
 * A partner's query taken apart: tokens, then SELECTs at the outside, then FROM and conditions of each, and again the
 * CTEs and subqueries in a FROM. What is not certain is left out, so that nothing wrong is said of it.
 */

/** What is certain about how a query is built. */
export interface QueryShape {
  /** `with … as (…)` before the SELECT; empty: none. */
  readonly prefix: string;
  /** Whether every SELECT was found; a query in parentheses, for instance, is not read. */
  readonly understood: boolean;
  /** More than one: a UNION. One without FROM is left out. */
  readonly selects: readonly SelectShape[];
}

/** One SELECT of a query. */
export interface SelectShape {
  /** What stands between FROM and WHERE. */
  readonly fromSql: string;
  /** The table behind FROM, and what is joined. Of a list with commas the table that the key comes from stands first. */
  readonly parts: readonly FromPart[];
  /** What the query calls the table that its column `key` comes from; null: not found. */
  readonly keyAlias: string | null;
  /** The conditions of WHERE that stand side by side. */
  readonly conditions: readonly string[];
  /** The select list: name (null: none is certain) and expression without it. */
  readonly items: readonly { readonly name: string | null; readonly sql: string }[];
}

/** A table, CTE, subquery or function in a FROM. */
export interface FromPart {
  /** `list`: one more table of a list with commas, or a CROSS JOIN. `other`: RIGHT and FULL. */
  readonly kind: 'base' | 'inner' | 'left' | 'list' | 'other';
  /** From its first word to its last: `join city c on c.id = j.city_id`. */
  readonly sql: string;
  /** Null: a CTE, a subquery or a function. */
  readonly table: NamedTable | null;
  /** How the query calls it; null: not found. */
  readonly alias: string | null;
  /** The CTE or the subquery; null: it is neither. */
  readonly inner: QueryShape | null;
  /** The conditions of ON that stand side by side, and what stands before ON; null: it has none. */
  readonly on: { readonly head: string; readonly conditions: readonly string[] } | null;
}

/** A table that a query names in FROM. */
export interface NamedTable {
  /** As the query writes it, without alias: `hr.job`. */
  readonly sql: string;
  readonly schema: string | null;
  readonly name: string;
  /** How the query calls it. */
  readonly alias: string;
}

/** What one reading of a text needs: the text, the texts of its CTEs, and how many queries stand around it. */
interface Reading {
  readonly sql: string;
  readonly ctes: ReadonlyMap<string, string>;
  readonly deep: number;
}

/** CTEs and subqueries that are followed, one in another. */
const DEEPEST = 4;

/** How a query is built. Says nothing of what it does not understand. */
export function queryShape(sql: string): QueryShape {
  return readQuery(sql, new Map(), 0);
}

/** A SELECT whose rows are those of the query, and what stands around it. */
interface RowSelect {
  readonly select: SelectShape;
  /** The conditions around it, and what they call it; empty: it stands outside of all. */
  readonly outside: string;
  readonly called: string | null;
}

/**
 * The SELECTs whose rows are those of the query: its own, and those of the CTE or the subquery behind a FROM. The texts of a
 * WITH within a WITH cannot be put together, so these are left out.
 */
export function rowSelects(
  { selects }: QueryShape,
  outside = '',
  called: string | null = null,
): readonly RowSelect[] {
  return selects.flatMap((select) => {
    const [base] = select.parts;
    const joining = select.parts.flatMap(({ on }) => on?.conditions ?? []);
    const conditions = [outside, ...select.conditions, ...joining].join(' ');
    const isKnown = base?.inner?.understood === true && base.inner.prefix === '';
    return [{ select, outside, called }, ...(isKnown ? rowSelects(base.inner, conditions, base.alias) : [])];
  });
}

function readQuery(sql: string, around: ReadonlyMap<string, string>, deep: number): QueryShape {
  const all = queryTokens(sql);
  const semicolon = all.findIndex(({ text, depth }) => text === ';' && depth === 0);
  const tokens = semicolon === -1 ? all : all.slice(0, semicolon);
  const begin = tokens.findIndex(({ text, depth }) => text === 'select' && depth === 0);
  if (begin === -1) return { prefix: '', selects: [], understood: false };
  const isWith = tokens[0]?.text === 'with';
  const ctes = new Map([...around, ...(isWith ? readCtes(sql, tokens.slice(1, begin)) : [])]);
  return {
    prefix: sql.slice(0, begin === 0 ? 0 : tokens[begin]?.start),
    understood: begin === 0 || isWith,
    selects: splitTokens(
      tokens.slice(begin),
      ({ text, depth }) => depth === 0 && SET_WORDS.includes(text),
    ).flatMap((part) => readSelect({ sql, ctes, deep }, part) ?? []),
  };
}

/** `name [(columns)] as [materialized] (select …), …`: the texts by name. */
function readCtes(sql: string, tokens: readonly QueryToken[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const list = tokens.filter(({ text, depth }) => depth > 0 || text !== 'recursive');
  for (const item of splitTokens(list, isComma)) {
    const part = isComma(item[0]) ? item.slice(1) : item;
    const as = part.findIndex(({ text, depth }) => depth === 0 && text === 'as');
    const open = part.findIndex(({ text, depth }, at) => at > as && depth === 0 && text === '(');
    const name = nameOf(part[0]);
    if (name !== null && as > 0 && open > 0)
      found.set(name, sql.slice(part[open]?.end, part[closeOf(part, open)]?.start));
  }
  return found;
}

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

/** The tokens of a query, without comments. CASE … END counts as parentheses, because AND stands in it. */
export function queryTokens(sql: string): readonly QueryToken[] {
  const tokens: QueryToken[] = [];
  let depth = 0;
  for (const { kind, start, end } of sqlTokens(sql)) {
    const raw = sql.slice(start, end);
    const text = kind === 'word' ? raw.toLowerCase() : raw;
    const closes = text === ')' || text === ']' || (kind === 'word' && text === 'end');
    if (closes) depth = Math.max(0, depth - 1);
    tokens.push({ kind: tokenKind(kind, raw), text, start, end, depth });
    if (text === '(' || text === '[' || (kind === 'word' && text === 'case')) depth += 1;
  }
  return tokens;
}

function tokenKind(kind: string, raw: string): QueryToken['kind'] {
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

/** A name as a pattern has to write it. */
export function escapePattern(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Cuts before each token that begins a part; that token stays in the part. */
function splitTokens(
  tokens: readonly QueryToken[],
  begins: (token: QueryToken, index: number) => boolean,
): readonly (readonly QueryToken[])[] {
  const parts: QueryToken[][] = [[]];
  tokens.forEach((token, index) => {
    if (begins(token, index)) parts.push([]);
    parts.at(-1)?.push(token);
  });
  return parts;
}

/** Where the parenthesis that opens at `open` is closed; behind the last token: nowhere. */
export function closeOf(tokens: readonly QueryToken[], open: number): number {
  const depth = tokens[open]?.depth;
  const close = tokens.findIndex((token, at) => at > open && token.text === ')' && token.depth === depth);
  return close === -1 ? tokens.length : close;
}

/** The line of a place in a text, from 1. */
export function lineAt(text: string, at: number): number {
  return 1 + (text.slice(0, at).match(/\n/g)?.length ?? 0);
}

/** They begin another SELECT. */
const SET_WORDS = ['union', 'intersect', 'except'];
const ENDS_OF_FROM = [
  'where',
  'group',
  'having',
  'window',
  'order',
  'limit',
  'offset',
  'fetch',
  'for',
  ...SET_WORDS,
];
const ENDS_OF_WHERE = ENDS_OF_FROM.filter((word) => word !== 'where');
const JOIN_WORDS = ['inner', 'left', 'right', 'full', 'cross', 'natural', 'outer', 'join'];
/** Words that follow a table and are no alias. */
const NO_ALIAS = new Set([...JOIN_WORDS, ...ENDS_OF_FROM, 'on', 'using', 'tablesample', 'lateral']);

/** FROM, conditions and list of one SELECT; null: it has no FROM. */
function readSelect(reading: Reading, tokens: readonly QueryToken[]): SelectShape | null {
  const { sql } = reading;
  const from = tokens.findIndex(
    ({ text, depth }, index) => depth === 0 && text === 'from' && tokens[index - 1]?.text !== 'distinct',
  );
  if (from === -1) return null;
  const section = until(tokens.slice(from + 1), ENDS_OF_FROM);
  const items = readItems(sql, tokens.slice(1, from));
  const keyAlias = keyAliasOf(items);
  const listed = splitTokens(section, isComma).map((item) =>
    splitJoins(isComma(item[0]) ? item.slice(1) : item).map((part) => readPart(reading, part)),
  );
  const at = Math.max(0, keyAlias === null ? 0 : listed.findIndex(([table]) => table?.alias === keyAlias));
  const [base, ...joins] = listed[at] ?? [];
  const others = listed.flatMap((parts, index) => (index === at ? [] : parts));
  const where = tokens.findIndex(({ text, depth }, index) => depth === 0 && text === 'where' && index > from);
  return {
    fromSql: textOf(sql, section),
    parts: base === undefined ? [] : [{ ...base, kind: 'base' }, ...joins, ...others],
    keyAlias,
    conditions: where === -1 ? [] : readConditions(sql, until(tokens.slice(where + 1), ENDS_OF_WHERE)),
    items,
  };
}

/** `[distinct [on (…)]] expression [as] name, …`: a name that is no alias is that of its column. */
function readItems(sql: string, given: readonly QueryToken[]): SelectShape['items'] {
  const isDistinct = given[0]?.text === 'distinct';
  const close =
    given[1]?.text === 'on' ? given.findIndex(({ text, depth }) => text === ')' && depth === 0) : 0;
  const list = isDistinct ? given.slice(close + 1) : given;
  return splitTokens(list, isComma).map((part) => {
    const tokens = isComma(part[0]) ? part.slice(1) : part;
    const [last, before] = [tokens.at(-1), tokens.at(-2)];
    const name = last?.depth === 0 && last.text !== 'end' ? nameOf(last) : null;
    const isColumn = before === undefined || before.text === '.' || before.text === ':';
    const named = name === null || isColumn ? tokens : tokens.slice(0, before.text === 'as' ? -2 : -1);
    return { name: before?.text === ':' ? null : name, sql: textOf(sql, named) };
  });
}

function isComma(token: QueryToken | undefined): boolean {
  return token?.depth === 0 && token.text === ',';
}

/** The table whose column is `key`: `e` of `e.id as key`. */
function keyAliasOf(items: SelectShape['items']): string | null {
  const tokens = queryTokens(items.find(({ name }) => name === 'key')?.sql ?? '');
  const dot = tokens.findIndex(({ text }) => text === '.');
  return dot < 1 ? null : nameOf(tokens[dot - 1]);
}

/** `[… join] [lateral] table [as alias] [on …]`. */
function readPart({ sql, ctes, deep }: Reading, tokens: readonly QueryToken[]): FromPart {
  const join = tokens.findIndex(({ text, depth }) => text === 'join' && depth === 0);
  const lateral = tokens[join + 1]?.text === 'lateral';
  const rest = tokens.slice(join + (lateral ? 2 : 1));
  const named = readTable(sql, rest);
  const isCte = named?.schema === null && ctes.has(named.name);
  const table = isCte ? null : named;
  const baseSql = textOf(sql, until(rest, ['on', 'using']));
  const body = table === null && deep < DEEPEST ? innerQuery({ baseSql }, ctes) : undefined;
  const on = tokens.findIndex(({ kind, text, depth }) => kind === 'word' && text === 'on' && depth === 0);
  return {
    kind: join === -1 ? 'list' : kindOf(tokens.slice(0, join).map(({ text }) => text)),
    sql: textOf(sql, tokens),
    table,
    alias: named?.alias ?? aliasBehindParenthesis(rest),
    inner: body === undefined ? null : readQuery(body, ctes, deep + 1),
    on:
      on === -1
        ? null
        : {
            head: textOf(sql, tokens.slice(0, on)),
            conditions: readConditions(sql, tokens.slice(on + 1)),
          },
  };
}

function kindOf(words: readonly string[]): FromPart['kind'] {
  if (words.includes('right') || words.includes('full')) return 'other';
  if (words.includes('left')) return 'left';
  return words.includes('cross') ? 'list' : 'inner';
}

function aliasBehindParenthesis(tokens: readonly QueryToken[]): string | null {
  const close = tokens.findIndex(({ text, depth }) => text === ')' && depth === 0);
  const next = tokens[close + 1]?.text === 'as' ? tokens[close + 2] : tokens[close + 1];
  return close === -1 || next === undefined || NO_ALIAS.has(next.text) ? null : nameOf(next);
}

/** `[only] [schema .] name [[as] alias]`; null: something else. */
function readTable(sql: string, given: readonly QueryToken[]): NamedTable | null {
  const tokens = given[0]?.text === 'only' ? given.slice(1) : given;
  const names: string[] = [];
  let at = 0;
  for (; ; at += 2) {
    const name = nameOf(tokens[at]);
    if (name === null || (tokens[at]?.kind === 'word' && NO_ALIAS.has(name))) return null;
    names.push(name);
    if (tokens[at + 1]?.text !== '.') break;
  }
  const [first, last] = [tokens[0], tokens[at]];
  const following = tokens[at + 1]?.text === '*' ? tokens.slice(at + 2) : tokens.slice(at + 1);
  if (first === undefined || last === undefined || names.length > 2 || following[0]?.text === '(')
    return null;
  const alias = following[0]?.text === 'as' ? following[1] : following[0];
  const name = names.at(-1) ?? '';
  const called =
    alias === undefined || (alias.kind === 'word' && NO_ALIAS.has(alias.text)) ? null : nameOf(alias);
  return {
    sql: sql.slice(first.start, last.end),
    schema: names.length === 2 ? (names[0] ?? null) : null,
    name,
    alias: called ?? name,
  };
}

/** The parts that AND connects; with an OR beside them, the whole. */
function readConditions(sql: string, tokens: readonly QueryToken[]): readonly string[] {
  if (tokens.some(({ text, depth }) => depth === 0 && text === 'or')) return [textOf(sql, tokens)];
  let between = false;
  return splitTokens(tokens, ({ text, depth }) => {
    if (depth === 0 && text === 'between') between = true;
    if (depth !== 0 || text !== 'and') return false;
    if (!between) return true;
    between = false;
    return false;
  })
    .map((part) => textOf(sql, part[0]?.text === 'and' ? part.slice(1) : part))
    .filter((text) => text !== '');
}

function splitJoins(section: readonly QueryToken[]): readonly (readonly QueryToken[])[] {
  return splitTokens(section, ({ text, depth }, index) => {
    if (depth !== 0 || !JOIN_WORDS.includes(text) || text === 'outer') return false;
    const before = section[index - 1];
    // `left(…)` is a function, and of `left outer join` only the first word begins the part.
    if (text !== 'join' && section[index + 1]?.text === '(') return false;
    return before?.depth !== 0 || !JOIN_WORDS.includes(before.text);
  });
}

/** The tokens before the first of these words that stands outside of parentheses. */
export function until(tokens: readonly QueryToken[], words: readonly string[]): readonly QueryToken[] {
  const end = tokens.findIndex(
    ({ kind, text, depth }) => kind === 'word' && depth === 0 && words.includes(text),
  );
  return end === -1 ? tokens : tokens.slice(0, end);
}

function textOf(sql: string, tokens: readonly QueryToken[]): string {
  const [first, last] = [tokens[0], tokens.at(-1)];
  return first === undefined || last === undefined ? '' : sql.slice(first.start, last.end);
}
