import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { environmentReader } from '../../core/config/read-named-config.js';
import { addressProblem } from '../../core/config/schema-walk.js';
import { SyncError, usageError } from '../../core/domain/errors.js';
import { shellWord, visibleText } from '../../core/domain/text.js';
import type { Catalog } from '../../features/catalog/catalog.js';
import { withReadOnly, type ReadOnly } from '../../features/catalog/with-read-only.js';
import { type Draft, draft, proposeNamespace } from '../../features/init/draft.js';
import { describeDatabase } from '../../features/init/describe.js';
import { DRAFTED_NAMES } from '../../features/init/draftables.js';
import { hiddenRows } from '../../features/init/map/find-notices.js';
import { lateLines, noteLate } from '../../features/init/late.js';
import { look } from '../../features/init/look.js';
import { rank } from '../../features/init/rank.js';
import { variablesText } from '../../features/init/write/configuration-text.js';
import { leftOutLines } from '../../features/init/write/report-lines.js';
import { createFile, tryFolder } from '../output/files.js';
import { commonOptions, type Handler } from '../common-options.js';
import { exampleFiles } from './config.js';
import { platformReferences } from '../compose/configured-entities.js';
import { io } from '../io.js';
import { say, writeError, writeOut } from '../output/write.js';
import { chooseTables } from '../choose-tables.js';
import { findTable, namedTables, tableList } from '../named-tables.js';

const STATEMENT_TIMEOUT_MS = 10_000;
/** Of looking, and again of drafting: the answers of a person take as long as they take. */
const LOOK_FOR_MS = 300_000;
const CONFIGURATION = 'placement-sync.yaml';
const WHY: Readonly<Record<string, string>> = {
  EACCES: 'this user may not (EACCES)',
  EPERM: 'this user may not (EPERM)',
  EROFS: 'the volume is read-only (EROFS)',
  ENOSPC: 'the disk is full (ENOSPC)',
  EDQUOT: 'the quota is used up (EDQUOT)',
  ENOENT: 'no folder can be made there (ENOENT)',
  EEXIST: 'it is no folder (EEXIST)',
  ENOTDIR: 'a part of the path is no folder (ENOTDIR)',
};

export const initCommand: Handler = async ({ command, signal }) => {
  const { out, yes = false, table = [], key = [], describe = false } = command.opts<InitOptions>();
  const { quiet = false } = commonOptions(command);
  if (describe) return printDescription(table, signal);
  const folder = resolve(io().cwd, out);
  refuseExamples(folder, out);
  // The rest is known after a look at the database.
  refuseOthers(folder, out, new Map([[CONFIGURATION, null], ...schemaFile()]));
  refuseUnwritable(folder, out);
  const url = sourceUrl();
  const late = { stopped: 0, unbegun: 0 };
  const reading = <T>(work: (read: ReadOnly) => Promise<T>) =>
    withReadOnly(
      { url, statementTimeoutMs: STATEMENT_TIMEOUT_MS, attemptForMs: LOOK_FOR_MS, signal },
      (read) => work(noteLate(read, late)),
    );
  try {
    const catalog = await reading(look);
    const ranking = rank(catalog);
    const named = namedTables(catalog, table, key);
    if (ranking.size === 0 && named.size === 0) throw nothingFound(catalog);
    // No transaction is open while a person thinks: it would hold back VACUUM.
    const chosen = await chooseTables(ranking, {
      yes,
      named,
      find: (name) => findTable(catalog, name),
    });
    if (chosen === null) return stopped();
    const drafted = await reading(async (read) => ({
      namespace: await proposeNamespace(read, catalog.server.database),
      draft: await draft(read, catalog, { chosen, ranking, references: platformReferences() }),
    }));
    const files = allFiles(drafted.draft, { file: join(out, CONFIGURATION), namespace: drafted.namespace });
    refuseOthers(folder, out, files);
    for (const [path, content] of files) {
      const done = write(join(folder, path), content);
      if (!quiet) say(`${done} ${join(out, path)}`);
    }
    const limits = { statementMs: STATEMENT_TIMEOUT_MS, wholeMs: LOOK_FOR_MS };
    say([...drafted.draft.report, ...lateLines(late, limits)].join('\n'));
    if (!quiet) say(nextSteps(join(out, CONFIGURATION)));
    return 0;
  } catch (error) {
    if (!signal.aborted) throw error;
    return stopped();
  }
};

interface InitOptions {
  readonly out: string;
  readonly yes?: boolean;
  readonly table?: readonly string[];
  readonly key?: readonly string[];
  readonly describe?: boolean;
}

/** `names`: `hr.job_ad`, or as for a draft `vacancies=hr.job_ad`. */
async function printDescription(names: readonly string[], signal: AbortSignal): Promise<number> {
  const options = {
    url: sourceUrl(),
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    attemptForMs: LOOK_FOR_MS,
    signal,
  };
  const text = await withReadOnly(options, async (read) => {
    const catalog = await look(read);
    const chosen = names.map((name) => {
      const table = findTable(catalog, name) ?? findTable(catalog, name.replace(/^[a-z-]+=/, ''));
      if (table === undefined) throw usageError(`There is no table ${name}.`, tableList(catalog));
      return table;
    });
    return describeDatabase(read, catalog, chosen);
  });
  writeOut(visibleText(text));
  return 0;
}

