import { ERROR_CODES, SyncError } from '../../domain/errors.js';
import type { EntityName } from '../../domain/names.js';
import { type IssueGroup, largestFirst } from '../../domain/issue-group.js';
import type { EntityReport } from '../../domain/outcome.js';
import { emptyReport } from '../../entities/index.js';
import type { Trigger } from '../../ports/runs.js';
import { untilFirstAbort } from '../../runtime/until-first-abort.js';
import { checkEnvironment } from '../environment/check-environment.js';
import type { HeldLease } from '../lease/hold-lease.js';
import { announceFailure, endRun, pruneState } from './end-run.js';
import { pushAll } from './push-all.js';
import type { RunContext } from '../run-context.js';
import type { RunResult } from './run-report.js';
import { takingOver } from '../push/taking-over.js';
import { timeoutOf } from '../run-settings.js';
import { sweepAll } from './sweep-all.js';
import { warnDeferred, warnStillDeferred, watchDeferred } from './warn-deferred.js';
import { watchRead } from './watch-read.js';
import { causeOf, whatEnded } from './what-ended.js';
import { warnOfDoubt } from './warn-of-doubt.js';
import { withLease, withLeases } from '../lease/with-leases.js';

export interface RunOptions {
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
