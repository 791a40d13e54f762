import { readCatalog } from '../../catalog/read-catalog.js';
import { type ReadOnly, type ReadOnlyOptions, withReadOnly } from '../../catalog/with-read-only.js';
import type { SourceFacts } from '../facts.js';
import { mentions } from '../sql/conditions.js';

/**
 * Server, role and tables of the source; no row is counted. Of a database with very many tables those that the queries
 * name are among them. Errors: SyncError `source-unavailable`; those of pg.
 */
export async function readSource(
  options: ReadOnlyOptions,
  queries: readonly string[] = [],
): Promise<SourceFacts> {
  return withReadOnly(options, async (read) => {
    const text = queries.join('\n');
    const catalog = await readCatalog(read, {
      counted: false,
      isNamed: ({ name }) => mentions(text, name),
    });
    return {
      ...catalog,
      writable: await readWritable(read),
    };
  });
}

/** The first tables that the role may change, beside those of a ledger. */
async function readWritable(read: ReadOnly): Promise<readonly string[]> {
  const rows = await read.run<{ name: string }>(
    `select pg_catalog.concat(n.nspname, '.', c.relname) as name
     from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
       and pg_catalog.has_schema_privilege(n.oid, 'usage')
       and pg_catalog.has_table_privilege(c.oid, 'insert, update, delete, truncate')
       and not exists (select 1 from pg_catalog.pg_class own
         where own.relnamespace = n.oid and own.relname = 'sync_state')
     order by 1 limit $1`,
    [MOST],
  );
  return rows.map(({ name }) => name);
}

/** Tables that are named. */
const MOST = 5;
