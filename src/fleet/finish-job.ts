import type { Database, JobAttempt } from 'pg-boss';
import type { Lane } from '../ports/tenants.js';
import { hasJob } from './has-job.js';
import type { NextJob } from './job-queue.js';
import type { Engine } from './keep-engine.js';

/**
 * Ends a job, and sends the next one of its tenant in the same transaction: the old one first, because a lane has one job of
 * a tenant at most. A job that was given to somebody else is left alone. Errors: as of `Engine.use`.
 */
export async function finishJob(
  engine: Engine,
  { attempt, lane, tenant }: { readonly attempt: JobAttempt; readonly lane: Lane; readonly tenant: string },
  { again, inMs = 0 }: NextJob,
): Promise<void> {
  await engine.use(async (boss) => {
    if (again === null) {
      await boss.complete(lane, attempt, null);
      return;
    }
    // A schedule may have sent one to the other lane.
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

async function inTransaction(engine: Engine, work: (db: Database) => Promise<void>): Promise<void> {
  const transaction = await engine.transaction();
  try {
    await work(transaction.db);
    await transaction.commit();
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}
