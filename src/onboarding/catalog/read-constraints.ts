import type { CatalogServer, CheckConstraint, ForeignKey, Index, Policy, Trigger } from './catalog.js';
import type { ReadOnly } from '../../source/with-read-only.js';

interface Constraints {
  readonly foreignKeys: readonly ForeignKey[];
  readonly checks: readonly (CheckConstraint & { readonly table: number })[];
  readonly indexes: readonly (Index & { readonly table: number; readonly primary: boolean })[];
  /** Allowed values by the domain of a column: table, column, values. */
  readonly domainValues: readonly {
    readonly table: number;
    readonly column: string;
    readonly values: readonly string[];
  }[];
}

const NAMES = (table: string, numbers: string) =>
  `array(select cast(a.attname as text) from unnest(${numbers}) with ordinality k (number, place)
     left join pg_attribute a on a.attrelid = ${table} and a.attnum = k.number and k.number > 0 order by k.place)`;

/** Keys, indexes and rules of these tables. */
export async function readConstraints({ run }: ReadOnly, tables: readonly number[]): Promise<Constraints> {
  const foreignKeys = await run<{
    name: string;
    from: string;
    columns: string[];
    to: string;
    to_columns: string[];
  }>(
    `select cast(c.conname as text) as name, cast(c.conrelid as text) as from, ${NAMES('c.conrelid', 'c.conkey')} as columns,
       cast(c.confrelid as text) as to, ${NAMES('c.confrelid', 'c.confkey')} as to_columns
     from pg_constraint c where c.contype = 'f' and c.conrelid = any (cast($1 as oid[]))
       and c.confrelid = any (cast($1 as oid[]))
     order by c.conrelid, c.conname`,
    [tables],
  );
  const checks = await run<{ name: string; table: string; columns: string[]; definition: string }>(
    `select cast(c.conname as text) as name, cast(c.conrelid as text) as table,
       ${NAMES('c.conrelid', 'c.conkey')} as columns, pg_get_constraintdef(c.oid) as definition
     from pg_constraint c where c.contype = 'c' and c.conrelid = any (cast($1 as oid[]))
     order by c.conrelid, c.conname`,
    [tables],
  );
  const domains = await run<{ table: string; column: string; definition: string }>(
    `select cast(a.attrelid as text) as table, cast(a.attname as text) as column,
       pg_get_constraintdef(c.oid) as definition
     from pg_attribute a join pg_constraint c on c.contypid = a.atttypid and c.contype = 'c'
     where a.attrelid = any (cast($1 as oid[])) and a.attnum > 0 and not a.attisdropped
     order by a.attrelid, a.attnum, c.conname`,
    [tables],
  );
  const indexes = await run<{
    name: string;
    table: string;
    columns: (string | null)[];
    unique: boolean;
    primary: boolean;
    partial: boolean;
  }>(
    `select cast(r.relname as text) as name, cast(i.indrelid as text) as table,
       (${NAMES('i.indrelid', 'cast(i.indkey as int2[])')})[1:i.indnkeyatts] as columns,
       i.indisunique as unique, i.indisprimary as primary, i.indpred is not null as partial
     from pg_index i join pg_class r on r.oid = i.indexrelid
     where i.indrelid = any (cast($1 as oid[])) and i.indisvalid
     order by i.indrelid, i.indisprimary desc, r.relname`,
    [tables],
  );
  return {
    foreignKeys: foreignKeys.map(({ name, from, columns, to, to_columns }) => ({
      name,
      from: Number(from),
      columns,
      to: Number(to),
      toColumns: to_columns,
    })),
    checks: checks.map(({ table, name, columns, definition }) => ({
      table: Number(table),
      name,
      columns,
      definition,
      values: columns.length === 1 ? checkValues(definition) : null,
    })),
    domainValues: domains.flatMap(({ table, column, definition }) => {
      const values = checkValues(definition);
      return values === null ? [] : [{ table: Number(table), column, values }];
    }),
    indexes: indexes.map(({ table, ...index }) => ({ ...index, table: Number(table) })),
  };
}

/**
 * The literals of a CHECK constraint that is a list of allowed values of one column, as Postgres prints it:
 * `CHECK ((state = ANY (ARRAY['A'::text, 'B'::text])))`, also with casts, as integers, or as one comparison. Null: it is
 * something else.
 */
export function checkValues(definition: string): readonly string[] | null {
  const body = /^CHECK \((?<body>[\s\S]*)\)(?: NOT VALID| NO INHERIT)*$/.exec(definition)?.groups?.body;
  if (body === undefined) return null;
  const alternatives = splitTop(stripped(body), ' OR ').map(stripped);
  const values = alternatives.map((part) => (/^\S+ IS NULL$/.test(part) ? [] : literalsOf(part)));
  if (values.some((each) => each === null)) return null;
  const all = values.flatMap((each) => each ?? []);
  return all.length > 0 ? all : null;
}

