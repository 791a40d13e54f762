import { ERROR_CODES } from '../../core/domain/errors.js';
import type { Emit, SyncEvent } from '../../core/domain/events.js';
import { OTHER_VERSION, SUSPECT_ENDS } from './fleet.js';
import { oneLineUpTo } from '../../core/domain/reply/reply.js';
import { scrubText } from '../../core/domain/scrub-text.js';
import type { Clock } from '../../core/ports/clock.js';
import type { EntityState } from '../../core/domain/entity-state.js';
import type { BegunTenant, RunNews, Tenants } from './state/tenants.js';
import { createPlaceQueue } from '../../core/runtime/place-queue.js';
import { createWakeableSleep, untilFirstAbort } from '../../core/runtime/time.js';
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

/**
 * Whoever has run alone for so long, milliseconds, and has not ended its replica is no suspect any more: its source is slow,
 * or hangs, and others wait for the place.
 */
const LONGEST_ALONE_MS = 60_000;

/** Pause before a tenant that must run alone asks again for that place, milliseconds: who has it leaves it soon. */
const PLACE_PAUSE_MS = 1_000;

/** Pause after each end of a replica during a run alone, milliseconds: so many times as it happened. */
const CONDEMNED_PAUSE_MS = 30_000;

/** Of what is kept of a failed run: every page and every replica reads the table of tenants. */
const LONGEST_REASON = 2_000;

/**
 * One slice of one tenant. It calls `progressed` when something was done: an entity was read, or failed, or a record was
 * accepted (no entity). It calls `reads` when it begins to read an entity; null: it reads none any more. Ends early, and in
 * order, when the signal aborts. What it throws is noted as a failed run.
 */
export type RunSlice = (
  tenant: BegunTenant,
  signal: AbortSignal,
  progressed: (entity?: string) => void,
  reads: (entity: string | null) => void,
) => Promise<TenantRun>;

export interface TenantWork {
  readonly tenants: Pick<Tenants, 'laneOf' | 'begin' | 'runAlone' | 'end' | 'mayGoOn'>;
  readonly runSlice: RunSlice;
  /** Names this replica in the table of tenants. */
  readonly replica: string;
  readonly clock: Clock;
  readonly warn: Warn;
  readonly takeOvers: TakeOvers;
}

/**
 * What runs that others left begin through, a few at a time in a replica. All at once they would hold up each other and
 * whoever else runs here; and if the replica ended too, all would be suspected. Gives a place, which it gives back by
 * itself soon, or null when the signal aborted. `onLeft`: when the place was given back.
 */
export type TakeOvers = (signal: AbortSignal, onLeft: () => void) => Promise<(() => void) | null>;

/** Runs of a replica that ended which another one begins at a time. */
const TAKE_OVERS = 2;
/** Longest time that one keeps the others waiting, milliseconds: its source may be slow. */
const LONGEST_TAKE_OVER_MS = 2_000;

export function createTakeOvers(clock: Pick<Clock, 'sleep'>): TakeOvers {
  const places = createPlaceQueue(TAKE_OVERS);
  return async (signal, onLeft) => {
    if ((await places.enter(signal)) !== 'entered') return null;
    const over = new AbortController();
    const leave = (): void => over.abort();
    over.signal.addEventListener('abort', () => places.leave(), { once: true });
    over.signal.addEventListener('abort', onLeft, { once: true });
    void clock.sleep(LONGEST_TAKE_OVER_MS, over.signal).then(leave);
    return leave;
  };
}

/**
 * Does what a job asks for: one slice of its tenant, if that may run. The table of tenants gets when the run begins and
 * how it ended; the job that follows, if any, continues a slice with work left. A tenant that is removed, paused or changed
 * meanwhile ends early. Never rejects: whatever is wrong with one tenant is noted with it, and the others go on.
 *
 * A replica that is killed takes its tenants along, and one of them may be what ended it: too little memory for its rows.
 * A node that is drained takes them along, too. So no count of ends alone condemns a tenant (`judgeEnds`).
 */
export async function workTenant(work: TenantWork, job: TenantJob): Promise<NextJob> {
  try {
    return await oneSlice(work, job);
  } catch (error) {
    work.warn(tenantFailure(job.tenant, error));
    return { again: null };
  }
}

async function oneSlice(work: TenantWork, job: TenantJob): Promise<NextJob> {
  if (!job.isTakenOver) job.onBegun();
  const begun = job.isTakenOver ? await work.takeOvers(job.signal, job.onBegun) : () => undefined;
  try {
    if (begun === null || job.signal.aborted) return { again: job.lane };
    return await begin(work, job, begun);
  } finally {
    begun?.();
  }
}

