import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { partnerStatement } from '../../../src/state/database/partner-statement.js';
import { createStateDatabase } from '../../../src/state/database/state-database.js';
import type { StoredApplication } from '../../../src/state/inbox/store-application.js';
import { createTestDatabase } from '../../postgres/test-database.js';

/** A state database with one table, which somebody else locks until the test ends. */
async function lockedTable() {
  const database = await createTestDatabase();
  const state = createStateDatabase({ url: database.url, poolMax: 3, schema: 'public' });
  await database.query('create table thing (id int)');
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  onTestFinished(async () => {
    await other.end();
    await state.close();
    await database.drop();
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

const STOPPED = { code: 'interrupted', scope: 'run' };

test('after the signal no statement waits for a lock until its time-out, alone or in a transaction', async () => {
  const { state, waiting } = await lockedTable();
  const stop = new AbortController();
  state.endAfter(stop.signal);
  const alone = state.query('select * from public.thing');
  const together = state.transaction(async (statements) => {
    await statements.query('select 1');
    return statements.query('insert into public.thing values (1)');
  });
  await expect.poll(waiting, { timeout: 10_000 }).toBe(2);
  stop.abort();
  const [first, second] = await Promise.allSettled([alone, together]);
  expect(first).toMatchObject({ status: 'rejected', reason: STOPPED });
  expect(second).toMatchObject({ status: 'rejected', reason: STOPPED });
  // One that begins later gets its time, too; what waits for nothing is done as ever, on the same connections.
  await expect(state.query('select * from public.thing')).rejects.toMatchObject(STOPPED);
  const all = await Promise.all([1, 2, 3].map((n) => state.query(`select ${n} as n`)));
  expect(all).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
}, 30_000);

test('after the signal the partner’s own statement does not wait for a lock either', async () => {
  const { state, waiting } = await lockedTable();
  const stop = new AbortController();
  state.endAfter(stop.signal);
  const statement = partnerStatement('insert into thing select 1 where :email::text is null');
  const stored = state.transaction((_statements, verbatim) =>
    statement.run(verbatim, { email: null } as StoredApplication),
  );
  await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
  stop.abort();
  await expect(stored).rejects.toMatchObject(STOPPED);
}, 30_000);

test('without the signal a statement waits for its lock', async () => {
  const { state, waiting, unlock } = await lockedTable();
  state.endAfter(new AbortController().signal);
  const rows = state.query('select * from public.thing');
  await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
  await unlock();
  expect(await rows).toEqual([]);
});
