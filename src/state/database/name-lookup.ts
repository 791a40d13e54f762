/**
 * Which names a transaction finds without a schema, as SQL.
 * - `safe`: only what Postgres brings. Whoever may create functions or operators in `public` could otherwise plant one
 *   that fits a call better than Postgres' own, and it would run with the rights of this role. `pg_temp` is named so
 *   that it comes last: left out, it would come first.
 * - `usual`: what role, database or address of the connection set, for a statement that the partner wrote.
 */
export const NAME_LOOKUP = {
  safe: 'set local search_path = pg_catalog, pg_temp',
  usual: 'set local search_path to default',
} as const;
