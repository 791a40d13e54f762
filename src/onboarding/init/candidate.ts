import type { CatalogTable } from '../catalog/catalog.js';

/** A table that may hold the records of an entity, with why. */
export interface Candidate {
  readonly table: CatalogTable;
  readonly score: number;
  /** Other tables that name it. */
  readonly references: number;
  /** Whether the likeliest table of the records below names it. */
  readonly linked: boolean;
  /** Entity that takes this table already; null: none does. */
  readonly taken: string | null;
}
