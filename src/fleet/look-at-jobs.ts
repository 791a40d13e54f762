import { createLibraryDatabase } from '../state/database/library-database.js';
import { countJobs } from './count-jobs.js';
import type { JobQueue } from './job-queue.js';

/** Longest time of a statement, milliseconds. */
const STATEMENT_MS = 5_000;

export interface LookOptions {
  /** postgres:// URL of the fleet's database. */
  readonly url: string;
  /** Of the engine alone. */
  readonly schema: string;
}

/**
 * The counts of `JobQueue` for a command that only looks. It makes and changes nothing: neither the schema nor the queues,
 * and it does none of the engine's own work. Errors: of the package, also when no replica has made the schema yet.
 */
export async function lookAtJobs({ url, schema }: LookOptions): ReturnType<JobQueue['counts']> {
  const { PgBoss: Boss } = await import('pg-boss');
  const db = createLibraryDatabase({ url, poolMax: 1, statementTimeoutMs: STATEMENT_MS });
  const boss = new Boss({
    db,
    schema,
    useListenNotify: false,
    migrate: false,
    schedule: false,
    supervise: false,
  });
  // Without a listener it would end the process; the call has the same error.
  boss.on('error', () => undefined);
  try {
    await boss.start();
    return await countJobs(boss);
  } finally {
    await boss.stop({ graceful: false, close: true }).catch(() => undefined);
    await db.close();
  }
}
