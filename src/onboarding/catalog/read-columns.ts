import { type CatalogColumn, oneLineName, type ValueKind } from './catalog.js';
import type { ReadOnly } from '../../source/with-read-only.js';

type ColumnOf = Omit<CatalogColumn, 'checkValues'> & {
  readonly table: number;
  readonly number: number;
};

/**
 * Columns of these tables in their order, with what the statistics say about how many values there are. Of the statistics
 * only numbers are read: the most common values are values.
 */
export async function readColumns({ run }: ReadOnly, tables: readonly number[]): Promise<ColumnOf[]> {
  const rows = await run<{
    oid: string;
    number: number;
    name: string;
    sql_name: string;
    type: string;
    base: string;
    base_type: string;
    base_category: string;
    element: string | null;
    element_type: string | null;
    element_category: string | null;
    not_null: boolean;
    default_sql: string | null;
    identity: string;
    generated: string;
    comment: string | null;
    labels: string[] | null;
    selectable: boolean;
    distinct_values: number | null;
    null_share: number | null;
  }>(
    `with recursive base as (
       select t.oid, t.oid as base from pg_type t where t.typtype <> 'd'
       union all
       select d.oid, base.base from base join pg_type d on d.typtype = 'd' and d.typbasetype = base.oid
     )
     select cast(a.attrelid as text) as oid, a.attnum as number, cast(a.attname as text) as name,
       quote_ident(a.attname) as sql_name, format_type(a.atttypid, a.atttypmod) as type,
       cast(t.typname as text) as base, cast(t.typtype as text) as base_type,
       cast(t.typcategory as text) as base_category, cast(e.typname as text) as element,
       cast(e.typtype as text) as element_type, cast(e.typcategory as text) as element_category,
       a.attnotnull as not_null, pg_get_expr(d.adbin, d.adrelid) as default_sql,
       cast(a.attidentity as text) as identity, cast(a.attgenerated as text) as generated,
       col_description(a.attrelid, a.attnum) as comment,
       (select array_agg(cast(l.enumlabel as text) order by l.enumsortorder) from pg_enum l
         where l.enumtypid = coalesce(e.oid, t.oid)) as labels,
       has_column_privilege(a.attrelid, a.attnum, 'select') as selectable,
       s.n_distinct as distinct_values, s.null_frac as null_share
     from pg_attribute a
     join pg_class c on c.oid = a.attrelid
     join pg_namespace n on n.oid = c.relnamespace
     join base b on b.oid = a.atttypid
     join pg_type t on t.oid = b.base
     left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
     left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     left join lateral (select p.n_distinct, p.null_frac from pg_stats p
       where p.schemaname = n.nspname and p.tablename = c.relname and p.attname = a.attname
       order by p.inherited desc limit 1) s on true
     where a.attrelid = any (cast($1 as oid[])) and a.attnum > 0 and not a.attisdropped
     order by a.attrelid, a.attnum`,
    [tables],
  );
  return rows.map((row) => ({
    table: Number(row.oid),
    number: row.number,
    name: row.name,
    sqlName: oneLineName(row.sql_name),
    type: row.type,
    kind: valueKind(row.base, row.base_type, row.base_category),
    elementKind:
      row.element === null
        ? null
        : valueKind(row.element, row.element_type ?? '', row.element_category ?? ''),
    nullable: !row.not_null,
    defaultSql: row.default_sql,
    generated: generatedBy(row),
    comment: row.comment,
    enumLabels: row.labels,
    selectable: row.selectable,
    distinct: row.distinct_values,
    nullShare: row.null_share,
  }));
}

function generatedBy(row: {
  readonly identity: string;
  readonly generated: string;
  readonly default_sql: string | null;
}): CatalogColumn['generated'] {
  if (row.identity !== '') return 'identity';
  if (row.generated !== '') return 'expression';
  return row.default_sql?.startsWith('nextval(') ? 'sequence' : null;
}

const KINDS: Readonly<Record<string, ValueKind>> = {
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  numeric: 'number',
  float4: 'number',
  float8: 'number',
  money: 'number',
  bool: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
  timestamptz: 'timestamptz',
  uuid: 'uuid',
  json: 'json',
  jsonb: 'json',
  hstore: 'json',
  bytea: 'bytes',
  text: 'text',
  varchar: 'text',
  bpchar: 'text',
  char: 'text',
  name: 'text',
  citext: 'text',
};

/**
 * Kind of a type by its name and its category in `pg_type`; the type of a domain is that of its base.
 *
 * @param typeType `typtype`: `e` for an enum
 * @param category `typcategory`: `A` for an array, `R` for a range
 */
function valueKind(name: string, typeType: string, category: string): ValueKind {
  if (typeType === 'e') return 'enum';
  if (category === 'A') return 'array';
  if (category === 'R') return 'range';
  return KINDS[name] ?? (category === 'S' ? 'text' : 'other');
}
