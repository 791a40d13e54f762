import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createState } from '../../src/state/create-state.js';
import { partnerStatement, type StoredApplication } from '../../src/state/inbox.js';
import { createLibraryDatabase } from '../../src/state/database/library-database.js';
import { createStateDatabase, type StateDatabase } from '../../src/state/database/state-database.js';
import { createMigratedDatabase, type TestDatabase } from '../postgres/test-database.js';
import { plantTraps, sprungTraps } from '../postgres/plant-traps.js';
import { fixture, received } from './open-test-inbox.js';

/** A state database in which somebody has put a namesake of everything into `public`, which is looked at first. */
let database: TestDatabase;
let strictUrl: string;
let state: StateDatabase;

beforeAll(async () => {
  database = await createMigratedDatabase();
  await database.query(`create table public.hired (email text)`);
  ({ strictUrl } = await plantTraps(database));
  state = createStateDatabase({ url: strictUrl, poolMax: 2, schema: 'placement_sync' });
});
afterAll(async () => {
  await state.close();
  await database.drop();
});

const PATH = `select pg_catalog.current_setting('search_path') as path`;
const SAFE = [{ path: 'pg_catalog, pg_temp' }];

test('a statement finds what Postgres brings and nothing else, alone and in a transaction', async () => {
  expect(await state.query(PATH)).toEqual(SAFE);
  expect(await state.transaction((statements) => statements.query(PATH))).toEqual(SAFE);
});

test('a library’s own SQL finds the same, whatever it says of transactions itself', async () => {
  const library = createLibraryDatabase({ url: strictUrl, poolMax: 1, statementTimeoutMs: 10_000 });
  onTestFinished(() => library.close());
  await expect(library.executeSql('select $1::pg_catalog.int4 as n', [7])).resolves.toMatchObject({
    rows: [{ n: 7 }],
  });
  expect((await library.executeSql(PATH)).rows).toEqual(SAFE);
  const several = await library.executeSql(`
    BEGIN;
    SET LOCAL lock_timeout = 30000;
    create table public.queued (n integer);
    COMMIT;
    ${PATH}`);
  expect(several).toMatchObject([{}, {}, { rows: SAFE }]);
  // As `lower` and `=` of the planter would be part of the index otherwise.
  await library.executeSql(
    `CREATE INDEX CONCURRENTLY queued_n ON public.queued (n) WHERE lower(n::text) = 'x'`,
  );
  await library.executeSql('REINDEX INDEX CONCURRENTLY public.queued_n');
  await expect(library.executeSql('select 1/0')).rejects.toMatchObject({ code: '22012' });

  const transaction = await library.beginTransaction();
  expect((await transaction.db.executeSql(PATH)).rows).toEqual(SAFE);
  await transaction.db.executeSql('insert into public.queued values (1)');
  await transaction.rollback();
  await expect(transaction.db.executeSql(PATH)).rejects.toThrow('has ended');
  const second = await library.beginTransaction();
  await second.db.executeSql('insert into public.queued values (2)');
  await second.commit();
  await second.rollback();
  expect((await library.executeSql('select n from public.queued')).rows).toEqual([{ n: 2 }]);
  expect(await sprungTraps(database)).toEqual([]);
});

test('what anybody may plant in public is never called, and would be without the transaction around it', async () => {
  const { records, runs, inbox, leases } = createState(state);
  await leases.acquire('push', 'somebody', 60_000);
  await inbox.store(received(fixture('flat')));
  await Promise.all([records.counts('companies'), runs.last(), inbox.counts(), leases.holders()]);
  expect(await sprungTraps(database)).toEqual([]);

  const careless = new pg.Client({ connectionString: strictUrl });
  await careless.connect();
  onTestFinished(() => careless.end());
  await careless.query(`select lower('A') from placement_sync.lease`);
  expect(await sprungTraps(database)).toContain('lower(text)');
});

test('the partner’s own statement finds the names that its role finds, and only it', async () => {
  const statement = partnerStatement('insert into hired values (:email)');
  const after = await state.transaction(async (statements, verbatim) => {
    await statement.run(verbatim, { email: 'a@b.id' } as StoredApplication);
    return statements.query(PATH);
  });
  expect(after).toEqual(SAFE);
  expect(await database.query('select email from public.hired')).toEqual([{ email: 'a@b.id' }]);
});
