import { type CatalogColumn, type CatalogTable, foreignColumns } from '../../catalog/catalog.js';
import type { ReadOnly } from '../../../source/with-read-only.js';
import { areCities, type References } from '../guess-ids.js';
import { type Link, linksFrom } from '../links.js';
import { ALIAS, literal } from '../sql-text.js';
import { isPersonalColumn, isReadable, plainName } from '../words.js';
import { labelSql } from './find-code.js';
import { openColumns } from './open-columns.js';
import type { KnownTables } from './scope.js';

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
  const children = links.filter(({ to }) => chosen.has(to.oid)).map(({ from }) => from);
  const near = new Set([...chosen, ...children.map(({ oid }) => oid)]);
  const lists = links.filter(({ from }) => near.has(from.oid)).map(({ to }) => to);
  const cities = new Set<number>();
  for (const list of othersThan(chosen, lists)) {
    const label = labelSql({ table: list, alias: 'l' });
    if (label === null) continue;
    const answer = await read.attempt<{ name: string | null }>(
      `select left(cast(${label} as text), 80) as name from ${list.sqlName} l limit ${LISTED}`,
    );
    const names = 'rows' in answer ? answer.rows.map(({ name }) => name ?? '') : [];
    if (areCities(names, references.get('region_id') ?? [])) cities.add(list.oid);
  }
  const opened = new Map<number, CatalogTable>();
  const attributes = new Set<number>();
  for (const child of othersThan(chosen, children)) {
    const linking = linksFrom(links, child).filter(({ tested }) => tested);
    const table = await openAttributes(
      read,
      child,
      linking.map(({ column }) => column),
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

/** Each once. */
function othersThan(chosen: ReadonlySet<number>, list: readonly CatalogTable[]): readonly CatalogTable[] {
  const others = list.filter(({ oid }) => !chosen.has(oid));
  return [...new Map(others.map((table) => [table.oid, table])).values()];
}

async function openAttributes(
  read: ReadOnly,
  table: CatalogTable,
  linking: readonly string[],
): Promise<CatalogTable | null> {
  const texts = table.columns.filter(
    (column) => isReadable(column) && ['text', 'enum'].includes(column.kind),
  );
  const find = (pattern: RegExp) => texts.find(({ name }) => pattern.test(plainName(name)));
  // Texts of all records in one table: their names stand beside them.
  const several = table.polymorphic === true;
  const attribute = find(ATTRIBUTE) ?? (several ? find(NAMED) : undefined);
  const value = find(VALUE) ?? (several ? find(TEXT) : undefined);
  if (!attribute || !value || attribute === value) return null;
  const answer = await read.attempt<{ name: string }>(
    `select cast(${attribute.sqlName} as text) as name from ${table.sqlName} t
     where ${attribute.sqlName} is not null group by 1 order by count(*) desc, 1 limit ${MOST_ATTRIBUTES + 1}`,
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
  const keys = new Set([...(table.primaryKey ?? []), ...foreignColumns(table), ...linking]);
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
