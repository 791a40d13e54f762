import { readdirSync, readFileSync } from 'node:fs';

/** Part of every secret that a test plants, and of nothing else, so that one search finds any of them. */
const MARK = 'Zq7xPlanted4Kw';

/** A secret that no output, page, table or process list may show. `name`: which one, for the message. */
export const planted = (name: string): string => `${name}-${MARK}`;

/** Shorter passwords, such as those of a server that is given to the tests, stand in harmless texts as well. */
const SHORTEST = 16;

/**
 * The planted secrets in a text, and passwords that `env` holds in its addresses; with what stands around them. Empty:
 * none.
 */
export function secretsIn(text: string, env: Readonly<Record<string, string | undefined>> = {}): string[] {
  const passwords = Object.values(env).flatMap((value = '') =>
    URL.canParse(value) ? [new URL(value).password].filter(({ length }) => length >= SHORTEST) : [],
  );
  return [MARK, ...passwords].flatMap((secret) => {
    const at = text.toLowerCase().indexOf(secret.toLowerCase());
    return at < 0 ? [] : [text.slice(Math.max(0, at - 80), at + secret.length + 20)];
  });
}

type Query = <Row extends Record<string, unknown>>(
  text: string,
  params?: readonly unknown[],
) => Promise<Row[]>;

/** Planted secrets in any column of any table of a schema. */
export async function secretsInTables(query: Query, schema = 'placement_sync'): Promise<string[]> {
  const tables = await query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_schema = $1 and table_type = 'BASE TABLE'`,
    [schema],
  );
  if (tables.length === 0) return [];
  const [{ found } = { found: null }] = await query<{ found: string | null }>(
    `select string_agg(text, E'\\n') as found from (${tables
      .map(
        ({ name }) => `select '${name}: ' || t::text as text from ${name} t where t::text ilike '%${MARK}%'`,
      )
      .join(' union all ')}) all_rows`,
  );
  return found === null ? [] : secretsIn(found);
}

/** Planted secrets in the command lines of this machine's processes; empty where there is no /proc. */
export function secretsInProcessList(): string[] {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      // It ended, or there is no /proc.
      return '';
    }
  };
  const ids = process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return ids.flatMap((id) => secretsIn(read(`/proc/${id}/cmdline`)));
}
