import pg from 'pg';
import { onTestFinished } from 'vitest';
import {
  createStateDatabase,
  type StateDatabase,
} from '../../../../src/core/ledger/database/state-database.js';
import { createTestDatabase } from '../../../postgres/test-database.js';

/** A state database with the table `thing`, which another session keeps locked until `unlock` or the end of the test. */
export async function lockedTable({
  poolMax = 2,
  close,
}: {
  readonly poolMax?: number;
  /** What is closed before the database; by default the state database itself. */
  readonly close?: (state: StateDatabase) => Promise<void>;
} = {}) {
  const database = await createTestDatabase();
  await database.query('create table thing (id int)');
  const state = createStateDatabase({ url: database.url, poolMax, schema: 'public' });
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  onTestFinished(async () => {
    await other.end();
    await (close ?? (() => state.close()))(state);
  });
  await other.query('begin');
  await other.query('lock table thing in access exclusive mode');
  const waiting = async () => {
    const [row] = await database.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row?.count;
  };
  return { state, waiting, unlock: () => other.query('rollback') };
}
