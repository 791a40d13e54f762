import type { CatalogTable } from './catalog.js';
import { groupedBy } from './grouped-by.js';
import { oneLineName } from './one-line-name.js';
import type { ReadOnly } from './with-read-only.js';

/** A table without what belongs to it. */
export type BareTable = Pick<
  CatalogTable,
  'oid' | 'schema' | 'name' | 'sqlName' | 'title' | 'kind' | 'comment' | 'selectable'
> & {
  /** Negative: never analysed. */
  readonly estimate: number;
  readonly rowSecurity: Pick<CatalogTable['rowSecurity'], 'enabled' | 'forced' | 'applies'>;
};

const KINDS: Readonly<Record<string, CatalogTable['kind']>> = {
  r: 'table',
  v: 'view',
  m: 'materialised-view',
  p: 'partitioned-table',
  f: 'foreign-table',
};

/**
 * Tables of the partner: not Postgres's own, not those of extensions, no temporary ones, no single partitions, and not
 * a ledger of ours.
 *
 * @param searchPath of a session that sets none; the catalogue itself is read without it
 */
export async function readTables({ run }: ReadOnly, searchPath: readonly string[]): Promise<BareTable[]> {
  const rows = await run<{
    oid: string;
    schema: string;
    name: string;
    sql_schema: string;
    sql_name: string;
    kind: string;
    comment: string | null;
    estimate: number;
    enabled: boolean;
    forced: boolean;
    applies: boolean;
    selectable: boolean;
  }>(
    `select cast(c.oid as text) as oid, cast(n.nspname as text) as schema, cast(c.relname as text) as name,
       quote_ident(n.nspname) as sql_schema, quote_ident(c.relname) as sql_name, cast(c.relkind as text) as kind,
       obj_description(c.oid, 'pg_class') as comment,
       case when c.relkind = 'p' then (select coalesce(sum(greatest(leaf.reltuples, 0)), 0)
           * case when coalesce(min(leaf.reltuples), -1) < 0 then -1 else 1 end
         from pg_partition_tree(c.oid) t join pg_class leaf on leaf.oid = t.relid where t.isleaf)
         else c.reltuples end as estimate,
       c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
       c.relrowsecurity and row_security_active(c.oid) as applies,
       has_schema_privilege(n.oid, 'usage') and has_any_column_privilege(c.oid, 'select') as selectable
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'v', 'm', 'p', 'f') and not c.relispartition and c.relpersistence <> 't'
       and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
       and not exists (select 1 from pg_depend d
         where d.classid = cast('pg_class' as regclass) and d.objid = c.oid and d.deptype = 'e')
       and not exists (select 1 from pg_class own where own.relnamespace = n.oid and own.relname = 'sync_state'
         and exists (select 1 from pg_class other
           where other.relnamespace = n.oid and other.relname = 'entity_state'))
     order by n.nspname, c.relname`,
  );
  // Whether the name alone finds a table: its schema is the first of the path that has the name.
  const schemasOf = groupedBy(rows, ({ name }) => name);
  const isFound = ({ schema, name }: { readonly schema: string; readonly name: string }): boolean => {
    const schemas = new Set(schemasOf(name).map((row) => row.schema));
    return searchPath.find((each) => schemas.has(each)) === schema;
  };
  return rows.map((row) => {
    const name = oneLineName(row.sql_name);
    const sqlName = `${oneLineName(row.sql_schema)}.${name}`;
    return {
      oid: Number(row.oid),
      schema: row.schema,
      name: row.name,
      sqlName,
      title: row.schema === 'public' && isFound(row) ? name : sqlName,
      kind: KINDS[row.kind] ?? 'table',
      comment: row.comment,
      estimate: Number(row.estimate),
      rowSecurity: { enabled: row.enabled, forced: row.forced, applies: row.applies },
      selectable: row.selectable,
    };
  });
}
