import { ERROR_CODES, SyncError } from '../../domain/errors.js';
import type { EntityName } from '../../domain/entity-name.js';
import type { EntityReport } from '../../domain/outcome.js';
import { emptyReport } from '../../entities/empty-report.js';
import type { Trigger } from '../../ports/runs.js';
import { checkEnvironment } from '../environment/check-environment.js';
import type { EntityPlan } from '../entity-plan.js';
import type { HeldLease } from '../lease/hold-lease.js';
import { announceFailure, endRun } from './end-run.js';
import { causeOf } from './cause-of.js';
import { pushAll } from './push-all.js';
import type { RunDependencies } from '../run-dependencies.js';
import type { RunReport } from './run-report.js';
import type { RunSettings } from '../run-settings.js';
import { sweepAll } from './sweep-all.js';
import { warnDeferred, watchDeferred } from './warn-deferred.js';
import { whatEnded } from './what-ended.js';
import { warnOfDoubt } from './warn-of-doubt.js';
import { withLease, withLeases } from '../lease/with-leases.js';

export interface RunOptions {
  readonly trigger: Trigger;
  /** Without a sweep, and under the push lease alone: only what is pending is sent. */
  readonly pushOnly?: boolean;
  /** Runs under both leases, before anything is read. */
  readonly prepare?: () => Promise<void>;
}

/**
 * One sync run: one sweep, then one push, then the summary. The source is closed before the first request.
 * Never throws for what happens in the run: that is in the report. Errors: SyncError of scope `usage`
 * (environment changed), or what the state database throws before the run could begin.
 */
export async function runSync(
  dependencies: RunDependencies,
  plans: readonly EntityPlan[],
  settings: RunSettings,
  options: RunOptions,
): Promise<RunReport> {
  const { state, clock, emit, newId } = dependencies;
  const runId = newId();
  const reports = new Map<EntityName, EntityReport>(
    plans.map(({ entity }) => [entity.name, emptyReport(entity.name)]),
  );
  // Before the leases, so that a foreign configuration is told so at once; and again under them.
  await checkEnvironment(state.environments, settings);

  const startedAt = new Date(clock.now()).toISOString();
  const began = clock.monotonic();
  const work = async (leases: { sweep: HeldLease | null; push: HeldLease }, signal: AbortSignal) => {
    await checkEnvironment(state.environments, settings);
    emit({ type: 'run-started', runId, entities: [...reports.keys()] });
    const watch = watchDeferred(emit);
    const watched = { ...dependencies, emit: watch.emit, signal };
    const failure = await attemptRun(watched, plans, settings, { ...options, runId }, leases, reports);
    warnDeferred(emit, reports, watch.lastError());
    const { exitCode, outcome } = await endRun({ ...dependencies, signal }, runId, reports, failure);
    const entities = Object.fromEntries(reports);
    emit({ type: 'run-finished', runId, exitCode, outcome, elapsedMs: clock.monotonic() - began });
    return { exitCode, outcome, entities };
  };
  const ttl = settings.leaseTtlMs;
  const held = options.pushOnly
    ? await withLease(dependencies, 'push', ttl, (push, signal) => work({ sweep: null, push }, signal))
    : await withLeases(dependencies, ttl, work);

  const finishedAt = new Date(clock.now()).toISOString();
  if ('heldBy' in held) {
    const { name, holder, secondsLeft } = held.heldBy;
    emit({ type: 'lease-taken', lease: name, holder, secondsLeft });
    const entities = Object.fromEntries(reports);
    return { runId, outcome: 'busy', startedAt, finishedAt, exitCode: ERROR_CODES.busy, entities };
  }
  const { outcome, exitCode, entities } = held.result;
  return { runId, outcome, startedAt, finishedAt, exitCode, entities };
}

/** The run itself; gives the error that ended it, null when it came to its end. */
async function attemptRun(
  dependencies: RunDependencies,
  plans: readonly EntityPlan[],
  settings: RunSettings,
  options: RunOptions & { readonly runId: string },
  leases: { readonly sweep: HeldLease | null; readonly push: HeldLease },
  reports: ReadonlyMap<EntityName, EntityReport>,
): Promise<SyncError | null> {
  const { state, source, signal, holder, emit } = dependencies;
  const { runId, trigger } = options;
  try {
    const { startedAt } = await state.runs.start({ runId, trigger, holder });
    const since = startedAt.toISOString();
    await warnOfDoubt(dependencies, [...reports.keys()]);
    await options.prepare?.();
    const ended = await leases.push.fenced((fence) =>
      state.queue.takeOver(fence, null, timeoutOf(plans, settings)),
    );
    if (ended > 0) {
      emit({
        type: 'warning',
        message: `${ended} requests of an earlier run were cut off; they are sent again and confirmed later.`,
      });
    }
    if (leases.sweep)
      await sweepAll(dependencies, plans, settings.sweep, leases.sweep, reports, timeoutOf(plans, settings));
    await source.close();
    if (!signal.aborted) await pushAll(dependencies, plans, settings, leases.push, since, reports);
    const cause = whatEnded(signal);
    if (cause) throw cause;
    await state.runs.prune(settings.retentionMs);
    await state.ledger.prune(settings.retentionMs);
    await state.inbox.prune(settings.inboxRetentionMs);
    return null;
  } catch (error) {
    return announceFailure(dependencies, causeOf(error, signal));
  }
}

/** The time-out of an entity's area, milliseconds. */
export function timeoutOf(plans: readonly EntityPlan[], settings: RunSettings) {
  const LONGEST = Math.max(...Object.values(settings.areas).map(({ timeoutMs }) => timeoutMs));
  return (entity: EntityName) => {
    const area = plans.find((plan) => plan.entity.name === entity)?.entity.area;
    return (area && settings.areas[area]?.timeoutMs) ?? LONGEST;
  };
}
