import type { CatalogColumn, CatalogTable } from '../catalog/catalog.js';
import type { ReadOnly } from '../catalog/with-read-only.js';
import { isPersonalColumn } from './people.js';

const SAMPLE = 20_000;
const WITHOUT_COUNT = new Set(['bytes', 'other']);

/**
 * The table with shares that were counted in a sample instead of those of the statistics, which a young database does not
 * have: how many rows have no value (an empty text is none), and of columns with a foreign key whether each value occurs
 * once. Leaves out columns of people; the table as it was where the server refuses.
 */
export async function measureColumns(read: ReadOnly, table: CatalogTable): Promise<CatalogTable> {
  const linking = new Set(table.foreignKeys.flatMap(({ columns }) => (columns.length === 1 ? columns : [])));
  const columns = table.columns.filter(
    ({ name, kind, selectable }) => selectable && !WITHOUT_COUNT.has(kind) && !isPersonalColumn(name),
  );
  if (columns.length === 0) return table;
  const counts = columns.map((column, at) => {
    const number = String(at);
    const different = linking.has(column.name) ? `, count(distinct s.c${number}) as d${number}` : '';
    return `count(${filledSql(column, `s.c${number}`)}) as n${number}${different}`;
  });
  const answer = await read.attempt<Record<string, string>>(
    `select count(*) as rows, ${counts.join(', ')} from (select ${columns
      .map(({ sqlName }, at) => `${sqlName} as c${String(at)}`)
      .join(', ')} from ${table.sqlName} limit ${String(SAMPLE)}) s`,
  );
  const row = 'rows' in answer ? answer.rows[0] : undefined;
  const rows = Number(row?.rows ?? 0);
  if (row === undefined || rows === 0) return table;
  const measured = new Map(
    columns.map((column, at): [string, CatalogColumn] => {
      const filled = Number(row[`n${String(at)}`]);
      const different = row[`d${String(at)}`];
      const once = different !== undefined && filled > 0 && Number(different) === filled;
      return [
        column.name,
        { ...column, nullShare: 1 - filled / rows, ...(once ? { distinct: -filled / rows } : {}) },
      ];
    }),
  );
  return { ...table, columns: table.columns.map((column) => measured.get(column.name) ?? column) };
}

function filledSql({ kind }: CatalogColumn, sql: string): string {
  return kind === 'text' ? `nullif(btrim(left(cast(${sql} as text), 40)), '')` : sql;
}
