import { type CatalogTable, columnOf } from '../../catalog/catalog.js';
import { bareName, type Link, linkQuestion, linksFrom } from '../links.js';
import { qualified, sqlOf } from '../sql-text.js';
import { isPersonalColumn, wordsOf } from '../words.js';
import { type DraftColumn, draftColumn } from './draft-query.js';
import { orderQuestion, orderSql } from './group.js';
import { fullName, keySql, type Place, type Scope } from './scope.js';

/** How a record names its parent, as a column of its query. */
interface FoundParent {
  readonly column: DraftColumn;
  /** The parent joined, where that is possible without a group: its columns may fill what the record lacks. */
  readonly place: () => Place | null;
}

/**
 * The parent's key in a record's query: the column that names it, a table of pairs (one of several is chosen, and a
 * person has to decide which), or by way of one table between. Null: nothing names it.
 */
export function findParentKey(
  scope: Scope,
  place: Place,
  parent: CatalogTable,
  target: string,
): FoundParent | null {
  const [key, second] = keySql({ table: parent, alias: 'x' })?.columns ?? [];
  if (key === undefined || second !== undefined) return null;
  const way =
    direct(scope, place, parent, key) ??
    pairs(scope, place, parent, key) ??
    between(scope, place, parent, key);
  if (!way) return null;
  const { place: joined, ...line } = way;
  return { column: draftColumn({ target, kind: 'key', ...line }), place: joined };
}

type Way = Pick<DraftColumn, 'sql' | 'from' | 'comments'> &
  Partial<Pick<DraftColumn, 'column'>> &
  Pick<FoundParent, 'place'>;

function direct(scope: Scope, place: Place, parent: CatalogTable, key: string): Way | null {
  const { table } = place;
  const links = linksFrom(scope.links, table).filter(({ to }) => to.oid === parent.oid);
  const link = bestLink(links, table, parent);
  if (!link) return null;
  const own = link.toColumn === key;
  const names = links.map(({ column }) => column).join(' and ');
  return {
    column: columnOf(table, link.column) ?? null,
    sql: own
      ? qualified(table, place.alias, link.column)
      : `${scope.parent(place, link).alias}.${sqlOf(parent, key)}`,
    from: fullName(table, link.column),
    comments: [
      ...(links.length > 1 ? [`decide: ${names} name ${parent.name}`] : []),
      ...(link.guessed && own ? [linkQuestion(link)] : []),
    ],
    place: () => scope.parent(place, link),
  };
}

/** The plainest of several: called like the parent, always filled, the shortest. */
function bestLink(links: readonly Link[], table: CatalogTable, parent: CatalogTable): Link | undefined {
  const rank = ({ column }: Link): number => {
    const plain = wordsOf(column)
      .filter((word) => !['id', 'code', 'kode', 'no', 'key', 'uuid'].includes(word))
      .join('_');
    const nullable = columnOf(table, column)?.nullable ?? true;
    return (
      (plain === bareName(parent.name) ? 0 : 4) + (nullable ? 2 : 0) + (isPersonalColumn(column) ? 8 : 0)
    );
  };
  return links.toSorted((a, b) => rank(a) - rank(b) || a.column.length - b.column.length)[0];
}

function pairs(scope: Scope, place: Place, parent: CatalogTable, key: string): Way | null {
  for (const down of scope.links.filter(({ to }) => to.oid === place.table.oid)) {
    const up = linksFrom(scope.links, down.from).find(
      ({ to, toColumn }) => to.oid === parent.oid && toColumn === key,
    );
    if (!up) continue;
    const pair = { table: down.from, alias: scope.short(down.from.name) };
    const sql = `(array_agg(${qualified(pair.table, pair.alias, up.column)} order by ${orderSql(pair)}))[1]`;
    const alias = scope.child(place, down, {
      alias: pair.alias,
      from: [`from ${down.from.sqlName} ${pair.alias}`],
      picks: [{ name: 'key', sql, personal: false }],
      comment: null,
    });
    const question = orderQuestion(down);
    const [like] = place.table.columns;
    const columns = like ? [{ ...like, name: 'key', sqlName: 'key' }] : [];
    return {
      sql: `${alias}.key`,
      from: fullName(down.from, up.column),
      comments: question === null ? [] : [`${question}, and the platform knows one ${parent.name}`],
      place: () => scope.parent({ table: { ...place.table, columns }, alias }, { ...up, column: 'key' }),
    };
  }
  return null;
}

function between(scope: Scope, place: Place, parent: CatalogTable, key: string): Way | null {
  for (const first of linksFrom(scope.links, place.table)) {
    if (first.to.oid === place.table.oid) continue;
    const second = linksFrom(scope.links, first.to).find(({ to }) => to.oid === parent.oid);
    if (second?.toColumn !== key) continue;
    const middle = scope.parent(place, first);
    const from = fullName(first.to, second.column);
    return {
      sql: `${middle.alias}.${sqlOf(first.to, second.column)}`,
      from,
      comments: [`decide: found by way of ${first.to.name}`],
      place: () => scope.parent(middle, second),
    };
  }
  return null;
}
