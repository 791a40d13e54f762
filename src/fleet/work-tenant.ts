import { ERROR_CODES } from '../domain/errors.js';
import { oneLineUpTo } from '../domain/reply/reply.js';
import { scrubText } from '../domain/scrub-text.js';
import type { Clock } from '../ports/clock.js';
import type { TenantRun, Tenants } from '../ports/tenants.js';
import { untilFirstAbort } from '../runtime/time.js';
import { asSyncError } from '../sync/run/end.js';
import type { NextJob, TenantJob } from './job-queue.js';
import type { Warn } from './say-seldom.js';
import { untilAvailable } from './until-available.js';

/** Time between two looks whether the tenant may go on, milliseconds. */
const LOOK_MS = 5_000;

/** Pause before a tenant is tried again whose ledger another process holds: one that was killed holds it for 15 s. */
const BUSY_PAUSE_MS = 5_000;

/** A tenant whose replicas ended so often in a row during its run waits for its next time: it may be what ended them. */
const MOST_ORPHANED = 4;

/** Of what is kept of a failed run: every page and every replica reads the table of tenants. */
const LONGEST_REASON = 2_000;

/** One slice of one tenant. Ends early, and in order, when the signal aborts. What it throws is noted as a failed run. */
export type RunSlice = (tenant: BegunTenant, signal: AbortSignal) => Promise<TenantRun>;

/** A tenant as it was when its run began. */
export type BegunTenant = NonNullable<Awaited<ReturnType<Tenants['begin']>>>;

export interface TenantWork {
  readonly tenants: Pick<Tenants, 'laneOf' | 'begin' | 'end' | 'mayGoOn'>;
  readonly runSlice: RunSlice;
  /** Names this replica in the table of tenants. */
  readonly replica: string;
  readonly clock: Clock;
  readonly warn: Warn;
}

/**
 * Does what a job asks for: one slice of its tenant, if that may run. A tenant that is removed, paused or changed meanwhile
 * ends early. Never rejects: whatever is wrong with one tenant is noted with it, and the others go on.
 */
export async function workTenant(work: TenantWork, job: TenantJob): Promise<NextJob> {
  try {
    return await oneSlice(work, job);
  } catch (error) {
    work.warn(ofTenant(job.tenant, error));
    return { again: null };
  }
}

async function oneSlice(work: TenantWork, job: TenantJob): Promise<NextJob> {
  const { tenants, replica } = work;
  const { tenant, lane, signal } = job;
  if (signal.aborted) return { again: lane };
  const its = await untilAvailable(work, signal, () => tenants.laneOf(tenant));
  // Sent before the tenant moved. Here it would take a slot of the others.
  if (its?.value !== lane) return { again: its === null ? lane : its.value };
  const begun = await untilAvailable(work, signal, () => tenants.begin(tenant, replica));
  if (begun === null) return { again: lane };
  const begunTenant = begun.value;
  if (begunTenant === null) return { again: null };
  if (job.orphaned >= MOST_ORPHANED) {
    await untilAvailable(work, signal, () => tenants.end(tenant, replica, orphanedRun(work, job)));
    return { again: null };
  }
  const stopped = new AbortController();
  const run = await untilFirstAbort([signal, stopped.signal], (ends) =>
    watched(work, begunTenant, stopped, ends),
  );
  const ended = await untilAvailable(work, signal, () => tenants.end(tenant, replica, run));
  const next = ended?.value ?? lane;
  if (run.outcome === 'busy') return { again: next, inMs: BUSY_PAUSE_MS };
  const goesOn = run.usedUpSlice || signal.aborted || stopped.signal.aborted;
  return { again: goesOn ? next : null };
}

function orphanedRun({ clock, warn }: TenantWork, { tenant, orphaned }: TenantJob): TenantRun {
  const at = new Date(clock.now());
  const message = `${orphaned} replicas in a row ended during its run: killed, or out of memory. It is tried again at its next time.`;
  warn({
    message: `Tenant ${tenant}: ${message}`,
    hint: 'Look at the memory of the replicas when it runs, and pause it if it ends them: placement-sync fleet pause TENANT',
  });
  return {
    ...{ startedAt: at, finishedAt: at, outcome: 'failed', exitCode: 1, message },
    ...{ pending: null, usedUpSlice: false },
  };
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
  const look = async (): Promise<void> => {
    while (!over.signal.aborted && !ends.aborted) {
      await clock.sleep(LOOK_MS, over.signal);
      if (over.signal.aborted) return;
      try {
        if (!(await tenants.mayGoOn(name, revision))) stopped.abort();
      } catch (error) {
        // Not known: it goes on under its lease.
        warn(asSyncError(error));
      }
    }
  };
  const looking = look();
  try {
    return await runSlice(begun, ends);
  } catch (error) {
    const failure = ofTenant(name, error);
    warn(failure);
    return {
      startedAt,
      finishedAt: new Date(clock.now()),
      outcome: 'failed',
      exitCode: ERROR_CODES[failure.code],
      message: failure.reason,
      pending: null,
      usedUpSlice: false,
    };
  } finally {
    over.abort();
    await looking;
  }
}

function ofTenant(tenant: string, error: unknown) {
  const { code, message, hint } = asSyncError(error);
  // A list of problems becomes one sentence: it is one line of a log and of a table.
  const [first = '', ...more] = scrubText(message, []).split('\n');
  const sentence = [first, more.map((line) => line.trim()).join('; ')]
    .filter((part) => part !== '')
    .join(' ');
  const reason = oneLineUpTo(LONGEST_REASON, sentence);
  return { code, message: `Tenant ${tenant}: ${reason}`, hint, reason };
}
