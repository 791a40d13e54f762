import { groupBy } from '../../core/domain/group-by.js';
import { type Catalog, type CatalogTable, type LeftOut, oneLineName } from './catalog.js';
import { readColumns } from './read-columns.js';
import { checkValues, readDetails, readServer } from './read-details.js';
import { type ReadOnly, SEARCH_PATH } from './with-read-only.js';

interface CatalogOptions {
  /** False: rows are estimates of the statistics. */
  readonly counted?: boolean;
  /** Of a database with very many tables, those that are needed wherever they are. */
  readonly isNamed?: (table: BareTable) => boolean;
}

/**
 * Everything that the database says about its tables, put together from one statement for each kind of thing. Of a database
 * with very many tables only those of the search path, and those that are named, are kept. Reads the catalogue, and counts
 * rows; no value of any row.
 *
 * @param read a transaction of `withReadOnly`
 */
export async function readCatalog(
  read: ReadOnly,
  { counted = true, isNamed = () => false }: CatalogOptions = {},
): Promise<Catalog> {
  const schemas = await readSearchPath(read);
  const server = await readServer(read);
  const { kept: tables, leftOut } = keptTables(await readTables(read, schemas), schemas, isNamed);
  const oids = tables.map(({ oid }) => oid);
  const columnsOf = groupedBy(await readColumns(read, oids), ({ table }) => table);
  const details = new Map((await readDetails(read, oids)).map((each) => [each.oid, each]));
  const counts = counted ? await countRows(read, tables) : estimates(tables);
  const complete = tables.flatMap(({ estimate: _, ...table }): CatalogTable[] => {
    const { oid } = table;
    const known = details.get(oid);
    if (known === undefined) return [];
    const { checks, indexes, policies, ...rest } = known;
    const lists = checks.flatMap(({ column, definition }) => {
      const values = checkValues(definition);
      return values === null ? [] : [{ column, values }];
    });
    const keys = indexes.filter(
      ({ unique, partial, columns }) => unique && !partial && !columns.includes(null),
    ) as readonly { readonly columns: readonly string[]; readonly primary: boolean }[];
    return [
      {
        ...table,
        ...rest,
        ...(counts.get(oid) ?? { rows: null, exact: false }),
        columns: columnsOf(oid).map((column) => ({
          ...column,
          checkValues: lists.find((list) => list.column === column.name)?.values ?? null,
        })),
        primaryKey: keys.find(({ primary }) => primary)?.columns ?? null,
        uniqueKeys: keys.map(({ columns }) => columns),
        indexes,
        rowSecurity: { ...table.rowSecurity, policies },
      },
    ];
  });
  return { server, tables: complete, leftOut };
}

/** Schemas in which a session of the role finds names. Afterwards names are found in `pg_catalog` only, as before. */
async function readSearchPath(read: ReadOnly): Promise<readonly string[]> {
  await read.run(SEARCH_PATH.ofRole);
  const [session] = await read.run<{ schemas: string[] }>(
    'select cast(pg_catalog.current_schemas(false) as pg_catalog.text[]) as schemas',
  );
  await read.run(SEARCH_PATH.catalog);
  return session?.schemas ?? [];
}

/** More tables take minutes to read and to rank. */
const MOST = 3_000;
/** Schemas that are named. */
const NAMED = 5;

/**
 * The tables to look at. Of a database with very many, those in schemas of the search path and those that `isNamed` asks
 * for; all of them, where that would be none.
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

/** The entries of a list by a key, each group in the order of the list: a search through the list for each key is quadratic. */
export function groupedBy<K, T>(list: readonly T[], keyOf: (each: T) => K): (key: K) => readonly T[] {
  const groups = groupBy(list, keyOf);
  return (key) => groups.get(key) ?? [];
}

/** A table without what belongs to it. */
export type BareTable = Pick<
  CatalogTable,
  'oid' | 'schema' | 'name' | 'sqlName' | 'title' | 'kind' | 'comment' | 'selectable'
> & {
  /** Negative: never analysed. */
  readonly estimate: number;
  readonly rowSecurity: Pick<CatalogTable['rowSecurity'], 'applies'>;
};

/**
 * Tables of the partner: not Postgres's own, not those of extensions, no temporary ones, no single partitions, and not
 * a ledger of ours.
 *
 * @param searchPath of a session that sets none; the catalogue itself is read without it
 */
