import { readFileSync } from 'node:fs';
import type { TestDatabase } from './test-database.js';

/** What is planted of functions and operators; default: all. */
export interface Traps {
  /** Names of functions and aggregates: `lower`, `count`. */
  readonly functions?: readonly string[];
  /** Names of operators: `=`, `||`. */
  readonly operators?: readonly string[];
  /** Also namesakes that fit varchar, char and pairs of numeric and integer better, whatever the search path. */
  readonly closer?: boolean;
}

/**
 * Plants a namesake of every function, aggregate, operator, type and relation of `pg_catalog` in the schema `public`,
 * as a role may that has nothing but CREATE there. A trap does nothing except that it leaves its name, where no rollback
 * takes it away and a read-only transaction lets it. Takes a second.
 *
 * Make the test's own tables and functions first; afterwards its own statements must be qualified as well.
 *
 * Not seen are: functions whose arguments are of an internal type; unqualified calls of functions with any number of
 * arguments of any type (`concat`, `format`, `json_build_object`); collations. An unqualified `count(x)` fails as
 * ambiguous.
 *
 * @param database its role is a superuser
 * @returns URL of the same database whose sessions look into `public` before `pg_catalog`. That makes a test strict:
 * whatever a statement does not qualify is resolved to its namesake, whichever types its arguments have. By default
 * `pg_catalog` is first, and a namesake is chosen only where its types fit better.
 */
export async function plantTraps(
  database: TestDatabase,
  traps: Traps = {},
): Promise<{ readonly strictUrl: string }> {
  await database.query(readFileSync(new URL('plant-traps.sql', import.meta.url), 'utf8'));
  await database.query('call trap.plant($1, $2)', [traps.functions ?? null, traps.operators ?? null]);
  if (traps.closer === true) await database.query('call trap.plant_closer()');
  const strict = new URL(database.url);
  strict.searchParams.set('options', '-c search_path=public,pg_catalog');
  return { strictUrl: strict.href };
}

/** Names of the traps that were called in this database: `hashtextextended(text,bigint)`, `=(text,text)`, `type text`. */
export async function sprungTraps(database: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ name: string }>('select name from trap.sprung() name');
  return rows.map(({ name }) => name);
}
