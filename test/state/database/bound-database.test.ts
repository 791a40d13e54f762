import { expect, test } from 'vitest';
import { boundDatabase } from '../../../src/state/database/bound-database.js';
import { lockedTable } from './locked-table.js';

const NEVER = new AbortController().signal;
const INTERRUPTED = { code: 'interrupted', scope: 'run' };

/** Two places on a database with one table, which another session keeps locked. */
async function boundToLockedTable({ maxWaiting = 5, closeGraceMs = 0, poolMax = 2 } = {}) {
  const { state, waiting, unlock } = await lockedTable({ poolMax, close: () => bound.close() });
  const bound = boundDatabase(state, { places: poolMax, maxWaiting, closeGraceMs });
  const look = (signal: AbortSignal) => bound.until(signal).query('select * from public.thing');
  return { bound, waiting, look, unlock };
}

const QUICK = 'select 1 as one';

test('who leaves has his statement cancelled at the server, and the next gets his place', async () => {
  const { bound, waiting, look } = await boundToLockedTable();
  const gone = new AbortController();
  const left = [look(gone.signal), look(gone.signal)];
  await expect.poll(waiting, { timeout: 60_000 }).toBe(2);
  const next = bound.until(NEVER).query(QUICK);
  gone.abort();
  const interrupted = { status: 'rejected', reason: expect.objectContaining(INTERRUPTED) as unknown };
  expect(await Promise.allSettled(left)).toEqual([interrupted, interrupted]);
  expect(await next).toEqual([{ one: 1 }]);
  expect(await waiting()).toBe(0);
});

test('who leaves the queue leaves it at once; one too many is turned away', async () => {
  const { bound, waiting, look, unlock } = await boundToLockedTable({ maxWaiting: 1 });
  const running = [look(NEVER), look(NEVER)];
  await expect.poll(waiting, { timeout: 60_000 }).toBe(2);
  const gone = new AbortController();
  const queued = look(gone.signal);
  await expect(look(NEVER)).rejects.toMatchObject({ code: 'state-unavailable', details: { busy: true } });
  gone.abort();
  await expect(queued).rejects.toMatchObject(INTERRUPTED);
  const next = bound.until(NEVER).query(QUICK);
  await unlock();
  expect(await Promise.all(running)).toEqual([[], []]);
  expect(await next).toEqual([{ one: 1 }]);
});

test('a cancellation that comes late does not end the statement of whoever has the connection next', async () => {
  const { bound } = await boundToLockedTable({ poolMax: 1 });
  for (let round = 0; round < 20; round += 1) {
    const gone = new AbortController();
    // Aborts between two statements, where nothing runs that the server could cancel.
    const abandoned = bound.until(gone.signal).transaction(async (statements) => {
      await statements.query(QUICK);
      gone.abort();
    });
    // Longer than the server takes to hear of a cancellation.
    const next = bound.until(NEVER).query('select 1 as one from pg_sleep(0.03)');
    await abandoned.catch(() => undefined);
    expect(await next).toEqual([{ one: 1 }]);
  }
});

test('closing cancels what runs and turns away what waits', async () => {
  const { bound, waiting, look } = await boundToLockedTable();
  const all = Promise.allSettled([1, 2, 3, 4].map(() => look(NEVER)));
  await expect.poll(waiting, { timeout: 60_000 }).toBe(2);
  await bound.close();
  for (const one of await all) expect(one).toMatchObject({ status: 'rejected', reason: INTERRUPTED });
  await expect.poll(waiting).toBe(0);
});

test('closing lets finish what can be finished in its grace', async () => {
  const { bound, waiting, look, unlock } = await boundToLockedTable({ closeGraceMs: 20_000 });
  const running = look(NEVER);
  await expect.poll(waiting, { timeout: 60_000 }).toBe(1);
  const closed = bound.close();
  await unlock();
  expect(await running).toEqual([]);
  await closed;
});
