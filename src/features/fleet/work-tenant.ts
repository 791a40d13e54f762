import { ERROR_CODES } from '../../core/domain/errors.js';
import type { Emit, SyncEvent } from '../../core/domain/events.js';
import { OTHER_VERSION } from './fleet.js';
import { oneLineUpTo } from '../../core/domain/reply/reply.js';
import { scrubText } from '../../core/domain/scrub-text.js';
import type { Clock } from '../../core/ports/clock.js';
import type { EntityState } from '../../core/domain/entity-state.js';
import type { BegunTenant, Tenants } from './state/tenants.js';
import { untilFirstAbort } from '../../core/runtime/time.js';
import { asSyncError, type RunResult } from '../../core/run/end.js';
import type { NextJob, TenantJob } from './job-queue.js';
import type { Warn } from './keep-engine.js';
import { untilAvailable } from './work-jobs.js';
import type { ListedRun } from '../../core/ledger/runs.js';
import type { TenantRun } from './state/types.js';

/** Time between two looks whether the tenant may go on, milliseconds. */
const LOOK_MS = 5_000;

/** Pause before a tenant is tried again whose ledger another process holds: one that was killed holds it for 15 s. */
const BUSY_PAUSE_MS = 5_000;

/** And one whose ledger is at another version: the migration of a fleet takes minutes. */
const OTHER_VERSION_PAUSE_MS = 15_000;

/** So many ends of replicas during its run are chance: a node that is drained, an update. */
const CHANCE_ENDS = 2;

/** Pause after each further end, milliseconds: so many times as it happened. */
const PUT_OFF_MS = 30_000;

/** Of what is kept of a failed run: every page and every replica reads the table of tenants. */
const LONGEST_REASON = 2_000;

/**
 * One slice of one tenant. It calls `progressed` when something was done that no later run has to do. Ends early, and in
 * order, when the signal aborts. What it throws is noted as a failed run.
 */
export type RunSlice = (
  tenant: BegunTenant,
  signal: AbortSignal,
  progressed: () => void,
) => Promise<TenantRun>;

export interface TenantWork {
  readonly tenants: Pick<Tenants, 'laneOf' | 'begin' | 'end' | 'mayGoOn'>;
  readonly runSlice: RunSlice;
  /** Names this replica in the table of tenants. */
  readonly replica: string;
  readonly clock: Clock;
  readonly warn: Warn;
}

/**
 * Does what a job asks for: one slice of its tenant, if that may run. The table of tenants gets when the run begins and
 * how it ended; the job that follows, if any, continues a slice with work left. A tenant that is removed, paused or changed
 * meanwhile ends early. Never rejects: whatever is wrong with one tenant is noted with it, and the others go on.
 *
 * A replica that is killed takes its tenants along, and one of them may be what ended it: too little memory for its rows.
 * So a tenant during whose runs replicas end again and again, while it gets nothing done, is tried less and less often.
 */
export async function workTenant(work: TenantWork, job: TenantJob): Promise<NextJob> {
  try {
    return job.signal.aborted ? { again: job.lane } : await oneSlice(work, job);
  } catch (error) {
    work.warn(tenantFailure(job.tenant, error));
    return { again: null };
  }
}

async function oneSlice(work: TenantWork, { tenant, lane, signal }: TenantJob): Promise<NextJob> {
  const { tenants, replica } = work;
  const its = await untilAvailable(work, signal, () => tenants.laneOf(tenant));
  // Sent before the tenant moved. Here it would take a slot of the others.
  if (its?.value !== lane) return { again: its === null ? lane : its.value };
  const begun = await untilAvailable(work, signal, () => tenants.begin(tenant, replica));
  if (begun === null) return { again: lane };
  const tenantNow = begun.value;
  if (tenantNow === null) return { again: null };
  const inMs = putOffMs(tenantNow);
  if (inMs > 0) {
    const cut = cutRun(work, tenantNow);
    await untilAvailable(work, signal, () => tenants.end(tenant, replica, cut, { isPutOff: true }));
    return { again: lane, inMs };
  }
  const stopped = new AbortController();
  const run = await untilFirstAbort([signal, stopped.signal], (ends) =>
    watched(work, tenantNow, stopped, ends),
  );
  const ended = await untilAvailable(work, signal, () => tenants.end(tenant, replica, run));
  const next = ended?.value ?? lane;
  if (run.outcome === 'busy') return { again: next, inMs: BUSY_PAUSE_MS };
  if (run.outcome === OTHER_VERSION) return { again: next, inMs: OTHER_VERSION_PAUSE_MS };
  const goesOn = run.usedUpSlice || signal.aborted || stopped.signal.aborted;
  return { again: goesOn ? next : null };
}

