import { grouped } from '../../../domain/text.js';
import { areAllRowsCounted, LOOK_LIMITS, type ValueCount } from '../map/look-at-values.js';
import type { Condition } from '../map/draft-query.js';
import { literal, OFFERED_ZONE, presentSql } from '../sql-text.js';
import { stateWord } from '../states.js';

/** What a draft asks about a column that may say which rows are shown: a question with its values, and a condition with its effect. */

/** The question that a column asks, with its values and how often each occurs: `'draft' 12 · 'live' 1,200`. */
export function conditionQuestion(condition: Condition, counts: readonly ValueCount[] | null): string {
  const { column, kind } = condition;
  const values = counts === null ? 'not counted' : listed(counts, column.kind);
  const zone =
    column.kind === 'timestamp' && kind !== 'deletion'
      ? ` (a time without zone: is it written in ${OFFERED_ZONE}? the same as source.timeZone)`
      : '';
  const integer =
    column.kind === 'integer' && counts?.every(({ label }) => label === null)
      ? ' (numbers: their meaning is in the application’s code)'
      : '';
  const asks = {
    closing: 'leave out what is over?',
    deletion: 'which rows are gone or not published?',
    publication: 'which rows are published?',
  }[kind];
  return `${asks} ${column.name}: ${values}${kind === 'closing' ? '' : integer}${zone}${effect(condition, counts)}`;
}

function effect(condition: Condition, counts: readonly ValueCount[] | null): string {
  const offer = offeredCondition(condition, counts);
  if (offer.kept === null) return '';
  const { kept, all } = offer;
  if (isIdle(offer)) return `. Now ${offer.sql} keeps ${kept === 0 ? 'none' : 'all'} of ${grouped(all)}`;
  const rest = offer.guessed ? '; its words are not known, so the most frequent is written there' : '';
  return `. The condition keeps ${grouped(kept)} of ${grouped(all)}${rest}`;
}

/** The condition, ready to be uncommented. Null: today it would leave out nothing, or everything. */
export function conditionSql(condition: Condition, counts: readonly ValueCount[] | null): string | null {
  const offer = offeredCondition(condition, counts);
  return isIdle(offer) ? null : offer.sql;
}

type Offered =
  | { readonly sql: string; readonly kept: number; readonly all: number; readonly guessed?: boolean }
  | { readonly sql: string; readonly kept: null };

function isIdle(offer: Offered): boolean {
  return offer.kept !== null && (offer.kept === 0 || offer.kept === offer.all);
}

function offeredCondition({ column, kind, sql }: Condition, counts: readonly ValueCount[] | null): Offered {
  const keeping = (text: string, isKept: (value: string | null) => boolean): Offered => {
    if (counts === null || counts.length === 0) return { sql: text, kept: null };
    const sum = (some: readonly ValueCount[]) => some.reduce((total, { count }) => total + count, 0);
    return { sql: text, kept: sum(counts.filter(({ value }) => isKept(value))), all: sum(counts) };
  };
  if (kind === 'closing')
    return keeping(`(${sql} is null or ${sql} >= ${presentSql(column.kind)})`, (value) => value !== 'past');
  if (TIMES.has(column.kind))
    return kind === 'deletion'
      ? keeping(`${sql} is null`, (value) => value === 'none')
      : keeping(`${sql} <= ${presentSql(column.kind)}`, (value) => value === 'past');
  if (column.kind === 'boolean')
    return kind === 'deletion'
      ? keeping(`not coalesce(${sql}, false)`, (value) => value !== 'true')
      : keeping(sql, (value) => value === 'true');
  const filled = (counts ?? []).flatMap(({ value, label }) => (value === null ? [] : [{ value, label }]));
  // A list that lacks a value would leave out its rows.
  const complete =
    counts !== null &&
    filled.length > 0 &&
    counts.length <= MOST &&
    areAllRowsCounted(counts) &&
    filled.every(({ value }) => value.length <= LOOK_LIMITS.valueLength);
  if (!complete) return keeping(`${sql} is not null`, (value) => value !== null);
  const chosen = likely(filled, kind);
  if (chosen === null && kind === 'deletion') return keeping(`${sql} is null`, (value) => value === null);
  const wanted = chosen ?? filled.slice(0, 1);
  const list = wanted.map(({ value }) => (column.kind === 'integer' ? value : literal(value)));
  const names = new Set<string | null>(wanted.map(({ value }) => value));
  const offer = keeping(`${sql} in (${list.join(', ')})`, (value) => names.has(value));
  return chosen === null && offer.kept !== null ? { ...offer, guessed: true } : offer;
}

type Value = Pick<ValueCount, 'value' | 'label'>;

/** The values whose words mean shown, else those that do not mean the opposite. Null: no word is known. */
function likely(
  values: readonly (Value & { readonly value: string })[],
  kind: Condition['kind'],
): typeof values | null {
  const known = values.map((value) => ({ value, word: stateWord(value.label ?? value.value) }));
  // `is_deleted` with Y and N asks the other way round; 0 and 1 of a flag without names are no and yes.
  const isAnswer = values.every(({ value, label }) => label === null && ANSWER.test(value));
  // T beside Y is tidak, and beside F true.
  const no = values.some(({ value }) => /^ya?$/i.test(value)) ? /^t$/i : /^$/;
  const isYes = (value: string) => YES.test(value) && !no.test(value);
  if (isAnswer) return values.filter(({ value }) => isYes(value) === (kind === 'publication'));
  const shown = known.filter(({ word }) => word === 'shown');
  const rest = shown.length > 0 ? shown : known.filter(({ word }) => word === null);
  return known.every(({ word }) => word === null) ? null : rest.map(({ value }) => value);
}

const ANSWER = /^(0|1|y|n|yes|no|ya|tidak|t|f|true|false)$/i;
const YES = /^(1|y|yes|ya|t|true)$/i;

const TIMES = new Set(['date', 'timestamp', 'timestamptz']);
const MOST = LOOK_LIMITS.shownValues;

/** The values with their counts, and what is not among them. */
function listed(counts: readonly ValueCount[], kind: string): string {
  const more = counts.length - MOST;
  return [
    counts
      .slice(0, MOST)
      .map((count) => shown(count, kind))
      .join(' · '),
    ...(more > 0 ? [` · … ${grouped(more)} more ${more === 1 ? 'value' : 'values'}`] : []),
    ...(areAllRowsCounted(counts)
      ? []
      : [` (of the first ${grouped(LOOK_LIMITS.countedRows)} rows: further ones may have other values)`]),
  ].join('');
}

function shown({ value, label, count }: ValueCount, kind: string): string {
  if (value === null) return `null ${grouped(count)}`;
  const whole = value.length <= LOOK_LIMITS.valueLength ? value : `${value}…`;
  const text = kind === 'text' || kind === 'enum' ? literal(whole) : whole;
  return `${text}${label === null ? '' : ` (${label.length > 40 ? `${label.slice(0, 40)}…` : label})`} ${grouped(count)}`;
}
