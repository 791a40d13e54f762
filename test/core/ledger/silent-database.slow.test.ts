import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createState } from '../../../src/features/create-state.js';
import { createLibraryDatabase } from '../../../src/features/fleet/state/library-database.js';
import { createStateDatabase, type StateDatabase } from '../../../src/core/ledger/database/state-database.js';
import { openWire } from '../../postgres/open-wire.js';
import { plantTraps, sprungTraps } from '../../postgres/plant-traps.js';
import {
  createMigratedDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../postgres/test-database.js';
import { fixture, received } from '../../features/webhook/state/open-test-inbox.js';

describe('silent database', () => {
  /** The database behind a wire that can be cut without either side noticing. */
  async function behindAWire() {
    const database = await createTestDatabase();
    return openWire(database.url);
  }

  const UNAVAILABLE = { code: 'state-unavailable' };

  test('a state database that no longer answers is an error within the time-out, and can be closed', async () => {
    const wire = await behindAWire();
    const database = createStateDatabase({ url: wire.url, poolMax: 2, schema: 's', statementTimeoutMs: 500 });
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
    wire.silence();
    await expect(database.query('select 2')).rejects.toMatchObject(UNAVAILABLE);
    await expect(database.transaction((statements) => statements.query('select 3'))).rejects.toMatchObject(
      UNAVAILABLE,
    );
    await database.close();
  }, 60_000);

  test('a connection that gave no answer is not used again, by the ROLLBACK of its transaction or by others', async () => {
    const wire = await behindAWire();
    const database = createStateDatabase({ url: wire.url, poolMax: 1, schema: 's', statementTimeoutMs: 500 });
    const cutInside = database.transaction(async (statements) => {
      await statements.query('select 1');
      wire.silence();
      return statements.query('select 2');
    });
    await expect(cutInside).rejects.toMatchObject(UNAVAILABLE);
    await wire.mend();
    expect(await database.query('select 3 as three')).toEqual([{ three: 3 }]);
    await database.close();
  }, 60_000);

  test('the signal ends what waits for a server that neither answers nor cancels, long before its time-out', async () => {
    const wire = await behindAWire();
    const database = createStateDatabase({ url: wire.url, poolMax: 1, schema: 's' });
    await database.query('select 1');
    const stop = new AbortController();
    database.endAfter(stop.signal);
    wire.silence();
    const waiting = database.transaction((statements) => statements.query('select 2'));
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'interrupted' });
    await database.close();
  }, 60_000);

  test('a server that is down is reported as that, also where it was reached by a socket of this machine', async () => {
    const folder = join(tmpdir(), `no-socket-${process.pid}`);
    const url = `postgres:///db?host=${folder}&user=u`;
    const database = createStateDatabase({ url, poolMax: 1, schema: 's' });
    onTestFinished(() => database.close());
    await expect(database.query('select 1')).rejects.toMatchObject({
      ...UNAVAILABLE,
      hint: expect.stringContaining('that the server is up') as string,
    });
  });
});

describe('search path', () => {
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
  afterAll(() => state.close());

  const PATH = `select pg_catalog.current_setting('search_path') as path`;
  const SAFE = [{ path: 'pg_catalog, pg_temp' }];

  test('a statement finds what Postgres brings and nothing else, alone and in a transaction', async () => {
    expect(await state.query(PATH)).toEqual(SAFE);
    expect(await state.transaction((statements) => statements.query(PATH))).toEqual(SAFE);
  });

  test('a library’s own SQL finds the same, whatever it says of transactions itself', async () => {
    const library = createLibraryDatabase({
      url: strictUrl,
      poolMax: 1,
      statementTimeoutMs: 10_000,
      lockedBy: { schema: 'jobs', table: 'version' },
    });
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
});
