import type { State } from '../../ports/state.js';
import type { EntityName } from '../../domain/entity-name.js';
import type { RunReport } from '../../sync/run/run-report.js';
import { table } from './table.js';
import { tellForeign } from './tell-foreign.js';
import { tell, writeJson, writeOut } from './write.js';

const COLUMNS = [
  'read',
  'unchanged',
  'new',
  'changed',
  'vanished',
  'invalid',
  'sent',
  'accepted',
  'rejected',
  'deferred',
  'waiting',
  'pending',
] as const;

/** How many records that need a human are named per entity and status. */
const NAMED = 3;

/** The summary of a run: JSON for programs; for people a table, and (with `attention`) what needs a human. */
export async function printRun(
  state: State,
  report: RunReport,
  json: boolean,
  { attention = true } = {},
): Promise<void> {
  if (json) {
    writeJson(report);
    return;
  }
  if (report.outcome === 'busy') {
    tell(
      'Nothing was read or sent: another run is under way. placement-sync status tells how far it is; run this again when it has ended.',
    );
    return;
  }
  const entities = Object.entries(report.entities);
  const rows = entities.map(([name, counters]) => [name, ...COLUMNS.map((column) => counters[column])]);
  const took = (Date.parse(report.finishedAt) - Date.parse(report.startedAt)) / 1000;
  writeOut(table(['', ...COLUMNS], rows));
  tell(`${report.outcome}, exit code ${report.exitCode}, ${took.toFixed(1)} s (run ${report.runId})`);
  if (report.outcome === 'aborted') tell(`  ${stoppedText(report)}`);
  // An area's error is on each of its entities; it is told once.
  const errors = new Map<string, string[]>();
  for (const [name, { held, error }] of entities) {
    if (error) {
      const text = `${error.code}: ${error.message}`;
      errors.set(text, [...(errors.get(text) ?? []), name]);
    }
    if (held)
      tell(`  ${name} is held; placement-sync status tells why, placement-sync approve ${name} permits it.`);
  }
  for (const [text, names] of errors) tell(`  ${names.join(', ')}: ${text}`);
  tellForeign(report.entities);
  const names = entities.map(([name]) => name as EntityName);
  if (attention) await printAttention(state, names);
}

/** Names a few records that need a human, and how to learn more. */
export async function printAttention(state: State, entities: readonly EntityName[]): Promise<void> {
  let any: string | null = null;
  for (const entity of entities) {
    const found = await state.records.needingAttention(entity, NAMED + 1).catch(() => []);
    any ??= found[0] ? `${entity} ${shellWord(found[0].key)}` : null;
    const named = new Map<string, number>();
    for (const { key, status, message } of found) {
      const place = (named.get(status) ?? 0) + 1;
      named.set(status, place);
      if (place <= NAMED) tell(`  ${entity} ${key} is ${status}${message === '' ? '' : `: ${message}`}`);
      else tell(`  … and more ${status} records of ${entity}`);
    }
  }
  if (any !== null) tell(`  What is wrong with one of them, and why: placement-sync explain ${any}`);
}

/** What was done before the signal, and who does the rest. */
function stoppedText({ entities }: RunReport): string {
  const sum = (counter: 'accepted' | 'pending') =>
    Object.values(entities).reduce((total, counters) => total + counters[counter], 0);
  return `Stopped by a signal: ${sum('accepted')} accepted and written down, ${sum('pending')} pending. The next run goes on from here.`;
}

/** A key as it has to be written on a command line. */
function shellWord(key: string): string {
  return /^[\w.:@%+=,/-]+$/.test(key) && !key.startsWith('-') ? key : `'${key.replaceAll("'", "'\\''")}'`;
}
