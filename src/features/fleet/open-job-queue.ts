import type { BossOptions, PgBoss, QueueOptions } from 'pg-boss';
import { SyncError, usageError } from '../../core/domain/errors.js';
import type { Emit } from '../../core/domain/events.js';
import type { Clock } from '../../core/ports/clock.js';
import { createLibraryDatabase } from './state/library-database.js';
import { hasJob, type JobQueue, LANES, otherLane } from './job-queue.js';
import { type Engine, keepEngine, warnSeldom } from './keep-engine.js';
import { inTransaction, workJobs } from './work-jobs.js';

interface JobQueueOptions {
  /** postgres:// URL of the fleet's database. */
  readonly url: string;
  /** At least 3: jobs, signs of life and the engine's own work go on side by side. */
  readonly poolMax: number;
  /** Of the engine alone; it is made, and made again when it is dropped. */
  readonly schema: string;
  readonly clock: Clock;
  readonly emit: Emit;
}

/**
 * A killed replica's job is found after 15 s without a sign of life, by a look every 5 s: it runs again within 30 s. Only
 * signs of life end a job, so the other limits are far off: it may run for a day, and begin again any number of times.
 */
const QUEUE: QueueOptions = {
  heartbeatSeconds: 15,
  expireInSeconds: 86_400,
  retryLimit: 1_000_000_000,
  retryDelay: 0,
  deleteAfterSeconds: 60,
};

const LOOKS = {
  superviseIntervalSeconds: 5,
  monitorIntervalSeconds: 5,
  maintenanceIntervalSeconds: 60,
  // The table of tenants says what is due.
  schedule: false,
  // Its look at dead rows reads the statistics of every table of the database, and a ledger has dozens.
  monitorVacuum: false,
} as const;

/** Longest time of a statement of the engine, milliseconds. */
const STATEMENT_MS = 60_000;

/**
 * Opens the engine of the fleet: pg-boss, on connections that only it uses. Errors: SyncError `usage` when this Node or the
 * installation has no pg-boss; `state-unavailable`, `state-failed`.
 */
export async function openJobQueue(options: JobQueueOptions): Promise<JobQueue> {
  const { url, poolMax, schema, clock, emit } = options;
  checkNode(process.versions.node);
  const { PgBoss: Boss } = await import('pg-boss').catch((error: unknown) => {
    throw withoutEngine(error);
  });
  const db = createLibraryDatabase({
    ...{ url, poolMax, statementTimeoutMs: STATEMENT_MS },
    lockedBy: { schema, table: 'version' },
  });
  const settings: BossOptions = { db, schema, useListenNotify: false, ...LOOKS };
  const warn = warnSeldom(clock, emit);
  const listeners: (() => void)[] = [];
  const engine = await keepEngine({
    create: () => new Boss(settings),
    prepare: makeQueues,
    transaction: db.beginTransaction,
    warn,
    onRestored: () => listeners.forEach((tell) => tell()),
  }).catch(async (error: unknown) => {
    await db.close();
    throw error;
  });
  return {
    send: (tenant, lane) =>
      engine.use(async (boss) => {
        for (const each of LANES) {
          const waiting = await boss.update(each, undefined, { singletonKey: tenant, startAfter: 0 });
          if (waiting.updated > 0) return false;
        }
        if (await hasJob(boss, otherLane(lane), tenant)) return false;
        return (await boss.send(lane, { tenant }, { singletonKey: tenant })) !== null;
      }),
    sendDue: (take) => sendDue(engine, take),
    work: (slots, work, signal) => workJobs({ engine, clock, warn }, slots, work, signal),
    onRestored: (tell) => void listeners.push(tell),
    async close() {
      await engine.close();
      await db.close();
    },
  };
}

/** Also after an update of this program, which may have other options. */
async function makeQueues(boss: PgBoss): Promise<void> {
  for (const lane of LANES) {
    await boss.createQueue(lane, { policy: 'exclusive', ...QUEUE });
    await boss.updateQueue(lane, QUEUE);
  }
}

/**
 * The times of the tenants move on if and only if their jobs are sent. A lane refuses a second job of a tenant; one in the other
 * lane, where the tenant was before, is found when the job begins.
 */
function sendDue(engine: Engine, take: Parameters<JobQueue['sendDue']>[0]): Promise<number> {
  return engine.use((boss) =>
    inTransaction(engine, async (db) => {
      const due = await take(db);
      for (const lane of LANES) {
        const jobs = due
          .filter((tenant) => tenant.lane === lane)
          .map(({ name }) => ({ data: { tenant: name }, singletonKey: name }));
        if (jobs.length > 0) await boss.insert(lane, jobs, { db });
      }
      return due.length;
    }),
  );
}

/** The oldest Node that the engine runs on. */
const NEEDED = [22, 12] as const;

/** @param version as `process.versions.node`. Errors: SyncError `usage` when it is too old for the engine. */
export function checkNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return;
  throw usageError(
    `A fleet needs Node ${NEEDED.join('.')} or later; this is Node ${version}.`,
    'Use the image, which has Node 24, or install Node 24 and then this program again. Everything but the fleet works with this Node.',
  );
}

/** The package of the engine is not there. `cause`: of the import. */
export function withoutEngine(cause: unknown): SyncError {
  return usageError(
    'A fleet needs the package pg-boss, which is not installed.',
    'Use the image, which has Node 24, or install this program again with Node 24: an older npm or Node leaves the package out.',
    cause,
  );
}
