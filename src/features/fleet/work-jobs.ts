import type { Database, FetchedJob, JobAttempt } from 'pg-boss';
import { SyncError } from '../../core/domain/errors.js';
import { backoffDelay } from '../../core/domain/reply/judge-reply.js';
import type { Clock } from '../../core/ports/clock.js';
import type { Lane } from './state/types.js';
import { createWakeableSleep, type WakeableSleep } from '../../core/runtime/time.js';
import { hasJob, isActive, LANES, type NextJob, otherLane, type TenantJob } from './job-queue.js';
import { type Engine, engineError, type Warn } from './keep-engine.js';

/** Time between two looks for jobs while slots are free, milliseconds. */
const LOOK_MS = 1_000;
/**
 * Jobs that one look takes, and whose work may be about to begin: the others look, too, and what a replica takes at once would
 * end with it at once.
 */
const AT_A_LOOK = 2;
/** Shortest pause after a look that found as many as it takes, milliseconds, and the longest of what comes on top by chance. */
const NEXT_LOOK_MS = 100;
/** Time between two signs of life; the engine gives a job away after three without one (`heartbeatSeconds`). */
const BEAT_MS = 5_000;
/** Longest pause after looks that failed, milliseconds. */
const LONGEST_PAUSE_MS = 30_000;
/** A lane without a free slot is woken by the end of a job. */
const UNTIL_WOKEN_MS = 3_600_000;

interface RunningJob {
  readonly attempt: JobAttempt;
  readonly lane: Lane;
  readonly tenant: string;
  readonly lost: AbortController;
}

/**
 * Takes jobs while there are free slots, does the work of each, and notes its end, with the job that follows. Beside that
 * it gives signs of life for all of them. A job whose end cannot be noted is given away by the engine when its signs of
 * life end. Ends when the signal has aborted and all work has ended; never rejects.
 */
export async function workJobs(
  { engine, clock, warn }: { readonly engine: Engine; readonly clock: Clock; readonly warn: Warn },
  slots: Readonly<Record<Lane, number>>,
  work: (job: TenantJob) => Promise<NextJob>,
  signal: AbortSignal,
): Promise<void> {
  const running = new Set<RunningJob>();

  /** Somebody else wrote it: it can never run, and would come back for ever. */
  const takeAway = async (attempt: JobAttempt, lane: Lane): Promise<void> => {
    warn({
      message: 'A job in the queue of the fleet names no tenant. It was taken away.',
      hint: 'Only the fleet itself should write to the tables of its queue.',
    });
    await engine
      .use((boss) => boss.complete(lane, attempt, null))
      .catch((error: unknown) => warn(engineError(error)));
  };

  const runs = async (
    { id, retryCount, data }: FetchedJob,
    lane: Lane,
    onBegun: () => void,
  ): Promise<void> => {
    const tenant = tenantOf(data);
    if (tenant === null) return await takeAway({ id, retryCount }, lane);
    const here = [...running].some((job) => job.tenant === tenant);
    const job = { attempt: { id, retryCount }, lane, tenant, lost: new AbortController() };
    if (signal.aborted) job.lost.abort();
    running.add(job);
    try {
      // What it runs elsewhere is this tenant's work, too. The lease in its ledger is what makes sure of it.
      const elsewhere = here || (await engine.use((boss) => hasJob(boss, otherLane(lane), tenant, isActive)));
      const isTakenOver = retryCount > 0;
      const next = elsewhere
        ? { again: null }
        : await work({ id, lane, tenant, isTakenOver, signal: job.lost.signal, onBegun });
      // While its end cannot be noted, signs of life go on.
      await untilAvailable({ clock, warn }, signal, () => finishJob(engine, job, next));
    } catch (error) {
      warn(engineError(error));
    } finally {
      running.delete(job);
    }
  };

  const takeJobs = async (lane: Lane, waiting: WakeableSleep): Promise<void> => {
    const underWay = new Set<Promise<void>>();
    const beginning = new Set<string>();
    let failures = 0;
    while (!signal.aborted) {
      const free = Math.min(slots[lane] - underWay.size, AT_A_LOOK - beginning.size);
      if (free <= 0) {
        await waiting.sleep(UNTIL_WOKEN_MS);
        continue;
      }
      try {
        const jobs = await engine.use((boss) => boss.fetch(lane, { batchSize: free }));
        failures = 0;
        for (const job of jobs) {
          beginning.add(job.id);
          const onBegun = (): void => {
            const wasFull = beginning.size >= AT_A_LOOK;
            if (beginning.delete(job.id) && wasFull) waiting.wake();
          };
          const run: Promise<void> = runs(job, lane, onBegun).finally(() => {
            beginning.delete(job.id);
            underWay.delete(run);
            waiting.wake();
          });
          underWay.add(run);
        }
        // There may be more, which others with free slots take meanwhile.
        if (jobs.length < free) await waiting.sleep(LOOK_MS);
        else await clock.sleep(NEXT_LOOK_MS * (1 + Math.random()), signal);
      } catch (error) {
        warn(engineError(error));
        failures += 1;
        await clock.sleep(backoffDelay(failures, LOOK_MS, LONGEST_PAUSE_MS, 0.5), signal);
      }
    }
    await Promise.all(underWay);
  };

  const beat = async (lane: Lane): Promise<void> => {
    const jobs = [...running].filter((job) => job.lane === lane);
    if (jobs.length === 0) return;
    try {
      const { settled } = await engine.use((boss) =>
        boss.touch(
          lane,
          jobs.map(({ attempt }) => attempt),
        ),
      );
      const ours = new Set(settled);
      jobs.filter(({ attempt }) => !ours.has(attempt.id)).forEach(({ lost }) => lost.abort());
    } catch (error) {
      // A sign of life that did not get through says nothing about the job.
      warn(engineError(error));
    }
  };

  const ended = new AbortController();
  const giveSigns = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await clock.sleep(BEAT_MS, ended.signal);
      if (!ended.signal.aborted) await Promise.all(LANES.map(beat));
    }
  };

  const abortAll = () => running.forEach(({ lost }) => lost.abort());
  signal.addEventListener('abort', abortAll, { once: true });
  const signs = giveSigns();
  try {
    await Promise.all(LANES.map((lane) => takeJobs(lane, createWakeableSleep(clock, signal))));
  } finally {
    signal.removeEventListener('abort', abortAll);
    ended.abort();
    await signs;
  }
}

