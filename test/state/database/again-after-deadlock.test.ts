import { expect, test } from 'vitest';
import { againAfterDeadlock } from '../../../src/state/database/state-database.js';
import { openTestState, wants } from '../open-test-state.js';

test('two transactions that wait for each other both come through', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'), wants('b', '1'));
  const begun: string[] = [];
  const lock = (first: string, second: string) =>
    state.transaction(async (statements) => {
      const add = (key: string) =>
        statements.query('update :schema:.sync_state set attempts = attempts + 1 where key = :key', { key });
      await add(first);
      begun.push(first);
      // At the first try both hold one record before either asks for the other.
      while (new Set(begun).size < 2) await new Promise((resolve) => setTimeout(resolve, 5));
      await add(second);
    });
  await Promise.all([lock('a', 'b'), lock('b', 'a')]);
  // The one that is tried again may be faster than the one that waits for it; then they meet once more.
  expect(begun.length).toBeGreaterThan(2);
  expect(await state.row('a')).toMatchObject({ attempts: 2 });
  expect(await state.row('b')).toMatchObject({ attempts: 2 });
});

test('transactions are made for one isolation, whatever the database has by default', async () => {
  const state = await openTestState();
  const [row] = await state.sql<{ name: string }>('select current_database() as name');
  await state.sql(`alter database ${row?.name} set default_transaction_isolation = 'serializable'`);
  await state.sql(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  const isolation = () =>
    state.transaction((statements) =>
      statements.query('select current_setting(:name) as isolation', { name: 'transaction_isolation' }),
    );
  await expect.poll(isolation).toEqual([{ isolation: 'read committed' }]);
  expect(await state.sql('show default_transaction_isolation')).toHaveLength(1);
});

test('any other failure is passed on at once, and a deadlock that never ends after five tries', async () => {
  let tries = 0;
  const failing = (code: string) => () => {
    tries += 1;
    return Promise.reject(Object.assign(new Error(code), { code }));
  };
  await expect(againAfterDeadlock(failing('23505'))).rejects.toThrow('23505');
  expect(tries).toBe(1);
  await expect(againAfterDeadlock(failing('40P01'))).rejects.toThrow('40P01');
  expect(tries).toBe(6);
});
