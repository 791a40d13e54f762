import type { EntityName } from '../../domain/entity-name.js';
import { EXIT_CODES } from '../../domain/exit-codes.js';
import { findTroubles } from '../../domain/trouble/find-troubles.js';
import type { RunFacts, TroubleFacts } from '../../domain/trouble/trouble-facts.js';
import type { TroubleKind } from '../../domain/trouble/trouble-kinds.js';
import type { RunContext } from '../../sync/run-context.js';
import type { RunReport } from '../../sync/run/run-report.js';
import { gatherFacts } from '../../sync/troubles/gather-facts.js';
import { unreadFacts } from '../../sync/troubles/unread-facts.js';
import { printTroubles } from './print-troubles.js';
import { table } from './table.js';
import { printForeign } from './print-foreign.js';
import { say, writeJson, writeOut } from './write.js';

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

/** Troubles of single records. */
const OF_RECORDS: readonly TroubleKind[] = ['rejected', 'unmapped', 'invalid', 'blocked', 'deferred'];

/** The summary of a run: JSON for programs; a table and the troubles for people, those of records only with `attention`. */
export async function printRun(
  context: Pick<RunContext, 'state' | 'entities'>,
  report: RunReport,
  json: boolean,
  { attention = true } = {},
): Promise<void> {
  if (json) {
    writeJson(report);
    return;
  }
  if (report.outcome === 'busy') {
    say(
      'Nothing was read or sent: another run is under way. placement-sync status shows its progress. Run this again when it has ended.',
    );
    return;
  }
  const entities = Object.entries(report.entities);
  const rows = entities.map(([name, counters]) => [name, ...COLUMNS.map((column) => counters[column])]);
  const took = (Date.parse(report.finishedAt) - Date.parse(report.startedAt)) / 1000;
  writeOut(table(['', ...COLUMNS], rows));
  say(`${summaryOf(report)} Exit code ${report.exitCode}, ${took.toFixed(1)} s, run ${report.runId}.`);
  printForeign(report.entities);
  const troubles = findTroubles(await factsOf(context, report));
  printTroubles(attention ? troubles : troubles.filter(({ kind }) => !OF_RECORDS.includes(kind)));
}

/** `Complete.`, `Some records need correction.` */
function summaryOf({ outcome, exitCode }: RunReport): string {
  if (exitCode === 0 && outcome === 'partial') return 'Finished. A later run sends the rest.';
  const short = EXIT_CODES.find(({ code }) => code === exitCode)?.short ?? outcome;
  return `${short.charAt(0).toUpperCase()}${short.slice(1)}.`;
}

/** The facts in the ledger; if it cannot be read, those that the run itself knows. */
async function factsOf(
  { state, entities: configured }: Pick<RunContext, 'state' | 'entities'>,
  { outcome, exitCode, entities: reports }: RunReport,
): Promise<TroubleFacts> {
  const run: RunFacts = {
    interrupted: outcome === 'aborted' && exitCode === 1,
    // The log says what ended the run.
    error: null,
    entities: reports,
  };
  const entities = Object.keys(reports);
  const counts = (entity: EntityName) => state.records.counts(entity);
  try {
    return await gatherFacts(state, { now: new Date(), entities, configured, run, counts, reasons: state });
  } catch {
    return unreadFacts(entities, run);
  }
}
