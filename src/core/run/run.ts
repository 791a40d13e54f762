import { platformDay } from '../contract/time.js';
import type { AreaStop } from '../domain/area-condition.js';
import { ERROR_CODES, SyncError } from '../domain/errors.js';
import type { Emit } from '../domain/events.js';
import { type IssueGroup, largestFirst } from '../domain/issue-group.js';
import { type Area, AREAS, type EntityName } from '../domain/names.js';
import type { EntityReport } from '../domain/outcome.js';
import { sentOf } from '../domain/push-counters.js';
import { withFullStop } from '../domain/text.js';
import { emptyReport } from '../entities/index.js';
import type { Trigger } from '../ledger/runs.js';
import { settleAll, untilFirstAbort } from '../runtime/time.js';
import { checkEnvironment } from './environment.js';
import { type HeldLease, leaseLost, quietUntil, reportTaken, withLease, withLeases } from '../leases.js';
import { pushArea } from '../push/area-push.js';
import { takeOverClaims } from '../push/take-over.js';
import { type ConfiguredEntity, type RunContext, timeoutOf } from '../context.js';
import { sweepCounters } from '../sweep/change-tally.js';
import { type SweepContext, sweepEntity } from '../sweep/sweep-entity.js';
import { pruneState } from './retention.js';
import {
  announceFailure,
  causeOf,
  endRun,
  type RunResult,
  warnDeferred,
  warnOfDoubt,
  warnStillDeferred,
  whatEnded,
} from './end.js';

/**
 * A run, from its first event to its stored ending.
 *
 * `runSync` is a whole run: it takes the leases, sweeps every entity, closes the source and pushes every area. `runSweep`
 * is a run of the worker: it sweeps under a lease that the worker holds, while the push goes on beside it. `recordRun` is
 * what both have in common: it announces the run, stores that it began, does the work, deletes what is past its
 * retention, judges what is left, and stores and reports how it ended (end.ts).
 */

interface RunOptions {
  readonly trigger: Trigger;
  /** Without a sweep, and under the push lease alone: only what is pending is sent. */
  readonly pushOnly?: boolean;
  /** Runs under both leases, before anything is read. */
  readonly prepare?: () => Promise<void>;
  /**
   * When it aborts, the push finishes what is under way, and the run ends normally: what is left stays pending. The sweep
   * does not heed it. With it the push does not wait for deferred records, because others wait for its slot.
   */
  readonly pushUntil?: AbortSignal;
}

/**
 * One sync run: one sweep, then one push, then the summary. The source is closed before the first request.
 * Never throws for what happens in the run: the report has it. Errors: SyncError of scope `usage`
 * (environment changed), or what the state database throws before the run could begin.
 */
export async function runSync(context: RunContext, options: RunOptions): Promise<RunResult> {
  const { pushOnly, prepare, pushUntil } = options;
  // Before the leases, to refuse another environment at once; and again under them.
  await checkEnvironment(context);
  const run = newRun(context, options.trigger);
  const work = async (sweep: HeldLease | null, push: HeldLease, ends: AbortSignal): Promise<RunResult> => {
    await checkEnvironment(context);
    return recordRun({ ...context, signal: ends }, run, async (running) => {
      await prepare?.();
      const ended = await takeOverClaims(running, push);
      if (ended > 0) {
        running.emit({
          type: 'warning',
          message: `${ended} requests of an earlier run were cut off. They are sent again and confirmed later.`,
        });
      }
      if (sweep) await sweepAll(running, sweep, run.reports, run.doubtful);
      await running.source.close();
      if (!ends.aborted && !pushUntil?.aborted) {
        await untilFirstAbort(pushUntil ? [ends, pushUntil] : [ends], (signal) =>
          pushAll({ ...running, signal }, push, run.runId, run.reports, pushUntil !== undefined),
        );
      }
      const cause = whatEnded(ends);
      if (cause) throw cause;
      await warnStillDeferred(running, run.reports);
    });
  };
  const held = pushOnly
    ? await withLease(context, 'push', (push, signal) => work(null, push, signal))
    : await withLeases(context, ({ sweep, push }, signal) => work(sweep, push, signal));
  if ('result' in held) return held.result;
  const heldBy = { ...held.heldBy, own: reportTaken(context, held.heldBy) };
  return resultOf(context, run, { exitCode: ERROR_CODES.busy, outcome: 'busy' }, { heldBy });
}

/** A run of the worker. Never throws for what happens in the run. */
export async function runSweep(context: RunContext, lease: HeldLease, trigger: Trigger): Promise<void> {
  const run = newRun(context, trigger);
  await recordRun(context, run, (running) => sweepAll(running, lease, run.reports));
}

