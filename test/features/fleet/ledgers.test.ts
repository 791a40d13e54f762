import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { type OpenedFleet, withFleet, withLedgerSizes } from '../../../src/cli/compose/fleet/open-fleet.js';
import { createLedgerPools } from '../../../src/cli/compose/fleet/ledger-pools.js';
import { moveTenant } from '../../../src/cli/compose/fleet/move-tenant.js';
import { loadFleet } from '../../../src/features/fleet/config/load-fleet.js';
import { ledgerName } from '../../../src/features/fleet/config/tenant-variables.js';
import { SyncError } from '../../../src/core/domain/errors.js';
import { fleetReport } from '../../../src/features/fleet/fleet-report.js';
import { migrate, pendingMigrations } from '../../../src/core/ledger/database/migrate.js';
import type { StateDatabase } from '../../../src/core/ledger/database/state-database.js';
import {
  arriving,
  copyLedger,
  departing,
  dropSealed,
  sealLedger,
  unsealLedger,
} from '../../../src/features/fleet/state/move-ledger.js';
import { createLeases, withLease } from '../../../src/core/ledger/lease.js';
import { createSharedRates } from '../../../src/features/fleet/state/shared-rates.js';
import { configFolder } from '../../core/config/config-folder.js';
import { createTestDatabase } from '../../postgres/test-database.js';
import { openFleet, tenant } from './state/open-fleet.js';

const LOOK = 'select * from public.thing';

/** The fleet's database as a replica opens it, with three slots and the table `thing`, which another session keeps locked. */
async function withLockedThing(
  work: (
    opened: Omit<OpenedFleet, 'ledgers'> & { readonly ledgers: StateDatabase },
    waiting: () => Promise<number | undefined>,
  ) => Promise<void>,
): Promise<void> {
  const { database, tenants } = await openFleet();
  await tenants.apply([tenant('acme')], { removeOthers: true });
  await database.query('create table public.thing (id int)');
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query('begin');
  await other.query('lock table public.thing in access exclusive mode');
  const waiting = async () =>
    (
      await database.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
    )[0]?.count;
  const yaml = `fleet: { database: { url: '${database.url}', poolMax: 2 }, schema: fleet, slots: 2, largeSlots: 1 }`;
  const fleet = loadFleet({ file: 'fleet.yaml', env: {}, cwd: configFolder({ 'fleet.yaml': yaml }) });
  await withFleet(fleet, async (opened) => {
    const ledgers = opened.ledgers.at(database.url);
    if (ledgers) await work({ ...opened, ledgers }, waiting);
    expect(ledgers).not.toBeNull();
    await other.query('rollback');
    return 0;
  });
}

test('while every connection for ledgers waits for a lock, the fleet’s tables answer, and so does who looks', async () => {
  await withLockedThing(async ({ database, tenants, ledgers, readers }, waiting) => {
    const stuck = Array.from({ length: 6 }, (_, n) => {
      const ledger = ledgers.inSchema(`ledger_${n}`);
      return [1, 2, 3].map(() => ledger.query(LOOK));
    }).flat();
    await expect.poll(waiting).toBe(7);
    const rates = createSharedRates(database);
    expect((await rates.reserve('client', 50, 1)).places).toHaveLength(1);
    expect(await tenants.begin('acme', 'replica')).not.toBeNull();
    expect(await readers.list()).toMatchObject([{ name: 'acme' }]);
    expect(await waiting()).toBe(7);
    void Promise.allSettled(stuck);
  });
});

test('ledgers that are locked leave a connection to every other one', async () => {
  await withLockedThing(async ({ ledgers }, waiting) => {
    const locked = ['one', 'two'].map((name) => ledgers.inSchema(name));
    const free = ledgers.inSchema('free');
    const stuck = locked.flatMap((ledger) => Array.from({ length: 20 }, () => ledger.query(LOOK)));
    await expect.poll(waiting).toBe(4);
    const quick = await Promise.all([1, 2, 3].map((n) => free.query(`select ${n} as n`)));
    expect(quick).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
    expect(await free.transaction((statements) => statements.query('select 4 as n'))).toEqual([{ n: 4 }]);
    expect(await waiting()).toBe(4);
    void Promise.allSettled(stuck);
  });
});

