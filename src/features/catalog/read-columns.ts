import { type CatalogColumn, oneLineName, type ValueKind } from './catalog.js';
import type { ReadOnly } from './with-read-only.js';

type ColumnOf = Omit<CatalogColumn, 'checkValues'> & { readonly table: number };

/** A type as `pg_type` has it; that of a domain is its base. */
interface TypeRow {
  readonly name: string;
  /** `typtype`: `e` for an enum. */
  readonly type: string;
  /** `typcategory`: `A` for an array, `R` for a range. */
  readonly category: string;
}

/**
 * Columns of these tables in their order, with what the statistics say about how many values there are. Of the statistics
 * only numbers are read: the most common values are values.
 */
export async function readColumns({ run }: ReadOnly, tables: readonly number[]): Promise<ColumnOf[]> {
  const typeOf = (alias: string) =>
    `json_build_object('name', ${alias}.typname, 'type', ${alias}.typtype, 'category', ${alias}.typcategory)`;
  const rows = await run<
    Omit<ColumnOf, 'kind' | 'elementKind' | 'meanings'> & {
      readonly base: TypeRow;
      readonly element: TypeRow | null;
      readonly comment: string | null;
    }
  >(
    `with recursive base as (
       select t.oid, t.oid as base from pg_type t where t.typtype <> 'd'
       union all
       select d.oid, base.base from base join pg_type d on d.typtype = 'd' and d.typbasetype = base.oid
     )
     select a.attrelid as table, a.attname as name, quote_ident(a.attname) as "sqlName",
       format_type(a.atttypid, a.atttypmod) as type, ${typeOf('t')} as base,
       case when e.oid is not null then ${typeOf('e')} end as element,
       not a.attnotnull as nullable, a.attgenerated <> '' as generated,
       (select array_agg(cast(l.enumlabel as text) order by l.enumsortorder) from pg_enum l
         where l.enumtypid = coalesce(e.oid, t.oid)) as "enumLabels",
       has_column_privilege(a.attrelid, a.attnum, 'select') as selectable,
       s.n_distinct as distinct, s.null_frac as "nullShare", col_description(a.attrelid, a.attnum) as comment
     from pg_attribute a
     join pg_class c on c.oid = a.attrelid
     join pg_namespace n on n.oid = c.relnamespace
     join base b on b.oid = a.atttypid
     join pg_type t on t.oid = b.base
     left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
     left join lateral (select p.n_distinct, p.null_frac from pg_stats p
       where p.schemaname = n.nspname and p.tablename = c.relname and p.attname = a.attname
       order by p.inherited desc limit 1) s on true
     where a.attrelid = any (cast($1 as oid[])) and a.attnum > 0 and not a.attisdropped
     order by a.attrelid, a.attnum`,
    [tables],
  );
  return rows.map(({ base, element, comment, ...row }) => ({
    ...row,
    ...meaningsIn(comment ?? ''),
    sqlName: oneLineName(row.sqlName),
    kind: valueKind(base),
    elementKind: element && valueKind(element),
  }));
}

/** What a comment says of a column's values: `0 = tidak aktif, 1 = aktif`. */
function meaningsIn(comment: string): Pick<CatalogColumn, 'meanings'> {
  const pairs = [
    ...comment
      .slice(0, LONGEST_COMMENT)
      .matchAll(/(?<![\w-])([\w-]{1,12}) ?[=:] ?([^\s,;=:|][^,;=:|\n]{0,39})/g),
  ];
  const meanings = pairs.map(([, value = '', meaning = '']) => [value, meaning.trim()] as const);
  return meanings.length < 2 ? {} : { meanings: Object.fromEntries(meanings) };
}

const LONGEST_COMMENT = 2_000;

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

function valueKind({ name, type, category }: TypeRow): ValueKind {
  if (type === 'e') return 'enum';
  if (category === 'A') return 'array';
  if (category === 'R') return 'range';
  return KINDS[name] ?? (category === 'S' ? 'text' : 'other');
}