function stopped(): number {
  writeError('Stopped. Nothing was written.');
  return 1;
}

/** Errors: SyncError `usage` when it is not set, or its file cannot be read. */
function sourceUrl(): string {
  const { env, cwd } = io();
  const variable = environmentReader(env, cwd)('SOURCE_DATABASE_URL');
  if ('problem' in variable) throw usageError(`${variable.problem}.`);
  if (variable.value !== null && variable.value !== '') {
    const problem = addressProblem(variable.value);
    if (problem !== null) throw usageError(`SOURCE_DATABASE_URL ${problem}.`);
    return variable.value;
  }
  throw usageError(
    'SOURCE_DATABASE_URL is not set.',
    'Set it to the address of your database, postgres://user:password@host:port/database, or SOURCE_DATABASE_URL_FILE to a file with it. A role that may SELECT from the tables is enough.',
  );
}

/** Text of a file of the package; null: this package does not have it. */
function packaged(name: string): string | null {
  const file = exampleFiles().find(({ to }) => to === name);
  return file ? readFileSync(file.from, 'utf8') : null;
}

function schemaFile(): readonly (readonly [string, string])[] {
  const name = 'placement-sync.schema.json';
  const schema = packaged(name);
  return schema === null ? [] : [[name, schema]];
}

/** In the order of writing: the configuration comes last, so that a repeat after a full disk may go on. */
function allFiles(
  { files }: Draft,
  named: { readonly file: string; readonly namespace: string | null },
): ReadonlyMap<string, string> {
  const example = packaged('.env.example');
  return new Map([
    ...[...files].filter(([path]) => path !== CONFIGURATION),
    ...schemaFile(),
    ...(example === null
      ? []
      : [['.env.example', variablesText(example, files.get(CONFIGURATION) ?? '', named)] as const]),
    ...[...files].filter(([path]) => path === CONFIGURATION),
  ]);
}

/** Errors: SyncError `usage` for the program's own folder of examples, which a clone has as `config`. */
function refuseExamples(folder: string, out: string): void {
  if (!exampleFiles().some(({ from, to }) => from === join(folder, to))) return;
  throw usageError(
    `${out} has the examples of this program, so the draft needs a folder of its own.`,
    'placement-sync init --out my-config',
  );
}

/** Errors: SyncError `usage` that names every file that is there with another content. Content null: whatever it has. */
function refuseOthers(folder: string, out: string, files: ReadonlyMap<string, string | null>): void {
  const there = [...files].filter(([path, content]) => {
    const file = join(folder, path);
    return existsSync(file) && !hasContent(file, content);
  });
  if (there.length === 0) return;
  throw usageError(
    `init never overwrites a file, and these exist: ${there.map(([path]) => join(out, path)).join(', ')}.`,
    'Name another folder: placement-sync init --out DIR. Nothing was written.',
  );
}

function hasContent(path: string, content: string | null): boolean {
  try {
    return content !== null && readFileSync(path, 'utf8') === content;
  } catch {
    return false;
  }
}

/** Errors: SyncError `usage` where a file could not be made: before the work, not after it. */
function refuseUnwritable(folder: string, out: string): void {
  for (const part of ['', 'queries', 'reference'])
    try {
      tryFolder(join(folder, part));
    } catch (error) {
      throw unwritable(join(out, part), error, 'Nothing was written.');
    }
}

function unwritable(path: string, error: unknown, rest: string): SyncError {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return usageError(
    `${path} cannot be written to: ${WHY[code] ?? code}.`,
    `Name a folder that you may write to: placement-sync init --out DIR. ${rest}`,
    error,
  );
}

/** What was done: a file that is there already as it would be written stays. */
function write(path: string, content: string): 'wrote' | 'kept' {
  let created: boolean;
  try {
    created = createFile(path, Buffer.from(content));
  } catch (error) {
    throw unwritable(path, error, 'Or correct the cause and repeat: what was written so far is kept.');
  }
  if (created) return 'wrote';
  if (hasContent(path, content)) return 'kept';
  throw usageError(`${path} was made meanwhile, and stays as it is.`);
}

function nothingFound(catalog: Catalog): SyncError {
  const { tables, server } = catalog;
  const hidden = tables.flatMap((table) => hiddenRows(table, server.role) ?? []).slice(0, 3);
  if (hidden.length > 0)
    return usageError(
      `None of ${String(tables.length)} tables looks like ${DRAFTED_NAMES}, as far as their rows can be seen.`,
      hidden.join(' '),
    );
  return usageError(
    `None of ${String(tables.length)} tables looks like ${DRAFTED_NAMES}.`,
    `Name one: placement-sync init --table vacancies=NAME. ${tableList(catalog)} Is one missing that ${server.role} should see? GRANT USAGE on its schema, GRANT SELECT on it. Or begin with the examples: placement-sync config init.${leftOutLines(catalog).join(' ').trimEnd()}`,
  );
}

function nextSteps(file: string): string {
  const named = `--config ${shellWord(file)}`;
  return [
    '',
    'Next: set the variables of .env.example, decide what is marked "decide:", fill in the ids of the lookups. Then:',
    `  placement-sync config check ${named}`,
    `  placement-sync doctor ${named}`,
    `  placement-sync plan ${named} --diff`,
  ].join('\n');
}
