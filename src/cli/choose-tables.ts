import { type CatalogTable, rowsText } from '../features/catalog/catalog.js';
import { DRAFTABLES } from '../features/init/draftables.js';
import { type Candidate, takeLikeliest } from '../features/init/rank.js';
import { SyncError, usageError } from '../core/domain/errors.js';
import { grouped, plural, visibleText } from '../core/domain/text.js';
import { io } from './io.js';

const LONGEST = 40;

/**
 * The table of each entity: the likeliest that no other entity takes, or on a terminal what a person chooses; an empty
 * answer takes the same, 0 leaves the entity out. Null: the person ended the input. Errors: SyncError `usage` where nobody can
 * answer, naming what would be taken.
 */
export async function chooseTables(
  ranking: ReadonlyMap<string, readonly Candidate[]>,
  { yes, named, find }: Choice,
): Promise<ReadonlyMap<string, CatalogTable> | null> {
  const chosen = new Map<string, CatalogTable>();
  for (const { name: entity } of DRAFTABLES) {
    const candidates = ranking.get(entity) ?? [];
    const own = named.get(entity);
    if (own) chosen.set(entity, own);
    if (own || candidates.length === 0) continue;
    const table = yes ? takeLikeliest(candidates) : await ask(entity, candidates, ranking, find);
    if (table === null) return null;
    if (table) chosen.set(entity, table);
  }
  if (chosen.size > 0) return chosen;
  throw usageError('No table was chosen, so there is nothing to draft.');
}

interface Choice {
  readonly yes: boolean;
  /** What the command line names. */
  readonly named: ReadonlyMap<string, CatalogTable>;
  /** The table of a name that a person writes in place of a number. */
  readonly find: (name: string) => CatalogTable | undefined;
}

async function ask(
  entity: string,
  candidates: readonly Candidate[],
  ranking: ReadonlyMap<string, readonly Candidate[]>,
  find: Choice['find'],
): Promise<CatalogTable | undefined | null> {
  const { ask: onTerminal, signal } = io();
  const lines = candidates.map((candidate, at) => `  ${String(at + 1)}) ${described(candidate)}`);
  const usual = takeLikeliest(candidates) ? 1 : 0;
  const question = visibleText(
    [
      `\nWhich table holds the ${entity}?`,
      ...lines,
      '  0) none; or the name of a table',
      `[${String(usual)}] `,
    ].join('\n'),
  );
  for (let wrong = ''; ;) {
    const answer = await onTerminal(wrong + question, signal);
    signal.throwIfAborted();
    if (answer === false) return null;
    if (answer === null) throw noTerminal(ranking);
    const number = answer.trim() === '' ? usual : Number(answer.trim());
    if (number === 0) return undefined;
    const table = candidates[number - 1]?.table ?? find(answer.trim());
    if (table?.selectable === true) return table;
    wrong = visibleText(
      `"${answer.trim().slice(0, LONGEST)}" is none of 0 to ${String(candidates.length)}.\n`,
    );
  }
}

function described({ table, references, taken }: Candidate): string {
  const other = taken === null ? '' : `, taken for ${taken}`;
  const named = plural(references, 'one table names', `${grouped(references)} tables name`);
  return `${table.title} (${rowsText(table)}, ${named} it${other})`;
}

function noTerminal(ranking: ReadonlyMap<string, readonly Candidate[]>): SyncError {
  const first = [...ranking].flatMap(([entity, candidates]) => {
    const table = takeLikeliest(candidates);
    return table ? [`${entity}: ${table.title}`] : [];
  });
  return usageError(
    'init asks which tables to take, and there is no terminal.',
    `placement-sync init --yes takes the likeliest (${first.join(', ')}).`,
  );
}
