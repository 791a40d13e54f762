import pg from 'pg';
import { onTestFinished } from 'vitest';
import { addCompanies, createCliWorld, type CliWorld, configureWorker } from './cli-world.js';
import { listening, type RunningCli } from './run-cli.js';

export interface LockedWorld {
  readonly world: CliWorld;
  readonly worker: RunningCli;
  /** Address of the admin listener. */
  readonly admin: string;
  /** Another session locks a table, until it is unlocked or the test ends. */
  lock(table: string): Promise<void>;
  unlock(): Promise<unknown>;
  /** Backends that wait for a lock. */
  waiting(): Promise<number>;
}

/** A worker whose one sweep is over, and another session that can stand in its way. */
export async function createLockedWorld(): Promise<LockedWorld> {
  const world = await createCliWorld();
  configureWorker(world);
  world.configure(`sync: '* * * * * *'`, `sync: '0 0 1 1 *'`);
  await addCompanies(world, 1);
  const worker = world.start('start');
  const admin = await listening(worker, 'admin');
  await world.requested(1);
  const other = new pg.Client({ connectionString: world.env.SOURCE_DATABASE_URL });
  await other.connect();
  onTestFinished(() => other.end());
  return {
    world,
    worker,
    admin,
    async lock(table) {
      await other.query('begin');
      await other.query(`lock table ${table} in access exclusive mode`);
    },
    unlock: () => other.query('rollback'),
    async waiting() {
      const [row] = await world.sql<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row?.count ?? 0;
    },
  };
}
