import type { CatalogTable } from '../catalog/catalog.js';
import type { ReadOnly } from '../catalog/with-read-only.js';
import { isPersonalColumn } from './people.js';
import { CYCLE } from './sql-text.js';
import { wordsOf } from './words.js';

const SAMPLE = 20_000;
const CODE = /(^|_)(code|kode|ref|reference|slug|number|nomor|no|sku|idnumber|shortname|short_name|symbol)$/;

/** Columns with codes of which most contain a year: the same record may have another one next year. */
export async function lookAtCycles(read: ReadOnly, table: CatalogTable): Promise<readonly string[]> {
  const codes = table.columns.filter(
    ({ name, kind, selectable }) =>
      selectable && kind === 'text' && !isPersonalColumn(name) && CODE.test(wordsOf(name).join('_')),
  );
  if (codes.length === 0) return [];
  const counts = codes.map(
    (_, at) =>
      `2 * count(*) filter (where left(c${String(at)}, 200) ${CYCLE}) > count(nullif(c${String(at)}, '')) as cycle${String(at)}`,
  );
  const values = codes.map(({ sqlName }, at) => `cast(t.${sqlName} as text) as c${String(at)}`);
  const answer = await read.attempt<Record<string, boolean>>(
    `select ${counts.join(', ')} from (select ${values.join(', ')} from ${table.sqlName} t limit ${String(SAMPLE)}) s`,
  );
  const row = 'rows' in answer ? (answer.rows[0] ?? {}) : {};
  return codes.flatMap(({ name }, at) => (row[`cycle${String(at)}`] === true ? [name] : []));
}
