import { ERROR_CODES, type ErrorCode, SyncError } from '../domain/errors.js';
import type { Emit } from '../domain/events.js';
import type { IssueGroup } from '../domain/issue-group.js';
import type { EntityName } from '../domain/names.js';
import type { EntityReport } from '../domain/outcome.js';
import { oneLineUpTo } from '../domain/reply/reply.js';
import { type RunOutcome, runVerdict } from '../domain/run-ending.js';
import { findTroubles } from '../domain/trouble/find-troubles.js';
import {
  isHeld,
  isInStep,
  isMostlyKeptBack,
  NOTHING_KNOWN,
  type RunFacts,
} from '../domain/trouble/trouble.js';
import { plural } from '../domain/text.js';
import type { LeaseHolder } from '../ports/clock.js';
import type { RunContext } from '../context.js';
import { gatherFacts } from './troubles.js';

/**
 * How a run ends: what failed, what is left, the verdict, what is stored of it, and the warnings at its end.
 */

interface RunEnd {
  readonly exitCode: number;
  readonly outcome: RunOutcome;
  /** Entities that are not in step, because many records need a correction. */
  readonly keptBack: readonly EntityName[];
}

/** Judges the run and stores how it ended. If the state database is gone by now, the run fails. */
export async function endRun(
  context: RunContext,
  runId: string,
  reports: ReadonlyMap<EntityName, EntityReport>,
  failure: SyncError | null,
): Promise<RunEnd> {
  try {
    const { exitCode, outcome, keptBack } = await judgeRun(context, reports, failure);
    const error = failure && { code: failure.code, message: failure.message };
    await context.state.runs.finish(runId, {
      outcome,
      exitCode,
      entities: Object.fromEntries(reports),
      error,
    });
    return { exitCode, outcome, keptBack };
  } catch (error) {
    const ended = failure ?? announceFailure(context, error);
    const run = runFacts(context.signal, new Map(), ended);
    return { ...runVerdict(findTroubles({ ...NOTHING_KNOWN, run }), false), keptBack: [] };
  }
}

/** Reports what ended a run, and gives it as a SyncError. A run that a signal ended has not failed. */
export function announceFailure({ emit }: Pick<RunContext, 'emit'>, error: unknown): SyncError {
  const failure = asSyncError(error);
  const { code, message, hint } = failure;
  if (code === 'interrupted') emit({ type: 'run-interrupted', message });
  else emit({ type: 'run-failed', code, message, hint, ...whereDefectIs(failure) });
  return failure;
}

/** A defect cannot be found by its message. The frames name files and lines only; the message is in the event already. */
function whereDefectIs({ code, cause }: SyncError): { readonly stack?: string } {
  if (code !== 'unexpected' || !(cause instanceof Error)) return {};
  const frames = cause.stack?.split('\n').filter((line) => /^\s+at .+:\d+:\d+\)?$/.test(line)) ?? [];
  return frames.length === 0 ? {} : { stack: frames.join('\n') };
}

/**
 * Adds what the ledger holds now to the reports, and decides how the run ended. `failure`: what ended it early.
 * Errors: what the state database throws.
 */
