import { isUnique, isTime, type CatalogTable } from '../../catalog/catalog.js';
import { plural } from '../../../core/domain/text.js';
import { isPersonalColumn, plainName } from '../../init/words.js';
import { entityCheck } from '../check.js';
import type { EntityFacts, ReadColumn, SourceColumns } from '../facts.js';
import { type Verdict, warn } from '../finding.js';
import { undecidedRows, volatileIn } from '../sql/chance.js';
import { placeOf } from '../sql/sources.js';

/** Checks of what would be another record, or another value, at the next reading although nothing has changed. */

export const order = entityCheck({
  id: 'order',
  levels: ['warn'],
  looksAt:
    'a LIMIT or OFFSET that is left in; LIMIT, DISTINCT ON and window functions within the query whose ORDER BY does not decide which row is taken',
  passes: 'every row that is taken is decided',
  judge: ({ entity: { query, name }, sources }) => {
    const tables = 'value' in sources ? sources.value.tables : [];
    const found = undecidedRows(query.sql, (table, column) =>
      tables.some((each) => each.name === table && isUnique(each, column)),
    );
    return found.map(({ what, line, cuts }) =>
      cuts
        ? warn(
            `${what} cuts the query: what is behind it is not sent, and leaves the query when rows move (${query.file}:${line})`,
            `Delete it: ${name} are read page by page anyway.`,
          )
        : warn(
            `nothing decides which row ${what} takes (${query.file}:${line})`,
            'Write an ORDER BY with further columns, the last one unique: order by …, created_at desc, id.',
          ),
    );
  },
});

/** Columns whose value is another one at each reading. */
export function volatileVerdicts({ entity: { query }, sources }: EntityFacts): readonly Verdict[] {
  if ('cause' in sources) return [];
  return sources.value.columns.flatMap(({ name, sql }) => {
    const called = name === 'key' ? null : volatileIn(sql);
    if (called === null) return [];
    return warn(
      `${name} has ${called}, which says something else at each reading: unchanged records would be sent again and again${placeOf(query, name)}`,
      name === 'row_version'
        ? 'Return the column that the database changes with the row, such as updated_at; or leave row_version out.'
        : 'Take a column of the record.',
    );
  });
}

/** What is wrong with how the key is made, whatever its values are. */
export function keyVerdicts({ entity, sources, rows }: EntityFacts): readonly Verdict[] {
  if ('cause' in sources) return [];
  const key = sources.value.columns.find(({ name }) => name === 'key');
  const why = key && whyUnstable(key, isMade(sources.value));
  if (!key || !why) return [];
  const [table] = key.sources
    .filter(({ joins }) => !joins)
    .map((each) => each.table)
    .concat(sources.value.tables);
  const better = table?.primaryKey?.map((column) => `${table.name}.${column}`).join(" || ':' || ");
  const read = 'value' in rows ? rows.value.read : 0;
  return [
    warn(
      `the key is ${why}: when that changes, each of ${read} ${plural(read, entity.noun.one, entity.noun.many)} is closed and sent as a new one${placeOf(entity.query, 'key')}`,
      better === undefined
        ? 'Return what the database names the row by, and nothing else.'
        : `Return what the database names the row by: ${better} as key.`,
      { count: read },
    ),
  ];
}

function whyUnstable({ sql, sources }: ReadColumn, made: boolean): string | null {
  const own = sources.filter(({ joins }) => !joins);
  const called =
    volatileIn(sql) ??
    /\b(row_number|rank|dense_rank)\s*\(/i.exec(sql)?.[1] ??
    /\b(ctid|xmin)\b/i.exec(sql)?.[0];
  if (called) return `made by ${called.toLowerCase()}`;
  const time = own.find(({ column }) => isTime(column.kind));
  if (time) return `made of a time, ${time.column.name}`;
  if (own.length === 0 || own.some(({ table, column }) => isKeyOf(table, column.name))) return null;
  const named = own.find(
    ({ column }) =>
      NAMES.test(plainName(column.name)) || (column.kind === 'text' && isPersonalColumn(column.name)),
  );
  if (named && !made && own.every(({ table }) => table.primaryKey !== null))
    return `made of ${named.column.name}, which somebody may correct`;
  return null;
}

function isKeyOf(table: CatalogTable, column: string): boolean {
  return table.primaryKey?.includes(column) === true || isUnique(table, column);
}

/** Whether the records are no rows of a table: companies of a text that vacancies have. */
export function isMade({ columns, isGrouped }: SourceColumns): boolean {
  const key = columns.find(({ name }) => name === 'key');
  return isGrouped && key?.sources.some(({ table, column }) => isKeyOf(table, column.name)) !== true;
}

/** What records are called. */
const NAMES =
  /(^|_)(title|judul|name|nama|nm|label|headline|description|deskripsi)$|^(title|judul|name|nama|posisi|position|jabatan)(_|$)/;
