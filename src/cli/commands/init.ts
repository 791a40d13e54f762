import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { environmentReader } from '../../config/environment-variables.js';
import { SyncError } from '../../domain/errors.js';
import { readCatalog } from '../../onboarding/catalog/read-catalog.js';
import { withReadOnly } from '../../onboarding/catalog/with-read-only.js';
import { draftConfiguration, type Draft } from '../../onboarding/init/draft-configuration.js';
import { withImpliedParents } from '../../onboarding/init/implied-parents.js';
import { proposeNamespace } from '../../onboarding/init/propose-namespace.js';
import { rankTables } from '../../onboarding/init/rank-tables.js';
import { createFile } from '../../runtime/create-file.js';
import { shellWord } from '../../runtime/shell-word.js';
import type { Handler } from '../command-action.js';
import { commonOptions } from '../common-options.js';
import { exampleFiles } from '../compose/example-files.js';
import { platformReferences } from '../compose/platform-references.js';
import { io } from '../io.js';
import { say, writeError } from '../output/write.js';
import { chooseTables } from '../choose-tables.js';

const STATEMENT_TIMEOUT_MS = 10_000;
const LOOK_FOR_MS = 300_000;
/** Written whatever the database holds; the rest is known after a look at it. */
const ALWAYS = ['placement-sync.yaml', 'placement-sync.schema.json', '.env.example'];

/** Drafts a configuration from the tables of the source. */
export const initCommand: Handler = async ({ command, signal }) => {
  const { out, yes = false } = command.opts<{ out: string; yes?: boolean }>();
  const { quiet = false } = commonOptions(command);
  const folder = resolve(io().cwd, out);
  refuseExisting(folder, out, ALWAYS);
  const url = sourceUrl();
  try {
    const drafted = await withReadOnly(
      { url, statementTimeoutMs: STATEMENT_TIMEOUT_MS, attemptForMs: LOOK_FOR_MS, signal },
      async (read) => {
        const catalog = withImpliedParents(await readCatalog(read));
        const ranking = rankTables(catalog);
        if (ranking.size === 0) throw nothingFound(catalog.tables.length, catalog.server.role);
        const chosen = await chooseTables(ranking, { yes });
        const draft = await draftConfiguration(read, catalog, chosen, ranking, platformReferences());
        return { draft, namespace: await proposeNamespace(read, catalog.server.database) };
      },
    );
    const files = allFiles(drafted.draft, drafted.namespace);
    refuseExisting(folder, out, [...files.keys()]);
    for (const [path, content] of files) {
      write(join(folder, path), content);
      if (!quiet) say(`wrote ${join(out, path)}`);
    }
    say(drafted.draft.report.join('\n'));
    if (!quiet) say(nextSteps(join(out, 'placement-sync.yaml')));
    return 0;
  } catch (error) {
    if (!signal.aborted) throw error;
    writeError('Stopped. Nothing was written.');
    return 1;
  }
};

/** Errors: SyncError `usage` when it is not set, or its file cannot be read. */
function sourceUrl(): string {
  const { env, cwd } = io();
  const variable = environmentReader(env, cwd)('SOURCE_DATABASE_URL');
  if ('problem' in variable) throw new SyncError('usage', `${variable.problem}.`, { scope: 'usage' });
  if (variable.value !== null && variable.value !== '') return variable.value;
  throw new SyncError('usage', 'SOURCE_DATABASE_URL is not set.', {
    scope: 'usage',
    hint: 'Set it to the address of your database, postgres://user:password@host:port/database, or SOURCE_DATABASE_URL_FILE to a file with it. A role that may SELECT from the tables is enough.',
  });
}

function allFiles({ files }: Draft, namespace: string | null): ReadonlyMap<string, string> {
  const packaged = (name: string) => {
    const file = exampleFiles().find(({ to }) => to === name);
    return file ? readFileSync(file.from, 'utf8') : null;
  };
  const schema = packaged('placement-sync.schema.json');
  const variables = packaged('.env.example');
  return new Map([
    ...files,
    ...(schema === null ? [] : [['placement-sync.schema.json', schema] as const]),
    ...(variables === null
      ? []
      : [
          [
            '.env.example',
            variables.replace(/^(PLACEMENT_SYNC_NAMESPACE=)$/m, `$1${namespace ?? ''}`),
          ] as const,
        ]),
  ]);
}

/** Errors: SyncError `usage` that names every file that is there. */
function refuseExisting(folder: string, out: string, paths: readonly string[]): void {
  const there = paths.filter((path) => existsSync(join(folder, path)));
  if (there.length === 0) return;
  throw new SyncError(
    'usage',
    `init never overwrites a file, and these exist: ${there.map((path) => join(out, path)).join(', ')}.`,
    { scope: 'usage', hint: 'Name another folder: placement-sync init --out DIR. Nothing was written.' },
  );
}

function write(path: string, content: string): void {
  let created: boolean;
  try {
    created = createFile(path, Buffer.from(content));
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new SyncError('usage', `${path} could not be written: ${code}.`, {
      scope: 'usage',
      hint: 'Name a folder that you may write to: placement-sync init --out DIR. What was written so far is kept.',
      cause: error,
    });
  }
  if (!created)
    throw new SyncError('usage', `${path} was made meanwhile, and stays as it is.`, { scope: 'usage' });
}

function nothingFound(tables: number, role: string): SyncError {
  return new SyncError(
    'usage',
    `None of ${String(tables)} tables looks like companies, vacancies, institutions or trainings.`,
    {
      scope: 'usage',
      hint: `Does the role ${role} see the tables (GRANT USAGE on the schema, GRANT SELECT on the tables)? Otherwise begin with the examples: placement-sync config init.`,
    },
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
