import { type EntityName, leftOf } from '../../domain/names.js';
import type { EntityReport } from '../../domain/outcome.js';
import { type RunOutcome, runVerdict } from '../../domain/run-ending.js';
import { findTroubles } from '../../domain/trouble/find-troubles.js';
import { isHeld, type RunFacts } from '../../domain/trouble/trouble.js';
import { gatherFacts } from '../troubles/gather-facts.js';
import type { RunContext } from '../run-context.js';
import { whatEnded } from './what-ended.js';

/**
 * Adds what the ledger holds now to the reports, and decides how the run ended. `failure`: what ended it early.
 * Errors: what the state database throws.
 */
export async function judgeRun(
  { state, signal, clock }: RunContext,
  reports: ReadonlyMap<EntityName, EntityReport>,
  failure: RunFacts['error'],
): Promise<{ exitCode: number; outcome: RunOutcome }> {
  const facts = await gatherFacts(state, {
    now: new Date(clock.now()),
    entities: [...reports.keys()],
    counts: (entity) => state.records.counts(entity),
    run: runFacts(signal, reports, failure),
  });
  const troubles = findTroubles(facts);
  let leftOver = false;
  for (const { name, counts } of facts.entities) {
    const report = reports.get(name);
    if (!report || !counts) continue;
    const { waiting, pending, deferred } = counts;
    // `deferred` counts what this run deferred; what an earlier one deferred is pending for its summary.
    const notTried = Math.max(0, deferred - report.deferred);
    Object.assign(report, { waiting, pending: pending + notTried, held: isHeld(troubles, name) });
    if (leftOf(counts) === 0 && !failure) await state.entityStates.noteSuccess(name);
    leftOver ||= deferred + pending + waiting > 0;
  }
  return runVerdict(troubles, leftOver);
}

/** What a run knows at its end, beside the state. */
export function runFacts(
  signal: AbortSignal,
  reports: ReadonlyMap<EntityName, EntityReport>,
  error: RunFacts['error'],
): RunFacts {
  const interrupted = signal.aborted && whatEnded(signal) === null;
  return { interrupted, error, entities: Object.fromEntries(reports) };
}