/** A fleet with two ledger databases; the tenant `acme`, whose ledger is in the fleet’s own, and its parts. */
async function twoLedgers() {
  const { database, tenants } = await openFleet();
  const [one, two] = [await createTestDatabase(), await createTestDatabase()];
  await tenants.apply([tenant('acme')], { removeOthers: true });
  const yaml = `fleet: { database: { url: '${database.url}' }, schema: fleet, ledgers: ['${one.url}', '${two.url}'] }`;
  const fleet = loadFleet({ file: 'fleet.yaml', env: {}, cwd: configFolder({ 'fleet.yaml': yaml }) });
  const stop = new AbortController();
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => (end = resolve));
  const its = await new Promise<OpenedFleet>((resolve, reject) => {
    const working = withFleet(fleet, (opened) => {
      resolve(opened);
      return over;
    });
    working.catch(reject);
    onTestFinished(() => {
      end();
      return working;
    });
  });
  const placeOf = (url: string) => ledgerName(url);
  const warnings: string[] = [];
  const move = (to: string, how: { patienceMs?: number } = {}) =>
    moveTenant(its, {
      ...{ tenant: 'acme', to, signal: stop.signal, ...how },
      emit: (event) => void (event.type === 'warning' && warnings.push(event.message)),
    });
  const ledgerAt = (url: string) => its.ledgers.at(url)?.inSchema('ledger_acme') ?? its.database;
  const row = async () => (await tenants.read('acme'))?.summary;
  return { database, tenants, one, two, its, placeOf, move, ledgerAt, row, warnings };
}

/** Rows with every kind of value, also those that a careless copy changes. */
async function fill(ledger: StateDatabase): Promise<void> {
  await migrate(ledger);
  await ledger.query(
    `insert into :schema:.sync_run (run_id, trigger, holder, started_at)
     select gen_random_uuid(), 'cron', 'a, (b) "c" \\ ''d''', timestamptz '2026-01-01 00:00:00.123456+07' + n * interval '1 s'
     from generate_series(1, 2500) n`,
  );
  await ledger.query(
    `insert into :schema:.operator_action (who, via, action, keys, counts)
     values ('somebody', 'command', 'retry', array['a,b', '', 'null', '{"x"}'], '{"a": null, "b": 1.50}')`,
  );
}

test('a ledger moves as it is: every table, numbers that were given, and a note in its place', async () => {
  const { database, one, placeOf, move, ledgerAt, row } = await twoLedgers();
  const old = ledgerAt(database.url);
  await fill(old);
  const leases = createLeases(old);
  const before = await leases.acquire('push', 'replica-1', 60_000);
  if ('lease' in before) await leases.release(before.lease);
  const rowsOf = (ledger: StateDatabase) =>
    ledger.query(
      'select cast(r as text) from :schema:.sync_run r union all select cast(a as text) from :schema:.operator_action a order by 1',
    );
  const rows = await rowsOf(old);
  const gaps = await old.query('select 1 from :schema:.journal_gap');
  const to = placeOf(one.url);
  expect(await move(to)).toEqual({ ledger: to, rows: 2502, kept: null });
  const now = ledgerAt(one.url);
  expect(await rowsOf(now)).toEqual(rows);
  expect(await row()).toMatchObject({ ledger: to, move: null });
  await now.query(
    `insert into :schema:.operator_action (who, via, action) values ('next', 'command', 'retry')`,
  );
  expect(
    await now.query(`select cast(id as integer) as id from :schema:.operator_action order by id`),
  ).toEqual([{ id: 1 }, { id: 2 }]);

  // Nothing of it is in doubt, and the next holder follows the one before.
  const next = await createLeases(now).acquire('push', 'replica-2', 60_000);
  expect(next).toMatchObject({ lease: { fence: { token: 3n } } });
  expect(await now.query('select 1 from :schema:.journal_gap')).toHaveLength(gaps.length);
  // Whoever still looks at the old place makes no new ledger there.
  await expect(migrate(old)).rejects.toBeDefined();
  await expect(pendingMigrations(old)).rejects.toMatchObject({
    message: `The ledger of the schema "ledger_acme" was moved to ${to}.`,
  });
  expect(await database.query(`select 1 from pg_tables where schemaname = 'ledger_acme'`)).toHaveLength(1);
});