/** How long a tenant waits whose last run ended with its replica, not for the first time: never longer than its period; 0: not. */
export function putOffMs({
  ends,
  wasCut,
  summary: { periodMs },
}: Pick<BegunTenant, 'ends' | 'wasCut'> & {
  readonly summary: Pick<BegunTenant['summary'], 'periodMs'>;
}): number {
  if (!wasCut || ends <= CHANCE_ENDS) return 0;
  return Math.min(PUT_OFF_MS * (ends - CHANCE_ENDS), Math.max(periodMs, PUT_OFF_MS));
}

function cutRun({ clock, warn }: TenantWork, { ends, summary: { name } }: BegunTenant): TenantRun {
  const at = new Date(clock.now());
  const message = `${ends} replicas in a row ended during its run: killed, or out of memory. It is tried again soon.`;
  warn({
    message: `Tenant ${name}: ${message}`,
    hint: 'Look at the memory of the replicas when it runs, and pause it if it ends them: placement-sync fleet pause TENANT',
  });
  return runWithoutReport(at, at, { outcome: 'failed', exitCode: 1, message });
}

/** A run of which nothing is known but how it ended. */
function runWithoutReport(
  startedAt: Date,
  finishedAt: Date,
  end: Pick<TenantRun, 'outcome' | 'exitCode' | 'message'>,
): TenantRun {
  return { startedAt, finishedAt, ...end, pending: null, usedUpSlice: false };
}

/** Runs the slice, and aborts `stopped` when the tenant may not go on. */
async function watched(
  { tenants, runSlice, clock, warn }: TenantWork,
  begun: BegunTenant,
  stopped: AbortController,
  ends: AbortSignal,
): Promise<TenantRun> {
  const { name, revision } = begun.summary;
  const startedAt = new Date(clock.now());
  const over = new AbortController();
  const progress = { isMade: false, isNoted: begun.ends === 0 };
  const look = async (): Promise<void> => {
    while (!over.signal.aborted && !ends.aborted) {
      await clock.sleep(LOOK_MS, over.signal);
      if (over.signal.aborted) return;
      const isNews = progress.isMade && !progress.isNoted;
      try {
        if (!(await tenants.mayGoOn(name, revision, isNews))) stopped.abort();
        progress.isNoted ||= isNews;
      } catch (error) {
        // Not known: it goes on under its lease.
        warn(asSyncError(error));
      }
    }
  };
  const looking = look();
  try {
    return await runSlice(begun, ends, () => (progress.isMade = true));
  } catch (error) {
    const other = otherVersion(error, begun.summary);
    if (other !== null) {
      warn({ message: `Tenant ${name}: ${other}`, hint: undefined });
      const at = new Date(clock.now());
      return runWithoutReport(startedAt, at, { outcome: OTHER_VERSION, exitCode: 2, message: other });
    }
    const failure = tenantFailure(name, error);
    warn(failure);
    const end = { outcome: 'failed', exitCode: ERROR_CODES[failure.code], message: failure.reason };
    return runWithoutReport(startedAt, new Date(clock.now()), end);
  } finally {
    over.abort();
    await looking;
  }
}

/** What is said of a ledger at another version; null: it is another failure. */
function otherVersion(error: unknown, { schema }: Pick<BegunTenant['summary'], 'schema'>): string | null {
  const { code, details } = asSyncError(error);
  if (code !== 'schema-not-migrated') return null;
  if (details.otherVersion === 'older')
    return `The ledger "${schema}" is not migrated yet for the version of this replica. Run: placement-sync fleet migrate`;
  if (details.otherVersion === 'newer')
    return `The ledger "${schema}" is migrated for a newer version than this replica is. A replica of the newer version runs it; stop those of the older one.`;
  return null;
}

function tenantFailure(tenant: string, error: unknown) {
  const { code, message, hint } = asSyncError(error);
  // A list of problems becomes one sentence: it is one line of a log and of a table.
  const [first = '', ...more] = scrubText(message, []).split('\n');
  const sentence = [first, more.map((line) => line.trim()).join('; ')].filter(Boolean).join(' ');
  const reason = oneLineUpTo(LONGEST_REASON, sentence);
  return { code, message: `Tenant ${tenant}: ${reason}`, hint, reason };
}

