import type { TestDatabase } from '../../postgres/test-database.js';
import { secretsInTables } from '../../security/planted.js';

/** Planted secrets in any table of any schema: the fleet’s, its engine’s and every ledger. */
export async function secretsInDatabase({ query }: TestDatabase): Promise<string[]> {
  const schemas = await query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of schemas) found.push(...(await secretsInTables(query, name)));
  return found;
}
