import type { AppContext } from '../../features/create-state.js';
import { randomUUID } from 'node:crypto';
import { ERROR_CODES } from '../../core/domain/errors.js';
import { ABSENT_ENTITY_STATE } from '../../core/domain/entity-state.js';
import type { SyncEvent } from '../../core/domain/events.js';
import type { EntityName } from '../../core/domain/names.js';
import { describeEnding } from '../../features/troubles/describe-ending.js';
import { grouped, plural } from '../../core/domain/text.js';
import { findTroubles } from '../../core/domain/trouble/find-troubles.js';
import {
  NOTHING_KNOWN,
  type RunFacts,
  type TroubleFacts,
  type TroubleKind,
} from '../../core/domain/trouble/trouble.js';
import { emptyReport, entity as entityNamed } from '../../core/entities/index.js';
import type { RunReport, RunResult } from '../../core/run/end.js';
import { gatherFacts } from '../../core/run/troubles.js';
import { withLocalTimes } from '../../core/contract/time.js';
import { printGroups } from './print-groups.js';
import { printTroubles } from './print-troubles.js';
import { runTable } from './table.js';
import { say, writeJson, writeOut } from './write.js';

const OF_RECORDS: readonly TroubleKind[] = [
  'rejected',
  'taken-down',
  'drifted',
  'unmapped',
  'invalid',
  'blocked',
  'deferred',
];

/** The summary of a run: JSON for programs; a table and the troubles for people, those of records only with `attention`; times in the platform's time zone. */
export async function printRun(
  context: Pick<AppContext, 'state' | 'entities' | 'settings'>,
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
      `Nothing was read or sent. ${who} placement-sync status --watch shows how far it is. Run this again when it has ended.`,
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
  printLeftOpen(facts.entities);
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
  { state, entities: configured }: Pick<AppContext, 'state' | 'entities'>,
  { outcome, exitCode, entities: reports }: RunResult,
): Promise<
  TroubleFacts & { readonly entities: readonly { readonly name: string; readonly leftOpen?: number }[] }
> {
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
    const from = {
      now: new Date(),
      entities,
      configured,
      run,
      counts,
      reasons: state,
      leftOpen: state.records,
      worker: false,
    };
    return await gatherFacts(state, { ...from, ...stored });
  } catch {
    return unreadFacts(entities, run);
  }
}

export function printExpired(
  entities: Readonly<Record<string, { readonly vanished: number; readonly expired?: number } | undefined>>,
  indent = '  ',
): void {
  for (const [name, counters] of Object.entries(entities)) {
    const { vanished = 0, expired = 0 } = counters ?? {};
    if (expired === 0) continue;
    const of =
      vanished === 1
        ? 'The vanished record'
        : expired === vanished
          ? `All ${vanished} vanished records`
          : `${expired} of ${vanished} vanished records`;
    say(`${indent}${name}: ${of} had expired: ${plural(expired, 'its', 'their')} last day was over.`);
  }
}

/** What `onVanished: report` leaves open to the public. */
export function printLeftOpen(
  entities: readonly { readonly name: string; readonly leftOpen?: number }[],
  indent = '  ',
): void {
  for (const { name, leftOpen = 0 } of entities)
    if (leftOpen > 0)
      say(
        `${indent}${name}: ${plural(leftOpen, 'one record has', `${grouped(leftOpen)} records have`)} left the query and ${plural(leftOpen, 'is', 'are')} still open at the platform, because onVanished is report. onVanished: close would close ${plural(leftOpen, 'it', 'them')}.`,
      );
}

export function printForeign(
  entities: Readonly<Record<string, { readonly foreign?: number } | undefined>>,
  indent = '  ',
): void {
  for (const [name, counters] of Object.entries(entities)) {
    const foreign = counters?.foreign ?? 0;
    if (foreign === 0) continue;
    const them = plural(foreign, 'one is for an application', `${foreign} are for applications`);
    const it = plural(foreign, 'It is', 'They are');
    say(`${indent}${name}: ${them} that did not come by webhook (foreign). ${it} not sent.`);
  }
}

export function holderText(held: Omit<Extract<SyncEvent, { type: 'lease-taken' }>, 'type'>): string {
  const { lease, holder, secondsLeft, own } = held;
  return own
    ? `An earlier process with the name of this one (${holder}) did not release the ${lease} lease, valid for ${secondsLeft} s. It ends by itself.`
    : `Another process is running: ${holder} holds the ${lease} lease, valid for ${secondsLeft} s.`;
}

/** The summary of a run that could not begin, for instance because the state database is down. */
export function failedReport(
  entities: readonly EntityName[],
  startedAt: Date,
  exitCode: number,
  error: { readonly code: string; readonly message: string },
): RunReport {
  return {
    runId: randomUUID(),
    outcome: 'failed',
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    exitCode,
    entities: Object.fromEntries(entities.map((name) => [name, { ...emptyReport(name), error }])),
  };
}

/** What a run itself knows, when the state database cannot be read. */
function unreadFacts(entities: readonly EntityName[], run: RunFacts): TroubleFacts {
  const known = entities.map((name) => {
    const { area } = entityNamed(name);
    return {
      name,
      area,
      parent: null,
      state: ABSENT_ENTITY_STATE,
      counts: null,
      reasons: null,
      deferral: null,
      vanished: null,
    };
  });
  return { ...NOTHING_KNOWN, entities: known, run };
}
