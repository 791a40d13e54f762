import { readCatalog } from '../../catalog/read-catalog.js';
import { type ReadOnly, type ReadOnlyOptions, withReadOnly } from '../../catalog/with-read-only.js';
import { readReplicaLag } from '../../../core/source/sight.js';
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
      cancelsReads: catalog.server.replica && (await readCancelling(read)),
      replicaLagMs: catalog.server.replica ? await readReplicaLag(read) : null,
      writable: await readWritable(read),
    };
  });
}

/** Whether a replica ends reads that are in the way of what it has to replay. */
async function readCancelling(read: ReadOnly): Promise<boolean> {
  const [row] = await read.run<{ feedback: string; delay: string }>(
    `select pg_catalog.current_setting('hot_standby_feedback') as feedback,
       pg_catalog.current_setting('max_standby_streaming_delay') as delay`,
  );
  return row?.feedback !== 'on' && row?.delay !== '-1';
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
