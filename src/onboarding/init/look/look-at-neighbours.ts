import type { CatalogColumn, CatalogTable } from '../../catalog/catalog.js';
import type { ReadOnly } from '../../../source/with-read-only.js';
import { areCities } from '../guess-ids.js';
import type { Link } from '../links.js';
import { labelSql } from '../map/find-code.js';
import type { KnownTables } from '../map/scope.js';
import { ALIAS, literal } from '../sql-text.js';
import { isPersonalColumn, wordsOf } from '../words.js';
import type { References } from '../write/lookup-files.js';
import { openColumns } from './open-columns.js';

/**
 * Looks at the lists that the chosen tables name (are these cities?) and at their children with one row for each
 * attribute (which ones?). Reads names of lists and names of attributes.
 */
export async function lookAtNeighbours(
  read: ReadOnly,
  chosen: ReadonlySet<number>,
  links: readonly Link[],
  references: References,
): Promise<Neighbours> {
  const near = new Set(chosen);
  links.filter(({ to }) => chosen.has(to.oid)).forEach(({ from }) => near.add(from.oid));
  const lists = tables(
    links.filter(({ from, to }) => near.has(from.oid) && !chosen.has(to.oid)).map(({ to }) => to),
  );
  const cities = new Set<number>();
  for (const list of lists) {
    const label = labelSql({ table: list, alias: 'l' });
    if (label === null) continue;
    const answer = await read.attempt<{ name: string | null }>(
      `select left(cast(${label} as text), 80) as name from ${list.sqlName} l limit ${String(LISTED)}`,
    );
    if (
      'rows' in answer &&
      areCities(
        answer.rows.map(({ name }) => name ?? ''),
        references.get('region_id') ?? [],
      )
    )
      cities.add(list.oid);
  }
  const opened = new Map<number, CatalogTable>();
  const attributes = new Set<number>();
  for (const child of tables(
    links.filter(({ to, from }) => chosen.has(to.oid) && !chosen.has(from.oid)).map(({ from }) => from),
  )) {
    const table = await openAttributes(
      read,
      child,
      links.filter(({ from, tested }) => from.oid === child.oid && tested).map(({ column }) => column),
    );
    if (table) attributes.add(table.oid);
    opened.set(child.oid, table ?? (await openColumns(read, child)).table);
  }
  return { cities, attributes, opened };
}

/** What a look at a few tables said; `opened` have their attributes as columns. */
interface Neighbours extends KnownTables {
  readonly opened: ReadonlyMap<number, CatalogTable>;
}

/** Rows of a list that are enough to see what it lists. */
const LISTED = 300;

function tables(list: readonly CatalogTable[]): readonly CatalogTable[] {
  return [...new Map(list.map((table) => [table.oid, table])).values()];
}

async function openAttributes(
  read: ReadOnly,
  table: CatalogTable,
  linking: readonly string[],
): Promise<CatalogTable | null> {
  const find = (pattern: RegExp): CatalogColumn | undefined =>
    table.columns.find(
      ({ name, kind, selectable }) =>
        selectable &&
        ['text', 'enum'].includes(kind) &&
        !isPersonalColumn(name) &&
        pattern.test(wordsOf(name).join('_')),
    );
  // Texts of all records in one table: their names stand beside them.
  const several = table.polymorphic === true;
  const attribute = find(ATTRIBUTE) ?? (several ? find(NAMED) : undefined);
  const value = find(VALUE) ?? (several ? find(TEXT) : undefined);
  if (!attribute || !value || attribute === value) return null;
  const answer = await read.attempt<{ name: string }>(
    `select cast(${attribute.sqlName} as text) as name from ${table.sqlName} t
     where ${attribute.sqlName} is not null group by 1 order by count(*) desc, 1 limit ${String(MOST_ATTRIBUTES + 1)}`,
  );
  if ('refused' in answer || answer.rows.length > MOST_ATTRIBUTES || answer.rows.length === 0) return null;
  const attributes = answer.rows
    .filter(({ name }) => !isPersonalColumn(name))
    .map(({ name }): CatalogColumn => ({
      ...value,
      name,
      kind: 'text',
      sqlName: `case when ${ALIAS}.${attribute.sqlName} = ${literal(name)} then ${ALIAS}.${value.sqlName} end`,
      nullable: true,
      checkValues: null,
      enumLabels: null,
    }));
  const keys = new Set([
    ...(table.primaryKey ?? []),
    ...table.foreignKeys.flatMap(({ columns }) => columns),
    ...linking,
  ]);
  return {
    ...table,
    columns: [
      ...table.columns.filter(({ name }) => keys.has(name) || /seq|order|urut/i.test(name)),
      ...attributes,
    ],
  };
}

const MOST_ATTRIBUTES = 40;

const ATTRIBUTE =
  /^(item|key|attribute|attr|field|param|parameter|code|kind|type|meta_key|property|nama_atribut|atribut|kunci|criterion|kriteria)$/;

const VALUE = /^(val|value|nilai|isi|meta_value|content|text_value)$/;
const NAMED = /^(name|nama|field_name|attribute_name|collection)$/;
const TEXT = /^(body|text|html|isi|teks|body_html)$/;
