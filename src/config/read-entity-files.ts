import { SyncError } from '../domain/errors.js';
import type { EntityName } from '../domain/names.js';
import { misreadCharacter, sqlTokens } from '../domain/sql/sql-text.js';
import type { Entity } from '../entities/entity.js';
import { ENTITIES } from '../entities/index.js';
import { type Lookup, readLookup } from '../entities/lookup.js';
import { checkAbsent } from './check-absent.js';
import { checkExtraFields } from './check-extra-fields.js';
import { dashRefusals } from './dash-refusals.js';
import { didYouMean } from './did-you-mean.js';
import { entriesOf } from './entries-of.js';
import { whyUnread, type NamedFiles } from './named-files.js';
import type { Problem, SettingPath } from './problem.js';
import { requiredColumns } from './required-columns.js';
import { valueAt } from './value-at.js';

/** The content of the files that an entity's block names. */
export interface EntityFiles {
  /** The query's text, unchanged except for a byte order mark. */
  readonly sql: string;
  /** The query's file, as messages name it. */
  readonly queryFile: string;
  /** By column name. */
  readonly lookups: Readonly<Record<string, Lookup>>;
}

/**
 * Reads the queries and lookups of every configured entity, and checks the columns that its block names.
 *
 * @param data interpolated data, perhaps with mistakes: the schema reports values that are not text
 * @param named where they are read from
 */
export function readEntityFiles(
  data: unknown,
  named: NamedFiles,
): { files: ReadonlyMap<EntityName, EntityFiles>; problems: readonly Problem[] } {
  const files = new Map<EntityName, EntityFiles>();
  const problems: Problem[] = [];
  const refusals = dashRefusals(data, named);
  for (const entity of ENTITIES) {
    const block: SettingPath = ['entities', entity.name];
    const query = valueAt(data, [...block, 'query']);
    const queryFile = typeof query === 'string' ? named.shown(query) : '';
    const lookups: [string, Lookup][] = [];
    let sql = '';
    attempt([...block, 'query'], query, (name) => (sql = checkedQuery(named.read(name, 'sql'), queryFile)));
    for (const [column, file] of entriesOf(valueAt(data, [...block, 'lookups']))) {
      const path = [...block, 'lookups', column];
      const wrong = lookupColumnProblem(entity, column);
      if (wrong !== null) problems.push({ path, message: wrong });
      attempt(path, file, (name) => {
        const needed = requiredColumns(entity, data).find((each) => each.name === column);
        const dashRefused = refusals.get(named.shown(name)) ?? null;
        const use = { column, required: needed !== undefined, wayOut: needed?.wayOut ?? null, dashRefused };
        lookups.push([column, readLookup(named.read(name, 'lookup'), name, use)]);
      });
    }
    const extra = entriesOf(valueAt(data, [...block, 'extraFields']))
      .map(([, column]) => column)
      .filter((name) => typeof name === 'string');
    const known = [...entity.columns.map(({ name }) => name), ...extra];
    const absent = entriesOf(valueAt(data, [...block, 'absent'])).map(([column]) => column);
    problems.push(
      ...checkColumns(entity, data, 'plainText', known),
      ...checkColumns(entity, data, 'required', known),
    );
    problems.push(...checkAbsent(entity, absent, extra));
    problems.push(...checkExtraFields(entity, entriesOf(valueAt(data, [...block, 'extraFields']))));
    files.set(entity.name, { sql, queryFile, lookups: Object.fromEntries(lookups) });
  }
  return { files, problems };

  function attempt(path: SettingPath, file: unknown, read: (file: string) => unknown): void {
    if (typeof file !== 'string' || file.trim() === '') return;
    try {
      read(file);
    } catch (error) {
      problems.push({ path, message: whyUnread(named, file, error) });
    }
  }
}

function checkedQuery(sql: string, file: string): string {
  const misread = misreadCharacter(sql);
  if (misread)
    throw problem(`${file} ${misread.problem} (line ${sql.slice(0, misread.at).split('\n').length})`);
  if ([...sqlTokens(sql)].every(({ kind }) => kind === 'semicolon'))
    throw problem(`${file} is empty; it must hold one SELECT`);
  return sql;
}

function problem(message: string): SyncError {
  return new SyncError('config-invalid', message, { scope: 'usage' });
}

function lookupColumnProblem(entity: Entity, column: string): string | null {
  const known = entity.columns.find(({ name }) => name === column);
  if (known?.lookup === true) return null;
  const possible = entity.columns.filter(({ lookup }) => lookup === true).map(({ name }) => name);
  return known === undefined
    ? `${entity.name} has no column of this name${didYouMean(column, possible)}`
    : `this column takes no lookup; columns that do: ${possible.join(', ')}`;
}

function checkColumns(
  entity: Entity,
  data: unknown,
  setting: 'plainText' | 'required',
  known: readonly string[],
): Problem[] {
  const path: SettingPath = ['entities', entity.name, setting];
  const names = valueAt(data, path);
  return (Array.isArray(names) ? names : []).flatMap((name: unknown, index) =>
    typeof name !== 'string' || known.includes(name)
      ? []
      : [
          {
            path: [...path, index],
            message: `${entity.name} has no column "${name}"${didYouMean(name, known)}`,
          },
        ],
  );
}
