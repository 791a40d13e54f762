import { platformDay } from '../../contract/time.js';
import type { AreaStop } from '../../domain/area-condition.js';
import { ERROR_CODES, SyncError } from '../../domain/errors.js';
import type { Emit } from '../../domain/events.js';
import { type IssueGroup, largestFirst } from '../../domain/issue-group.js';
import { type Area, AREAS, type EntityName } from '../../domain/names.js';
import type { EntityReport } from '../../domain/outcome.js';
import { sentOf } from '../../domain/push-counters.js';
import { withFullStop } from '../../domain/text.js';
import { emptyReport } from '../../entities/index.js';
import type { Trigger } from '../../ports/runs.js';
import { untilFirstAbort } from '../../runtime/time.js';
import { checkEnvironment } from '../environment.js';
import { type HeldLease, leaseLost, quietUntil, withLease, withLeases } from '../lease.js';
import { pushArea } from '../push/area.js';
import { takingOver } from '../push/attempt.js';
import { type ConfiguredEntity, type RunContext, timeoutOf } from '../run-context.js';
import { sweepCounters } from '../sweep/change-tally.js';
import { type SweepContext, sweepEntity } from '../sweep/sweep-entity.js';
import {
  announceFailure,
  causeOf,
  endRun,
  pruneState,
  type RunReport,
  type RunResult,
  warnDeferred,
  warnOfDoubt,
  warnStillDeferred,
  watchDeferred,
  whatEnded,
} from './end.js';

interface RunOptions {
  readonly trigger: Trigger;
  /** Without a sweep, and under the push lease alone: only what is pending is sent. */
  readonly pushOnly?: boolean;
  /** Runs under both leases, before anything is read. */
  readonly prepare?: () => Promise<void>;
  /**
   * When it aborts, the push finishes what is under way, and the run ends normally: what is left stays pending. The sweep
   * does not heed it.
   */
  readonly pushUntil?: AbortSignal;
}

/**
 * One sync run: one sweep, then one push, then the summary. The source is closed before the first request.
 * Never throws for what happens in the run: the report has it. Errors: SyncError of scope `usage`
 * (environment changed), or what the state database throws before the run could begin.
 */
export async function runSync(context: RunContext, options: RunOptions): Promise<RunResult> {
  const { clock, emit, newId } = context;
  const runId = newId();
  const reports = new Map<EntityName, EntityReport>(
    context.entities.map(({ name }) => [name, emptyReport(name)]),
  );
  // Before the leases, to refuse another environment at once; and again under them.
  await checkEnvironment(context);

  const startedAt = new Date(clock.now()).toISOString();
  const began = clock.monotonic();
  const work = async (leases: { sweep: HeldLease | null; push: HeldLease }, signal: AbortSignal) => {
    await checkEnvironment(context);
    emit({ type: 'run-started', runId, entities: [...reports.keys()] });
    const reading = watchRead(emit);
    const watch = watchDeferred(reading.emit);
    const watched = { ...context, emit: watch.emit, signal };
    const doubtful: IssueGroup[] = [];
    const failure = await attemptRun(watched, { ...options, runId }, leases, { reports, doubtful });
    warnDeferred(emit, reports, watch.lastError());
    const { exitCode, outcome } = await endRun({ ...context, signal }, runId, reports, failure);
    const entities = Object.fromEntries(reports);
    emit({ type: 'run-finished', runId, exitCode, outcome, elapsedMs: clock.monotonic() - began });
    const error = failure && { code: failure.code, message: failure.message };
    const aside = { error, read: reading.read, doubtful: largestFirst(doubtful), heldBy: null };
    return { exitCode, outcome, entities, aside };
  };
  const held = options.pushOnly
    ? await withLease(context, 'push', (push, signal) => work({ sweep: null, push }, signal))
    : await withLeases(context, work);

  const finishedAt = new Date(clock.now()).toISOString();
  if ('heldBy' in held) {
    const { name, holder, secondsLeft } = held.heldBy;
    const own = holder === context.holder;
    emit({ type: 'lease-taken', lease: name, holder, secondsLeft, own });
    const entities = Object.fromEntries(reports);
    const aside = {
      error: null,
      read: new Set<EntityName>(),
      doubtful: [],
      heldBy: { ...held.heldBy, own },
    };
    return { runId, outcome: 'busy', startedAt, finishedAt, exitCode: ERROR_CODES.busy, entities, aside };
  }
  const { outcome, exitCode, entities, aside } = held.result;
  return { runId, outcome, startedAt, finishedAt, exitCode, entities, aside };
}

