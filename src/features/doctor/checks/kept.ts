import { grouped } from '../../../core/domain/text.js';
import { isTime } from '../../catalog/catalog.js';
import { literal } from '../../init/sql-text.js';
import { means, stateWord } from '../../init/states.js';
import { plainName } from '../../init/words.js';
import { entityCheck } from '../check.js';
import type { EntityFacts, KeptFlag } from '../facts.js';
import { isMade } from './chance.js';
import { judged, pass, type Verdict, warn } from '../finding.js';
import { isAnswered } from '../sql/conditions.js';
import { lineAt } from '../sql/query-shape.js';

/** What the query keeps, by the flags and states of its tables: whoever wrote the condition, and whatever it names. */
export const kept = entityCheck({
  id: 'kept',
  levels: ['warn'],
  looksAt:
    'what the conditions of the query keep and leave out, by each flag, state and time of deletion of the tables in its FROM, also of parents and joined ones: drafts, closed or deleted rows among those that are sent',
  judge: ({ entity, kept: facts, sources }) =>
    judged(facts, (flags) => {
      if ('value' in sources && isMade(sources.value)) return [pass('its records are made of several rows')];
      // A word that stands in the query ends nothing.
      const endsByStatus =
        'value' in sources &&
        sources.value.columns.some((each) => each.name === entity.statusField && each.sources.length > 0);
      const states = flags.filter(({ says }) => says === 'state');
      const open = states.filter(({ column }) => !isAnswered(entity.query.sql, column.name));
      const found = open.flatMap((flag) => keptVerdict(flag, endsByStatus, entity) ?? []);
      if (found.length > 0) return found;
      const shown = states.filter(({ values }) => values.length > 1).slice(0, SHOWN);
      return [
        pass(
          shown.length === 0
            ? 'no flag or state of its tables has several values'
            : shown.map(keptText).join(' | '),
        ),
      ];
    }),
});

const SHOWN = 6;

function keptVerdict(
  flag: KeptFlag,
  endsByStatus: boolean,
  { query }: EntityFacts['entity'],
): Verdict | null {
  // One value in all rows says nothing.
  if (flag.values.length < 2) return null;
  const wrong = isInverted(flag)
    ? flag.values.filter(({ kept: count }) => count > 0)
    : flag.values.filter(({ value, kept: count }) => count > 0 && isOut(flag, value, endsByStatus));
  if (wrong.length === 0) return null;
  const { alias, column } = flag;
  const count = wrong.reduce((sum, each) => sum + each.kept, 0);
  const sql = `${alias}.${column.sqlName}`;
  const words = wrong.map(({ value }) => value ?? 'null').join(', ');
  const conditions = {
    time: `${sql} is ${means(column.name) === 'deletion' ? '' : 'not '}null`,
    flag: means(column.name) === 'deletion' ? `not coalesce(${sql}, false)` : sql,
    word: `${sql} not in (${wrong.map(({ value }) => (column.kind === 'integer' ? value : literal(value ?? ''))).join(', ')})`,
  };
  const condition = conditions[isTime(column.kind) ? 'time' : column.kind === 'boolean' ? 'flag' : 'word'];
  const named = query.sql.toLowerCase().lastIndexOf(column.name.toLowerCase());
  const line = lineAt(query.sql, Math.max(0, named, query.sql.search(/\bwhere\b/i)));
  return warn(
    `${keptText(flag)} (${query.file}:${line})`,
    `If these are not to be sent, write: and ${condition}. If they are, say so in a comment of the query, and doctor is silent: -- ${column.name}: ${words} too`,
    { count, sample: wrong.flatMap(({ sample }) => sample).slice(0, KEYS) },
  );
}

const KEYS = 3;

/** `opening.status: kept are draft 19, published 380; left out closed 58`. */
function keptText({ table, column, values }: KeptFlag): string {
  const listed = (of: 'kept' | 'leftOut') =>
    values
      .filter((each) => each[of] > 0)
      .map((each) => `${named(column.kind, each.value)} ${grouped(each[of])}`)
      .join(', ') || 'none';
  return `${table}.${column.name}: kept are ${listed('kept')}; left out ${listed('leftOut')}`;
}

function named(kind: KeptFlag['column']['kind'], value: string | null): string {
  if (isTime(kind)) return value === 'none' ? 'without a time' : `in the ${value ?? ''}`;
  return value ?? 'null';
}

/** Whether all rows whose word says that they are shown are left out, and only others are kept. */
function isInverted({ column, values }: KeptFlag): boolean {
  const name = plainName(column.name);
  if (ELSE.test(name) || isTime(column.kind)) return false;
  const isNo = means(column.name) === 'deletion';
  const isAnswer = areAnswers(values);
  // A number of a state is no answer.
  if (isAnswer && !isNo && !PUBLIC.test(name) && !APPROVED.test(name)) return false;
  const says = (value: string | null) => {
    if (value === null || !isAnswer) return value === null || value.length < LEAST ? null : stateWord(value);
    return YES.test(value) === isNo ? 'left out' : 'shown';
  };
  const isShown = ({ value }: KeptFlag['values'][number]) => says(value) === 'shown';
  return (
    values.some((each) => isShown(each) && each.leftOut > 0) &&
    values.every((each) => each.kept === 0 || says(each.value) === 'left out')
  );
}

/** Whether rows with this value are hardly meant to be sent. */
function isOut({ column, values }: KeptFlag, value: string | null, endsByStatus: boolean): boolean {
  const name = plainName(column.name);
  if (ELSE.test(name)) return false;
  const isDeletion = means(column.name) === 'deletion';
  if (isTime(column.kind)) return isDeletion ? value === 'past' : PUBLIC.test(name) && value !== 'past';
  if (value === null) return false;
  if (areAnswers(values)) return isDeletion ? YES.test(value) : NO.test(value) && PUBLIC.test(name);
  if (value.length < LEAST || OFTEN_MEANT.test(value) || stateWord(value) !== 'left out') return false;
  return !(endsByStatus && ENDED.test(value));
}

function areAnswers(values: KeptFlag['values']): boolean {
  return values.every(({ value }) => value === null || YES.test(value) || NO.test(value));
}

/** Names of columns about something else than the record. */
const ELSE =
  /comment|ping|payment|bayar|sync|import|mail|subscription|langganan|invoice|marital|kawin|nikah|kerja|employ/;
/** A flag that has to be set before a record is shown; others, such as verified, need not be. */
const PUBLIC =
  /(^|_)(pub|publish\w*|publication|publikasi|actv?|akt|aktif|active|activated|vis|visible|show|shown|tampil\w*|tayang\w*|terbit\w*|live|listed|enabled|online)(_|$)/;
const APPROVED = /verif|approv|confirm|setuju/;
export const YES = /^(1|y|yes|ya|t|true)$/i;
export const NO = /^(0|n|no|tidak|f|false)$/i;
/** An abbreviation may mean anything. */
const LEAST = 4;
/** Of trainings that begin later, or have no place left, and of records that are new. */
const OFTEN_MEANT = /schedul|baru|^new$|waiting|menunggu|full|penuh|private|internal|review|proses|test/i;
/** The query says with `status` that these are over. */
const ENDED =
  /clos|tutup|fill|terisi|selesai|habis|expired|kad[ae]lu|kedalu|berakhir|done|ended|finish|complet/i;
