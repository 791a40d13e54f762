import { grouped } from '../../../core/domain/text.js';
import { isTime } from '../../catalog/catalog.js';
import { areAllRowsCounted, listed, LOOK_LIMITS } from '../map/look-at-values.js';
import type { Condition, ValueCount } from '../map/draft-query.js';
import { literal, OFFERED_ZONE, presentSql } from '../sql-text.js';
import { stateWord } from '../states.js';

/** What a draft asks about a column that may say which rows are shown: a question with its values, and a condition with its effect. */

type Counts = readonly ValueCount[] | null;

/** A flag asks whatever its rows say today; a text or code asks where its values or its name are those of a state. */
export function isQuestion(condition: Condition, counts: Counts | undefined): boolean {
  const { column, named } = condition;
  if (isTime(column.kind) || counts === undefined) return true;
  if (counts === null) return named && column.kind !== 'text';
  if (column.kind === 'boolean') return counts.some(({ value }) => value !== null);
  if (counts.length < 2 && areAllRowsCounted(counts)) return false;
  return named || shownValues(condition, counts) !== null;
}

/** The question that a column asks, with its values and how often each occurs: `'draft' 12 · 'live' 1,200`. */
export function conditionQuestion(condition: Condition, counts: Counts): string {
  const { column, kind } = condition;
  const [only, second] = counts ?? [];
  if (column.kind === 'boolean' && only && second === undefined)
    return `all ${grouped(only.count)} are ${String(only.value)} today: is ${column.name} the flag of ${kind}?`;
  const values = counts === null ? 'not counted' : listed(counts, column.kind);
  const zone =
    column.kind === 'timestamp' && kind === 'publication'
      ? ` (a time without zone: is it written in ${OFFERED_ZONE}? the same as source.timeZone)`
      : '';
  const integer =
    column.kind === 'integer' && counts?.every(({ label }) => label === null)
      ? ' (numbers: their meaning is in the application’s code)'
      : '';
  const asks = kind === 'deletion' ? 'which rows are gone or not published?' : 'which rows are published?';
  const offer = offeredCondition(condition, counts);
  const [kept, all] = effectOf(offer, counts);
  const effect =
    offer === null || all === 0 ? '' : `. ${offer.sql} keeps ${grouped(kept)} of ${grouped(all)} today`;
  return `${asks} ${column.name}: ${values}${integer}${zone}${effect}`;
}

/** The condition, ready to be uncommented. Null: today it would leave out nothing, or everything, or nobody knows its words. */
export function conditionSql(condition: Condition, counts: Counts): string | null {
  const offer = offeredCondition(condition, counts);
  const [kept, all] = effectOf(offer, counts);
  return all > 0 && (kept === 0 || kept === all) ? null : (offer?.sql ?? null);
}

interface Offered {
  readonly sql: string;
  readonly keeps: (value: string | null) => boolean;
}

function effectOf(offer: Offered | null, counts: Counts): readonly [kept: number, all: number] {
  const sum = (some: readonly ValueCount[]) => some.reduce((total, { count }) => total + count, 0);
  return [sum((counts ?? []).filter(({ value }) => offer?.keeps(value) === true)), sum(counts ?? [])];
}

function offeredCondition(condition: Condition, counts: Counts): Offered | null {
  const { column, kind, sql } = condition;
  const isDeletion = kind === 'deletion';
  if (isTime(column.kind))
    return isDeletion
      ? { sql: `${sql} is null`, keeps: (value) => value === 'none' }
      : { sql: `${sql} <= ${presentSql(column.kind)}`, keeps: (value) => value === 'past' };
  if (column.kind === 'boolean')
    return isDeletion
      ? { sql: `not coalesce(${sql}, false)`, keeps: (value) => value !== 'true' }
      : { sql, keeps: (value) => value === 'true' };
  const chosen = counts && shownValues(condition, counts);
  if (!chosen) return null;
  const list = chosen.map((value) => (column.kind === 'integer' ? value : literal(value)));
  return {
    sql: `${sql} in (${list.join(', ')})`,
    keeps: (value) => value !== null && chosen.includes(value),
  };
}

/**
 * The values whose words mean shown, else those that do not mean the opposite. Null: no word is known, none means shown, or the
 * list is not complete: it would leave out the rows of what it lacks.
 */
function shownValues({ kind }: Condition, counts: readonly ValueCount[]): readonly string[] | null {
  const values = counts.flatMap(({ value, label }) => (value === null ? [] : [{ value, label }]));
  const isComplete =
    counts.length <= LOOK_LIMITS.shownValues &&
    areAllRowsCounted(counts) &&
    values.every(({ value }) => value.length <= LOOK_LIMITS.valueLength);
  if (!isComplete) return null;
  // `is_deleted` with Y and N asks the other way round; 0 and 1 of a flag without names are no and yes.
  if (values.every(({ value, label }) => label === null && ANSWER.test(value))) {
    // T beside Y is tidak, and beside F true.
    const no = values.some(({ value }) => /^ya?$/i.test(value)) ? /^t$/i : /^$/;
    const isYes = (value: string) => YES.test(value) && !no.test(value);
    return oneOrMore(values.filter(({ value }) => isYes(value) === (kind === 'publication')));
  }
  // A letter among others means anything.
  const known = values.map(({ value, label }) => {
    const text = label ?? value;
    return { value, word: ANSWER.test(text) ? null : stateWord(text) };
  });
  if (known.every(({ word }) => word === null)) return null;
  return (
    oneOrMore(known.filter(({ word }) => word === 'shown')) ??
    oneOrMore(known.filter(({ word }) => word === null))
  );
}

function oneOrMore(some: readonly { readonly value: string }[]): readonly string[] | null {
  return some.length === 0 ? null : some.map(({ value }) => value);
}

const ANSWER = /^(0|1|y|n|yes|no|ya|tidak|t|f|true|false)$/i;
const YES = /^(1|y|yes|ya|t|true)$/i;