/** What a run fills in while it goes on. */
interface Found {
  readonly reports: ReadonlyMap<EntityName, EntityReport>;
  readonly doubtful: IssueGroup[];
}

/** The run itself; gives the error that ended it, null when it was complete. */
async function attemptRun(
  context: RunContext,
  options: RunOptions & { readonly runId: string },
  leases: { readonly sweep: HeldLease | null; readonly push: HeldLease },
  { reports, doubtful }: Found,
): Promise<SyncError | null> {
  const { state, source, settings, signal, holder, emit } = context;
  const { runId, trigger, pushUntil } = options;
  try {
    await state.runs.start({ runId, trigger, holder });
    await warnOfDoubt(context);
    await options.prepare?.();
    const ended = await leases.push.fenced((fence) =>
      state.queue.takeOver(
        fence,
        null,
        takingOver(context.entities, (entity) => timeoutOf(settings, entity)),
      ),
    );
    if (ended > 0) {
      emit({
        type: 'warning',
        message: `${ended} requests of an earlier run were cut off. They are sent again and confirmed later.`,
      });
    }
    if (leases.sweep) await sweepAll(context, leases.sweep, reports, doubtful);
    await source.close();
    if (!signal.aborted && !pushUntil?.aborted) {
      await untilFirstAbort(pushUntil ? [signal, pushUntil] : [signal], (ends) =>
        pushAll({ ...context, signal: ends }, leases.push, runId, reports),
      );
    }
    const cause = whatEnded(signal);
    if (cause) throw cause;
    await warnStillDeferred(context, reports);
    await pruneState(context);
    return null;
  } catch (error) {
    return announceFailure(context, causeOf(error, signal));
  }
}

/**
 * A run of the worker: one sweep under a lease that it already holds; the push goes on beside it. Never throws for what
 * happens in the run: the report has it.
 */
export async function runSweep(context: RunContext, lease: HeldLease, trigger: Trigger): Promise<RunReport> {
  const { state, clock, emit, newId, holder } = context;
  const runId = newId();
  const reports = new Map<EntityName, EntityReport>(
    context.entities.map(({ name }) => [name, emptyReport(name)]),
  );
  const startedAt = new Date(clock.now()).toISOString();
  const began = clock.monotonic();
  emit({ type: 'run-started', runId, entities: [...reports.keys()] });
  let failure: SyncError | null = null;
  try {
    await state.runs.start({ runId, trigger, holder });
    await warnOfDoubt(context);
    await sweepAll(context, lease, reports);
    await pruneState(context);
  } catch (error) {
    failure = announceFailure(context, causeOf(error, context.signal));
  }
  const { exitCode, outcome } = await endRun(context, runId, reports, failure);
  emit({ type: 'run-finished', runId, exitCode, outcome, elapsedMs: clock.monotonic() - began });
  const finishedAt = new Date(clock.now()).toISOString();
  return { runId, outcome, startedAt, finishedAt, exitCode, entities: Object.fromEntries(reports) };
}

/**
 * Sweeps one entity after the other into `reports`, and what is doubtful into `doubtful`. After one entity fails, the
 * others are still swept. Errors: SyncError of scope `run`; `interrupted` when a signal comes before the next one.
 */
export async function sweepAll(
  context: RunContext,
  lease: HeldLease,
  reports: ReadonlyMap<EntityName, EntityReport>,
  doubtful: IssueGroup[] = [],
): Promise<void> {
  const { state, entities, emit, signal } = context;
  let unavailable: SyncError | null = null;
  // Application statuses are found by their vacancy's key, which the ledger may have learned since.
  await state.inbox.resolveVacancyKeys();
  // What a sweep left behind that failed or was cut off; those of this run have different entities.
  await lease.fenced((fence) => state.staging.clear(fence));
  for (const entity of entities) {
    const { name } = entity;
    const report = reports.get(name);
    if (signal.aborted) throw interruptedBefore(name);
    if (!lease.held()) throw leaseLost('sweep');
    if (!report) continue;
    try {
      // An unreachable source is not tried again; what is pending is still sent.
      if (unavailable) throw unavailable;
      const { tally, hold, ...found } = await sweepEntity({ ...context, lease }, entity);
      doubtful.push(...found.doubtful);
      if (hold === null) await refresh({ ...context, lease }, entity);
      Object.assign(report, sweepCounters(name, tally));
    } catch (error) {
      if (!(error instanceof SyncError)) throw error;
      if (error.code === 'source-unavailable') unavailable = error;
      else if (error.scope !== 'entity') throw error;
      report.error = { code: error.code, message: error.message };
      const { code, message, hint } = error;
      emit({ type: 'entity-failed', entity: name, code, message, hint });
    }
  }
}