interface Run {
  readonly runId: string;
  readonly trigger: Trigger;
  readonly startedAt: string;
  /** Monotonic. */
  readonly began: number;
  readonly reports: ReadonlyMap<EntityName, EntityReport>;
  readonly doubtful: IssueGroup[];
}

function newRun({ newId, clock, entities }: RunContext, trigger: Trigger): Run {
  return {
    runId: newId(),
    trigger,
    startedAt: new Date(clock.now()).toISOString(),
    began: clock.monotonic(),
    reports: new Map(entities.map(({ name }) => [name, emptyReport(name)])),
    doubtful: [],
  };
}

/** Does the work of a run, which fills in its reports, between its first event and its last. Never throws for the work. */
async function recordRun(
  context: RunContext,
  run: Run,
  work: (context: RunContext) => Promise<void>,
): Promise<RunResult> {
  const { state, clock, emit, signal, holder } = context;
  const { runId, trigger, reports } = run;
  const read = new Set<EntityName>();
  const deferred = { lastError: null as string | null };
  const watch: Emit = (event) => {
    if (event.type === 'sweep-finished') read.add(event.entity);
    if (event.type === 'record-sent' && event.outcome === 'deferred') deferred.lastError = event.message;
    emit(event);
  };
  const watched = { ...context, emit: watch };
  emit({ type: 'run-started', runId, entities: [...reports.keys()] });
  let failure: SyncError | null = null;
  try {
    await state.runs.start({ runId, trigger, holder });
    await warnOfDoubt(watched);
    await work(watched);
    await pruneState(context);
  } catch (error) {
    failure = announceFailure(context, causeOf(error, signal));
  }
  warnDeferred(emit, reports, deferred.lastError);
  const { keptBack, ...end } = await endRun(context, runId, reports, failure);
  emit({ type: 'run-finished', runId, ...end, elapsedMs: clock.monotonic() - run.began });
  const error = failure && { code: failure.code, message: failure.message };
  return resultOf(context, run, end, { error, read, keptBack, doubtful: largestFirst(run.doubtful) });
}

function resultOf(
  { clock }: RunContext,
  { runId, startedAt, reports }: Run,
  { exitCode, outcome }: Pick<RunResult, 'exitCode' | 'outcome'>,
  aside: Partial<RunResult['aside']>,
): RunResult {
  return {
    runId,
    outcome,
    startedAt,
    finishedAt: new Date(clock.now()).toISOString(),
    exitCode,
    entities: Object.fromEntries(reports),
    aside: { error: null, read: new Set(), keptBack: [], doubtful: [], heldBy: null, ...aside },
  };
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
    if (signal.aborted) {
      const message = `The run was stopped before ${name} were read. Earlier entities are applied.`;
      throw new SyncError('interrupted', message, { scope: 'run' });
    }
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

/** Requests a resend of records past `refreshAfter`. */
async function refresh(
  { state, clock, settings, lease }: SweepContext,
  entity: ConfiguredEntity,
): Promise<void> {
  const { refreshAfterMs: afterMs } = entity;
  if (afterMs === null || !entity.repeatable) return;
  const times = {
    afterMs,
    today: platformDay(clock.now(), settings.platform.timeZone),
    timeoutMs: timeoutOf(settings, entity.name),
  };
  await lease.fenced((fence) => state.resendRequests.refresh(fence, entity, times));
}

/**
 * Pushes all areas side by side into `reports`. `bounded`: the push has a time of its own, and leaves what is deferred to
 * the next one. Errors: SyncError of scope `run`.
 */
export async function pushAll(
  context: RunContext,
  lease: HeldLease,
  runId: string,
  reports: ReadonlyMap<EntityName, EntityReport>,
  bounded = false,
): Promise<void> {
  const { clock, emit, settings, signal } = context;
  const notBefore = quietUntil(lease, clock);
  await settleAll(
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
          runForMs: bounded ? 0 : settings.retry.runForMs,
        }));
      for (const { name } of entities) {
        const report = reports.get(name);
        if (report && stop) report.error ??= { code: stop.code, message: stopText(stop) };
      }
      const names = entities.map(({ name }) => name);
      emit({ type: 'push-finished', area, entities: sentOf(reports, names) });
    }),
  );
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
  const { code, message, hint, cause = null } = known.stop;
  const stop = { code, message: `${message}; the pause ends at ${until.toISOString()}`, hint, cause };
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
