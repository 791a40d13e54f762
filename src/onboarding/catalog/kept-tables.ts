import type { LeftOut } from './catalog.js';
import type { BareTable } from './read-tables.js';

/** More tables take minutes to read and to rank. */
const MOST = 3_000;
/** Schemas that are named. */
const NAMED = 5;

/**
 * The tables to look at. Of a database with very many, those in schemas of the search path and those that `isNamed` asks
 * for; all of them, where that would be none. Pure.
 */
export function keptTables(
  tables: readonly BareTable[],
  searchPath: readonly string[],
  isNamed: (table: BareTable) => boolean,
  most = MOST,
): { readonly kept: readonly BareTable[]; readonly leftOut: LeftOut | null } {
  if (tables.length <= most) return { kept: tables, leftOut: null };
  const kept = tables.filter((table) => searchPath.includes(table.schema) || isNamed(table));
  if (kept.length === 0 || kept.length === tables.length) return { kept: tables, leftOut: null };
  const keptOids = new Set(kept.map(({ oid }) => oid));
  const others = tables.filter(({ oid }) => !keptOids.has(oid));
  const schemas = [...new Set(others.map(({ schema }) => schema))];
  return {
    kept,
    leftOut: { tables: others.length, schemas: schemas.slice(0, NAMED), more: schemas.length > NAMED },
  };
}
