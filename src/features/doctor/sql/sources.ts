import type { EntityQuery } from '../../../core/ports/source.js';
import { innerQuery } from '../read/base-tables.js';
import {
  nameOf,
  type NamedTable,
  queryShape,
  type QueryShape,
  queryTokens,
  type SelectShape,
} from './query-shape.js';

/** Which columns of which tables a query's own columns are made of, as far as its words say: also by way of CTEs and subqueries. */
interface QuerySources {
  readonly columns: readonly SourcedColumn[];
  /** Every table that some FROM names, with the name in the outermost one by which its columns may be reached; null: there is none. */
  readonly tables: readonly { readonly table: NamedTable; readonly outer: string | null }[];
  /** Whether the query takes a column of a table, or joins by it; a condition alone says nothing of what is sent. */
  readonly uses: (table: NamedTable, column: string) => boolean;
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

/** What a name in front of a dot stands for. */
type Scope = ReadonlyMap<
  string,
  {
    readonly select: SelectShape;
    readonly table: NamedTable | null;
    readonly inner: readonly SelectShape[];
    readonly on: string;
  }
>;

export function querySources(sql: string, shape: QueryShape): QuerySources {
  const tables = new Map<string, NamedTable>();
  const aliases = new Map<string, Set<string>>();
  const scopes = new Map<SelectShape, Scope>();
  const ctes = new Map<string, readonly SelectShape[]>();

  const selectsOf = (text: string, deep: number): readonly SelectShape[] => {
    const within = queryShape(text);
    for (const select of within.selects) look(select, deep + 1);
    return within.selects;
  };
  const look = (select: SelectShape, deep: number): void => {
    const scope = new Map<
      string,
      { select: SelectShape; table: NamedTable | null; inner: readonly SelectShape[]; on: string }
    >();
    scopes.set(select, scope);
    const parts = [
      { alias: select.baseAlias, table: select.base, text: select.baseSql, on: '' },
      ...select.joins.map(({ alias, table, sql: text, on }) => ({
        alias,
        table,
        text: (on?.head ?? text).replace(/^[^(]*?\b(join|lateral)\s+(lateral\s+)?/i, ''),
        on: on?.conditions.join(' and ') ?? '',
      })),
    ];
    for (const { alias, table, text, on } of parts) {
      const cte = /^\w+/.exec(text)?.[0].toLowerCase() ?? '';
      const body = table === null && deep < DEEPEST ? innerQuery({ baseSql: text }, shape.ctes) : undefined;
      const inner = body === undefined ? [] : (ctes.get(cte) ?? selectsOf(body, deep));
      if (body !== undefined && shape.ctes.has(cte)) ctes.set(cte, inner);
      if (alias !== null) scope.set(alias, { select, table, inner, on });
      const named = table === null ? inner.flatMap((each) => namesIn(each)) : [table.sql.toLowerCase()];
      if (alias !== null) aliases.set(alias, new Set([...(aliases.get(alias) ?? []), ...named]));
      if (table !== null && !tables.has(table.sql.toLowerCase())) tables.set(table.sql.toLowerCase(), table);
    }
    // Subqueries in expressions and conditions have tables of their own.
    if (deep < DEEPEST)
      for (const text of [
        ...select.items.map((item) => item.sql),
        ...select.conditions,
        ...parts.map(({ on }) => on),
      ])
        for (const body of subqueries(text)) selectsOf(body, deep);
  };
  const namesIn = (select: SelectShape): string[] =>
    [...(scopes.get(select)?.values() ?? [])].flatMap(({ table, inner }) =>
      table ? [table.sql.toLowerCase()] : inner.flatMap(namesIn),
    );

  for (const select of shape.selects) look(select, 0);

  /** What a column of a table, a CTE or a subquery is made of. */
  const behind = (scope: Scope, alias: string, column: string, deep: number): readonly ColumnSource[] => {
    const found = scope.get(alias);
    if (found === undefined || deep > DEEPEST) return [];
    const own = found.table
      ? [{ table: found.table, column, joins: false }]
      : found.inner.flatMap((select) => {
          const item = select.items.find(({ name }) => name === column);
          const inside = scopes.get(select) ?? new Map<string, never>();
          if (item) return madeOf(item.sql, inside, deep + 1);
          const stars = select.items.filter(({ sql: text }) => text.endsWith('*'));
          return stars.flatMap(({ sql: text }) => {
            const from = text.includes('.') ? [text.split('.')[0]?.trim() ?? ''] : [...inside.keys()];
            return from.flatMap((each) => behind(inside, each, column, deep + 1));
          });
        });
    const by = pairsIn(found.on).filter(([other]) => other !== alias && other !== null);
    const via = deep > 1 ? [] : by.flatMap(([other, each]) => behind(scope, other ?? '', each, deep + 2));
    return [...own, ...via.map((each) => ({ ...each, joins: true }))];
  };
  const madeOf = (text: string, scope: Scope, deep: number): readonly ColumnSource[] => {
    const bodies = subqueries(text);
    const outside = bodies.reduce((rest, body) => rest.replace(body, ' '), text);
    const direct = pairsIn(outside).flatMap(([alias, column]) =>
      alias === null
        ? [...scope.keys()].flatMap((each) => behind(scope, each, column, deep))
        : behind(scope, alias, column, deep),
    );
    const nested = bodies.flatMap((body) =>
      queryShape(body).selects.flatMap((select) => {
        look(select, DEEPEST);
        const both = new Map([...scope, ...(scopes.get(select) ?? [])]);
        return select.items.slice(0, 1).flatMap((item) => madeOf(item.sql, both, deep + 1));
      }),
    );
    return [...direct, ...nested];
  };

  // A join that nothing else names is left over.
  const left = shape.selects.flatMap(({ joins }) => joins).filter(({ kind }) => kind === 'left');
  const conditions = [...scopes.keys()].flatMap((select) => select.conditions);
  const used = pairsIn(
    left.reduce(
      (text, join) => {
        const rest = text.replace(join.sql, ' ');
        return pairsIn(rest).some(([alias]) => alias === join.alias) ? text : rest;
      },
      conditions.reduce((text, condition) => text.replace(condition, ' true '), sql),
    ),
  );
  const [first] = shape.selects;
  const scope = first && scopes.get(first);
  return {
    // Of a UNION each part may take a column from elsewhere.
    columns: (shape.selects.length === 1 ? (first?.items ?? []) : []).flatMap(({ name, sql: expression }) =>
      name === null || !scope ? [] : [{ name, sql: expression, sources: madeOf(expression, scope, 0) }],
    ),
    tables: [...tables].map(([name, table]) => ({
      table,
      outer: [...(scope?.keys() ?? [])].find((alias) => aliases.get(alias)?.has(name)) ?? null,
    })),
    uses: (table, column) =>
      used.some(
        ([alias, each]) =>
          each === column && (alias === null || aliases.get(alias)?.has(table.sql.toLowerCase()) === true),
      ),
  };
}

/** CTEs and subqueries that are followed, one in another. */
const DEEPEST = 5;

/** The columns that a text names, each with what stands in front of its dot; functions, words and results are among those without. */
function pairsIn(text: string): readonly (readonly [alias: string | null, column: string])[] {
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
  return tokens.flatMap(({ text: sign, depth, start }, at) => {
    if (sign !== '(' || tokens[at + 1]?.text !== 'select' || start < end) return [];
    const close = tokens.find((other) => other.start > start && other.text === ')' && other.depth === depth);
    end = close?.start ?? text.length;
    return [text.slice(start + 1, end)];
  });
}

/** ` (queries/vacancies.sql:12)`: where the query names a column of its result; of one that it has not, the file alone. */
export function placeOf({ file, sql }: Pick<EntityQuery, 'file' | 'sql'>, name: string): string {
  const line = lineOfColumn(sql, name);
  return ` (${file}${line === null ? '' : `:${line}`})`;
}

function lineOfColumn(sql: string, name: string): number | null {
  const at = sql.search(new RegExp(`\\bas\\s+"?${name}"?(?![\\w$])`, 'i'));
  const end = at === -1 ? sql.search(new RegExp(`\\b${name}\\b`, 'i')) : at;
  return end === -1 ? null : 1 + (sql.slice(0, end).match(/\n/g)?.length ?? 0);
}
