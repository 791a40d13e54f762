import type { CatalogTable } from '../../catalog/catalog.js';
import { bareName, type Link, linkQuestion } from '../links.js';
import { columnSql, tableTitle } from '../sql-text.js';
import { isPersonalColumn, wordsOf } from '../words.js';
import type { DraftColumn } from './draft-query.js';
import { fullName, keySql, type Place, qualified, type Scope, sqlOf } from './scope.js';

/** How a record names its parent, as a column of its query. */
interface FoundParent {
  readonly column: DraftColumn;
  readonly finding: string | null;
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
  const key = keySql({ table: parent, alias: 'x' });
  if (key?.columns.length !== 1) return null;
  const keyName = key.columns[0] ?? '';
  const column = (sql: string, from: string, comments: readonly string[]): DraftColumn => ({
    target,
    kind: 'key',
    sql,
    column: null,
    from,
    personal: false,
    codes: null,
    comments,
  });
  const direct = scope.links.filter(({ from, to }) => from.oid === place.table.oid && to.oid === parent.oid);
  const link = bestLink(direct, place.table, parent);
  if (link) {
    const named = place.table.columns.find(({ name }) => name === link.column);
    const own = link.toColumn === keyName;
    const others =
      direct.length > 1
        ? [`decide: ${direct.map((each) => each.column).join(' and ')} name ${parent.name}`]
        : [];
    const guessed =
      parent.oid < 0
        ? [`decide: ${tableTitle(parent)}, by their names`]
        : link.guessed && own
          ? [linkQuestion(link)]
          : [];
    return {
      column: {
        ...column(
          own
            ? qualified(place.table, place.alias, link.column)
            : `${scope.parent(place, link).alias}.${sqlOf(parent, keyName)}`,
          fullName(place.table, link.column),
          [...others, ...guessed],
        ),
        column: named ?? null,
      },
      finding: null,
      place: () => scope.parent(place, link),
    };
  }
  return pairs(scope, place, parent, keyName, column) ?? between(scope, place, parent, keyName, column);
}

/** The plainest of several: called like the parent, always filled, the shortest. */
function bestLink(direct: readonly Link[], table: CatalogTable, parent: CatalogTable): Link | undefined {
  const rank = ({ column }: Link): number => {
    const plain = wordsOf(column)
      .filter((word) => !['id', 'code', 'kode', 'no', 'key', 'uuid'].includes(word))
      .join('_');
    const nullable = table.columns.find(({ name }) => name === column)?.nullable ?? true;
    return (
      (plain === bareName(parent.name) ? 0 : 4) + (nullable ? 2 : 0) + (isPersonalColumn(column) ? 8 : 0)
    );
  };
  return [...direct].sort((a, b) => rank(a) - rank(b) || a.column.length - b.column.length)[0];
}

type Make = (sql: string, from: string, comments: readonly string[]) => DraftColumn;

function pairs(
  scope: Scope,
  place: Place,
  parent: CatalogTable,
  keyName: string,
  column: Make,
): FoundParent | null {
  for (const down of scope.links.filter(({ to }) => to.oid === place.table.oid)) {
    const up = scope.links.find(
      ({ from, to, toColumn }) => from.oid === down.from.oid && to.oid === parent.oid && toColumn === keyName,
    );
    if (!up) continue;
    const pair = scope.short(down.from.name);
    const upColumn = sqlOf(down.from, up.column);
    const main = down.from.columns.find(
      ({ name, kind, selectable }) => selectable && kind === 'boolean' && MAIN.test(wordsOf(name).join('_')),
    );
    const order = [...(main ? [`${columnSql(pair, main)} desc nulls last`] : []), `${pair}.${upColumn}`].join(
      ', ',
    );
    const alias = scope.child(place, down, {
      alias: pair,
      from: [`from ${down.from.sqlName} ${pair}`],
      picks: [{ name: 'key', sql: `(array_agg(${pair}.${upColumn} order by ${order}))[1]`, personal: false }],
      comment: null,
    });
    const several = `one record may have several ${parent.name}, and the platform knows one`;
    return {
      column: column(`${alias}.key`, fullName(down.from, up.column), [
        `decide: ${several}; this takes ${main ? `the one with ${main.name}` : 'the first by its key'}`,
      ]),
      finding: `${fullName(down.from, up.column)}: ${several}. The draft takes ${main ? `the one with ${main.name}` : 'the first by its key'}.`,
      place: () =>
        scope.parent(
          {
            table: { ...place.table, columns: [{ ...columnLike(place.table), name: 'key', sqlName: 'key' }] },
            alias,
          },
          { ...up, column: 'key', guessed: false },
        ),
    };
  }
  return null;
}

const MAIN = /^(is_)?(main|primary|utama|lead|owner|host|principal|default|first|is_lead)/;

function columnLike(table: CatalogTable) {
  const [first] = table.columns;
  if (first === undefined) throw new Error(`${table.name} has no columns`);
  return first;
}

function between(
  scope: Scope,
  place: Place,
  parent: CatalogTable,
  keyName: string,
  column: Make,
): FoundParent | null {
  for (const first of scope.links.filter(
    ({ from, to }) => from.oid === place.table.oid && to.oid !== from.oid,
  )) {
    const second = scope.links.find(({ from, to }) => from.oid === first.to.oid && to.oid === parent.oid);
    if (second?.toColumn !== keyName) continue;
    const middle = scope.parent(place, first);
    const from = fullName(first.to, second.column);
    return {
      column: column(`${middle.alias}.${sqlOf(first.to, second.column)}`, from, [
        `decide: found by way of ${first.to.name}`,
      ]),
      finding: `${from}: ${place.table.name} names ${parent.name} by way of ${first.to.name}.`,
      place: () => scope.parent(middle, second),
    };
  }
  return null;
}
