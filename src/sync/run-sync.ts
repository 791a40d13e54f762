import { ERROR_CODES, SyncError } from '../domain/errors.js';
import type { EntityName } from '../domain/entity-name.js';
import { entity as entityNamed } from '../entities/index.js';
import { emptyReport, type EntityReport } from '../domain/outcome.js';
import { runVerdict, type RunOutcome } from '../domain/run-verdict.js';
import type { StatusCounts } from '../ports/records.js';
import type { Trigger } from '../ports/runs.js';
import type { State } from '../ports/state.js';
import { checkEnvironment } from './check-environment.js';
import type { EntityPlan } from './entity-plan.js';
import { pushAll } from './push-all.js';
import type { RunDependencies } from './run-dependencies.js';
import type { RunReport } from './run-report.js';
import type { RunSettings } from './run-settings.js';
import { sweepAll } from './sweep-all.js';
import { withLeases, type RunLeases } from './with-leases.js';

export interface RunOptions {
  readonly trigger: Trigger;
  /** Without a sweep: only what is pending is sent. */
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
  const reports = new Map<EntityName, EntityReport>(plans.map(({ entity }) => [entity.name, emptyReport()]));
  await checkEnvironment(state.environments, settings);

  const startedAt = new Date(clock.now()).toISOString();
  const began = clock.monotonic();
  const held = await withLeases(dependencies, settings.leaseTtlMs, async (leases) => {
    emit({ type: 'run-started', runId, entities: [...reports.keys()] });
    const failure = await attemptRun(dependencies, plans, settings, { ...options, runId }, leases, reports);
    const { exitCode, outcome } = await endRun(dependencies, runId, reports, failure);
    const entities = Object.fromEntries(reports);
    emit({ type: 'run-finished', runId, exitCode, outcome, elapsedMs: clock.monotonic() - began });
    return { exitCode, outcome, entities };
  });

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
  leases: RunLeases,
  reports: ReadonlyMap<EntityName, EntityReport>,
): Promise<SyncError | null> {
  const { state, source, signal, holder, emit } = dependencies;
  const { runId, trigger } = options;
  try {
    const { startedAt } = await state.runs.start({ runId, trigger, holder });
    const since = startedAt.toISOString();
    await options.prepare?.();
    const ended = await state.queue.takeOver(leases.push.token, timeoutOf(plans, settings));
    if (ended > 0) {
      emit({
        type: 'warning',
        message: `${ended} requests of an earlier run were cut off; they are sent again and confirmed later.`,
      });
    }
    if (!options.pushOnly) await sweepAll(dependencies, plans, settings.sweep, leases.sweep, reports);
    await source.close();
    if (!signal.aborted) await pushAll(dependencies, plans, settings, leases.push, since, reports);
    if (!leases.push.held() && !signal.aborted) throw leaseLost();
    await state.runs.prune(settings.retentionMs);
    return null;
  } catch (error) {
    return announceFailure(dependencies, error);
  }
}

/** Judges the run and stores how it ended. A state database that is gone by now makes it failed, not silent. */
async function endRun(
  dependencies: RunDependencies,
  runId: string,
  reports: ReadonlyMap<EntityName, EntityReport>,
  failure: SyncError | null,
): Promise<{ exitCode: number; outcome: RunOutcome }> {
  try {
    const { exitCode, outcome } = await judgeRun(dependencies, reports, failure);
    const error = failure && { code: failure.code, message: failure.message };
    await dependencies.state.runs.finish(runId, {
      outcome,
      exitCode,
      entities: Object.fromEntries(reports),
      error,
    });
    return { exitCode, outcome };
  } catch (error) {
    if (failure === null) announceFailure(dependencies, error);
    const interrupted = dependencies.signal.aborted;
    return runVerdict({
      failed: true,
      interrupted,
      areaStopped: false,
      held: false,
      unsynced: false,
      leftOver: false,
    });
  }
}

function announceFailure({ emit }: RunDependencies, error: unknown): SyncError {
  const failure = error instanceof SyncError ? error : unexpected(error);
  const { code, message, hint } = failure;
  emit({ type: 'run-failed', code, message, hint });
  return failure;
}

function timeoutOf(plans: readonly EntityPlan[], settings: RunSettings) {
  const LONGEST = Math.max(...Object.values(settings.areas).map(({ timeoutMs }) => timeoutMs));
  return (entity: EntityName) => {
    const area = plans.find((plan) => plan.entity.name === entity)?.entity.area;
    return (area && settings.areas[area]?.timeoutMs) ?? LONGEST;
  };
}

/** Adds what the ledger holds now to the reports, and decides how the run ended. */
async function judgeRun(
  { state, signal }: RunDependencies,
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
    interrupted: signal.aborted,
    areaStopped: exits.includes(5),
    held: [...reports.values()].some(({ held }) => held),
    unsynced: [...counts].some(
      ([entity, { invalid, rejected, blocked }]) =>
        invalid + rejected + (excused.has(entity) ? 0 : blocked) > 0,
    ),
    leftOver: all.some(({ deferred, pending, waiting }) => deferred + pending + waiting > 0),
  });
}

/** Whether children wait for parents that a guard or a failing query keeps back: that is told there. */
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

function leaseLost(): SyncError {
  return new SyncError(
    'lease-lost',
    'The push lease could not be renewed in time; another process may be working.',
    {
      scope: 'run',
      hint: 'Nothing was lost: the next run continues. If this happens often, raise state.leaseTtl.',
    },
  );
}

function unexpected(error: unknown): SyncError {
  const message = error instanceof Error ? error.message : String(error);
  return new SyncError('unexpected', message, { scope: 'run', cause: error });
}