export async function readTables({ run }: ReadOnly, searchPath: readonly string[]): Promise<BareTable[]> {
  const rows = await run<Omit<BareTable, 'title'> & { readonly sqlSchema: string }>(
    `select c.oid, n.nspname as schema, c.relname as name, quote_ident(n.nspname) as "sqlSchema",
       quote_ident(c.relname) as "sqlName",
       case c.relkind when 'r' then 'table' when 'v' then 'view' when 'm' then 'materialised-view'
         when 'p' then 'partitioned-table' else 'foreign-table' end as kind,
       obj_description(c.oid, 'pg_class') as comment,
       case when c.relkind = 'p' then (select coalesce(sum(greatest(leaf.reltuples, 0)), 0)
           * case when coalesce(min(leaf.reltuples), -1) < 0 then -1 else 1 end
         from pg_partition_tree(c.oid) t join pg_class leaf on leaf.oid = t.relid where t.isleaf)
         else c.reltuples end as estimate,
       json_build_object('applies', c.relrowsecurity and row_security_active(c.oid)) as "rowSecurity",
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
  return rows.map(({ sqlSchema, ...row }) => {
    const name = oneLineName(row.sqlName);
    const sqlName = `${oneLineName(sqlSchema)}.${name}`;
    return { ...row, sqlName, title: row.schema === 'public' && isFound(row) ? name : sqlName };
  });
}

/** Counted up to here; beyond it the estimate of the statistics is good enough. */
const COUNTED = 10_000;
/** Tables in one statement: a round trip for each would take minutes over a slow network. */
const TOGETHER = 50;
/** Views and foreign tables may be slow, and there may be many: everything else needs time, too. */
const TIMES = { viewMs: 2_000, viewsMs: 30_000 };

type Countable = Pick<BareTable, 'oid' | 'kind' | 'sqlName' | 'selectable' | 'estimate'>;

interface RowCount {
  readonly rows: number | null;
  readonly exact: boolean;
}

/**
 * The number of rows of each table, by oid. Reads no column: small tables and those that were never analysed are counted
 * to a limit, others have their estimate. A view has what it gives up to the limit, and no number where that fails
 * or takes too long: it has two seconds, and all of them have half a minute.
 */
export async function countRows(
  read: ReadOnly,
  tables: readonly Countable[],
  { viewMs, viewsMs } = TIMES,
): Promise<ReadonlyMap<number, RowCount>> {
  const result = new Map(estimates(tables));
  const count = async (some: readonly Countable[]): Promise<void> => {
    const answer = await read.attempt<{ oid: string; count: string }>(some.map(countSql).join(' union all '));
    if ('rows' in answer) {
      for (const { oid, count: counted } of answer.rows) {
        const table = some.find((each) => String(each.oid) === oid);
        if (table) result.set(table.oid, rowCount(table, Number(counted)));
      }
    } else if (some.length > 1) {
      // One of them refuses, or is slow: the others still count.
      const half = Math.ceil(some.length / 2);
      await count(some.slice(0, half));
      await count(some.slice(half));
    }
  };
  const counted = tables.filter((table) => table.selectable && isCounted(table));
  const plain = counted.filter((table) => !isView(table));
  for (let at = 0; at < plain.length; at += TOGETHER) await count(plain.slice(at, at + TOGETHER));
  const views = counted.filter(isView);
  if (views.length === 0) return result;
  const allowed = await statementTimeout(read);
  await setStatementTimeout(read, allowed === 0 ? viewMs : Math.min(viewMs, allowed));
  const last = Date.now() + viewsMs;
  for (const view of views) if (Date.now() < last) await count([view]);
  await setStatementTimeout(read, allowed);
  return result;
}

/** The number of rows of each table by the statistics. */
function estimates(tables: readonly Countable[]): ReadonlyMap<number, RowCount> {
  return new Map(tables.map((table) => [table.oid, { rows: estimateOf(table), exact: false }]));
}

async function statementTimeout(read: ReadOnly): Promise<number> {
  const [row] = await read.run<{ ms: string }>(
    `select setting as ms from pg_catalog.pg_settings where name operator(pg_catalog.=) 'statement_timeout'`,
  );
  return Number(row?.ms ?? 0);
}

async function setStatementTimeout(read: ReadOnly, ms: number): Promise<void> {
  await read.run(`select pg_catalog.set_config('statement_timeout', $1, true)`, [String(ms)]);
}

function countSql({ oid, sqlName }: Countable): string {
  return `select '${String(oid)}' as oid, pg_catalog.count(*) as count from (select 1 from ${sqlName} limit ${COUNTED + 1}) t`;
}

function isView({ kind }: Countable): boolean {
  return kind === 'view' || kind === 'foreign-table';
}

function isCounted(table: Countable): boolean {
  return isView(table) || table.estimate < COUNTED;
}

function rowCount(table: Countable, counted: number): RowCount {
  return counted > COUNTED
    ? { rows: Math.max(counted, Math.round(table.estimate)), exact: false }
    : { rows: counted, exact: true };
}

function estimateOf({ estimate }: Countable): number | null {
  return estimate < 0 ? null : Math.round(estimate);
}
