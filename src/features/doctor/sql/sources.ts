import type { EntityQuery } from '../../../core/ports/source.js';
import {
  closeOf,
  type FromPart,
  lineAt,
  nameOf,
  type NamedTable,
  queryShape,
  type QueryShape,
  queryTokens,
  type SelectShape,
} from './query-shape.js';

/** Which columns of which tables a query's own columns are made of, as far as its words say: also by way of CTEs and subqueries. */
export interface QuerySources {
  readonly columns: readonly SourcedColumn[];
  /** Every table that some FROM names, with the name in the outermost one by which its columns may be reached; null: there is none. */
  readonly tables: readonly { readonly table: NamedTable; readonly outer: string | null }[];
  /** Whether the query takes a column of a table, or joins by it; a condition alone says nothing of what is sent. */
  readonly uses: (table: NamedTable, column: string) => boolean;
  /** Whether the outermost SELECT makes one row of several: DISTINCT, GROUP BY. */
  readonly isGrouped: boolean;
}

interface SourcedColumn {
  readonly name: string;
  /** Of the outermost SELECT. */
  readonly sql: string;
  readonly sources: readonly ColumnSource[];
}

interface ColumnSource {
  readonly table: NamedTable;
  readonly column: string;
  /** It only joins the table of another one. */
  readonly joins: boolean;
}

export function querySources(sql: string, shape: QueryShape): QuerySources {
  const selects = selectsWithin(shape, 0);
  const tables = new Map<string, NamedTable>();
  const reached = new Map<string, Set<string>>();
  for (const part of selects.flatMap(({ parts }) => parts)) {
    if (part.table && !tables.has(nameIn(part.table))) tables.set(nameIn(part.table), part.table);
    if (part.alias !== null)
      reached.set(
        part.alias,
        new Set([...(reached.get(part.alias) ?? []), ...tablesBehind(part).map(nameIn)]),
      );
  }
  const [first] = shape.selects;
  const used = pairsIn(withoutConditions(sql, selects, shape));
  return {
    // Of a UNION each part may take a column from elsewhere.
    columns: (shape.selects.length === 1 ? (first?.items ?? []) : []).flatMap(({ name, sql: expression }) =>
      name === null || !first ? [] : [{ name, sql: expression, sources: madeOf(expression, first.parts, 0) }],
    ),
    tables: [...tables].map(([name, table]) => ({
      table,
      outer: first?.parts.find(({ alias }) => reached.get(alias ?? '')?.has(name) === true)?.alias ?? null,
    })),
    isGrouped: queryTokens(sql).some(
      ({ text, depth }) => depth === 0 && (text === 'distinct' || text === 'group'),
    ),
    uses: (table, column) =>
      used.some(
        ([alias, each]) =>
          each === column && (alias === null || reached.get(alias)?.has(nameIn(table)) === true),
      ),
  };
}

/** CTEs and subqueries that are followed, one in another. */
const DEEPEST = 5;

function nameIn({ sql }: NamedTable): string {
  return sql.toLowerCase();
}

/** Every SELECT of a query: also those of a FROM, of expressions and of conditions. */
function selectsWithin({ selects }: QueryShape, deep: number): readonly SelectShape[] {
  if (deep > DEEPEST) return [];
  return selects.flatMap((select) => [
    select,
    ...select.parts.flatMap(({ inner }) => (inner ? selectsWithin(inner, deep + 1) : [])),
    ...[
      ...select.items.map((item) => item.sql),
      ...select.conditions,
      ...select.parts.flatMap(({ on }) => on?.conditions ?? []),
    ]
      .flatMap(subqueries)
      .flatMap((body) => selectsWithin(queryShape(body), deep + 1)),
  ]);
}

/** The table that a part of a FROM is, or those of its CTE or subquery. */
export function tablesBehind({ table, inner }: FromPart): readonly NamedTable[] {
  return table ? [table] : (inner?.selects.flatMap(({ parts }) => parts.flatMap(tablesBehind)) ?? []);
}

