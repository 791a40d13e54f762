import { grouped } from '../../../core/domain/text.js';
import { isTime } from '../../catalog/catalog.js';
import type { ReadOnly } from '../../catalog/with-read-only.js';
import { countOf, countSample } from '../look/count-sample.js';
import { HOST, literal, NULL_TEXT, presentSql } from '../sql-text.js';
import {
  type Condition,
  type DraftColumn,
  type DraftQuery,
  renderFrom,
  type ValueCount,
} from './draft-query.js';

/**
 * Looks at the values of a drafted query, in two ways. `lookAtValues` counts for each column what its values look like,
 * `countCondition` and `countCodes` how often each value of a flag or code occurs. The database counts; of texts nothing but
 * codes, flags and names of lists leaves it, and nothing of people is read.
 */

/** How much is looked at, and so what can be said of it. */
export const LOOK_LIMITS = {
  /** Rows that are counted by value. */
  countedRows: 500_000,
  /** More codes are no list of codes. */
  codes: 3_000,
  /** A text with more values is no flag; of others as many are shown. */
  shownValues: 16,
  /** Values of numbers and enums that are counted, so that the number of those that are not shown is known. */
  countedValues: 200,
  /** A longer value is cut. */
  valueLength: 60,
} as const;

/** What most values of a number are, as SQL behind the value; anything else is asked. */
export const USUAL: Readonly<Record<string, string>> = {
  quota: 'between 1 and 500',
  min_salary_amount: '>= 100000',
  max_salary_amount: '>= 100000',
  min_age: 'between 15 and 65',
  max_age: 'between 15 and 70',
  min_experience: 'between 0 and 480',
  price: '>= 0',
  latitude: 'between -90 and 90',
  longitude: 'between -180 and 180',
};

/** What the values of the draft's columns look like. Null: the server refused. */
export async function lookAtValues(
  read: ReadOnly,
  query: DraftQuery,
): Promise<ReadonlyMap<string, ValueFacts> | null> {
  const columns = query.columns.filter((column) => isLookedAt(column));
  const hasCurrency = query.columns.some(({ target }) => target.endsWith('_salary_currency'));
  const counted = columns.map((column) => ({
    sql: column.sql,
    counts: (value: string) => factsSql(column, value, hasCurrency),
  }));
  const from = lookFrom(
    query,
    columns.map(({ sql }) => sql),
  );
  const facts = await countSample(read, from, counted);
  return facts && new Map(columns.map(({ target }, at) => [target, { ...NOTHING, ...facts[at] }]));
}

function lookFrom(query: DraftQuery, expressions: readonly string[]): string {
  return renderFrom(query, expressions, { personal: false, comments: false }).join('\n');
}

/** The names of companies say nothing that a draft needs, and a table of partners may hold people's. */
function isLookedAt({ target, personal, sql, column, kind }: DraftColumn): boolean {
  return !personal && sql !== NULL_TEXT && target !== 'name' && column !== null && kind !== 'list';
}

/** Pay in another currency may be small. */
function factsSql(
  { column, target }: DraftColumn,
  value: string,
  hasCurrency: boolean,
): Readonly<Record<string, string>> {
  const type = column?.kind ?? 'text';
  const text = `left(cast(${value} as text), 4000)`;
  const isNumber = type === 'integer' || type === 'number';
  const number = isNumber
    ? value
    : `case when ${text} ${TEXT_FACTS.number} then cast(${text} as numeric) end`;
  const usual = hasCurrency && target.endsWith('_salary_amount') ? '>= 100' : USUAL[target];
  const texts = Object.entries(TEXT_FACTS).map(([name, test]) => [name, countOf(`${text} ${test}`)]);
  return {
    filled: `count(${value})`,
    ...(TEXTS.has(type) ? (Object.fromEntries(texts) as Record<string, string>) : {}),
    ...(usual !== undefined && (isNumber || type === 'text')
      ? { unlikely: countOf(`not (${number} ${usual})`) }
      : {}),
  };
}

const TEXTS = new Set(['text', 'uuid', 'enum', 'json']);

/** What is counted of texts. `blank`: nothing but blanks; `host`: it lacks `https://`; `sentence`: several words. */
const TEXT_FACTS = {
  blank: `!~ '[^[:space:]]'`,
  html: `~* '</?(p|br|ul|ol|li|div|b|strong|em|i|h[1-6]|span|a|table)[ />]|&(nbsp|amp|lt|gt|quot);'`,
  address: `~* '^https?://[^ ]'`,
  host: HOST,
  number: `~ '^ *-?[0-9]+([.][0-9]+)? *$'`,
  isoDate: `~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}'`,
  json: `~ '^[[:space:]]*[[{]'`,
  sentence: `~ '[^[:space:]][[:space:]]+[^[:space:]]'`,
};

