/**
 * Which names a transaction finds without a schema, as SQL.
 * - `safe`: only Postgres' own. With `public`, a role that may create functions or operators there could add one that
 *   fits a call better than Postgres' own, and it would run with the rights of this role. `pg_temp` is named so
 *   that it comes last: if not named, it would come first.
 * - `usual`: the setting of role, database or connection, for a statement that the partner wrote.
 */
export const NAME_LOOKUP = {
  safe: 'set local search_path = pg_catalog, pg_temp',
  usual: 'set local search_path to default',
} as const;