function tenantOf(data: unknown): string | null {
  const { tenant } = (typeof data === 'object' && data !== null ? data : {}) as { readonly tenant?: unknown };
  return typeof tenant === 'string' ? tenant : null;
}

/**
 * Ends a job, and sends the next one of its tenant in the same transaction: the old one first, because a lane has one job of
 * a tenant at most. A job that was given to somebody else is left alone. Errors: as of `Engine.use`.
 */
async function finishJob(
  engine: Engine,
  { attempt, lane, tenant }: RunningJob,
  { again, inMs = 0 }: NextJob,
): Promise<void> {
  await engine.use(async (boss) => {
    if (again === null) {
      await boss.complete(lane, attempt, null);
      return;
    }
    // It may have become due in the other lane.
    const isThere = again !== lane && (await hasJob(boss, again, tenant));
    await inTransaction(engine, async (db) => {
      await boss.complete(lane, attempt, null, { db });
      // One that waited for its time does not wait for its turn, too.
      const priority = inMs > 0 ? 1 : 0;
      const next = { singletonKey: tenant, startAfter: inMs / 1_000, priority, db };
      if (!isThere) await boss.send(again, { tenant }, next);
    });
  });
}

export async function inTransaction<T>(engine: Engine, work: (db: Database) => Promise<T>): Promise<T> {
  const transaction = await engine.transaction();
  try {
    const result = await work(transaction.db);
    await transaction.commit();
    return result;
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

const FIRST_PAUSE_MS = 1_000;

/**
 * What `work` gives, tried again while the fleet's database is not available; null: the signal aborted meanwhile. It is tried
 * once also after the abort. Errors: other errors of `work`.
 */
export async function untilAvailable<T>(
  { clock, warn }: { readonly clock: Clock; readonly warn: Warn },
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<{ readonly value: T } | null> {
  for (let failures = 1; ; failures += 1) {
    try {
      return { value: await work() };
    } catch (error) {
      if (!(error instanceof SyncError) || error.code !== 'state-unavailable') throw error;
      warn(error);
    }
    await clock.sleep(backoffDelay(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS, 0.5), signal);
    if (signal.aborted) return null;
  }
}
