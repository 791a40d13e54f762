import { expect, test } from 'vitest';
import { lockedTable } from './locked-table.js';

const STOPPED = { code: 'interrupted', scope: 'run' };

test('after the signal no statement waits for a lock until its time-out, alone or in a transaction', async () => {
  const { state, waiting } = await lockedTable({ poolMax: 3 });
  const stop = new AbortController();
  state.endAfter(stop.signal);
  const alone = state.query('select * from public.thing');
  const together = state.transaction(async (statements) => {
    await statements.query('select 1');
    return statements.query('insert into public.thing values (1)');
  });
  await expect.poll(waiting, { timeout: 60_000 }).toBe(2);
  stop.abort();
  const [first, second] = await Promise.allSettled([alone, together]);
  expect(first).toMatchObject({ status: 'rejected', reason: STOPPED });
  expect(second).toMatchObject({ status: 'rejected', reason: STOPPED });
  // One that begins later gets its time, too; what waits for nothing is done as ever.
  await expect(state.query('select * from public.thing')).rejects.toMatchObject(STOPPED);
  const all = await Promise.all([1, 2, 3].map((n) => state.query(`select ${n} as n`)));
  expect(all).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
}, 30_000);

test('without the signal a statement waits for its lock', async () => {
  const { state, waiting, unlock } = await lockedTable({ poolMax: 3 });
  state.endAfter(new AbortController().signal);
  const rows = state.query('select * from public.thing');
  await expect.poll(waiting, { timeout: 60_000 }).toBe(1);
  await unlock();
  expect(await rows).toEqual([]);
});