/** What is noted of a run of a tenant. The message has no values of rows. */
export function sliceResult(
  report: RunResult,
  times: Pick<TenantRun, 'startedAt' | 'finishedAt'>,
  { over, outgrown }: Pick<ReturnType<typeof createSliceTime>, 'over' | 'outgrown'>,
): TenantRun {
  const entities = Object.entries(report.entities);
  const left = entities.reduce(
    (sum, [, { pending, deferred, waiting }]) => sum + pending + deferred + waiting,
    0,
  );
  const [failed] = entities.flatMap(([name, { error }]) => (error ? [`${name}: ${error.message}`] : []));
  if (outgrown.aborted && report.outcome === 'aborted') {
    const ended = { outcome: 'slice', exitCode: report.exitCode, message: failed ?? null, pending: null };
    return { ...times, ...ended, usedUpSlice: true, outgrewLane: true };
  }
  const usedUpSlice = over.aborted && left > 0;
  return {
    ...times,
    outcome: usedUpSlice && report.exitCode === 0 ? 'slice' : report.outcome,
    exitCode: report.exitCode,
    message: report.aside.error?.message ?? failed ?? null,
    pending: report.outcome === 'busy' ? null : left,
    usedUpSlice,
  };
}

/**
 * How long a run may send, and how long it may sweep before: each so many milliseconds. `sweepIsBounded`: false where a
 * sweep takes as long as it takes.
 */
export function createSliceTime(
  ms: number,
  { sweepIsBounded, emit }: { readonly sweepIsBounded: boolean; readonly emit: Emit },
) {
  const over = new AbortController();
  const outgrown = new AbortController();
  const outgrows = (): void => {
    const message = `The sweep took longer than ${ms / 1_000} s. It begins again in the lane of large tenants, where it may.`;
    emit({ type: 'warning', message });
    outgrown.abort();
  };
  const sweeping = sweepIsBounded ? setTimeout(outgrows, ms).unref() : undefined;
  let sending: NodeJS.Timeout | undefined;
  /** Nothing aborts any more. */
  const end = (): void => [sweeping, sending].forEach((timer) => clearTimeout(timer));
  return {
    /** Passes events on. The first push that starts ends the time for the sweep, and begins that for sending. */
    emit(event: SyncEvent) {
      if (event.type === 'push-started') {
        clearTimeout(sweeping);
        sending ??= setTimeout(() => over.abort(), ms).unref();
      }
      emit(event);
    },
    /** Aborts when the time for sending is over. */
    over: over.signal,
    /** Aborts when the sweep took longer than it may. */
    outgrown: outgrown.signal,
    /** The time for sending is over now. */
    cut: () => over.abort(),
    end,
  };
}

/**
 * Whether a further slice only sends. `latest`: the last run of the ledger, a sweep with its push or a slice that followed
 * one. It went through all entities when it ended, and nothing ended it. The entity that was swept last was swept within
 * the tenant's period; others may be older, because they failed, are held, or took longer together. None is asked to be
 * swept in full, but those that are held, which a sweep would not change. `wasCut`: its replica ended, so which entities it
 * swept is not known, and each must have been swept within the period. Times are the database's.
 */
export function isSweepFresh(
  latest: Pick<ListedRun, 'finishedAt' | 'error'> | undefined,
  entities: readonly Pick<EntityState, 'readAt' | 'lastSweepAt' | 'fullSweepRequested' | 'hold'>[],
  periodMs: number,
  wasCut = false,
): boolean {
  if (!wasCut && (!latest?.finishedAt || latest.error !== null)) return false;
  if (entities.some(({ fullSweepRequested, hold }) => fullSweepRequested && hold === null)) return false;
  const ages = entities.map(
    ({ readAt, lastSweepAt }) => Date.parse(readAt) - (lastSweepAt?.getTime() ?? -Infinity),
  );
  return (wasCut ? Math.max(...ages) : Math.min(...ages)) < periodMs;
}

/**
 * Calls `tooLong` when all that use a client id were asked to wait for longer than this, milliseconds: a run that waits for
 * it would only hold its slot. Gives what ends the looks. A look that fails says nothing.
 */
export function watchPause(
  pauseLeft: () => Promise<number>,
  longestMs: number,
  tooLong: () => void,
): () => void {
  const look = async (): Promise<void> => {
    const left = await pauseLeft().catch(() => 0);
    if (left > longestMs) tooLong();
  };
  const timer = setInterval(() => void look(), LOOK_MS).unref();
  return () => clearInterval(timer);
}

/** What is noted of a run that did not begin, because the platform asked all to wait for so many milliseconds. */
export function pausedRun(at: Date, leftMs: number): TenantRun {
  return runWithoutReport(at, at, {
    outcome: 'aborted',
    exitCode: 5,
    message: `The platform asked all that use this client id to wait, ${Math.ceil(leftMs / 1_000)} s more. To end it: placement-sync fleet resume --client-id ID`,
  });
}
