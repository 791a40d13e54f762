import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../postgres/test-database.js';
import { openTestSource, queryOf, readRows } from './source-fixture.js';

test('limits that the partner set for every session do not hold for a read, which has its own', async () => {
  const database = await createTestDatabase();
  const set = (name: string, value: string) =>
    database.query(
      `do $$ begin execute format('alter database %I set ${name} = ''${value}''', current_database()); end $$`,
    );
  await set('statement_timeout', '1h');
  await set('idle_in_transaction_session_timeout', '1h');
  const [version] = await database.query<{ number: number }>(
    `select current_setting('server_version_num')::int as number`,
  );
  if ((version?.number ?? 0) >= 170_000) await set('transaction_timeout', '1h');
  const source = openTestSource(database.url, { statementTimeoutMs: 20_000.4 });
  onTestFinished(async () => {
    await source.close();
    await database.drop();
  });
  const [read] = await readRows(
    source,
    queryOf(`select 1 as key, current_setting('statement_timeout') as name,
      current_setting('idle_in_transaction_session_timeout') || ' ' || coalesce(current_setting('transaction_timeout', true), '0')
      as about`),
  );
  expect({ ...read?.row }).toEqual({ key: '1', name: '20s', about: '0 0' });
});
