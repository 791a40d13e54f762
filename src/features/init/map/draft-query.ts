import type { TargetKind } from '../drafting/drafting.js';
import type { CatalogColumn, CatalogTable } from '../../catalog/catalog.js';
import { type Draftable, draftable } from '../draftables.js';
import { NULL_TEXT } from '../sql-text.js';

/**
 * A drafted query as data: its columns, joins, conditions, and what a person should know. It is filled by
 * `make-query`, completed by `refine-query`, and becomes text in `write/query-text`; statements of looks take its
 * FROM from here.
 */

export interface DraftQuery {
  readonly entity: string;
  readonly table: CatalogTable;
  readonly alias: string;
  readonly columns: readonly DraftColumn[];
  readonly offers: readonly Offer[];
  readonly joins: readonly DraftJoin[];
  readonly conditions: readonly Condition[];
  /** Absent: it has no parent, or nothing is to be asked of it. */
  readonly ofParent?: ParentCondition | null;
  /** What a person should know, one sentence each. */
  readonly findings: readonly string[];
}

/** One line of the select list. */
export interface DraftColumn {
  readonly target: string;
  readonly kind: TargetKind | 'key';
  readonly sql: string;
  /** The partner's column that it is about; null: several, or an expression. */
  readonly column: CatalogColumn | null;
  /** `public.job.closes_at`, for messages. */
  readonly from: string;
  /** Its values are not read while drafting. */
  readonly personal: boolean;
  readonly codes: CodeSource | null;
  /** How surely its name says what it is, 1 to 10; absent: it was not chosen by its name. */
  readonly score?: number;
  /** Lines above it in the query. */
  readonly comments: readonly string[];
}

/** A line of the select list; most have no codes, nothing personal and no comments. */
export function draftColumn(
  own: Pick<DraftColumn, 'target' | 'kind' | 'sql' | 'from'> & Partial<DraftColumn>,
): DraftColumn {
  return { column: null, personal: false, codes: null, comments: [], ...own };
}

/** A column that the draft cannot fill, with what is to be decided. */
export function emptyColumn(target: string, question: string): DraftColumn {
  return draftColumn({ target, kind: 'key', sql: NULL_TEXT, from: '', comments: [`decide: ${question}`] });
}

/** In the order of the contract, keys first. */
export function inOrder(
  { entity, targets }: Draftable,
  columns: readonly DraftColumn[],
): readonly DraftColumn[] {
  const names = ['key', entity.parent?.column ?? '', ...targets.map(({ name }) => name)];
  return columns.toSorted((a, b) => names.indexOf(a.target) - names.indexOf(b.target));
}

/** The codes that a column gives, for a lookup: where their names stand. */
export interface CodeSource {
  /** Two columns with the same source have the same codes, and share a file. */
  readonly id: string;
  /** SQL of a code's name, over `joins`; null: the code is its own name. */
  readonly labelSql: string | null;
  /** Joins that only the names need. */
  readonly joins: readonly DraftJoin[];
  /** Allowed values that the database knows, also those without a row. */
  readonly allowed: readonly string[];
}

/** Codes that are their own names. */
export function ownCodes(id: string, allowed: readonly string[] = []): CodeSource {
  return { id, labelSql: null, joins: [], allowed };
}

/** A table beside the base: a parent by its key, or a child with one row for each record. */
export type DraftJoin =
  | {
      readonly kind: 'parent';
      readonly alias: string;
      readonly table: string;
      readonly on: string;
      readonly comment: string | null;
    }
  | {
      readonly kind: 'child';
      readonly alias: string;
      /** `from … join …` inside of the group. */
      readonly from: readonly string[];
      readonly groupBy: string;
      readonly picks: readonly GroupedColumn[];
      readonly on: string;
      readonly comment: string | null;
    };

/** A column of a grouped child. */
interface GroupedColumn {
  readonly name: string;
  readonly sql: string;
  readonly personal: boolean;
}

/** A condition that a person has to decide. */
export interface Condition {
  readonly column: CatalogColumn;
  /** Qualified. */
  readonly sql: string;
  readonly kind: 'publication' | 'deletion';
  /** SQL of the name of its values, where it names a table. */
  readonly labelSql: string | null;
  readonly joins: readonly DraftJoin[];
  /** Whether its name says that it is about states; else its values do. */
  readonly named: boolean;
}

/** A condition on the parent of a record, which a person may uncomment. */
export interface ParentCondition {
  readonly question: string;
  readonly sql: string;
}

/** How often a value occurs. */
export interface ValueCount {
  readonly value: string | null;
  readonly label: string | null;
  readonly count: number;
}

/** A column that a draft names and does not take: a person may uncomment it. */
export interface Offer {
  readonly target: string;
  readonly sql: string;
  /** `public.job.notes`, for messages. */
  readonly from: string;
  readonly question: string;
  /** Of codes: with the values, for a lookup. */
  readonly coded?: { readonly column: DraftColumn; readonly counts: readonly ValueCount[] };
}

/** Columns of the contract without which a draft is not worth much, and that nothing fills. */
export function missingTargets({ entity, columns, offers }: DraftQuery): readonly string[] {
  const has = (name: string) =>
    columns.some(({ target, sql }) => target === name && sql !== NULL_TEXT) ||
    offers.some(({ target }) => target === name);
  return draftable(entity).wanted.filter((name) => !has(name));
}

/**
 * The FROM of a draft, line by line. Only the joins that `expressions` need, and those that these need.
 *
 * @param personal whether the groups of children may name columns that belong to people
 */
export function renderFrom(
  query: Pick<DraftQuery, 'table' | 'alias'> & { readonly joins: readonly DraftJoin[] },
  expressions: readonly string[],
  { personal, comments }: { readonly personal: boolean; readonly comments: boolean },
): readonly string[] {
  const needed = neededJoins(query.joins, expressions);
  return [
    `from ${query.table.sqlName} ${query.alias}`,
    ...needed.flatMap((join) => {
      const lines = comments && join.comment !== null ? [`-- ${join.comment}`] : [];
      return [...lines, ...renderJoin(join, personal)];
    }),
  ];
}

function neededJoins(joins: readonly DraftJoin[], expressions: readonly string[]): readonly DraftJoin[] {
  const names = (text: string, alias: string) => new RegExp(`(?<![\\w"])${alias}\\.`).test(text);
  const needed = new Set<DraftJoin>();
  const texts = [...expressions];
  for (let text = texts.shift(); text !== undefined; text = texts.shift()) {
    for (const join of joins) {
      if (needed.has(join) || !names(text, join.alias)) continue;
      needed.add(join);
      texts.push(join.on);
    }
  }
  return joins.filter((join) => needed.has(join));
}

export function renderJoin(join: DraftJoin, personal: boolean): readonly string[] {
  if (join.kind === 'parent') return [`left join ${join.table} ${join.alias} on ${join.on}`];
  const picks = join.picks.map(
    ({ name, sql, personal: own }) => `${own && !personal ? 'cast(null as text)' : sql} as ${name}`,
  );
  return [
    'left join (',
    `  select ${[join.groupBy, ...picks].join(',\n    ')}`,
    ...join.from.map((line) => `  ${line}`),
    `  group by ${join.groupBy}`,
    `) ${join.alias} on ${join.on}`,
  ];
}