test('it goes back over the note, and from one database to the next', async () => {
  const { database, one, two, placeOf, move, ledgerAt, row } = await twoLedgers();
  await fill(ledgerAt(database.url));
  for (const to of [placeOf(one.url), placeOf(two.url), 'fleet', placeOf(one.url)]) {
    expect(await move(to)).toMatchObject({ ledger: to, rows: 2502 });
    expect(await row()).toMatchObject({ ledger: to, move: null });
  }
  expect(await move(placeOf(one.url))).toMatchObject({ rows: null });
});

test('a run that is under way is waited for, and one that holds on is not moved away from', async () => {
  const { database, one, placeOf, move, ledgerAt, row, warnings } = await twoLedgers();
  const old = ledgerAt(database.url);
  await fill(old);
  const held = await createLeases(old).acquire('push', 'replica-1', 60_000);
  await expect(move(placeOf(one.url), { patienceMs: 700 })).rejects.toMatchObject({
    code: 'busy',
    message: expect.stringContaining('(replica-1)') as string,
  });
  expect(await row()).toMatchObject({ ledger: 'fleet', move: null });
  const moving = move(placeOf(one.url));
  await expect.poll(() => warnings.length).toBe(2);
  expect((await row())?.move).toMatchObject({ from: 'fleet' });
  if ('lease' in held) await createLeases(old).release(held.lease);
  expect(await moving).toMatchObject({ rows: 2502 });
});

test('a holder that was stopped and goes on later changes nothing in the old ledger, and takes no lease there', async () => {
  const { database, one, placeOf, its, move, ledgerAt } = await twoLedgers();
  const old = ledgerAt(database.url);
  await fill(old);
  const held = await createLeases(old).acquire('push', 'zombie', 1);
  const to = placeOf(one.url);
  // The process that moves is stopped before the row is changed: the old ledger stays sealed.
  const id = 'first';
  await its.tenants.beginMove('acme', { id, to });
  await expect.poll(() => sealLedger(old, departing(id, to))).toBeNull();
  expect(await createLeases(old).acquire('push', 'zombie', 60_000)).toMatchObject({
    heldBy: { holder: `fleet move first to ${to}` },
  });
  if ('lease' in held) {
    expect(await createLeases(old).renew(held.lease, 60_000)).toBe(false);
    await expect(withLease(old, 'push', held.lease.fence, () => Promise.resolve())).rejects.toMatchObject({
      code: 'lease-lost',
    });
  }
  expect(await move(to)).toMatchObject({ rows: 2502 });
  // It goes on, too late for each of its steps.
  expect(await its.tenants.switchLedger('acme', { id, from: 'fleet', to, since: '' })).toBe(false);
  const now = ledgerAt(one.url);
  await expect(
    copyLedger(old, now, { tenant: 'acme', id, to, signal: new AbortController().signal }),
  ).rejects.toMatchObject({ code: 'usage' });
  await unsealLedger(now, arriving(id));
  expect(await dropSealed(now, 'acme', departing(id, to), null)).toBe(false);
  expect(await now.query('select count(*)::int as rows from :schema:.sync_run')).toEqual([{ rows: 2500 }]);
});