/** @param gotOn called when the run has got something done */
async function begin(work: TenantWork, job: TenantJob, gotOn: () => void): Promise<NextJob> {
  const { tenants, replica } = work;
  const { tenant, lane, signal } = job;
  const its = await untilAvailable(work, signal, () => tenants.laneOf(tenant));
  // Sent before the tenant moved. Here it would take a slot of the others.
  if (its?.value !== lane) return { again: its === null ? lane : its.value };
  const begun = await untilAvailable(work, signal, () => tenants.begin(tenant, replica));
  if (begun === null) return { again: lane };
  const tenantNow = begun.value;
  if (tenantNow === null) return { again: null };
  const verdict = judgeEnds(tenantNow);
  if (verdict.is === 'condemned') {
    const cut = cutRun(work, tenantNow);
    await untilAvailable(work, signal, () => tenants.end(tenant, replica, cut, { isCondemned: true }));
    return { again: lane, inMs: verdict.pauseMs };
  }
  if (verdict.is === 'suspect') {
    const alone = await untilAvailable(work, signal, () => tenants.runAlone(tenant, replica));
    if (!alone?.value) return { again: lane, inMs: PLACE_PAUSE_MS };
  }
  const stopped = new AbortController();
  const run = await untilFirstAbort([signal, stopped.signal], (ends) =>
    watched(work, tenantNow, { isAlone: verdict.is === 'suspect', gotOn }, stopped, ends),
  );
  const ended = await untilAvailable(work, signal, () => tenants.end(tenant, replica, run));
  const next = ended?.value ?? lane;
  if (run.outcome === 'busy') return { again: next, inMs: BUSY_PAUSE_MS };
  if (run.outcome === OTHER_VERSION) return { again: next, inMs: OTHER_VERSION_PAUSE_MS };
  const goesOn = run.usedUpSlice || signal.aborted || stopped.signal.aborted;
  return { again: goesOn ? next : null };
}

/**
 * What the ends of replicas say about the tenant that ran. Whatever passes the entity that was being read then, or sends a
 * record, is at 0 again. After two ends it runs alone: nobody else that is suspected runs in the fleet. After a minute of
 * that it is at 0, too. Who was alone when the replica ended once more is condemned: it is tried again after a pause, which grows, and is never longer than its period.
 */
export function judgeEnds({
  ends,
  wasCut,
  summary: { periodMs },
}: Pick<BegunTenant, 'ends' | 'wasCut'> & { readonly summary: Pick<BegunTenant['summary'], 'periodMs'> }):
  { readonly is: 'innocent' | 'suspect' } | { readonly is: 'condemned'; readonly pauseMs: number } {
  if (ends < SUSPECT_ENDS) return { is: 'innocent' };
  if (ends === SUSPECT_ENDS || !wasCut) return { is: 'suspect' };
  const pauseMs = CONDEMNED_PAUSE_MS * (ends - SUSPECT_ENDS);
  return { is: 'condemned', pauseMs: Math.min(pauseMs, Math.max(periodMs, CONDEMNED_PAUSE_MS)) };
}

function cutRun({ clock, warn }: TenantWork, { ends, sweeping, summary: { name } }: BegunTenant): TenantRun {
  const at = new Date(clock.now());
  const read = sweeping === null ? '' : ` while it read ${sweeping}`;
  const message = `${ends} replicas in a row ended during its run${read}, the last while no other suspect ran: killed, or out of memory. It is tried again soon.`;
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
  { isAlone, gotOn }: { readonly isAlone: boolean; readonly gotOn: () => void },
  stopped: AbortController,
  ends: AbortSignal,
): Promise<TenantRun> {
  const { name, revision } = begun.summary;
  const [startedAt, began] = [new Date(clock.now()), clock.monotonic()];
  const over = new AbortController();
  const waiting = createWakeableSleep(clock, over.signal);
  let hasProgressed = false;
  let isSuspected = begun.ends > 0;
  /** What is being read, and what the row says of it. */
  const sweeping = { now: begun.sweeping, noted: begun.sweeping };
  // At once: until it is noted, an end of this replica counts against the tenant. Another entity is no answer to that.
  const progressed = (entity?: string): void => {
    gotOn();
    if (entity !== undefined && begun.sweeping !== null && entity !== begun.sweeping) return;
    if (isSuspected && !hasProgressed) waiting.wake();
    hasProgressed = true;
  };
  // Of a run that nothing speaks against, the next look notes it.
  const reads = (entity: string | null): void => {
    sweeping.now = entity;
    if (begun.ends > 0) waiting.wake();
  };
  const look = async (): Promise<void> => {
    while (!over.signal.aborted && !ends.aborted) {
      await waiting.sleep(LOOK_MS);
      if (over.signal.aborted) return;
      const isProven = isAlone && clock.monotonic() - began >= LONGEST_ALONE_MS;
      const cleared = isSuspected && (hasProgressed || isProven);
      const news: RunNews = cleared ? 'progress' : isSuspected && isAlone ? 'alone' : 'none';
      try {
        const { now, noted } = sweeping;
        if (!(await tenants.mayGoOn(name, revision, news, now === noted ? undefined : now))) stopped.abort();
        sweeping.noted = now;
        if (cleared) isSuspected = false;
      } catch (error) {
        // Not known: it goes on under its lease.
        warn(asSyncError(error));
      }
    }
  };
  const looking = look();
  try {
    return await runSlice(begun, ends, progressed, reads);
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
