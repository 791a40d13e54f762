import type { CatalogTable } from '../catalog/catalog.js';
import type { Link } from './links.js';

/** Share of a table's rows that name the other, by the column that is filled most. Null: none names it, or nobody knows. */
export function linkShare(from: CatalogTable, to: CatalogTable, links: readonly Link[]): number | null {
  const shares = links
    .filter((link) => link.from.oid === from.oid && link.to.oid === to.oid)
    .flatMap(({ column }) => {
      const { nullShare = null } = from.columns.find(({ name }) => name === column) ?? {};
      return nullShare === null ? [] : [1 - nullShare];
    });
  return shares.length === 0 ? null : Math.max(...shares);
}
