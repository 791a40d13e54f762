import type { Condition } from './draft-query.js';
import type { ValueCount } from './facts.js';
import { areAllRowsCounted } from './are-all-rows-counted.js';
import { LOOK_LIMITS } from './look-limits.js';
import { group } from './refine-query.js';
import { literal, OFFERED_ZONE, presentSql } from './sql-text.js';

const TIMES = new Set(['date', 'timestamp', 'timestamptz']);
const MOST = LOOK_LIMITS.shownValues;

/** The question that a column asks, with its values and how often each occurs: `'draft' 12 · 'live' 1,200`. */
export function conditionQuestion({ column, kind }: Condition, counts: readonly ValueCount[] | null): string {
  const values = counts === null ? 'not counted' : listed(counts, column.kind);
  const zone =
    column.kind === 'timestamp' && kind !== 'deletion'
      ? ` (a time without zone: is it written in ${OFFERED_ZONE}? the same as source.timeZone)`
      : '';
  if (kind === 'closing') return `leave out what is over? ${column.name}: ${values}${zone}`;
  const integer =
    column.kind === 'integer' && counts?.every(({ label }) => label === null)
      ? ' (numbers: their meaning is in the application’s code)'
      : '';
  return kind === 'deletion'
    ? `which rows are gone or not published? ${column.name}: ${values}${integer}`
    : `which rows are published? ${column.name}: ${values}${integer}${zone}`;
}

/** A condition to begin with, ready to be uncommented: nothing that a person has not looked at. */
export function conditionSql({ column, kind, sql }: Condition, counts: readonly ValueCount[] | null): string {
  if (kind === 'closing') return `(${sql} is null or ${sql} >= ${presentSql(column.kind)})`;
  if (TIMES.has(column.kind))
    return kind === 'deletion' ? `${sql} is null` : `${sql} <= ${presentSql(column.kind)}`;
  if (column.kind === 'boolean') return kind === 'deletion' ? `not coalesce(${sql}, false)` : sql;
  const values = (counts ?? []).flatMap(({ value }) => value ?? []);
  // A list that lacks a value would leave out its rows.
  const complete =
    counts !== null &&
    counts.length <= MOST &&
    areAllRowsCounted(counts) &&
    values.every((value) => value.length <= LOOK_LIMITS.valueLength);
  if (values.length === 0 || !complete) return `${sql} is not null`;
  const list = values.map((value) => (column.kind === 'integer' ? value : literal(value)));
  return `${sql} in (${list.join(', ')})`;
}

/** The values with their counts, and what is not among them. */
function listed(counts: readonly ValueCount[], kind: string): string {
  const more = counts.length - MOST;
  return [
    counts
      .slice(0, MOST)
      .map((count) => shown(count, kind))
      .join(' · '),
    ...(more > 0 ? [` · … ${group(more)} more ${more === 1 ? 'value' : 'values'}`] : []),
    ...(areAllRowsCounted(counts)
      ? []
      : [` (of the first ${group(LOOK_LIMITS.countedRows)} rows: further ones may have other values)`]),
  ].join('');
}

function shown({ value, label, count }: ValueCount, kind: string): string {
  if (value === null) return `null ${group(count)}`;
  const whole = value.length <= LOOK_LIMITS.valueLength ? value : `${value}…`;
  const text = kind === 'text' || kind === 'enum' ? literal(whole) : whole;
  return `${text}${label === null ? '' : ` (${label.length > 40 ? `${label.slice(0, 40)}…` : label})`} ${group(count)}`;
}
