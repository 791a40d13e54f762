import type { Target } from './target.js';

/** How `init` finds an entity's records in the database of a partner. Words stand in lower case, parted by commas. */
export interface Drafting {
  /** Of its table in a drafted query. */
  readonly alias: string;
  /** What tables of it are called. `sure`: hardly anything else is; `maybe`: other things are, too. */
  readonly tables: { readonly sure: string; readonly maybe: string };
  /** Words that its columns may begin with, beside those of its table. */
  readonly prefixes?: string;
  /** A column with one of these words is about the parent: `company_website`. */
  readonly parentWords?: string;
  /** Columns that a draft may fill. `row_version` is none: without it the worker misses nothing. */
  readonly targets: readonly Target[];
  /** How much a column, by its name in the contract, says that a table is of this entity. */
  readonly telling: Readonly<Record<string, number>>;
  /** Columns whose absence a person should know of. */
  readonly wanted: readonly string[];
  /** What a record takes from its parent when it has none of its own. */
  readonly fromParent: readonly string[];
  /** Whether the same is offered again each year, maybe as another record. */
  readonly cyclic?: true;
}
