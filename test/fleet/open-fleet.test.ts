import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { type OpenedFleet, withFleet } from '../../src/cli/compose/fleet/open-fleet.js';
import { loadFleet } from '../../src/config/fleet/load-fleet.js';
import type { StateDatabase } from '../../src/state/database/state-database.js';
import { createSharedRates } from '../../src/state/shared-rates.js';
import { configFolder } from '../config/config-folder.js';
import { openFleet, tenant } from '../state/fleet/open-fleet.js';

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
    expect(await rates.reserve('client', 50, 1)).toMatchObject({ count: 1 });
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