function interruptedBefore(entity: EntityName): SyncError {
  return new SyncError(
    'interrupted',
    `The run was stopped before ${entity} were read. Earlier entities are applied.`,
    { scope: 'run' },
  );
}

/** Requests a resend of records past `refreshAfter`. */
async function refresh(
  { state, clock, settings, lease }: SweepContext,
  entity: ConfiguredEntity,
): Promise<void> {
  const { refreshAfterMs } = entity;
  if (refreshAfterMs === null || !entity.repeatable) return;
  const times = {
    afterMs: refreshAfterMs,
    today: platformDay(clock.now(), settings.platform.timeZone),
    timeoutMs: timeoutOf(settings, entity.name),
  };
  await lease.fenced((fence) => state.resendRequests.refresh(fence, entity, times));
}

/** Pushes all areas side by side into `reports`. Errors: SyncError of scope `run`. */
export async function pushAll(
  context: RunContext,
  lease: HeldLease,
  runId: string,
  reports: ReadonlyMap<EntityName, EntityReport>,
): Promise<void> {
  const { clock, emit, settings, signal } = context;
  const notBefore = quietUntil(lease, clock);
  const results = await Promise.allSettled(
    AREAS.map(async (area) => {
      const entities = context.entities.filter((entity) => entity.area === area);
      const areaSettings = settings.areas[area];
      if (!areaSettings || entities.length === 0) return;
      const due = await dueIn(context, entities);
      emit({ type: 'push-started', area, due });
      // Before the first claim, because its confirmation counts from the claim.
      if (due > 0) await clock.sleep(notBefore - clock.monotonic(), signal);
      const paused = await waitForPause(context, area, entities);
      const stop =
        paused ??
        (await pushArea({
          ...context,
          entities,
          area,
          areaSettings,
          rateLimit: context.rateLimit(area, notBefore),
          lease,
          runId,
          counters: reports,
        }));
      for (const { name } of entities) {
        const report = reports.get(name);
        if (report && stop) report.error ??= { code: stop.code, message: stopText(stop) };
      }
      const names = entities.map(({ name }) => name);
      emit({ type: 'push-finished', area, entities: sentOf(reports, names) });
    }),
  );
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}

type Entities = readonly { readonly name: EntityName }[];

/**
 * A pause that the platform asked an earlier push for is waited for while it is short. Gives the stop for one that is
 * longer than `retry.maxPause`: then nothing is sent, because the platform itself said when.
 */
async function waitForPause(context: RunContext, area: Area, entities: Entities): Promise<AreaStop | null> {
  const { state, clock, emit, settings, signal } = context;
  const known = await state.areaStates.read(area);
  if (!known?.stop || !known.pause || (await unsentIn(context, entities)) === 0) return null;
  const { until, leftMs } = known.pause;
  if (leftMs <= settings.retry.maxPauseMs) {
    emit({ type: 'area-paused', area, delayMs: leftMs, message: 'the platform asked to wait' });
    await clock.sleep(leftMs, signal);
    return null;
  }
  const { code, message, hint } = known.stop;
  const stop = { code, message: `${message}; the pause ends at ${until.toISOString()}`, hint };
  emit({ type: 'area-stopped', area, ...stop, delayMs: leftMs });
  return stop;
}

/** Records that wait for the area alone: not those that wait for a parent, nor those of an entity whose push is held. */
async function unsentIn({ state }: Pick<RunContext, 'state'>, entities: Entities): Promise<number> {
  let unsent = 0;
  for (const { name } of entities) {
    if ((await state.entityStates.read(name)).pushHold) continue;
    const { pending, deferred } = await state.records.counts(name);
    unsent += pending + deferred;
  }
  return unsent;
}

async function dueIn({ state }: Pick<RunContext, 'state'>, entities: Entities): Promise<number> {
  const counts = await Promise.all(entities.map(({ name }) => state.records.counts(name)));
  return counts.reduce((sum, { pending, waiting, blocked }) => sum + pending + waiting - blocked, 0);
}

/** For the summary. Where a setting is to blame, or the clock, the hint names it; the status alone does not help. */
function stopText({ code, message, hint }: AreaStop): string {
  if (code !== 'authentication-refused' && code !== 'reply-not-understood') return message;
  return `${withFullStop(message)} ${hint}`;
}

/** Notes which entities were read to their end, and passes all events on. */
function watchRead(emit: Emit): { readonly emit: Emit; readonly read: ReadonlySet<EntityName> } {
  const read = new Set<EntityName>();
  return {
    emit(event) {
      if (event.type === 'sweep-finished') read.add(event.entity);
      emit(event);
    },
    read,
  };
}
