import { ERROR_CODES, type SyncError } from '../../domain/errors.js';
import type { EntityName } from '../../domain/entity-name.js';
import type { EntityReport } from '../../domain/outcome.js';
import { runVerdict, type RunOutcome } from '../../domain/run-verdict.js';
import { entity as entityNamed } from '../../entities/index.js';
import type { StatusCounts } from '../../ports/records.js';
import type { State } from '../../ports/state.js';
import type { RunContext } from '../run-context.js';
import { whatEnded } from './what-ended.js';

/**
 * Adds what the ledger holds now to the reports, and decides how the run ended. `failure`: what ended it early.
 * Errors: what the state database throws.
 */
export async function judgeRun(
  { state, signal }: RunContext,
  reports: ReadonlyMap<EntityName, EntityReport>,
  failure: SyncError | null,
): Promise<{ exitCode: number; outcome: RunOutcome }> {
  const counts = new Map<EntityName, StatusCounts>();
  const excused = new Set<EntityName>();
  let unbalanced = false;
  for (const [entity, report] of reports) {
    const counted = await state.records.counts(entity);
    counts.set(entity, counted);
    const { hold, pushHold } = await state.entityStates.read(entity);
    Object.assign(report, {
      waiting: counted.waiting,
      pending: counted.pending,
      held: hold !== null || pushHold !== null,
    });
    if (counted.pending === 0 && !failure) await state.entityStates.noteSuccess(entity);
    unbalanced ||= report.sent !== report.accepted + report.rejected + report.deferred;
    if (await parentKeptBack(state, entity, reports)) excused.add(entity);
  }
  const all = [...counts.values()];
  const codes = [...reports.values()].flatMap(({ error }) => (error ? [error.code] : []));
  const exits = codes.map((code) => ERROR_CODES[code as keyof typeof ERROR_CODES]);
  return runVerdict({
    failed: failure !== null || unbalanced || exits.includes(1),
    interrupted: signal.aborted && whatEnded(signal) === null,
    areaStopped: exits.includes(5),
    held: [...reports.values()].some(({ held }) => held),
    unsynced: [...counts].some(
      ([entity, { invalid, rejected, blocked }]) =>
        invalid + rejected + (excused.has(entity) ? 0 : blocked) > 0,
    ),
    leftOver: all.some(({ deferred, pending, waiting }) => deferred + pending + waiting > 0),
  });
}

/** Whether children wait for parents that a guard or a failing query keeps back: that is reported there. */
async function parentKeptBack(
  state: State,
  entity: EntityName,
  reports: ReadonlyMap<EntityName, EntityReport>,
): Promise<boolean> {
  const { parent } = entityNamed(entity);
  if (!parent) return false;
  const report = reports.get(parent.entity);
  if (report && exitOf(report) === 1) return true;
  const { hold, pushHold } = await state.entityStates.read(parent.entity);
  return hold !== null || pushHold !== null;
}

function exitOf({ error }: EntityReport): number {
  return error ? ERROR_CODES[error.code as keyof typeof ERROR_CODES] : 0;
}
