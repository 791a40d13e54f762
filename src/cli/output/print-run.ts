import type { EntityName } from '../../domain/names.js';
import { ERROR_CODES } from '../../domain/errors.js';
import { describeEnding } from '../../domain/run-ending.js';
import { findTroubles } from '../../domain/trouble/find-troubles.js';
import type { RunFacts, TroubleFacts, TroubleKind } from '../../domain/trouble/trouble.js';
import type { RunContext } from '../../sync/run-context.js';
import type { RunResult } from '../../sync/run/end.js';
import { gatherFacts, unreadFacts } from '../../sync/troubles.js';
import { withLocalTimes } from './local-time.js';
import { holderText } from './holder-text.js';
import { printTroubles } from './print-troubles.js';
import { runTable } from './run-table.js';
import { printExpired } from './print-expired.js';
import { printGroups } from './print-groups.js';
import { printForeign } from './print-foreign.js';
import { say, writeJson, writeOut } from './write.js';

/** Troubles of single records. */
const OF_RECORDS: readonly TroubleKind[] = [
  'rejected',
  'drifted',
  'unmapped',
  'invalid',
  'blocked',
  'deferred',
];

/** The summary of a run: JSON for programs; a table and the troubles for people, those of records only with `attention`; times in the platform's time zone. */
export async function printRun(
  context: Pick<RunContext, 'state' | 'entities' | 'settings'>,
  result: RunResult,
  json: boolean,
  { attention = true } = {},
): Promise<void> {
  const { aside, ...report } = result;
  if (json) {
    writeJson(report);
    return;
  }
  if (report.outcome === 'busy') {
    const { heldBy } = aside;
    const who = heldBy ? holderText({ ...heldBy, lease: heldBy.name }) : 'Another process is running.';
    say(
      `Nothing was read or sent. ${who} placement-sync status shows its progress. Run this again when it has ended.`,
    );
    return;
  }
  const facts = await factsOf(context, result);
  const took = (Date.parse(report.finishedAt) - Date.parse(report.startedAt)) / 1000;
  writeOut(runTable(report.entities, aside.read, facts));
  const ending = describeEnding({ ...report, error: aside.error }, toCorrect(facts)) ?? report.outcome;
  say(
    `${withLocalTimes(ending, context.settings.platform.timeZone)} Exit code ${report.exitCode}, ${took.toFixed(1)} s, run ${report.runId}.`,
  );
  printExpired(report.entities);
  printForeign(report.entities);
  // The sentence above has said that a signal stopped it.
  const troubles = findTroubles(facts).filter(({ kind }) => kind !== 'interrupted');
  printTroubles(
    attention ? troubles : troubles.filter(({ kind }) => !OF_RECORDS.includes(kind)),
    context.settings.platform.timeZone,
  );
  if (attention) printGroups(aside.doubtful);
}

/** Records that need correction: rejected, invalid, or waiting for a parent that does not come. */
function toCorrect({ entities }: TroubleFacts): number {
  return entities.reduce(
    (sum, { counts }) => sum + (counts ? counts.rejected + counts.invalid + counts.blocked : 0),
    0,
  );
}

/** The facts in the ledger; if it cannot be read, those that the run itself knows. */
async function factsOf(
  { state, entities: configured }: Pick<RunContext, 'state' | 'entities'>,
  { outcome, exitCode, entities: reports }: RunResult,
): Promise<TroubleFacts> {
  const run: RunFacts = {
    interrupted: outcome === 'aborted' && exitCode === 1,
    // The summary says what ended the run.
    error: null,
    entities: reports,
  };
  const entities = Object.keys(reports);
  const counts = (entity: EntityName) => state.records.counts(entity);
  try {
    // With its hint apart, as status shows it. Only where this run was stopped: an older stop is not its trouble.
    const stored = exitCode === ERROR_CODES['reply-not-understood'] ? { storedAreas: state.areaStates } : {};
    const from = { now: new Date(), entities, configured, run, counts, reasons: state };
    return await gatherFacts(state, { ...from, ...stored });
  } catch {
    return unreadFacts(entities, run);
  }
}
