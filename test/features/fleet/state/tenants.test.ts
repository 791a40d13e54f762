import pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { TenantDefinition } from '../../../../src/features/fleet/state/types.js';
import { openFleet, run, tenant } from './open-fleet.js';

const ALL = { removeOthers: true };
const SOME = { removeOthers: false };

describe('the definitions of tenants', () => {
  test('are read as they were applied, in the order of their names', async () => {
    const { tenants } = await openFleet();
    const definitions: TenantDefinition[] = [
      tenant('b', { periodMs: 2_592_000_000, lane: 'large', enabled: false, ledgerHere: false }),
      tenant('a', { configuration: 'a: "${SECRET}"\n', files: { 'ä/ö.sql': 'select \'?\', ":name", $1' } }),
    ];
    const applied = await tenants.apply(definitions, ALL);
    expect(applied).toEqual({ added: ['a', 'b'], changed: [], removed: [], unchanged: [] });
    expect((await tenants.list()).map(({ name }) => name)).toEqual(['a', 'b']);
    for (const definition of definitions)
      expect((await tenants.read(definition.name))?.definition).toEqual(definition);
    expect((await tenants.read('a'))?.summary).toEqual({
      name: 'a',
      schema: 'ledger_a',
      periodMs: 600_000,
      laneSetting: 'auto',
      lane: 'sync',
      enabled: true,
      paused: false,
      removed: false,
      revision: 1,
      addedAt: expect.any(Date) as Date,
      lastRun: null,
      lastSuccessAt: null,
      running: null,
      ledger: 'fleet',
      move: null,
      waitsFor: null,
    });
    expect(await tenants.read('c')).toBeNull();
  });

  test('have a revision that grows with each change, and only then', async () => {
    const { tenants } = await openFleet();
    const revisionOf = async (name: string) => (await tenants.read(name))?.summary.revision;
    await tenants.apply([tenant('a'), tenant('b')], ALL);
    const changes: Partial<TenantDefinition>[] = [
      { configuration: 'other' },
      { files: {} },
      { periodMs: 60_000 },
      { lane: 'large' },
      { enabled: false },
      { schema: 'other' },
      { ledgerHere: false },
    ];
    for (const [index, change] of changes.entries()) {
      const applied = await tenants.apply([tenant('a', change), tenant('b')], ALL);
      expect(applied, JSON.stringify(change)).toMatchObject({ changed: ['a'], unchanged: ['b'] });
      expect(await revisionOf('a')).toBe(index + 2);
      expect(await tenants.mayGoOn('a', index + 1)).toBe(false);
    }
    expect(await revisionOf('b')).toBe(1);
  });

  test('remove the others only if asked, and one that is removed comes back with what is known of it', async () => {
    const { tenants } = await openFleet();
    await tenants.apply([tenant('a'), tenant('b')], ALL);
    await tenants.begin('b', 'one');
    await tenants.end('b', 'one', run());
    expect(await tenants.apply([tenant('a')], SOME)).toMatchObject({ removed: [], unchanged: ['a'] });
    expect(await tenants.apply([tenant('a')], ALL)).toMatchObject({ removed: ['b'], unchanged: ['a'] });
    expect(await tenants.apply([tenant('a')], ALL)).toMatchObject({ removed: [] });
    expect((await tenants.list()).map(({ name }) => name)).toEqual(['a']);
    expect((await tenants.list({ removed: true })).map(({ name, removed }) => [name, removed])).toEqual([
      ['a', false],
      ['b', true],
    ]);
    expect(await tenants.read('b')).toBeNull();
    expect(await tenants.begin('b', 'one')).toBeNull();
    expect(await tenants.setPaused('b', true)).toBe(false);
    expect(await tenants.apply([tenant('b')], SOME)).toMatchObject({ added: ['b'], changed: [] });
    expect((await tenants.read('b'))?.summary).toMatchObject({ removed: false, revision: 2, lastRun: run() });
  });

  test('of two thousand tenants take a few statements', async () => {
    const { database, state, tenants } = await openFleet();
    const text = 'select * from a_table -- '.repeat(200);
    const definitions = Array.from({ length: 2_000 }, (_, index) =>
      tenant(`t${index}`, { files: { 'q.sql': text + index } }),
    );
    let statements = 0;
    const counting = state.transaction;
    state.transaction = (work, signal) =>
      counting((inner) => {
        const query: typeof inner.query = (sql, parameters) => {
          statements += 1;
          return inner.query(sql, parameters);
        };
        return work({ query });
      }, signal);
    expect((await tenants.apply(definitions, ALL)).added).toHaveLength(2_000);
    expect((await tenants.apply(definitions, ALL)).unchanged).toHaveLength(2_000);
    expect(statements).toBeLessThan(30);
    const [row] = await database.query<{ files: number }>(
      'select count(distinct files)::int as files from fleet.tenant',
    );
    expect(row?.files).toBe(2_000);
  });

  test('with one ledger for two, or a name twice, or the schema of the fleet, change nothing', async () => {
    const { tenants } = await openFleet();
    await tenants.apply([tenant('a'), tenant('b')], ALL);
    const refused = async (definitions: TenantDefinition[], message: string) => {
      await expect(tenants.apply(definitions, SOME)).rejects.toMatchObject({
        code: 'usage',
        scope: 'usage',
        message: expect.stringContaining(message) as string,
      });
      expect(await tenants.list({ removed: true })).toHaveLength(2);
    };
    for (const ledgerHere of [true, false])
      await refused(
        [tenant('c', { schema: 'ledger_a', ledgerHere })],
        'The ledgers of the tenants "a" and "c" have the same schema, "ledger_a".',
      );
    await refused([tenant('c'), tenant('c')], '"c" is defined twice');
    await refused([tenant('c', { schema: 'fleet' })], 'the schema of the fleet itself');
    const ofJobs = tenant('c', { schema: 'fleet_jobs', ledgerHere: false });
    await refused([ofJobs], '"c" has the schema of the fleet for its jobs, "fleet_jobs".');
    // Two may change places.
    const swapped = [tenant('a', { schema: 'ledger_b' }), tenant('b', { schema: 'ledger_a' })];
    expect((await tenants.apply(swapped, SOME)).changed).toEqual(['a', 'b']);
  });

  test('that two apply at once exclude each other', async () => {
    const { tenants } = await openFleet();
    const both = await Promise.allSettled([
      tenants.apply([tenant('a', { schema: 'same' })], SOME),
      tenants.apply([tenant('b', { schema: 'same' })], SOME),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await tenants.list()).toHaveLength(1);
  });
});

describe('a run of a tenant', () => {
  test('is noted at its begin with the whole definition, and at its end', async () => {
    const { tenants } = await openFleet();
    await tenants.apply([tenant('a')], ALL);
    const begun = await tenants.begin('a', 'replica-1');
    expect(begun?.definition).toEqual(tenant('a'));
    expect(begun?.summary.running).toEqual({ replica: 'replica-1', since: expect.any(Date) as Date });
    expect((await tenants.list())[0]?.running?.replica).toBe('replica-1');
    expect(await tenants.end('a', 'replica-1', run())).toBe('sync');
    const [after] = await tenants.list();
    expect(after).toMatchObject({ lastRun: run(), running: null, lastSuccessAt: expect.any(Date) as Date });
    const failed = run({ exitCode: 1, outcome: 'failed', message: 'The source is gone.', pending: null });
    await tenants.begin('a', 'replica-1');
    await tenants.end('a', 'replica-1', failed);
    expect((await tenants.list())[0]).toMatchObject({
      lastRun: failed,
      lastSuccessAt: after?.lastSuccessAt,
    });
  });

  test('does not begin, and may not go on, when the tenant is disabled, paused or removed', async () => {
    const { tenants } = await openFleet();
    await tenants.apply([tenant('off', { enabled: false }), tenant('a')], ALL);
    expect(await tenants.begin('off', 'one')).toBeNull();
    expect(await tenants.begin('nobody', 'one')).toBeNull();
    expect(await tenants.mayGoOn('off', 1)).toBe(false);
    expect(await tenants.mayGoOn('a', 1)).toBe(true);
    expect(await tenants.setPaused('a', true)).toBe(true);
    expect(await tenants.begin('a', 'one')).toBeNull();
    expect(await tenants.mayGoOn('a', 1)).toBe(false);
    expect(await tenants.setPaused('a', false)).toBe(true);
    expect(await tenants.mayGoOn('a', 1)).toBe(true);
    expect(await tenants.remove('a')).toBe(true);
    expect(await tenants.remove('nobody')).toBe(false);
    expect(await tenants.mayGoOn('a', 1)).toBe(false);
    expect((await tenants.list({ removed: true })).map(({ running }) => running)).toEqual([null, null]);
  });

  test('of a replica that lost the tenant does not overwrite the note of the one that has it', async () => {
    const { tenants } = await openFleet();
    await tenants.apply([tenant('a')], ALL);
    await tenants.begin('a', 'lost');
    await tenants.begin('a', 'has');
    expect(await tenants.end('a', 'lost', run({ exitCode: 1 }))).toBe('sync');
    expect((await tenants.list())[0]).toMatchObject({ lastRun: null, running: { replica: 'has' } });
    await tenants.end('a', 'has', run());
    await tenants.end('a', 'lost', run({ exitCode: 1 }));
    expect((await tenants.list())[0]).toMatchObject({ lastRun: { exitCode: 0 }, running: null });
  });

  test('takes jobs of the lane that its tenant is in, while it may run', async () => {
    const { tenants } = await openFleet();
    await tenants.apply([tenant('a'), tenant('off', { enabled: false })], ALL);
    expect(await tenants.laneOf('a')).toBe('sync');
    await tenants.begin('a', 'one');
    const cut = run({ outcome: 'slice', exitCode: 1, usedUpSlice: true, outgrewLane: true, pending: null });
    expect(await tenants.end('a', 'one', cut)).toBe('large');
    expect(await tenants.laneOf('a')).toBe('large');
    await tenants.setPaused('a', true);
    for (const name of ['a', 'off', 'nobody']) expect(await tenants.laneOf(name), name).toBeNull();
  });

  test('with a new definition has no slice to go on with', async () => {
    const { tenants } = await openFleet();
    await tenants.apply([tenant('a')], ALL);
    const begins = async () => (await tenants.begin('a', 'one'))?.summary.lastRun?.usedUpSlice;
    expect(await begins()).toBeUndefined();
    await tenants.end('a', 'one', run({ usedUpSlice: true, outcome: 'slice', pending: 9 }));
    expect(await begins()).toBe(true);
    await tenants.apply([tenant('a', { configuration: 'other' })], ALL);
    expect(await begins()).toBe(false);
  });

  test('that left work is no success, and one that was kept out changes nothing but the note', async () => {
    const { tenants } = await openFleet();
    await tenants.apply([tenant('a')], ALL);
    await tenants.begin('a', 'one');
    await tenants.end('a', 'one', run({ usedUpSlice: true, outcome: 'slice', pending: 9 }));
    expect((await tenants.list())[0]?.lastSuccessAt).toBeNull();
    // Another one takes the job of a run that goes on, finds the ledger held, and leaves.
    await tenants.begin('a', 'one');
    await tenants.begin('a', 'two');
    const busy = run({ outcome: 'busy', exitCode: 6, pending: null });
    await tenants.end('a', 'two', busy);
    expect((await tenants.list())[0]?.lastRun).toEqual({ ...busy, usedUpSlice: true });
    await tenants.end('a', 'one', run());
    expect((await tenants.list())[0]).toMatchObject({
      ...{ lastRun: run(), running: null, lane: 'sync' },
      lastSuccessAt: expect.any(Date) as Date,
    });
  });

  test('moves its tenant also when it takes as long as a slice and has nothing to send', async () => {
    const { tenants } = await openFleet();
    await tenants.apply([tenant('a')], ALL);
    const startedAt = new Date('2026-03-02T12:00:00Z');
    const long = run({ startedAt, finishedAt: new Date('2026-03-02T12:05:00Z') });
    const lanes: string[] = [];
    for (let runs = 0; runs < 3; runs += 1) {
      await tenants.begin('a', 'one');
      await tenants.end('a', 'one', run({ outcome: 'busy', exitCode: 6 }));
      await tenants.begin('a', 'one');
      lanes.push(await tenants.end('a', 'one', long));
    }
    expect(lanes).toEqual(['sync', 'sync', 'large']);
  });

  test('moves its tenant to the large lane after three that used up their slices, and back after three', async () => {
    const { tenants } = await openFleet();
    const fixed = [tenant('s', { lane: 'sync' }), tenant('l', { lane: 'large' })];
    await tenants.apply([tenant('a'), ...fixed], ALL);
    const lanes = async (name: string, ...used: boolean[]) => {
      const seen: string[] = [];
      for (const usedUpSlice of used) {
        await tenants.begin(name, 'one');
        seen.push(await tenants.end(name, 'one', run({ usedUpSlice })));
      }
      return seen;
    };
    expect(await lanes('a', true, true, false, true, true, true)).toEqual([
      ...['sync', 'sync', 'sync', 'sync', 'sync', 'large'],
    ]);
    expect(await lanes('a', false, false, true, false, false, false, false)).toEqual([
      ...['large', 'large', 'large', 'large', 'large', 'sync', 'sync'],
    ]);
    expect(await lanes('s', true, true, true, true)).toEqual(['sync', 'sync', 'sync', 'sync']);
    expect(await lanes('l', false, false, false)).toEqual(['large', 'large', 'large']);
    // What was large stays so until its runs are short; a lane by its file counts at once.
    await tenants.apply([tenant('l'), tenant('s', { lane: 'large' })], SOME);
    expect((await tenants.list()).map(({ name, lane }) => [name, lane])).toEqual([
      ['a', 'sync'],
      ['l', 'large'],
      ['s', 'large'],
    ]);
  });
});

describe('when a tenant is due', () => {
  /** As a replica takes them, beside its jobs. */
  async function openDue() {
    const { database, tenants, state } = await openFleet();
    const executeSql = async (text: string, values: unknown[]) => ({
      rows: await database.query<object>(text, values),
    });
    const take = async (most = 200) =>
      (await tenants.takeDue({ executeSql }, most)).map(({ name, lane }) => `${lane} ${name}`).sort();
    const times = async () =>
      new Map(
        (
          await database.query<{ name: string; left: number }>(
            `select name, cast(extract(epoch from next_at - clock_timestamp()) * 1000 as int) as left from fleet.tenant`,
          )
        ).map(({ name, left }) => [name, left]),
      );
    return { database, tenants, state, executeSql, take, times };
  }

  test('new ones are due at once, then once in their period, at a moment that the name decides', async () => {
    const { database, tenants, take, times } = await openDue();
    const names = Array.from({ length: 60 }, (_, index) => `t${String(index)}`);
    await tenants.apply(
      names.map((name) => tenant(name, name === 't1' ? { lane: 'large' } : {})),
      ALL,
    );
    expect(await take(10)).toHaveLength(10);
    expect(await take()).toHaveLength(50);
    expect(await take()).toEqual([]);
    const left = [...(await times()).values()];
    expect(Math.max(...left)).toBeLessThanOrEqual(600_000);
    expect(Math.min(...left)).toBeGreaterThan(-1_000);
    // Spread over the period: each fifth of it has some.
    const fifths = new Set(left.map((ms) => Math.min(4, Math.floor(ms / 120_000))));
    expect(fifths.size).toBe(5);
    // The next time is a whole period later, however late it was taken.
    await database.query(
      `update fleet.tenant set next_at = next_at - interval '30 minutes' where name = 't1'`,
    );
    const before = (await times()).get('t1') ?? 0;
    expect(await take()).toEqual(['large t1']);
    const after = (await times()).get('t1') ?? 0;
    expect(Math.round((after - before) / 1_000) % 600).toBe(0);
    expect(after).toBeGreaterThan(0);
  });

  test('one that is paused, disabled or removed is not due; one that is changed or resumed is at once', async () => {
    const { tenants, take } = await openDue();
    await tenants.apply(
      ['off', 'paused', 'gone', 'a'].map((name) => tenant(name, { enabled: name !== 'off' })),
      ALL,
    );
    await tenants.setPaused('paused', true);
    await tenants.remove('gone');
    expect(await take()).toEqual(['sync a']);
    await tenants.setPaused('paused', false);
    expect(await take()).toEqual(['sync paused']);
    await tenants.apply([tenant('a', { periodMs: 60_000 })], SOME);
    expect(await take()).toEqual(['sync a']);
    expect(await take()).toEqual([]);
    await tenants.makeAllDue();
    expect(await take()).toEqual(['sync a', 'sync paused']);
  });

  test('two replicas share what is due, and what one did not commit is due again', async () => {
    const { database, tenants, take } = await openDue();
    await tenants.apply(
      ['a', 'b', 'c'].map((name) => tenant(name)),
      ALL,
    );
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    const client = await pool.connect();
    await client.query('begin');
    const executeSql = async (text: string, values: unknown[]) => ({
      rows: (await client.query<object>(text, values)).rows,
    });
    expect(await tenants.takeDue({ executeSql }, 2)).toHaveLength(2);
    expect(await take()).toHaveLength(1);
    await client.query('rollback');
    client.release();
    await pool.end();
    expect(await take()).toHaveLength(2);
  });
});

describe('replicas that end during runs', () => {
  test('are counted until something was done, the run ended in order, or the tenant was changed back to work', async () => {
    const { tenants } = await openFleet();
    await tenants.apply([tenant('a')], ALL);
    const begin = async (replica: string) => {
      const { ends, wasCut, goesOn } = (await tenants.begin('a', replica)) ?? {};
      return { ends, wasCut, goesOn };
    };
    expect(await begin('one')).toEqual({ ends: 0, wasCut: false, goesOn: false });
    expect(await begin('two')).toEqual({ ends: 1, wasCut: true, goesOn: true });
    expect(await begin('three')).toEqual({ ends: 2, wasCut: true, goesOn: true });
    expect(await tenants.mayGoOn('a', 1)).toBe(true);
    expect(await begin('four')).toMatchObject({ ends: 3 });
    // It was kept out: nothing was found out.
    await tenants.end('a', 'four', run({ outcome: 'busy', exitCode: 6 }));
    expect(await begin('five')).toEqual({ ends: 3, wasCut: false, goesOn: true });
    await tenants.end('a', 'five', run({ exitCode: 1 }), { isCondemned: true });
    expect(await begin('six')).toEqual({ ends: 3, wasCut: false, goesOn: true });
    expect(await tenants.mayGoOn('a', 1, 'progress')).toBe(true);
    expect(await begin('seven')).toEqual({ ends: 1, wasCut: true, goesOn: true });
    await tenants.apply([tenant('a', { configuration: 'other' })], ALL);
    expect(await tenants.mayGoOn('a', 1, 'progress')).toBe(false);
    expect(await begin('eight')).toEqual({ ends: 2, wasCut: true, goesOn: false });
    await tenants.end('a', 'eight', run());
    expect(await begin('nine')).toEqual({ ends: 0, wasCut: false, goesOn: false });
  });

  test('leave behind what was being read, until the run has ended', async () => {
    const { tenants } = await openFleet();
    await tenants.apply([tenant('a')], ALL);
    const begin = async () => (await tenants.begin('a', 'one'))?.sweeping;
    expect(await begin()).toBeNull();
    expect(await tenants.mayGoOn('a', 1, 'none', 'vacancies')).toBe(true);
    expect(await begin()).toBe('vacancies');
    expect(await tenants.mayGoOn('a', 1, 'progress')).toBe(true);
    await tenants.end('a', 'one', run({ exitCode: 1 }), { isCondemned: true });
    expect(await begin()).toBe('vacancies');
    expect(await tenants.mayGoOn('a', 1, 'alone', null)).toBe(true);
    expect(await begin()).toBeNull();
    await tenants.mayGoOn('a', 1, 'none', 'companies');
    await tenants.end('a', 'one', run());
    expect(await begin()).toBeNull();
  });

  test('make a suspect wait for the one that runs alone, and the list says for whom', async () => {
    const { tenants, database } = await openFleet();
    await tenants.apply([tenant('a'), tenant('b')], ALL);
    const waits = async () => (await tenants.list()).map(({ waitsFor }) => waitsFor);
    for (const name of ['a', 'b']) for (const replica of ['1', '2', '3']) await tenants.begin(name, replica);
    expect(await tenants.runAlone('a', '3')).toBe(true);
    expect(await waits()).toEqual([null, null]);
    expect(await tenants.runAlone('b', '3')).toBe(false);
    expect(await waits()).toEqual([null, 'a']);
    // Another one holds the place of the version before, which every role could take.
    const lock = `select pg_advisory_lock(hashtextextended('fleet alone', 0))`;
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    await pool.query(lock);
    await tenants.mayGoOn('a', 1, 'progress');
    await tenants.begin('b', '4');
    expect(await tenants.runAlone('b', '4')).toBe(true);
    await pool.end();
    expect(await waits()).toEqual([null, null]);
  });

  test('leave one place for suspects, which ends with its run, or thirty seconds after its last sign of life', async () => {
    const { database, tenants } = await openFleet();
    await tenants.apply(
      ['a', 'b', 'c'].map((name) => tenant(name)),
      ALL,
    );
    for (const name of ['a', 'b', 'c']) await tenants.begin(name, `of ${name}`);
    const places = await Promise.all(['a', 'b', 'c'].map((name) => tenants.runAlone(name, `of ${name}`)));
    expect(places.filter(Boolean)).toHaveLength(1);
    const [first = ''] = ['a', 'b', 'c'].filter((_, index) => places[index]);
    const [other = '', last = ''] = ['a', 'b', 'c'].filter((name) => name !== first);
    // Those that did not get it have not begun, so nobody counts their end.
    expect(await tenants.begin(other, 'again')).toMatchObject({ wasCut: false });
    expect(await tenants.runAlone(other, 'again')).toBe(false);
    await tenants.end(first, `of ${first}`, run());
    await tenants.begin(other, 'again');
    expect(await tenants.runAlone(other, 'again')).toBe(true);
    // Its replica is gone.
    await database.query(`update fleet.tenant set alone_until = alone_until - interval '31 seconds'`);
    await tenants.begin(last, 'later');
    expect(await tenants.runAlone(last, 'later')).toBe(true);
    await database.query(`update fleet.tenant set alone_until = alone_until - interval '29 seconds'`);
    expect(await tenants.mayGoOn(last, 1, 'alone')).toBe(true);
    await database.query(`update fleet.tenant set alone_until = alone_until - interval '2 seconds'`);
    await tenants.begin(other, 'later');
    expect(await tenants.runAlone(other, 'later')).toBe(false);
  });
});
