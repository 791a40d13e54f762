import { describe, expect, test } from 'vitest';
import { boundDatabase } from '../../../src/cli/compose/bound-database.js';
import { againAfterDeadlock } from '../../../src/core/ledger/database/state-database.js';
import {
  translateStateError,
  withoutParticulars,
} from '../../../src/core/ledger/database/translate-state-error.js';
import { openTestState, wants } from '../../core/ledger/open-test-state.js';
import { lockedTable } from '../../core/ledger/database/locked-table.js';

describe('bound database', () => {
  const NEVER = new AbortController().signal;
  const INTERRUPTED = { code: 'interrupted', scope: 'run' };

  /** Two places on a database with one table, which another session keeps locked. */
  async function boundToLockedTable({ maxWaiting = 5, closeGraceMs = 0, poolMax = 2 } = {}) {
    const { state, waiting, unlock } = await lockedTable({ poolMax, close: () => bound.close() });
    const bound = boundDatabase(state, { places: poolMax, maxWaiting, closeGraceMs });
    const look = (signal: AbortSignal) => bound.until(signal).query('select * from public.thing');
    return { bound, waiting, look, unlock };
  }

  const QUICK = 'select 1 as one';

  test('who leaves has his statement cancelled at the server, and the next gets his place', async () => {
    const { bound, waiting, look } = await boundToLockedTable();
    const gone = new AbortController();
    const left = [look(gone.signal), look(gone.signal)];
    await expect.poll(waiting, { timeout: 60_000 }).toBe(2);
    const next = bound.until(NEVER).query(QUICK);
    gone.abort();
    const interrupted = { status: 'rejected', reason: expect.objectContaining(INTERRUPTED) as unknown };
    expect(await Promise.allSettled(left)).toEqual([interrupted, interrupted]);
    expect(await next).toEqual([{ one: 1 }]);
    expect(await waiting()).toBe(0);
  });

  test('who leaves the queue leaves it at once; one too many is turned away', async () => {
    const { bound, waiting, look, unlock } = await boundToLockedTable({ maxWaiting: 1 });
    const running = [look(NEVER), look(NEVER)];
    await expect.poll(waiting, { timeout: 60_000 }).toBe(2);
    const gone = new AbortController();
    const queued = look(gone.signal);
    await expect(look(NEVER)).rejects.toMatchObject({ code: 'state-unavailable', details: { busy: true } });
    gone.abort();
    await expect(queued).rejects.toMatchObject(INTERRUPTED);
    const next = bound.until(NEVER).query(QUICK);
    await unlock();
    expect(await Promise.all(running)).toEqual([[], []]);
    expect(await next).toEqual([{ one: 1 }]);
  });

  test('a cancellation that comes late does not end the statement of whoever has the connection next', async () => {
    const { bound } = await boundToLockedTable({ poolMax: 1 });
    for (let round = 0; round < 20; round += 1) {
      const gone = new AbortController();
      // Aborts between two statements, where nothing runs that the server could cancel.
      const abandoned = bound.until(gone.signal).transaction(async (statements) => {
        await statements.query(QUICK);
        gone.abort();
      });
      // Longer than the server takes to hear of a cancellation.
      const next = bound.until(NEVER).query('select 1 as one from pg_sleep(0.03)');
      await abandoned.catch(() => undefined);
      expect(await next).toEqual([{ one: 1 }]);
    }
  });

  test('closing cancels what runs and turns away what waits', async () => {
    const { bound, waiting, look } = await boundToLockedTable();
    const all = Promise.allSettled([1, 2, 3, 4].map(() => look(NEVER)));
    await expect.poll(waiting, { timeout: 60_000 }).toBe(2);
    await bound.close();
    for (const one of await all) expect(one).toMatchObject({ status: 'rejected', reason: INTERRUPTED });
    await expect.poll(waiting).toBe(0);
  });

  test('closing lets finish what can be finished in its grace', async () => {
    const { bound, waiting, look, unlock } = await boundToLockedTable({ closeGraceMs: 20_000 });
    const running = look(NEVER);
    await expect.poll(waiting, { timeout: 60_000 }).toBe(1);
    const closed = bound.close();
    await unlock();
    expect(await running).toEqual([]);
    await closed;
  });
});

describe('again after deadlock', () => {
  test('two transactions that wait for each other both come through', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('a', '1'), wants('b', '1'));
    const begun: string[] = [];
    const lock = (first: string, second: string) =>
      state.transaction(async (statements) => {
        const add = (key: string) =>
          statements.query('update :schema:.sync_state set attempts = attempts + 1 where key = :key', {
            key,
          });
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
});

describe('translate state error', () => {
  test('a long message of the server is one line of a log, whatever the length of its statement', async () => {
    const state = await openTestState();
    await state.sql(`create function shout() returns text language plpgsql as
    $$ begin raise exception E'first\\n%', repeat('x', 300000); end $$`);
    const error: unknown = await state.sql('select shout()').catch((reason: unknown) => reason);
    expect((error as Error).message.length).toBeGreaterThan(300_000);
    const { code, message } = translateStateError(error, '');
    expect(code).toBe('state-failed');
    expect(message).toContain('failed: first xxx');
    expect(message.length).toBeLessThan(1_100);
    const ofKnex = new Error(`select '${'y'.repeat(5_000)}' - relation does not exist`);
    expect(translateStateError(ofKnex, '').message).toContain('failed: relation does not exist');
  });
});

describe('without particulars', () => {
  const TEXTS = {
    'the code "Kota Bogor" is not known, nor is “Solo” or ‘Medan’':
      'the code "…" is not known, nor is "…" or "…"',
    "it isn't the value 'x' of Müller's form, but 'y'": `it isn't the value "…" of Müller's form, but "…"`,
    'mail of budi@example.com about 0b5f3c9e-6a64-4c7e-8a53-3f0f6f0e2a01': 'mail of <email> about <id>',
    'call +62 812-3456-7890 about 2026-01-31 or 42': 'call +<number> about <number> or 42',
    "'first' word, then é'kept'": `"…" word, then é'kept'`,
  };

  test('a message loses what is about one record', async () => {
    const state = await openTestState();
    const rows = await state.sql<{ text: string }>(
      `select ${withoutParticulars('text')} as text from unnest($1::text[]) with ordinality as t(text, n) order by n`,
      [Object.keys(TEXTS)],
    );
    expect(rows.map(({ text }) => text)).toEqual(Object.values(TEXTS));
  });
});
