import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createState } from '../../src/state/create-state.js';
import { partnerStatement } from '../../src/state/database/partner-statement.js';
import { createStateDatabase, type StateDatabase } from '../../src/state/database/state-database.js';
import type { StoredApplication } from '../../src/state/inbox/store-application.js';
import type { TestDatabase } from '../postgres/test-database.js';
import { plantTraps, sprungTraps } from '../postgres/plant-traps.js';
import { fixture, received } from './open-test-inbox.js';
import { createMigratedDatabase } from '../postgres/migrated-database.js';

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
