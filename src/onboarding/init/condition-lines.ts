import type { Condition } from './draft-query.js';
import type { ValueCount } from './facts.js';
import { group } from './refine-query.js';
import { literal, OFFERED_ZONE, presentSql } from './sql-text.js';

const TIMES = new Set(['date', 'timestamp', 'timestamptz']);
const SHOWN_VALUES = 12;

/** The question that a column asks, with its values and how often each occurs: `'draft' 12 · 'live' 1,200`. */
export function conditionQuestion({ column, kind }: Condition, counts: readonly ValueCount[] | null): string {
  const values =
    counts === null
      ? 'not counted'
      : counts
          .slice(0, SHOWN_VALUES)
          .map((count) => shown(count, column.kind))
          .join(' · ');
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
  const list = values
    .slice(0, SHOWN_VALUES)
    .map((value) => (column.kind === 'integer' ? value : literal(value)));
  return list.length === 0 ? `${sql} is not null` : `${sql} in (${list.join(', ')})`;
}

function shown({ value, label, count }: ValueCount, kind: string): string {
  if (value === null) return `null ${group(count)}`;
  const text = kind === 'text' || kind === 'enum' ? literal(value) : value;
  return `${text}${label === null ? '' : ` (${label.slice(0, 40)})`} ${group(count)}`;
}
