import { expect, onTestFinished, test } from 'vitest';
import { countRows, readCatalog, readTables } from '../../../src/onboarding/catalog/read-catalog.js';
import { withReadOnly, type ReadOnly } from '../../../src/onboarding/catalog/with-read-only.js';
import { readSource } from '../../../src/onboarding/doctor/read/read-source.js';
import { createTestDatabase } from '../../postgres/test-database.js';

/** Longer than a test may take: who waits for it fails. */
const LONG = 600_000;

async function openViews() {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  await database.query(`
    create table firm (id int primary key);
    insert into firm select generate_series(1, 30);
    create view a_slow as select f.id from firm f where pg_sleep(600) is not null;
    create view b_slow as select f.id from firm f where pg_sleep(600) is not null;
    create view c_quick as select * from firm`);
  return { url: database.url, statementTimeoutMs: LONG };
}

test('a slow view has a short time of its own, and the others are counted after it', async () => {
  const found = await withReadOnly(await openViews(), async (read) => {
    const tables = await readTables(read, ['public']);
    const counts = await countRows(read, tables, { viewMs: 200, viewsMs: LONG });
    const [after] = await read.run<{ ms: string }>(`select current_setting('statement_timeout') as ms`);
    return { rows: tables.map(({ name, oid }) => [name, counts.get(oid)?.rows]), after: after?.ms };
  });
  expect(found.rows).toEqual([
    ['a_slow', null],
    ['b_slow', null],
    ['c_quick', 30],
    ['firm', 30],
  ]);
  // Whatever follows has the time that it had.
  expect(found.after).toBe('10min');
});

test('when the time of all views is over, no further one is counted', async () => {
  const rows = await withReadOnly(await openViews(), async (read) => {
    const tables = await readTables(read, ['public']);
    const counts = await countRows(read, tables, { viewMs: LONG, viewsMs: 0 });
    return tables.map(({ name, oid }) => [name, counts.get(oid)?.rows]);
  });
  expect(rows).toEqual([
    ['a_slow', null],
    ['b_slow', null],
    ['c_quick', null],
    ['firm', 30],
  ]);
});

test('doctor counts no view, and no table before a query needs it', async () => {
  const { tables } = await readSource(await openViews(), () => Date.now());
  expect(tables.map(({ name, rows }) => [name, rows])).toEqual([
    ['a_slow', null],
    ['b_slow', null],
    ['c_quick', null],
    ['firm', null],
  ]);
});

test('without a count the catalogue sends no statement to a table of the partner', async () => {
  const sent: string[] = [];
  await withReadOnly(await openViews(), async (read) => {
    const noting: ReadOnly = {
      ...read,
      attempt: (text, values) => {
        sent.push(text);
        return read.attempt(text, values);
      },
    };
    await readCatalog(noting, { counted: false });
  });
  expect(sent).toEqual([]);
});
