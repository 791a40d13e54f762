import type { CatalogColumn, CatalogTable } from '../catalog/catalog.js';
import type { ReadOnly } from '../catalog/with-read-only.js';
import { ALIAS } from './column-sql.js';
import { isPersonalColumn } from './people.js';
import { PAY } from '../../entities/drafting/drafting.js';
import { wordsOf } from './words.js';

/** Rows that are looked at. */
const SAMPLE = 20_000;
/** From 1990 to 2100, in seconds since 1970. */
const FIRST = 631_152_000;
const LAST = 4_102_444_800;
const UNITS = { second: '', milli: ' / 1000.0' } as const;
const TIME =
  /date|time|stamp|start|begin|end(s|ed)?$|until|till|expir|clos|creat|modif|updat|publish|deadline|due|open|valid|(_|^)(at|on|from|to|by)$|tgl|tanggal|waktu|jam|mulai|selesai|tutup|buka|akhir|bata|sampai|terbit|tayang/;
/** Parts of a whole, as applications store money without fractions. */
const MINOR = /(^|_)(cent|sen|minor|subunit)$/;
const MONEY = new RegExp(`(^|_)(${PAY}|price|harga|fee|biaya|cost|tuition|amount|range|nominal|tarif)(_|$)`);

/**
 * The table with what its numbers are: flags, times since 1970 as times, and money in cents as whole units. Counts only;
 * no value leaves the database.
 */
export async function lookAtNumbers(read: ReadOnly, table: CatalogTable): Promise<CatalogTable> {
  const keys = new Set([...(table.primaryKey ?? []), ...table.foreignKeys.flatMap(({ columns }) => columns)]);
  const numbers = table.columns.filter(
    ({ name, kind, selectable }) =>
      selectable && ['integer', 'number'].includes(kind) && !keys.has(name) && !isPersonalColumn(name),
  );
  if (numbers.length === 0) return table;
  const counts = numbers.map(
    (_, at) =>
      `count(c${String(at)}) as filled${String(at)}, count(*) filter (where c${String(at)} in (0, 1)) as flag${String(at)},
       count(*) filter (where c${String(at)} = 0 or c${String(at)} between ${String(FIRST)} and ${String(LAST)}) as second${String(at)},
       count(*) filter (where c${String(at)} = 0 or c${String(at)} between ${String(FIRST)}000 and ${String(LAST)}000) as milli${String(at)}`,
  );
  const values = numbers.map(({ sqlName }, at) => `t.${sqlName} as c${String(at)}`);
  const answer = await read.attempt<Record<string, string>>(
    `select ${counts.join(', ')} from (select ${values.join(', ')} from ${table.sqlName} t limit ${String(SAMPLE)}) s`,
  );
  const row = 'rows' in answer ? (answer.rows[0] ?? {}) : {};
  const count = (what: string, column: CatalogColumn) =>
    Number(row[`${what}${String(numbers.indexOf(column))}`] ?? 0);
  return {
    ...table,
    columns: table.columns.map((column) => {
      if (!numbers.includes(column)) return column;
      const filled = count('filled', column);
      const flag = filled > 0 && count('flag', column) === filled;
      if (filled > 0 && !flag && isCalledTime(column.name))
        for (const [unit, divisor] of Object.entries(UNITS))
          if (count(unit, column) === filled) return asTime(column, unit, divisor);
      return inWholeUnits({ ...column, flag });
    }),
  };
}

function isCalledTime(name: string): boolean {
  const words = wordsOf(name).join('_');
  return TIME.test(words) && !MONEY.test(words);
}

function asTime(column: CatalogColumn, unit: string, divisor: string): CatalogColumn {
  return {
    ...column,
    kind: 'timestamptz',
    type: 'timestamp with time zone',
    sqlName: `to_timestamp(nullif(${ALIAS}.${column.sqlName}, 0)${divisor})`,
    made: `a number of ${unit === 'milli' ? 'milli' : ''}seconds since 1970 by its values; the draft makes a time of it, and none of 0`,
  };
}

function inWholeUnits(column: CatalogColumn): CatalogColumn {
  const words = wordsOf(column.name).join('_');
  if (!MINOR.test(words) || !MONEY.test(words)) return column;
  return {
    ...column,
    sqlName: `round(${ALIAS}.${column.sqlName} / 100.0)`,
    made: 'the name says that it is in hundredths (cents), and the platform takes whole units: the draft divides by 100',
  };
}
