import type { ReadOnly } from './with-read-only.js';
import type { CatalogServer, CatalogTable } from './catalog.js';

type Details = Pick<CatalogTable, 'foreignKeys'> & {
  readonly oid: number;
  /** The primary key first. */
  readonly indexes: readonly (CatalogTable['indexes'][number] & {
    readonly unique: boolean;
    readonly primary: boolean;
  })[];
  /** CHECK constraints of one column, those of the table before those of its domains. */
  readonly checks: readonly { readonly column: string; readonly definition: string }[];
  readonly policies: CatalogTable['rowSecurity']['policies'];
};

const NAMES = (table: string, numbers: string) =>
  `array(select cast(a.attname as text) from unnest(${numbers}) with ordinality k (number, place)
     left join pg_attribute a on a.attrelid = ${table} and a.attnum = k.number and k.number > 0 order by k.place)`;

/** Keys, indexes and rules of these tables, each table once. */
export async function readDetails({ run }: ReadOnly, tables: readonly number[]): Promise<readonly Details[]> {
  return run<Details>(
    `select t.oid, (select coalesce(json_agg(json_build_object(
         'columns', ${NAMES('c.conrelid', 'c.conkey')}, 'to', cast(c.confrelid as bigint), 'toColumns', ${NAMES('c.confrelid', 'c.confkey')}) order by c.conname), '[]')
       from pg_constraint c where c.contype = 'f' and c.conrelid = t.oid
         and c.confrelid = any (cast($1 as oid[]))) as "foreignKeys",
     (select coalesce(json_agg(json_build_object(
         'columns', (${NAMES('i.indrelid', 'cast(i.indkey as int2[])')})[1:i.indnkeyatts],
         'unique', i.indisunique, 'primary', i.indisprimary, 'partial', i.indpred is not null)
         order by i.indisprimary desc, r.relname), '[]')
       from pg_index i join pg_class r on r.oid = i.indexrelid where i.indrelid = t.oid and i.indisvalid) as indexes,
     (select coalesce(json_agg(json_build_object('column', x.attname, 'definition', pg_get_constraintdef(x.oid))
         order by x.of, x.attnum, x.conname), '[]')
       from (select 1 as of, a.attname, 0 as attnum, c.oid, c.conname from pg_constraint c
           join pg_attribute a on a.attrelid = c.conrelid and c.conkey = array[a.attnum]
           where c.conrelid = t.oid and c.contype = 'c'
         union all select 2, a.attname, a.attnum, c.oid, c.conname from pg_attribute a
           join pg_constraint c on c.contypid = a.atttypid and c.contype = 'c'
           where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped) x) as checks,
     (select coalesce(json_agg(json_build_object('name', p.polname, 'expression', pg_get_expr(p.polqual, p.polrelid))
         order by p.polname), '[]') from pg_policy p where p.polrelid = t.oid) as policies
     from unnest(cast($1 as oid[])) t (oid)`,
    [tables],
  );
}

/**
 * The literals of a CHECK constraint that is a list of allowed values of one column, as Postgres prints it:
 * `CHECK ((state = ANY (ARRAY['A'::text, 'B'::text])))`, also with casts, as integers, or as one comparison. Null: it is
 * something else.
 */
export function checkValues(definition: string): readonly string[] | null {
  const values: string[] = [];
  const shape = definition
    .replace(/(?: NOT VALID| NO INHERIT)*$/, '')
    .replace(LITERAL, (found) => {
      values.push(found.startsWith("'") ? found.slice(1, -1).replaceAll("''", "'") : found);
      return '?';
    })
    .replace(CAST, '');
  // A list of what a function makes of the column is none of its values.
  const isFunction = /[\w"]\(/.test(shape);
  return !isFunction && LIST.test(shape.replace(/[()[\]]/g, '')) && values.length > 0 ? values : null;
}

const LITERAL = /'(?:[^']|'')*'|(?<![\w."])-?\d+(?![\w."])/g;
const CAST = /::(?:character varying|double precision|(?:[\w.]|"[^"]*")+)(?:\([?,]+\))?(?:\[\])?/g;
/** Without casts and parentheses, with a question mark for each literal. */
const PART = String.raw`[\w."]+ (?:IS NULL|= (?:\?|ANY ARRAY\?(?:, \?)*))`;
const LIST = new RegExp(`^CHECK ${PART}(?: OR ${PART})*$`);

/** Who we are, and on which server. */
export async function readServer({ run }: ReadOnly): Promise<CatalogServer> {
  const [row] = await run<Omit<CatalogServer, 'versionNumber'> & { readonly version: string }>(
    `select current_setting('server_version_num') as version, current_database() as database, current_user as role,
       r.rolsuper as superuser, current_setting('TimeZone') as "timeZone",
       current_setting('server_encoding') as encoding, pg_is_in_recovery() as replica,
       coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as encrypted
     from pg_roles r where r.rolname = current_user`,
  );
  if (row === undefined) throw new Error('pg_roles does not have the current role');
  const { version, ...server } = row;
  return { ...server, versionNumber: Number(version) };
}
