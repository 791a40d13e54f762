import type { CatalogTable } from '../../catalog/catalog.js';
import type { ReadOnly } from '../../catalog/with-read-only.js';
import { areCities, type References } from '../guess-ids.js';
import type { Link } from '../links.js';
import { labelSql } from './find-code.js';
import { openColumns } from './open-columns.js';
import type { KnownTables } from './scope.js';

/** Looks at the lists that the chosen tables name (are these cities?), and opens the JSON of their children. */
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
  for (const child of othersThan(chosen, children)) opened.set(child.oid, await openColumns(read, child));
  return { cities, opened };
}

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
