import { grouped, visibleText } from '../../../core/domain/text.js';
import { draftable } from '../draftables.js';
import type { QueryFacts } from '../map/look-at-values.js';
import {
  type DraftQuery,
  type Offer,
  type ParentCondition,
  missingTargets,
  renderFrom,
} from '../map/draft-query.js';
import { type AskedParent, selectOf } from '../map/ask-parent.js';
import { NULL_TEXT } from '../sql-text.js';
import { conditionQuestion, conditionSql } from './condition-text.js';

/** A draft as the text of its file. */
export function queryText(query: DraftQuery, facts: QueryFacts['conditions']): string {
  const { table, entity, columns, conditions, ofParent } = query;
  const rows = table.rows === null ? '' : `, ${table.exact ? '' : 'about '}${grouped(table.rows)} rows`;
  const header = [
    `${capital(entity)}: one row for each row of ${table.title}${rows}. Drafted from names, types and values.`,
    'Lines with "decide:" need a person who knows the application. Columns that are not here are not sent.',
    ...(conditions.length === 0
      ? []
      : [
          'Is a condition not needed? Delete its question and its line, and leave a comment that names the column.',
        ]),
  ];
  // A line that is offered works when it is uncommented: its tables are joined.
  const expressions = [...columns, ...query.offers].map(({ sql }) => sql);
  // What stands there as null has its question beside it.
  const missing = missingTargets(query).filter((name) => !columns.some(({ target }) => target === name));
  return [
    ...header.flatMap((line) => wrap(line, '-- ')),
    ...(missing.length === 0 ? [] : wrap(`Nothing was found for ${missing.join(', ')}.`, '-- ')),
    '',
    'select',
    ...selectList(query),
    ...renderFrom(query, expressions, { personal: true, comments: true }).flatMap((line) =>
      line.startsWith('-- ') ? wrap(line.slice(3), '-- ') : [line],
    ),
    'where true',
    ...conditions.flatMap((condition) => {
      const counts = facts.get(condition.sql) ?? null;
      const sql = conditionSql(condition, counts);
      return [
        ...wrap(`decide: ${conditionQuestion(condition, counts)}`, '  -- '),
        ...(sql === null ? [] : [`  -- and ${sql}`]),
      ];
    }),
    ...(ofParent ? [...wrap(`decide: ${ofParent.question}`, '  -- '), `  -- and ${ofParent.sql}`] : []),
    '',
  ].join('\n');
}

/** The file of parents that no table was taken for: no row, until one of the lines in it is uncommented. */
export function askedText({ entity, offers, queries }: AskedParent): string {
  return [
    `-- ${capital(entity)}: no table was taken for them, so this query returns none. Uncomment a line, and its twin in the query of`,
    '-- the records that belong to them.',
    'select *',
    'from (',
    ...queries.flatMap((query, at) => [
      ...wrap(`decide: ${offers[at]?.question ?? ''}`, '  -- '),
      `  -- ${query} union all`,
    ]),
    `  ${selectOf(draftable(entity), NULL_TEXT, NULL_TEXT)} where false`,
    ') p',
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
  const isEmpty = (target: string) =>
    columns.some((column) => column.target === target && column.sql === NULL_TEXT);
  const waiting = offers.filter(({ target }) => !isEmpty(target));
  return columns.flatMap(({ sql, target, comments }, at) => {
    const last = at === columns.length - 1;
    // Each offer stands in front of a column, so that its comma fits when it is uncommented.
    const before = waiting.filter((offer) => last || order.indexOf(offer.target) < order.indexOf(target));
    before.forEach((offer) => waiting.splice(waiting.indexOf(offer), 1));
    const choices = offers.filter((offer) => sql === NULL_TEXT && offer.target === target);
    const asked = (offer: Offer, line: string) => [
      ...wrap(`decide: ${offer.question}`, '  -- '),
      `  -- ${offer.sql}${line}`,
    ];
    const line = choices.length > 0 ? '  null)' : `  ${sql.padEnd(width)}`;
    return [
      ...before.flatMap((offer) => asked(offer, ` as ${offer.target},`)),
      // Of what may fill a column that has to be there, the line that is uncommented comes before null.
      ...(choices.length > 0 ? ['  coalesce('] : comments.flatMap((comment) => wrap(comment, '  -- '))),
      ...choices.flatMap((offer) => asked(offer, `, -- as ${target}`)),
      `${line} as ${target}${last ? '' : ','}`,
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
    // A comment that begins with "and" is a condition that is offered.
    if (line !== '' && word !== 'and' && prefix.length + line.length + 1 + word.length > WIDTH) {
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
  const plain = conditions.filter(({ joins }) => joins.length === 0);
  if (!own || own.sql === NULL_TEXT || !key || plain.length === 0) return null;
  // Within the subquery the parent's alias would hide that of a join of the same name.
  if (new RegExp(`(?<![\\w"])${alias}\\.`).test(own.sql)) return null;
  const texts = plain.flatMap(
    (condition) => conditionSql(condition, parent.facts.conditions.get(condition.sql) ?? null) ?? [],
  );
  if (texts.length === 0) return null;
  return {
    question: `will queries/${entity}.sql leave ${entity} out? Their ${child.entity} would wait for ever, so leave these out by the same conditions`,
    sql: `exists (select 1 from ${table.sqlName} ${alias} where ${[`${key.sql} = ${own.sql}`, ...texts].join(' and ')})`,
  };
}