async function judgeRun(
  { state, signal, clock }: RunContext,
  reports: ReadonlyMap<EntityName, EntityReport>,
  failure: RunFacts['error'],
): Promise<RunEnd> {
  const facts = await gatherFacts(state, {
    now: new Date(clock.now()),
    entities: [...reports.keys()],
    counts: (entity) => state.records.counts(entity),
    worker: false,
    run: runFacts(signal, reports, failure),
  });
  const troubles = findTroubles(facts);
  let leftOver = false;
  for (const { name, counts } of facts.entities) {
    const report = reports.get(name);
    if (!report || !counts) continue;
    const { waiting, pending, deferred } = counts;
    // `deferred` counts what this run deferred, also if it is due again; what an earlier one deferred is pending for its
    // summary.
    const notTried = Math.max(0, pending + deferred - report.deferred);
    Object.assign(report, { waiting, pending: notTried, held: isHeld(troubles, name) });
    if (isInStep(counts) && !failure) await state.entityStates.noteSuccess(name);
    leftOver ||= deferred + pending + waiting > 0;
  }
  const keptBack = facts.entities.filter(({ counts }) => isMostlyKeptBack(counts)).map(({ name }) => name);
  return { ...runVerdict(troubles, leftOver), keptBack };
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

/**
 * The error that aborted the signal: a lost lease, or an error of the work beside it. Null when the signal did not
 * abort, or somebody asked the process to stop: only that gives no reason of its own.
 */
export function whatEnded({ aborted, reason }: AbortSignal): SyncError | null {
  if (!aborted || (reason instanceof DOMException && reason.name === 'AbortError')) return null;
  return asSyncError(reason);
}

/** The error that ended work under a signal: the signal's reason if the signal only interrupted the work. */
export function causeOf(error: unknown, signal: AbortSignal): unknown {
  const interrupted = error instanceof SyncError && error.code === 'interrupted';
  return (interrupted ? whatEnded(signal) : null) ?? error;
}

/** A defect's message may quote anything, of any length; it is stored with the run. */
const LONGEST_MESSAGE = 1_000;

/** The error as a SyncError; any other error is a defect, so it becomes `unexpected`. */
export function asSyncError(error: unknown): SyncError {
  if (error instanceof SyncError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new SyncError('unexpected', oneLineUpTo(LONGEST_MESSAGE, message), { scope: 'run', cause: error });
}

/** The summary that `run --json` prints: public interface. */
export interface RunReport {
  readonly runId: string;
  readonly outcome: RunOutcome;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly exitCode: number;
  readonly entities: Record<EntityName, EntityReport>;
}

interface RunAside extends Pick<RunEnd, 'keptBack'> {
  /** What ended the whole run early. */
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Entities that were read to their end; the counters of the others say nothing about the source. */
  readonly read: ReadonlySet<EntityName>;
  /** What is doubtful in the rows that were read; the largest effect first. */
  readonly doubtful: readonly IssueGroup[];
  /** Busy: who holds the lease; `own`: under this process's own name. */
  readonly heldBy: (LeaseHolder & { readonly own: boolean }) | null;
}

export interface RunResult extends RunReport {
  readonly aside: RunAside;
}

/** Exit code of a stopped area. */
const STOPPED = 5;

/**
 * Reports how many records a run deferred, and why the last one: below the breaker's limit nothing else shows the
 * failures, and the run ends with exit code 0. A stopped area was already reported.
 */
export function warnDeferred(
  emit: Emit,
  reports: ReadonlyMap<unknown, EntityReport>,
  lastError: string | null,
): void {
  const count = [...reports.values()].reduce(
    (sum, report) => sum + (isStopped(report) ? 0 : report.deferred),
    0,
  );
  if (count === 0) return;
  const records = plural(
    count,
    'One record could not be sent and was',
    `${count} records could not be sent and were`,
  );
  const why = lastError === null ? '' : ` The last error: ${lastError}`;
  emit({
    type: 'warning',
    message: `${records} put off.${why}`,
    hint: 'A later run tries again.',
  });
}

/**
 * Reports why records of an earlier run are still deferred, one line for each entity of which this run tried none: it ends
 * with exit code 0, and nothing else in its log shows the failures.
 */
export async function warnStillDeferred(
  { emit, state }: Pick<RunContext, 'emit' | 'state'>,
  reports: ReadonlyMap<EntityName, EntityReport>,
): Promise<void> {
  for (const [entity, report] of reports) {
    if (isStopped(report) || report.deferred > 0) continue;
    const deferral = await state.records.deferral(entity);
    if (deferral === null) continue;
    emit({
      type: 'warning',
      message: `Records of ${entity} could not be sent by an earlier run and are put off.${deferral.error === null ? '' : ` The last error: ${deferral.error}`}`,
      hint: 'A later run tries again.',
    });
  }
}

function isStopped({ error }: EntityReport): boolean {
  return error !== null && ERROR_CODES[error.code as ErrorCode] === STOPPED;
}

/** Warns of entities whose acknowledgements are in doubt, because the state database went back in time. */
export async function warnOfDoubt({
  state,
  emit,
  clock,
  entities,
  describe,
}: Pick<RunContext, 'state' | 'emit' | 'clock' | 'entities' | 'describe'>): Promise<void> {
  const names = entities.map(({ name }) => name);
  const troubles = findTroubles(
    await gatherFacts(state, { now: new Date(clock.now()), entities: names, worker: false }),
  );
  const doubt = troubles.find(({ kind }) => kind === 'in-doubt');
  if (!doubt) return;
  emit({ type: 'warning', code: 'state-went-back', ...describe(doubt) });
}
