import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { bodyFields } from '../contract/schema-fields.js';
import { SyncError } from '../domain/errors.js';
import type { EntityName } from '../domain/names.js';
import { misreadCharacter, sqlTokens } from '../domain/sql/sql-text.js';
import { absentableColumns } from '../entities/absent.js';
import { queryColumns } from '../entities/columns.js';
import type { Entity } from '../entities/entity.js';
import { ENTITIES, operation } from '../entities/index.js';
import { type DashRefusal, holdsList, type Lookup, readLookup } from '../entities/lookup.js';
import { didYouMean } from './explain-issue.js';
import { entriesOf, type Problem, type SettingPath, valueAt } from './problem.js';
import { describeFileError, readText } from './read-named-config.js';

/**
 * The queries and lookups that the blocks of entities name, read and checked together with the columns that the blocks name
 * (`readEntityFiles`). They are on disk (`filesOnDisk`), or stored with a tenant of a fleet. Everything that is wrong comes
 * back as a problem of its setting, so that all are reported together.
 */

/** The files that a configuration names, by the path as it is written there. */
export interface NamedFiles {
  /** Its name in messages; the same for each way to write its path. */
  shown(name: string): string;
  /** Its text. Errors: SyncError `config-invalid` with a whole sentence; those of the file system; those of `readText`. */
  read(name: string, kind: FileKind): string;
  /** Another text after every change of the file, also when it cannot be read then. Absent: none of them changes. */
  version?(name: string): string;
}

/**
 * What a file is read as. Certificates and keys may have any bytes around them, so they are read byte by byte. A key
 * and an adapter are never stored.
 */
export type FileKind = 'sql' | 'lookup' | 'certificates' | 'key' | 'adapter';

/** The content of the files that an entity's block names. */
export interface EntityFiles {
  /** The query's text, unchanged except for a byte order mark. */
  readonly sql: string;
  /** The query's file, as messages name it. */
  readonly queryFile: string;
  /** By column name. */
  readonly lookups: Readonly<Record<string, Lookup>>;
}

/** @param data interpolated data, perhaps with mistakes: the schema reports values that are not text */
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
        const use = lookupUse(entity, column, data, refusals.get(named.shown(name)));
        lookups.push([column, readLookup(named.read(name, 'lookup'), name, use)]);
      });
    }
    const extraFields = entriesOf(valueAt(data, [...block, 'extraFields']));
    const extra = extraFields.map(([, column]) => column).filter((name) => typeof name === 'string');
    const known = [...entity.columns.map(({ name }) => name), ...extra];
    const absent = entriesOf(valueAt(data, [...block, 'absent'])).map(([column]) => column);
    problems.push(
      ...checkColumns(entity, data, 'plainText', known),
      ...checkColumns(entity, data, 'required', known),
      ...checkAbsent(entity, absent, extra),
      ...checkExtraFields(entity, extraFields),
    );
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

function lookupUse(entity: Entity, column: string, data: unknown, dashRefused: DashRefusal | null = null) {
  const needed = requiredColumns(entity, data).find(({ name }) => name === column);
  return { column, required: needed !== undefined, wayOut: needed?.wayOut ?? null, dashRefused };
}

/** A file with a lookup, which may change while a worker runs. */
export interface LookupFile {
  /** As the configuration names it. */
  readonly name: string;
  /** Its version when the configuration was loaded. */
  readonly loaded: string;
  /** Its version now. */
  version(): string;
  /**
   * All lookups that it is, from one reading. Errors: SyncError `config-invalid`, a whole sentence that names the file, and
   * the line where there is one: then it is right for none of them.
   */
  read(): readonly { readonly entity: EntityName; readonly column: string; readonly lookup: Lookup }[];
}

/** The files of all lookups, each once. None where files never change. `data`: without mistakes. */
export function lookupFiles(data: unknown, named: NamedFiles): readonly LookupFile[] {
  const { version } = named;
  if (version === undefined) return [];
  const refusals = dashRefusals(data, named);
  const uses = ENTITIES.flatMap((entity) =>
    entriesOf(valueAt(data, ['entities', entity.name, 'lookups'])).flatMap(([column, name]) =>
      typeof name === 'string' ? [{ entity, column, name, shown: named.shown(name) }] : [],
    ),
  );
  const firsts = uses.filter(({ shown }, at) => uses.findIndex((use) => use.shown === shown) === at);
  return firsts.map(({ name, shown }) => ({
    name,
    loaded: version(name),
    version: () => version(name),
    read() {
      try {
        const text = named.read(name, 'lookup');
        return uses
          .filter((use) => use.shown === shown)
          .map(({ entity, column, name: written }) => {
            const use = lookupUse(entity, column, data, refusals.get(shown));
            return { entity: entity.name, column, lookup: readLookup(text, written, use) };
          });
      } catch (error) {
        throw unusable(whyUnread(named, name, error));
      }
    },
  }));
}

/** The lookup files in which `-` is refused because an entity must fill the column, by their names in messages. */
function dashRefusals(data: unknown, files: NamedFiles): ReadonlyMap<string, DashRefusal> {
  const found = new Map<string, DashRefusal>();
  for (const entity of ENTITIES) {
    const required = requiredColumns(entity, data);
    for (const [column, file] of entriesOf(valueAt(data, ['entities', entity.name, 'lookups']))) {
      const needed = required.find(({ name }) => name === column);
      // A list may lose an element.
      if (needed === undefined || typeof file !== 'string' || holdsList(column)) continue;
      found.set(files.shown(file), { entity: entity.name, column, wayOut: needed.wayOut ?? null });
    }
  }
  return found;
}