/** What a column of a table, a CTE or a subquery is made of. `parts`: what its name may stand for. */
export function behind(
  parts: readonly FromPart[],
  alias: string | null,
  column: string,
  deep = 0,
): readonly ColumnSource[] {
  const part = parts.find((each) => each.alias === alias);
  if (part === undefined || deep > DEEPEST) return [];
  const own = part.table
    ? [{ table: part.table, column, joins: false }]
    : (part.inner?.selects ?? []).flatMap((select) => columnOf(select, column, deep + 1));
  const by = pairsIn(part.on?.conditions.join(' and ') ?? '');
  const via = by.flatMap(([other, each]) =>
    deep > 1 || other === alias || other === null ? [] : behind(parts, other, each, deep + 2),
  );
  return [...own, ...via.map((each) => ({ ...each, joins: true }))];
}

/** What a column of a SELECT is made of; of one with a star it may be any of a table's. */
function columnOf({ items, parts }: SelectShape, column: string, deep: number): readonly ColumnSource[] {
  const item = items.find(({ name }) => name === column);
  if (item) return madeOf(item.sql, parts, deep);
  return items
    .filter(({ sql }) => sql.endsWith('*'))
    .flatMap(({ sql }) =>
      sql.includes('.') ? [sql.split('.')[0]?.trim() ?? ''] : parts.map(({ alias }) => alias),
    )
    .flatMap((alias) => behind(parts, alias, column, deep));
}

function madeOf(text: string, parts: readonly FromPart[], deep: number): readonly ColumnSource[] {
  const bodies = subqueries(text);
  const outside = bodies.reduce((rest, body) => rest.replace(body, ' '), text);
  const direct = pairsIn(outside).flatMap(([alias, column]) =>
    (alias === null ? parts.map((part) => part.alias) : [alias]).flatMap((each) =>
      behind(parts, each, column, deep),
    ),
  );
  const nested = bodies.flatMap((body) =>
    queryShape(body).selects.flatMap((select) =>
      select.items.slice(0, 1).flatMap((item) => madeOf(item.sql, [...select.parts, ...parts], deep + 1)),
    ),
  );
  return [...direct, ...nested];
}

/** The text without its conditions, and without the left joins that nothing else names. */
function withoutConditions(
  sql: string,
  selects: readonly SelectShape[],
  { selects: own }: QueryShape,
): string {
  const conditions = selects.flatMap((select) => select.conditions);
  return own
    .flatMap(({ parts }) => parts)
    .filter(({ kind }) => kind === 'left')
    .reduce(
      (text, join) => {
        const rest = text.replace(join.sql, ' ');
        return pairsIn(rest).some(([alias]) => alias === join.alias) ? text : rest;
      },
      conditions.reduce((text, condition) => text.replace(condition, ' true '), sql),
    );
}

/** The columns that a text names, each with what stands in front of its dot; functions, words and results are among those without. */
export function pairsIn(text: string): readonly (readonly [alias: string | null, column: string])[] {
  const tokens = queryTokens(text);
  return tokens.flatMap((token, at): (readonly [string | null, string])[] => {
    const name = nameOf(token);
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    if (name === null || next?.text === '.' || next?.text === '(' || before?.text === 'as') return [];
    return [[before?.text === '.' ? nameOf(tokens[at - 2]) : null, name]];
  });
}

/** The texts of `( select … )` in an expression, the outermost ones. */
function subqueries(text: string): readonly string[] {
  const tokens = queryTokens(text);
  let end = -1;
  return tokens.flatMap(({ text: sign, start }, at) => {
    if (sign !== '(' || tokens[at + 1]?.text !== 'select' || start < end) return [];
    end = tokens[closeOf(tokens, at)]?.start ?? text.length;
    return [text.slice(start + 1, end)];
  });
}

/** ` (queries/vacancies.sql:12)`: where the query names a column of its result; of one that it has not, the file alone. */
export function placeOf({ file, sql }: Pick<EntityQuery, 'file' | 'sql'>, name: string): string {
  const result = sql.search(new RegExp(`\\bas\\s+"?${name}"?(?![\\w$])`, 'i'));
  const at = result === -1 ? sql.search(new RegExp(`\\b${name}\\b`, 'i')) : result;
  return ` (${file}${at === -1 ? '' : `:${lineAt(sql, at)}`})`;
}
