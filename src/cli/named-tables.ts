import { type Catalog, type CatalogTable, rowsText } from '../features/catalog/catalog.js';
import { DRAFTABLES } from '../features/init/draftables.js';
import { isAboutPeople } from '../features/init/words.js';
import { usageError } from '../core/domain/errors.js';
import { grouped, visibleText } from '../core/domain/text.js';

/** The tables that a person names for `init`, whatever their names and values say. */

const SHOWN = 30;

/**
 * By entity. Errors: SyncError `usage` for what is no entity, no table and no column, naming what there is.
 *
 * @param tables `vacancies=hr.job`, or a quoted name
 * @param keys `vacancies=NoLowongan`; of a single table the column alone
 */
export function namedTables(
  catalog: Catalog,
  tables: readonly string[],
  keys: readonly string[],
): ReadonlyMap<string, CatalogTable> {
  const keyOf = new Map(keys.map((text) => pair(text, '--key', tables.length === 1 ? tables[0] : undefined)));
  const chosen = new Map(
    tables.map((text) => {
      const [entity, name] = pair(text, '--table');
      const table = findTable(catalog, name);
      if (table === undefined) throw usageError(`There is no table ${name}.`, tableList(catalog));
      if (!table.selectable) throw usageError(`The role may not read ${name}: GRANT SELECT on it.`);
      const key = keyOf.get(entity);
      const column = table.columns.find((each) => each.name === key);
      if (key !== undefined && !column)
        throw usageError(
          `${name} has no column ${key}.`,
          `It has ${table.columns.map((each) => each.name).join(', ')}.`,
        );
      return [entity, column ? { ...table, primaryKey: [column.name] } : table] as const;
    }),
  );
  const lost = [...keyOf.keys()].find((entity) => !chosen.has(entity));
  if (lost !== undefined) throw usageError(`--key names ${lost}, and no --table does.`);
  return chosen;
}

function pair(text: string, option: string, other = ''): readonly [entity: string, name: string] {
  const at = text.indexOf('=');
  const entity = at < 0 ? other.split('=')[0] : text.slice(0, at);
  if (DRAFTABLES.some(({ name }) => name === entity)) return [entity ?? '', text.slice(at + 1)];
  throw usageError(
    `${option} ${text} names none of ${DRAFTABLES.map(({ name }) => name).join(', ')}.`,
    `Write ${option} vacancies=NAME.`,
  );
}

/** By its name as SQL writes it, or as it is. Undefined: there is none. */
export function findTable({ tables }: Catalog, name: string): CatalogTable | undefined {
  return tables.find((table) =>
    [table.sqlName, table.title, table.name, `${table.schema}.${table.name}`].includes(name),
  );
}

/** Tables with their rows, and why those that cannot be drafted cannot, for people. */
export function tableList({ tables }: Catalog): string {
  const largest = tables.toSorted((a, b) => (b.rows ?? -1) - (a.rows ?? -1));
  const shown = largest.slice(0, SHOWN).map((table) => {
    const why = !table.selectable ? ', may not be read' : isAboutPeople(table) ? ', about people' : '';
    return `${table.title} (${rowsText(table)}${why})`;
  });
  const more = largest.length > SHOWN ? `, and ${grouped(largest.length - SHOWN)} more` : '';
  return visibleText(`The tables are ${shown.join(', ')}${more}.`);
}