const NOTHING = {
  ...{ rows: 0, filled: 0, unlikely: 0 },
  ...{ blank: 0, html: 0, address: 0, host: 0, number: 0, isoDate: 0, json: 0, sentence: 0 },
};

/** What the values of a column look like: numbers of rows of a sample. `unlikely`: numbers that are hardly meant. */
export type ValueFacts = Readonly<typeof NOTHING>;

/** How often each value of a flag occurs; of a time, how often there is one. */
export async function countCondition(
  read: ReadOnly,
  query: DraftQuery,
  condition: Condition,
): Promise<readonly ValueCount[] | Uncounted> {
  const { sql, labelSql, joins, column } = condition;
  const value = isTime(column.kind)
    ? `case when ${sql} is null then 'none' when ${sql} < ${presentSql(column.kind)} then 'past' else 'future' end`
    : `left(cast(${sql} as text), ${LOOK_LIMITS.valueLength + 1})`;
  const most = column.kind === 'text' ? LOOK_LIMITS.shownValues : LOOK_LIMITS.countedValues;
  return await countValues(read, query, value, labelSql, joins, most);
}

/** Every code of a column with its name and count. Null: too many, or refused. */
export async function countCodes(
  read: ReadOnly,
  query: DraftQuery,
  { sql, codes, personal }: DraftColumn,
): Promise<readonly ValueCount[] | null> {
  if (!codes || personal) return null;
  const value = `cast(${sql} as text)`;
  const counts = await countValues(read, query, value, codes.labelSql, codes.joins, LOOK_LIMITS.codes);
  return typeof counts === 'string' ? null : counts;
}

/** Too many values, or the server refused to count them. */
type Uncounted = 'too many' | 'refused';

async function countValues(
  read: ReadOnly,
  query: DraftQuery,
  value: string,
  label: string | null,
  joins: DraftQuery['joins'],
  most: number,
): Promise<readonly ValueCount[] | Uncounted> {
  const name = label === null ? NULL_TEXT : `cast(${label} as text)`;
  const from = lookFrom({ ...query, joins: [...query.joins, ...joins] }, [value, name]);
  const answer = await read.attempt<{ value: string | null; label: string | null; count: string }>(
    `select s.value, s.label, count(*) as count
     from (select ${value} as value, ${name} as label ${from} limit ${LOOK_LIMITS.countedRows}) s
     group by 1, 2 order by 3 desc, 1, 2 limit ${most + 1}`,
  );
  if ('refused' in answer) return 'refused';
  if (answer.rows.length > most) return 'too many';
  return answer.rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }));
}

/** Whether these counts are of the whole table; of a larger one only its first rows are counted. */
export function areAllRowsCounted(counts: readonly Pick<ValueCount, 'count'>[]): boolean {
  return counts.reduce((total, { count }) => total + count, 0) < LOOK_LIMITS.countedRows;
}

/** The values with their counts, and what is not among them. */
export function listed(counts: readonly ValueCount[], kind: string): string {
  const more = counts.length - LOOK_LIMITS.shownValues;
  const shown = counts.slice(0, LOOK_LIMITS.shownValues).map((count) => shownCount(count, kind));
  if (more > 0) shown.push(`… ${grouped(more)} more ${more === 1 ? 'value' : 'values'}`);
  const rest = areAllRowsCounted(counts)
    ? ''
    : ` (of the first ${grouped(LOOK_LIMITS.countedRows)} rows: further ones may have other values)`;
  return shown.join(' · ') + rest;
}

function shownCount({ value, label, count }: ValueCount, kind: string): string {
  if (value === null) return `null ${grouped(count)}`;
  const whole = value.length <= LOOK_LIMITS.valueLength ? value : `${value}…`;
  const text = kind === 'text' || kind === 'enum' ? literal(whole) : whole;
  return `${text}${label === null ? '' : ` (${label.length > 40 ? `${label.slice(0, 40)}…` : label})`} ${grouped(count)}`;
}

/** Everything that was counted for one query. */
export interface QueryFacts {
  /** By the SQL of the condition. Null: it has too many values; absent: they could not be counted. */
  readonly conditions: ReadonlyMap<string, readonly ValueCount[] | null>;
  /** By target column: every code with its count. Null: there are too many, or the server refused. */
  readonly codes: ReadonlyMap<string, readonly ValueCount[] | null>;
}
