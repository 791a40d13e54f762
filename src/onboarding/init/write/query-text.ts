import { grouped, visibleText } from '../../../domain/text.js';
import { draftable } from '../draftables.js';
import { areAllRowsCounted, LOOK_LIMITS, type QueryFacts, type ValueCount } from '../map/look-at-values.js';
import { type Condition, type DraftQuery, type ParentCondition, renderFrom } from '../map/draft-query.js';
import { literal, NULL_TEXT, OFFERED_ZONE, presentSql, tableTitle } from '../sql-text.js';

/**
 * A draft as the text of its file.
 *
 * @param questions that belong to no line of it
 */
export function queryText(
  query: DraftQuery,
  facts: QueryFacts['conditions'],
  questions: readonly string[] = [],
): string {
  const { table, entity, columns, conditions, ofParent } = query;
  const rows = table.rows === null ? '' : `, ${table.exact ? '' : 'about '}${grouped(table.rows)} rows`;
  const header = [
    `${capital(entity)}: one row for each row of ${tableTitle(table)}${rows}. Drafted from names, types and values.`,
    'Lines with "decide:" need a person who knows the application. Columns that are not here are not sent.',
    ...(conditions.length === 0
      ? []
      : [
          'A condition that the query does not need: a comment that names its column takes the place of both lines.',
        ]),
  ];
  const expressions = columns.map(({ sql }) => sql);
  return [
    ...header.flatMap((line) => wrap(line, '-- ')),
    ...questions.flatMap((question) => wrap(`decide: ${question}`, '-- ')),
    '',
    'select',
    ...selectList(query),
    ...renderFrom(query, expressions, { personal: true, comments: true }).flatMap((line) =>
      line.startsWith('-- ') ? wrap(line.slice(3), '-- ') : [line],
    ),
    'where true',
    ...conditions.flatMap((condition) => {
      const counts = facts.get(condition.sql) ?? null;
      return [
        ...wrap(`decide: ${conditionQuestion(condition, counts)}`, '  -- '),
        `  -- and ${conditionSql(condition, counts)}`,
      ];
    }),
    ...(ofParent ? [...wrap(`decide: ${ofParent.question}`, '  -- '), `  -- and ${ofParent.sql}`] : []),
    '',
  ].join('\n');
}

/** The query alone, without what belongs to people: to see whether the server takes it. */
export function checkText({ columns, ...query }: DraftQuery): string {
  const kept = columns.filter(({ personal }) => !personal);
  const list = kept.map(({ sql, target }) => `${sql} as ${target}`).join(', ');
  return [
    `select ${list}`,
    ...renderFrom(
      query,
      kept.map(({ sql }) => sql),
      { personal: false, comments: false },
    ),
  ].join('\n');
}

function selectList({ entity, columns, offers }: DraftQuery): readonly string[] {
  const width = Math.min(ALIGNED, Math.max(...columns.map(({ sql }) => sql.length)));
  const order = draftable(entity).targets.map(({ name }) => name);
  const waiting = [...offers];
  return columns.flatMap(({ sql, target, comments }, at) => {
    const last = at === columns.length - 1;
    // Each offer stands in front of a column, so that its comma fits when it is uncommented.
    const offered = waiting.filter((offer) => last || order.indexOf(offer.target) < order.indexOf(target));
    offered.forEach((offer) => waiting.splice(waiting.indexOf(offer), 1));
    return [
      ...offered.flatMap((offer) => [
        ...wrap(`decide: ${offer.question}`, '  -- '),
        `  -- ${offer.sql} as ${offer.target},`,
      ]),
      ...comments.flatMap((comment) => wrap(comment, '  -- ')),
      `  ${sql.padEnd(width)} as ${target}${last ? '' : ','}`,
    ];
  });
}

/** Expressions longer than this stand on a line of their own length. */
const ALIGNED = 44;

/** Breaks a comment at blanks. */
function wrap(text: string, prefix: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of visibleText(text.replace(/\s+/g, ' ')).split(' ')) {
    if (line !== '' && prefix.length + line.length + 1 + word.length > WIDTH) {
      lines.push(prefix + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, prefix + line];
}

const WIDTH = 116;

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

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
function conditionSql({ column, kind, sql }: Condition, counts: readonly ValueCount[] | null): string {
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

/**
 * The conditions that a draft offers for the parents, once more for their children: what the query of companies leaves out,
 * vacancies wait for. Null: the parents have none, or no column names the parent.
 *
 * @param parent the draft of the parent, if there is one, with what was counted for it
 */
export function parentCondition(
  child: DraftQuery,
  parent: { readonly query: DraftQuery; readonly facts: Pick<QueryFacts, 'conditions'> } | undefined,
): ParentCondition | null {
  const relation = draftable(child.entity).entity.parent;
  if (!relation || !parent) return null;
  const { table, alias, columns, conditions, entity } = parent.query;
  const own = child.columns.find(({ target }) => target === relation.column);
  const key = columns.find(({ target }) => target === 'key');
  // What is over is asked of each record itself, and a subquery is no table.
  const plain = conditions.filter(({ kind, joins }) => kind !== 'closing' && joins.length === 0);
  if (!own || own.sql === NULL_TEXT || !key || plain.length === 0 || table.sqlName.startsWith('('))
    return null;
  // Within the subquery the parent's alias would hide that of a join of the same name.
  if (new RegExp(`(?<![\\w"])${alias}\\.`).test(own.sql)) return null;
  const texts = plain.map((condition) =>
    conditionSql(condition, parent.facts.conditions.get(condition.sql) ?? null),
  );
  return {
    question: `will queries/${entity}.sql leave ${entity} out? Their ${child.entity} would wait for ever, so leave these out by the same conditions`,
    sql: `exists (select 1 from ${table.sqlName} ${alias} where ${[`${key.sql} = ${own.sql}`, ...texts].join(' and ')})`,
  };
}
