import { expect, onTestFinished, test } from 'vitest';
import { boundDatabase } from '../../../../src/cli/compose/bound-database.js';
import { createStateDatabase } from '../../../../src/core/ledger/database/state-database.js';
import { createTestDatabase } from '../../../postgres/test-database.js';
import { lockedTable } from './locked-table.js';

test('two schemas on one pool have their own tables, and one closed leaves the other open', async () => {
  const database = await createTestDatabase();
  const state = createStateDatabase({ url: database.url, poolMax: 1, schema: 'public' });
  onTestFinished(() => state.close());
  const schemas = ['first', 'second'].map((schema) => state.inSchema(schema));
  for (const one of schemas) {
    await one.query('create schema :schema:');
    await one.query('create table :schema:.thing as select cast(:name as text) as name', {
      name: one.schema,
    });
  }
  const [first, second] = schemas;
  await first?.close();
  const name = 'select name from :schema:.thing';
  expect(await second?.query(name)).toEqual([{ name: 'second' }]);
  expect(await first?.transaction((statements) => statements.query(name))).toEqual([{ name: 'first' }]);
  expect(await state.inSchema('second').inSchema('first').query(name)).toEqual([{ name: 'first' }]);
});

test('the abort of one tenant ends its statements and leaves those of another alone', async () => {
  const { state, waiting, unlock } = await lockedTable({ poolMax: 3 });
  const stop = new AbortController();
  const [stopped, other] = [state.inSchema('stopped'), state.inSchema('other')];
  stopped.endAfter(stop.signal);
  other.endAfter(new AbortController().signal);
  const look = 'select * from public.thing';
  const left = stopped.query(look);
  const going = Promise.all([other.transaction((statements) => statements.query(look)), state.query(look)]);
  await expect.poll(waiting, { timeout: 60_000 }).toBe(3);
  stop.abort();
  await expect(left).rejects.toMatchObject({ code: 'interrupted', scope: 'run' });
  // Its place goes to the other, whose statement waits for as long as it must.
  const later = other.query(look);
  await expect.poll(waiting, { timeout: 60_000 }).toBe(3);
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  expect(await waiting()).toBe(3);
  await unlock();
  expect(await going).toEqual([[], []]);
  expect(await later).toEqual([]);
}, 60_000);

test('the cancellation of a tenant’s statements never ends a statement of another, however often', async () => {
  const { state, waiting } = await lockedTable({ poolMax: 12 });
  for (let round = 1; round <= 3; round += 1) {
    const stops = Array.from({ length: 12 }, () => new AbortController());
    const left = stops.map(({ signal }, n) => {
      const stopped = state.inSchema(`stopped_${n}`);
      stopped.endAfter(signal);
      return stopped.query('select * from public.thing');
    });
    await expect.poll(waiting, { timeout: 60_000 }).toBe(12);
    // They wait for the connections of the stopped ones.
    const other = state.inSchema('other');
    const going = Promise.all(stops.map(() => other.query('select 1 as one from pg_sleep(0.1)')));
    stops.forEach((stop) => stop.abort());
    const reason = expect.objectContaining({ code: 'interrupted' }) as unknown;
    expect(await Promise.allSettled(left)).toEqual(left.map(() => ({ status: 'rejected', reason })));
    expect(await going).toEqual(stops.map(() => [{ one: 1 }]));
  }
}, 60_000);

test('after its close the signal of a schema ends nothing any more', async () => {
  const { state, waiting, unlock } = await lockedTable({ poolMax: 1 });
  const stop = new AbortController();
  const view = state.inSchema('closed');
  view.endAfter(stop.signal);
  const rows = view.query('select * from public.thing');
  await expect.poll(waiting, { timeout: 60_000 }).toBe(1);
  await view.close();
  stop.abort();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await unlock();
  expect(await rows).toEqual([]);
}, 60_000);

test('another schema of a bound database has its bounds', async () => {
  const { state, waiting } = await lockedTable({ poolMax: 2, close: () => bound.close() });
  const bound = boundDatabase(state, { places: 1, maxWaiting: 0 });
  const gone = new AbortController();
  const look = bound.until(gone.signal).inSchema('one').query('select * from public.thing');
  await expect.poll(waiting, { timeout: 60_000 }).toBe(1);
  await expect(bound.until().inSchema('two').query('select 1')).rejects.toMatchObject({
    code: 'state-unavailable',
    details: { busy: true },
  });
  gone.abort();
  await expect(look).rejects.toMatchObject({ code: 'interrupted' });
  expect(await waiting()).toBe(0);
});

test('a connection is replaced after so many transactions', async () => {
  const database = await createTestDatabase();
  const state = createStateDatabase({ url: database.url, poolMax: 1, schema: 'public', maxUses: 2 });
  onTestFinished(() => state.close());
  const pids: number[] = [];
  for (let count = 0; count < 4; count += 1)
    pids.push(
      ...(await state.query<{ pid: number }>('select pg_backend_pid() as pid')).map(({ pid }) => pid),
    );
  expect(new Set(pids).size).toBe(2);
  expect(pids[0]).toBe(pids[1]);
});
