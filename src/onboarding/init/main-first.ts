import type { CatalogColumn } from '../catalog/catalog.js';
import { columnSql } from './column-sql.js';
import { isPersonalColumn } from './people.js';
import type { Place } from './scope.js';
import { wordsOf } from './words.js';

/** A column that says which of several rows of a record is the main one, and how to sort by it. */
export interface MainFirst {
  readonly column: string;
  readonly order: string;
}

const MAIN = /(^|_)(main|primary|utama|default|pusat|head|hq|ho|induk|principal|lead|registered)(_|$)/;
const BRANCH = /(^|_)(branch|cabang|secondary)(_|$)/;
const SORT =
  /^((address|office|location|branch|site|alamat|kantor|lokasi|cabang)_)?(type|kind|role|tipe|jenis|sort|category|kategori)(_(address|office|location|branch|site|alamat|kantor|lokasi|cabang))?$/;
/** What the type of a main address or office is called. */
const CALLED = 'head|main|primary|pusat|utama|induk|^h[oq]$';

/** Prefers a flag (`is_head_office`) to a type (`kind` with `head_office`). Null: nothing says which row is the main one. */
export function mainFirst({ table, alias }: Place): MainFirst | null {
  const linking = new Set(table.foreignKeys.flatMap(({ columns }) => columns));
  const fit = table.columns.filter(
    ({ name, selectable }) => selectable && !linking.has(name) && !isPersonalColumn(name),
  );
  const flag = (pattern: RegExp) => fit.find((column) => isFlag(column) && pattern.test(plain(column)));
  const main = flag(MAIN);
  if (main) return { column: main.name, order: `${columnSql(alias, main)} desc nulls last` };
  const branch = flag(BRANCH);
  if (branch) return { column: branch.name, order: columnSql(alias, branch) };
  const sort = fit.find((column) => ['text', 'enum'].includes(column.kind) && SORT.test(plain(column)));
  if (!sort) return null;
  const text = `${columnSql(alias, sort)}${sort.kind === 'enum' ? '::text' : ''}`;
  return { column: sort.name, order: `(${text} ~* '${CALLED}') desc nulls last` };
}

/** A text or number is a flag only by its name: `head_office` may be an address, `main_id` another row. */
function isFlag({ name, kind }: CatalogColumn): boolean {
  return kind === 'boolean' || (['integer', 'text', 'enum'].includes(kind) && wordsOf(name)[0] === 'is');
}

function plain({ name }: CatalogColumn): string {
  return wordsOf(name).join('_');
}
