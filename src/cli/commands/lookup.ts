import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { LoadedConfig } from '../../config/load.js';
import { usageError } from '../../domain/errors.js';
import { uuidText } from '../../domain/key.js';
import { plural } from '../../domain/text.js';
import { holdsList, holdsUuid } from '../../entities/lookup.js';
import { type CodeCount, fillLookup, type FilledLookup } from '../../onboarding/lookup/fill-lookup.js';
import { inParentheses, prepareQuery } from '../../source/query.js';
import { withReadOnly } from '../../source/with-read-only.js';
import { replaceFile } from '../../runtime/files.js';
import { commandContext } from '../command-context.js';
import type { Handler } from '../common-options.js';
import { platformReferences } from '../compose/configured-entities.js';
import { io } from '../io.js';
import { LISTED, moreText, say } from '../output/write.js';

/**
 * `lookup fill FILE`: reads the codes that the rows have, fills ids by their names, and adds codes that the file lacks. The
 * file is written as a whole, or not at all.
 */
export const lookupFillCommand: Handler = async ({ command, signal, arguments: [file = ''] }) => {
  const { dryRun = false } = command.opts<{ dryRun?: boolean }>();
  const { config } = commandContext(command, { withoutCredentials: true });
  const path = resolve(io().cwd, file);
  const uses = usesOf(config, path);
  const [first] = uses;
  if (first === undefined) throw unused(config, file);
  const codes = await codesOf(config, uses, signal);
  const text = readFileSync(path, 'utf8');
  const values = platformReferences().get(first.column) ?? [];
  const filled = fillLookup(text, first.column, { codes, values });
  const changes = filled.text !== text;
  if (changes && !dryRun) replaceFile(path, filled.text, statSync(path).mode);
  print(file, uses, filled);
  say(dryRun ? 'Nothing was written.' : changes ? `Wrote ${file}.` : `${file} stays as it is.`);
  return 0;
};

interface Use {
  readonly entity: string;
  readonly column: string;
  /** A UUID in the column is an id of the platform already, and no code. */
  readonly takesIds: boolean;
  readonly query: { readonly entity: string; readonly sql: string; readonly file: string };
}

/** The columns that the file is the lookup of. */
function usesOf({ entities, file: configuration }: LoadedConfig, path: string): readonly Use[] {
  return [...entities.values()].flatMap(({ name: entity, sql, queryFile, lookups }) =>
    Object.entries(lookups)
      .filter(([, lookup]) => resolve(dirname(configuration), lookup.file) === path)
      .map(([column, { codesAreUuids = false }]) => ({
        ...{ entity, column, query: { entity, sql, file: queryFile } },
        takesIds: holdsUuid(column) && !codesAreUuids,
      })),
  );
}

function unused({ entities }: LoadedConfig, file: string) {
  const files = new Set(
    [...entities.values()].flatMap(({ lookups }) => Object.values(lookups).map((lookup) => lookup.file)),
  );
  return usageError(
    `No entity has ${file} as a lookup.`,
    files.size === 0
      ? 'Name it in the configuration first: entities.ENTITY.lookups.'
      : `The lookups of the configuration are ${[...files].join(', ')}.`,
  );
}

const STATEMENT_TIMEOUT_MS = 120_000;
/** Most codes of a column; more are no codes. */
const MOST_CODES = 10_000;

/** What the rows have in these columns, those with most rows first. The codes of a list stay out: only the file has them. */
async function codesOf(
  { settings: { source } }: LoadedConfig,
  uses: readonly Use[],
  signal: AbortSignal,
): Promise<readonly CodeCount[]> {
  const counts = new Map<string, number>();
  const session = { url: source.url, statementTimeoutMs: STATEMENT_TIMEOUT_MS, signal };
  await withReadOnly({ ...session, searchPath: 'ofRole' }, async ({ run }) => {
    for (const { column, query, takesIds } of uses) {
      if (holdsList(column)) continue;
      const name = `q."${column}"`;
      const rows = await run<{ code: string; count: number }>(
        `select cast(${name} as text) as code, cast(count(*) as integer) as count from ${inParentheses(prepareQuery(query))}
         where ${name} is not null group by 1 order by 2 desc, 1 limit ${String(MOST_CODES)}`,
      );
      for (const { code, count } of rows)
        if (!takesIds || uuidText(code) === null) counts.set(code, (counts.get(code) ?? 0) + count);
    }
  });
  return [...counts].map(([code, count]) => ({ code, count })).sort((one, other) => other.count - one.count);
}

function print(file: string, uses: readonly Use[], { filled, added, open }: FilledLookup): void {
  say(`${file}: ${uses.map(({ entity, column }) => `${column} of ${entity}`).join(', ')}`);
  list(
    filled.map(({ code, name, id }) => `${code}${name === '' ? '' : ` (${name})`}: ${id}`),
    (count) => `${count} ${plural(count, 'code has', 'codes have')} got an id:`,
  );
  list(
    added,
    (count) =>
      `${count} ${plural(count, 'code', 'codes')} of the rows ${plural(count, 'was', 'were')} not in the file:`,
  );
  list(
    open.map(({ code, count, note }) => {
      const rows = count === null ? '' : `, ${count} ${plural(count, 'row', 'rows')}`;
      return `${code}${rows}${note === '' ? '' : `: ${note}`}`;
    }),
    (count) =>
      `${count} ${plural(count, 'code has', 'codes have')} no id yet; records with ${plural(count, 'it', 'them')} wait:`,
  );
}

function list(lines: readonly string[], title: (count: number) => string): void {
  if (lines.length === 0) return;
  say(`  ${title(lines.length)}`);
  for (const line of lines.slice(0, LISTED)) say(`    ${line}`);
  if (lines.length > LISTED) say(`    ${moreText(lines.length - LISTED)}`);
}