/** The columns that a row must fill, by the contract and by the configuration. */
function requiredColumns(entity: Entity, data: unknown) {
  const configured = valueAt(data, ['entities', entity.name, 'required']);
  const names = Array.isArray(configured) ? configured.map(String) : null;
  return queryColumns(entity, names).filter(({ required }) => required === true);
}

function checkedQuery(sql: string, file: string): string {
  const misread = misreadCharacter(sql);
  if (misread)
    throw unusable(`${file} ${misread.problem} (line ${sql.slice(0, misread.at).split('\n').length})`);
  if ([...sqlTokens(sql)].every(({ kind }) => kind === 'semicolon'))
    throw unusable(`${file} is empty; it must hold one SELECT`);
  return sql;
}

/** The error of a file that cannot be used: a whole sentence with its name. */
export function unusable(message: string): SyncError {
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
  return (Array.isArray(names) ? names : []).flatMap((name: unknown, index) => {
    if (typeof name !== 'string' || known.includes(name)) return [];
    const message = `${entity.name} has no column "${name}"${didYouMean(name, known)}`;
    return [{ path: [...path, index], message }];
  });
}

/** `absent` names columns whose field may be missing from the body; `extra`: the columns of `extraFields`. */
function checkAbsent(
  entity: Entity,
  columns: readonly string[],
  extra: readonly string[],
): readonly Problem[] {
  const possible = [...absentableColumns(entity), ...extra];
  return columns.flatMap((column) => {
    if (possible.includes(column)) return [];
    const known = entity.columns.some(({ name }) => name === column);
    const message = known
      ? `the field of this column is never absent; columns that may be absent: ${possible.join(', ')}`
      : `${entity.name} has no column "${column}"${didYouMean(column, possible)}`;
    return [{ path: ['entities', entity.name, 'absent', column], message }];
  });
}

/** Names of letters, digits, `_` and `-` between points; never `__proto__`. */
const PATH_FORM = /^[A-Za-z][\w-]*(\.[A-Za-z][\w-]*)*$/;

/**
 * Extra fields must not meet a field of the interface, or each other; their columns must not be columns of the
 * contract, whose values go through the rules of their field.
 */
function checkExtraFields(
  entity: Entity,
  extraFields: readonly (readonly [path: string, column: unknown])[],
): Problem[] {
  const fields = bodyFields(operation(entity.put).body);
  const columns = entity.columns.map(({ name }) => name);
  return extraFields.flatMap(([path, column]) => {
    const messages: string[] = [];
    const [top = ''] = path.split('.');
    const other = extraFields.find(([each]) => path.startsWith(`${each}.`))?.[0];
    if (!PATH_FORM.test(path)) messages.push('must be the name of a field, or names joined by dots');
    else if (fields.includes(top)) {
      messages.push(
        `"${top}" is a field of the interface; fill it with its own columns (docs/reference/columns.md)`,
      );
    } else if (other !== undefined)
      messages.push(`lies within the extra field "${other}"; keep one of the two`);
    if (typeof column === 'string' && columns.includes(column)) {
      messages.push(
        `the column "${column}" already fills another field; return the value a second time under another name`,
      );
    }
    return messages.map((message) => ({ path: ['entities', entity.name, 'extraFields', path], message }));
  });
}

/** Why a file could not be read, as a sentence with its name. */
export function whyUnread(files: NamedFiles, name: string, error: unknown): string {
  return error instanceof SyncError ? error.message : `${files.shown(name)} ${describeFileError(error)}`;
}

/** Files on disk. Relative paths start at `folder`, the configuration's own. */
export function filesOnDisk(folder: string): NamedFiles {
  const pathOf = (name: string) => resolve(folder, name);
  return {
    shown: pathOf,
    read(name, kind) {
      if (kind === 'lookup') return readLookupFile(folder, name);
      return kind === 'sql' ? readText(pathOf(name)) : readFileSync(pathOf(name), 'latin1');
    },
    version(name) {
      try {
        // Of what links lead to. An editor may keep the time of a file, and a copy its size.
        const { dev, ino, size, mtimeNs, ctimeNs } = statSync(pathOf(name), { bigint: true });
        return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
      } catch (error) {
        return describeFileError(error);
      }
    },
  };
}

/**
 * The text of a lookup. A relative name stays in the configuration's folder, whatever links are on its way: other
 * people often supply lookups, and messages show their wrong lines. A file elsewhere needs its absolute path.
 *
 * Errors: SyncError `config-invalid` for a relative name that leads out; those of `readText`.
 */
function readLookupFile(folder: string, name: string): string {
  const file = resolve(folder, name);
  if (!isAbsolute(name) && leadsOut(folder, file)) {
    throw unusable(
      `${name} leads out of the configuration's folder (${folder}); put the file there, or give its absolute path`,
    );
  }
  // Reading a pipe could wait forever.
  if (!statSync(file).isFile()) throw unusable(`${name} is not a file`);
  return readText(file);
}

/** Whether a file is outside of a folder, by its path or by the links on its way. Errors: those of the file system. */
export function leadsOut(folder: string, file: string): boolean {
  return isOutside(folder, file) || isOutside(realpathSync(folder), realpathSync(file));
}

function isOutside(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
}
