import type { CatalogTable } from '../catalog/catalog.js';
import { fullName } from './scope.js';
import { linkShare } from './link-share.js';
import type { Link } from './links.js';
import type { Candidate } from './candidate.js';

/** Share of the chosen table's score from which on another is worth a question. */
const WORTH = 0.6;
const SHOWN = 3;

/**
 * The question which table the records' parent is, where they name several that may be: which column names which, and in
 * how many of the rows. Null: they name one.
 */
export function otherParents(
  table: CatalogTable,
  parent: CatalogTable,
  candidates: readonly Candidate[],
  links: readonly Link[],
): string | null {
  const least = WORTH * (candidates.find((each) => each.table.oid === parent.oid)?.score ?? 0);
  const worth = candidates.filter(({ score, table: { oid } }) => score >= least && oid !== parent.oid);
  const named = [parent, ...worth.map((each) => each.table)].flatMap((to) => {
    const link = links.find((each) => each.from.oid === table.oid && each.to.oid === to.oid);
    return link ? [{ to, column: link.column, share: linkShare(table, to, links) }] : [];
  });
  if (named.length < 2 || named[0]?.to !== parent) return null;
  const parts = named.slice(0, SHOWN).map(({ to, column, share }) => {
    const filled = share === null ? '' : `, filled in ${String(Math.round(100 * share))} % of the rows,`;
    return `${fullName(table, column)}${filled} names ${to.name}`;
  });
  return `${parts.join('; ')}. The draft takes ${parent.name}`;
}
