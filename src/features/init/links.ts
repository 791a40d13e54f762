import {
  type Catalog,
  type CatalogTable,
  columnOf,
  foreignColumns,
  type TestedLink,
} from '../catalog/catalog.js';
import { groupedBy } from '../catalog/read-catalog.js';
import { isAboutPeople, plainName, wordsOf } from './words.js';

/**
 * Which table names which: by foreign keys, by names of columns, and by values that were compared
 * (`look/test-links`).
 */

/** One column of a table that names the key of another. */
export interface Link {
  readonly from: CatalogTable;
  readonly column: string;
  readonly to: CatalogTable;
  readonly toColumn: string;
  /** No foreign key says so; the names or the values do. */
  readonly guessed: boolean;
  /** Of a guess: what a look at the values said; absent: nobody looked, or there are none. */
  readonly tested?: Pick<TestedLink, 'values' | 'found'>;
}

/**
 * Which table names which: foreign keys of one column, and where a column has none, its name: `company_id`, `id_company`,
 * `kode_perusahaan`, of the same type as the key that it seems to name. Where somebody looked at the values, these decide.
 * Tables about people are left out.
 */
export function findLinks({ tables, tested = [] }: Catalog): readonly Link[] {
  const known = tables.filter((table) => table.selectable && !isAboutPeople(table));
  const byName = groupedBy(known, ({ name }) => bareName(name));
  const byOid = new Map(known.map((table) => [table.oid, table]));
  const testedOf = groupedBy(
    tested.filter(({ values }) => values > 0),
    ({ from }) => from,
  );
  return known.flatMap((from) => {
    const declared = from.foreignKeys.flatMap(({ columns, to: oid, toColumns }): Link[] => {
      const [column, second] = columns;
      const [toColumn] = toColumns;
      const to = byOid.get(oid);
      return to && column !== undefined && second === undefined && toColumn !== undefined
        ? [{ from, column, to, toColumn, guessed: false }]
        : [];
    });
    const linked = foreignColumns(from);
    const free = from.columns.filter(({ name }) => !linked.has(name) && from.primaryKey?.join() !== name);
    const looked = testedOf(from.oid);
    const guessed = free
      .flatMap(({ name }) => guess(from, name, byName))
      .filter(({ column }) => !looked.some((each) => each.column === column));
    const proved = looked
      .filter(isProved)
      .flatMap(({ from: _, column, to: oid, toColumn, ...tested }): Link[] => {
        const to = byOid.get(oid);
        return to && columnOf(from, column) ? [{ from, column, to, toColumn, guessed: true, tested }] : [];
      });
    return [...declared, ...proved, ...guessed];
  });
}

function guess(from: CatalogTable, name: string, byName: (name: string) => readonly CatalogTable[]): Link[] {
  const words = wordsOf(name);
  const meant = words.filter((word) => !KEY_WORDS.has(word)).join('_');
  if (meant === '' || meant === words.join('_')) return [];
  const column = columnOf(from, name);
  for (const to of byName(meant)) {
    const target = columnOf(to, singleKey(to));
    if (to.oid === from.oid || !target || target.kind !== column?.kind) continue;
    return [{ from, column: name, to, toColumn: target.name, guessed: true }];
  }
  return [];
}

/** The tables that a table names. */
export function linksFrom(links: readonly Link[], { oid }: Pick<CatalogTable, 'oid'>): readonly Link[] {
  return links.filter(({ from }) => from.oid === oid);
}

/** The tables that name a table, itself not among them. */
export function linksTo(links: readonly Link[], { oid }: Pick<CatalogTable, 'oid'>): readonly Link[] {
  return links.filter(({ from, to }) => to.oid === oid && from.oid !== oid);
}

/** What a column names; undefined: no other table. */
export function linkOf(links: readonly Link[], table: CatalogTable, column: string): Link | undefined {
  return linksFrom(links, table).find((link) => link.column === column);
}

export const KEY_WORDS = new Set('id code kode kd uuid key no nomor fk ref oid'.split(' '));

/** A table's name without what its application puts before all of them. */
export function bareName(name: string): string {
  const words = [...wordsOf(name)];
  while (words.length > 1 && PREFIXES.has(words[0] ?? '')) words.shift();
  return words.join('_');
}

/** Words in front of table names that say nothing: `tbl_company`, `ref_kota`, `m_industri`. */
const PREFIXES = new Set(
  'tbl tb tab t m mst master ref r trx tr dim v vw app lkp lookup mdl wp res hr data'.split(' '),
);

/** The primary key of a table, else the column that is called like one. Null: neither. */
export function keyColumns(table: CatalogTable): readonly string[] | null {
  const guessed = guessKey(table);
  return table.primaryKey ?? (guessed === undefined ? null : [guessed]);
}

/** The one column that names a row. */
export function singleKey(table: CatalogTable): string | undefined {
  return table.primaryKey?.length === 1 ? table.primaryKey[0] : guessKey(table);
}

/** A view has no key: `id`, or the first column that is called like one, or whose values say so. */
function guessKey({ name: table, columns, uniqueKeys, measuredKey }: CatalogTable): string | undefined {
  const own = bareName(table);
  const names = ['id', 'uuid', 'key', `${own}_id`, `id_${own}`, `${own}_code`, `kode_${own}`];
  const named = columns.find(({ name }) => names.includes(plainName(name)));
  return named?.name ?? uniqueKeys.find(({ length }) => length === 1)?.[0] ?? measuredKey;
}

export function isProved({ values, found }: Pick<TestedLink, 'values' | 'found'>): boolean {
  return values > 0 && found >= MOST * values;
}

/** Share of the different values that the other column has to have: some rows may name what is gone. */
const MOST = 0.8;

/** A line that asks about a link without foreign key. */
export function linkQuestion({ column, to, tested }: Link): string {
  const why = tested
    ? `${tested.found} of ${tested.values} different values of a sample are there`
    : 'their names do';
  return `decide: no foreign key says that ${column} names ${to.name}; ${why}`;
}

/** Share of a table's rows that name the other, by the column that is filled most. Null: none names it, or nobody knows. */
export function linkShare(from: CatalogTable, to: CatalogTable, links: readonly Link[]): number | null {
  const shares = linksFrom(links, from).flatMap((link) => {
    const { nullShare = null } = columnOf(from, link.column) ?? {};
    return link.to.oid !== to.oid || nullShare === null ? [] : [1 - nullShare];
  });
  return shares.length === 0 ? null : Math.max(...shares);
}
