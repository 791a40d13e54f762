import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { LoadedConfig } from '../../core/config/load.js';
import { usageError } from '../../core/domain/errors.js';
import { plural } from '../../core/domain/text.js';
import { holdsUuid } from '../../core/entities/lookup.js';
import { fillLookup } from '../../features/lookup/fill-lookup.js';
import { type LookupUse, readCodes } from '../../features/lookup/read-codes.js';
import { withReadOnly } from '../../features/catalog/with-read-only.js';
import { replaceFile } from '../output/files.js';
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
  const { url } = config.settings.source;
  const session = { url, statementTimeoutMs: STATEMENT_TIMEOUT_MS, signal, searchPath: 'ofRole' } as const;
  const codes = await withReadOnly(session, (read) => readCodes(read, uses));
  const text = readFileSync(path, 'utf8');
  const values = platformReferences().get(first.column) ?? [];
  const filled = fillLookup(text, first.column, { codes, values });
  const changes = filled.text !== text;
  // What a link leads to, and not the link.
  if (changes && !dryRun) replaceFile(realpathSync(path), filled.text, statSync(path).mode);
  print(file, uses, filled);
  say(dryRun ? 'Nothing was written.' : changes ? `Wrote ${file}.` : `${file} stays as it is.`);
  return 0;
};

const STATEMENT_TIMEOUT_MS = 120_000;

interface Use extends LookupUse {
  readonly entity: string;
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

function print(
  file: string,
  uses: readonly Use[],
  { filled, added, open }: ReturnType<typeof fillLookup>,
): void {
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