test.each(['before it seals the ledger', 'while it waits for a run'])(
  'a move that stood still %s, until another one had ended, says so and leaves the ledger where that one brought it',
  async (moment) => {
    const { database, one, two, its, placeOf, move, ledgerAt, row, warnings } = await twoLedgers();
    const old = ledgerAt(database.url);
    await fill(old);
    // Stands still at the first look at the row, or at the run that holds the ledger.
    let goOn = (): void => undefined;
    const standing = new Promise<void>((resolve) => (goOn = resolve));
    const { read } = its.tenants;
    let looks = 0;
    const stops = moment.startsWith('before');
    const tenants = {
      ...its.tenants,
      read: async (name: string) => {
        looks += 1;
        if (stops ? looks === 1 : warnings.length > 0) await standing;
        return read(name);
      },
    };
    const held = stops ? null : await createLeases(old).acquire('push', 'replica-1', 60_000);
    const first = moveTenant(
      { ...its, tenants },
      {
        ...{ tenant: 'acme', to: placeOf(one.url), signal: new AbortController().signal },
        emit: (event) => void (event.type === 'warning' && warnings.push(event.message)),
      },
    ).catch((error: unknown) => error);
    await expect.poll(async () => ((await row())?.move ? looks : 0)).toBeGreaterThan(0);
    if (!stops) await expect.poll(() => warnings.length).toBe(1);
    if (held && 'lease' in held) await createLeases(old).release(held.lease);
    const to = placeOf(two.url);
    expect(await move(to)).toMatchObject({ ledger: to, rows: 2502 });
    const rows = () => two.query('select count(*)::int as rows from ledger_acme.sync_run');
    goOn();
    expect(await first).toMatchObject({
      code: 'lease-lost',
      message: 'Somebody else has begun or ended a move of "acme" meanwhile.',
    });
    expect(await row()).toMatchObject({ ledger: to, move: null });
    expect(await rows()).toEqual([{ rows: 2500 }]);
  },
);

test('a move that was cut off is undone by naming the present ledger, and its copy goes', async () => {
  const { database, one, its, placeOf, move, ledgerAt, row } = await twoLedgers();
  const [old, copy] = [ledgerAt(database.url), ledgerAt(one.url)];
  await fill(old);
  const to = placeOf(one.url);
  await its.tenants.beginMove('acme', { id: 'first', to });
  expect(await its.tenants.begin('acme', 'replica-1')).toBeNull();
  for (const elsewhere of [{ schema: 'another' }, { ledgerHere: false }])
    await expect(
      its.tenants.apply([tenant('acme', elsewhere)], { removeOthers: true }),
    ).rejects.toMatchObject({
      message:
        'The ledger of the tenant "acme" is being moved, and its file names another one now. Nothing was changed.',
    });
  await its.tenants.apply([tenant('acme', { periodMs: 60_000 })], { removeOthers: true });
  await sealLedger(old, departing('first', to));
  await migrate(copy);
  const signal = new AbortController().signal;
  await copyLedger(old, copy, { tenant: 'acme', id: 'first', to, signal });
  expect(await createLeases(copy).acquire('push', 'too soon', 60_000)).toHaveProperty('heldBy');
  expect(await move('fleet')).toMatchObject({ ledger: 'fleet', rows: null });
  expect(await row()).toMatchObject({ ledger: 'fleet', move: null });
  expect(await one.query(`select 1 from pg_namespace where nspname = 'ledger_acme'`)).toEqual([]);
  expect(await createLeases(old).acquire('push', 'replica-1', 60_000)).toHaveProperty('lease');
});

test('a move that was cut off after the row was changed is ended by any further one, and copies nothing', async () => {
  const { database, one, two, its, placeOf, move, ledgerAt, row } = await twoLedgers();
  const [old, copy] = [ledgerAt(database.url), ledgerAt(one.url)];
  await fill(old);
  const to = placeOf(one.url);
  const begun = await its.tenants.beginMove('acme', { id: 'first', to });
  await sealLedger(old, departing('first', to));
  await migrate(copy);
  const signal = new AbortController().signal;
  await copyLedger(old, copy, { tenant: 'acme', id: 'first', to, signal });
  if (begun) expect(await its.tenants.switchLedger('acme', begun.move)).toBe(true);
  expect(await its.tenants.begin('acme', 'replica-1')).toBeNull();
  expect(await row()).toMatchObject({ ledger: to, move: { id: 'first' } });
  expect(await move(placeOf(two.url))).toMatchObject({ ledger: placeOf(two.url), rows: 2502 });
  expect(await row()).toMatchObject({ ledger: placeOf(two.url), move: null });
  expect(await its.tenants.begin('acme', 'replica-1')).not.toBeNull();
  for (const { query } of [database, one])
    expect(await query('select name from ledger_acme.migration')).toEqual([
      { name: expect.stringContaining('moved to ') as string },
    ]);
});

