import { conditionQuestion, conditionSql } from './condition-lines.js';
import { tableTitle } from './column-sql.js';
import type { DraftQuery } from './draft-query.js';
import type { QueryFacts } from './facts.js';
import { group } from './refine-query.js';
import { renderFrom } from './render-from.js';

const WIDTH = 116;
/** Expressions longer than this stand on a line of their own length. */
const ALIGNED = 44;

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
  const { table, entity, columns, conditions } = query;
  const rows = table.rows === null ? '' : `, ${table.exact ? '' : 'about '}${group(table.rows)} rows`;
  const header = [
    `${capital(entity)}: one row for each row of ${tableTitle(table)}${rows}. Drafted from names, types and values.`,
    'Lines with "decide:" need a person who knows the application. Columns that are not here are not sent.',
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
        // A name may have a line feed, which would end the comment.
        `  -- and ${conditionSql(condition, counts)
          .split(/[\r\n]+/)
          .join('\n  -- ')}`,
      ];
    }),
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

function selectList({ columns }: DraftQuery): readonly string[] {
  const width = Math.min(ALIGNED, Math.max(...columns.map(({ sql }) => sql.length)));
  return columns.flatMap(({ sql, target, comments }, at) => {
    const comma = at < columns.length - 1 ? ',' : '';
    return [
      ...comments.flatMap((comment) => wrap(comment, '  -- ')),
      `  ${sql.padEnd(width)} as ${target}${comma}`,
    ];
  });
}

/** Breaks a comment at blanks. */
function wrap(text: string, prefix: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.replace(/\s+/g, ' ').split(' ')) {
    if (line !== '' && prefix.length + line.length + 1 + word.length > WIDTH) {
      lines.push(prefix + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, prefix + line];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
