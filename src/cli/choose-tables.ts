import type { CatalogTable } from '../onboarding/catalog/catalog.js';
import { tableTitle } from '../onboarding/init/column-sql.js';
import type { Candidate } from '../onboarding/init/rank-tables.js';
import { SyncError } from '../domain/errors.js';
import { visibleText } from '../domain/visible-text.js';
import { io } from './io.js';

/**
 * The table of each entity: the likeliest, or on a terminal what a person chooses; an empty answer takes the first, 0
 * leaves the entity out. Errors: SyncError `usage` where nobody can answer, naming what would be taken.
 */
export async function chooseTables(
  ranking: ReadonlyMap<string, readonly Candidate[]>,
  { yes }: { readonly yes: boolean },
): Promise<ReadonlyMap<string, CatalogTable>> {
  const chosen = new Map<string, CatalogTable>();
  for (const [entity, candidates] of ranking) {
    const table = yes ? candidates[0]?.table : await ask(entity, candidates, ranking);
    if (table) chosen.set(entity, table);
  }
  if (chosen.size > 0) return chosen;
  throw new SyncError('usage', 'No table was chosen, so there is nothing to draft.', { scope: 'usage' });
}

async function ask(
  entity: string,
  candidates: readonly Candidate[],
  ranking: ReadonlyMap<string, readonly Candidate[]>,
): Promise<CatalogTable | undefined> {
  const { ask: onTerminal, signal } = io();
  const lines = candidates.map((candidate, at) => `  ${String(at + 1)}) ${described(candidate)}`);
  const question = visibleText(
    [`\nWhich table holds the ${entity}?`, ...lines, '  0) none', '[1] '].join('\n'),
  );
  for (;;) {
    const answer = await onTerminal(question, signal);
    signal.throwIfAborted();
    if (answer === null) throw noTerminal(ranking);
    const number = answer.trim() === '' ? 1 : Number(answer.trim());
    if (number === 0) return undefined;
    const candidate = candidates[number - 1];
    if (candidate) return candidate.table;
  }
}

function described({ table, references }: Candidate): string {
  const rows = table.rows === null ? 'rows not counted' : `${table.rows.toLocaleString('en-US')} rows`;
  return `${tableTitle(table)} (${rows}, ${String(references)} tables name it)`;
}

function noTerminal(ranking: ReadonlyMap<string, readonly Candidate[]>): SyncError {
  const first = [...ranking].map(
    ([entity, [candidate]]) => `${entity}: ${candidate ? tableTitle(candidate.table) : ''}`,
  );
  return new SyncError('usage', 'init asks which tables to take, and there is no terminal.', {
    scope: 'usage',
    hint: `placement-sync init --yes takes the likeliest (${first.join(', ')}).`,
  });
}