test('a ledger in force, and tables of others, are never written over; then all goes on where it was', async () => {
  const { database, one, two, placeOf, move, ledgerAt, row } = await twoLedgers();
  await fill(ledgerAt(database.url));
  const other = ledgerAt(one.url);
  await migrate(other);
  const held = await createLeases(other).acquire('push', 'somebody', 60_000);
  if ('lease' in held) await createLeases(other).release(held.lease);
  await two.query('create schema ledger_acme; create table ledger_acme.salaries (x int)');
  for (const { url } of [one, two]) {
    await expect(move(placeOf(url))).rejects.toMatchObject({ code: 'usage' });
    expect(await row()).toMatchObject({ ledger: 'fleet', move: null });
  }
  expect(await createLeases(ledgerAt(database.url)).acquire('push', 'replica', 60_000)).toHaveProperty(
    'lease',
  );
});

test('the report has the size of each ledger in a database of the fleet, and none where it cannot be read', async () => {
  const { tenants, one, its, placeOf, move, ledgerAt, database } = await twoLedgers();
  await tenants.apply([tenant('acme'), tenant('new'), tenant('own', { ledgerHere: false })], {
    removeOthers: true,
  });
  await fill(ledgerAt(database.url));
  const sizes = async () => {
    const report = await withLedgerSizes(its, fleetReport(await tenants.list(), new Date(), null));
    return report.tenants
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ ledgerBytes }) => ledgerBytes);
  };
  const [before, ...others] = await sizes();
  expect(before).toBeGreaterThan(500_000);
  expect(others).toEqual([null, null]);
  await move(placeOf(one.url));
  const wide = `insert into :schema:.operator_action (who, via, action, reason)
    select 'somebody', 'command', 'retry', string_agg(md5(random()::text), '') from generate_series(1, 100000)`;
  await ledgerAt(one.url).query(wide);
  const [after] = await sizes();
  expect(after).toBeGreaterThan((before ?? 0) + 2_000_000);
  await one.drop();
  expect(await sizes()).toEqual([null, null, null]);
});

test('of a database that is down one tenant asks again after 20 s, and the others fail at once; the fleet’s own is always asked', async () => {
  let now = 0;
  let asked = 0;
  const open = () => {
    throw new Error('not needed');
  };
  const pools = createLedgerPools({ own: 'own', others: ['one', 'two'] }, open, () => now);
  const isDown = (url: string) =>
    pools.unlessDown(url, () => {
      asked += 1;
      return Promise.reject(new SyncError('state-unavailable', 'down', { scope: 'run' }));
    });
  const ask = (url: string) => isDown(url).catch((error: unknown) => (error as SyncError).message);
  expect(await Promise.all([ask('one'), ask('one'), ask('own'), ask('own')])).toEqual(Array(4).fill('down'));
  expect(asked).toBe(4);
  expect([await ask('one'), await ask('one'), asked]).toEqual(['down', 'down', 4]);
  expect(await pools.unlessDown('two', () => Promise.resolve('up'))).toBe('up');
  now = 20_000;
  expect(await Promise.all([ask('one'), ask('one'), ask('one')])).toEqual(Array(3).fill('down'));
  expect(asked).toBe(5);
  now = 40_000;
  expect(await pools.unlessDown('one', () => Promise.resolve('up'))).toBe('up');
  expect(await pools.unlessDown('one', () => Promise.resolve('up'))).toBe('up');
});