const TEXT = String.raw`'(?:[^']|'')*'`;
const CAST = String.raw`(?:::[\w." ]+(?:\(\d+\))?(?:\[\])?)?`;
const LITERAL = String.raw`\(?(?:${TEXT}|-?\d+)${CAST}\)?${CAST}`;
/** The column, maybe in parentheses and cast; no function of it. */
const COLUMN = String.raw`\(*[\w."]+\)*(?:::[\w "]+)?`;
const ONE_OF = new RegExp(
  String.raw`^${COLUMN} = ANY \(+ARRAY\[(?<list>${LITERAL}(?:, ${LITERAL})*)\]\)?${CAST}\)*$`,
);
const EQUALS = new RegExp(String.raw`^${COLUMN} = (?<list>${LITERAL})$`);

function literalsOf(condition: string): string[] | null {
  const list = (ONE_OF.exec(condition) ?? EQUALS.exec(condition))?.groups?.list;
  if (list === undefined) return null;
  return [...list.matchAll(new RegExp(`(${TEXT})|(?<=^|[,( ])(-?\\d+)`, 'g'))].map(([found]) =>
    found.startsWith("'") ? found.slice(1, -1).replaceAll("''", "'") : found,
  );
}

/** Without the parentheses around the whole. */
function stripped(text: string): string {
  let inner = text.trim();
  while (inner.startsWith('(') && closing(inner) === inner.length - 1) inner = inner.slice(1, -1).trim();
  return inner;
}

/** Where the parenthesis at the beginning closes. */
function closing(text: string): number {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "'") quoted = !quoted;
    if (quoted) continue;
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

/** Parts between separators that stand in no parentheses and quotes. */
function splitTop(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quoted = false;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "'") quoted = !quoted;
    if (quoted) continue;
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0 && text.startsWith(separator, at)) {
      parts.push(text.slice(from, at));
      from = at + separator.length;
    }
  }
  return [...parts, text.slice(from)];
}

const COMMANDS: Readonly<Record<string, Policy['command']>> = {
  '*': 'all',
  r: 'select',
  a: 'insert',
  w: 'update',
  d: 'delete',
};

/** Triggers and policies of these tables. */
export async function readGuards(
  { run }: ReadOnly,
  tables: readonly number[],
): Promise<{
  readonly triggers: readonly (Trigger & { readonly table: number })[];
  readonly policies: readonly (Policy & { readonly table: number })[];
}> {
  const triggers = await run<{
    table: string;
    name: string;
    type: number;
    function_name: string;
    source: string;
  }>(
    `select cast(t.tgrelid as text) as table, cast(t.tgname as text) as name, t.tgtype as type,
       cast(p.proname as text) as function_name,
       p.prosrc || ' ' || replace(encode(t.tgargs, 'escape'), '\\000', ' ') as source
     from pg_trigger t join pg_proc p on p.oid = t.tgfoid
     where t.tgrelid = any (cast($1 as oid[])) and not t.tgisinternal and t.tgenabled <> 'D'
     order by t.tgrelid, t.tgname`,
    [tables],
  );
  const policies = await run<{
    table: string;
    name: string;
    command: string;
    roles: string[];
    expression: string | null;
  }>(
    `select cast(p.polrelid as text) as table, cast(p.polname as text) as name, cast(p.polcmd as text) as command,
       array(select cast(r.rolname as text) from pg_roles r where r.oid = any (p.polroles) order by 1) as roles,
       pg_get_expr(p.polqual, p.polrelid) as expression
     from pg_policy p where p.polrelid = any (cast($1 as oid[])) order by p.polrelid, p.polname`,
    [tables],
  );
  return {
    triggers: triggers.map(({ table, name, type, function_name, source }) => ({
      table: Number(table),
      name,
      timing: (type & 64) !== 0 ? 'instead' : (type & 2) !== 0 ? 'before' : 'after',
      events: [
        ...((type & 4) !== 0 ? (['insert'] as const) : []),
        ...((type & 16) !== 0 ? (['update'] as const) : []),
        ...((type & 8) !== 0 ? (['delete'] as const) : []),
      ],
      functionName: function_name,
      source,
    })),
    policies: policies.map(({ table, name, command, roles, expression }) => ({
      table: Number(table),
      name,
      command: COMMANDS[command] ?? 'all',
      roles,
      expression,
    })),
  };
}

/** Who we are, and on which server. */
export async function readServer({ run }: ReadOnly): Promise<CatalogServer> {
  const [row] = await run<{
    version: string;
    database: string;
    role: string;
    superuser: boolean;
    bypasses: boolean;
    zone: string;
    encoding: string;
    replica: boolean;
    encrypted: boolean | null;
    extensions: string[];
  }>(
    `select current_setting('server_version_num') as version, cast(current_database() as text) as database,
       cast(current_user as text) as role, r.rolsuper as superuser, r.rolbypassrls as bypasses,
       current_setting('TimeZone') as zone, current_setting('server_encoding') as encoding,
       pg_is_in_recovery() as replica,
       (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as encrypted,
       array(select cast(extname as text) from pg_extension order by extname) as extensions
     from pg_roles r where r.rolname = current_user`,
  );
  if (row === undefined) throw new Error('pg_roles does not have the current role');
  return {
    versionNumber: Number(row.version),
    database: row.database,
    role: row.role,
    superuser: row.superuser,
    bypassesRowSecurity: row.superuser || row.bypasses,
    timeZone: row.zone,
    encoding: row.encoding,
    replica: row.replica,
    encrypted: row.encrypted ?? false,
    extensions: row.extensions,
  };
}
