import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase, onServer } from './test-database.js';

test('a test database is empty, speaks UTF-8 and is apart from others', async () => {
  const one = await createTestDatabase();
  const other = await createTestDatabase();
  try {
    await one.query('create table t (a text)');
    await one.query('insert into t values ($1)', ['Ａ😀']);
    expect(await one.query('select a, char_length(a) as length from t')).toEqual([{ a: 'Ａ😀', length: 2 }]);
    expect(await one.query('show server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
    await expect(other.query('select * from t')).rejects.toMatchObject({ code: '42P01' });
  } finally {
    await Promise.all([one.drop(), other.drop()]);
  }
});

test('dropping removes the database although somebody is still connected', async () => {
  const database = await createTestDatabase();
  const stranger = new pg.Client({ connectionString: database.url });
  stranger.on('error', () => undefined);
  await stranger.connect();
  await database.drop();
  const left = await onServer((client) =>
    client.query('select 1 from pg_database where datname = $1', [database.name]),
  );
  expect(left.rowCount).toBe(0);
});
