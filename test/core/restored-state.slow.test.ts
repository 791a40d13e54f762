import { describe, expect, test } from 'vitest';
import { requestSweep } from '../../src/features/actions/resync.js';
import { keepRows } from './other-worlds.js';
import { addCompanies, block, createWorld, type World } from './world.js';

describe('restored state', () => {
  const RATE = 10;

  /** Times of arrival at the platform, milliseconds. */
  function arrivalsOf(world: World): number[] {
    const arrivals: number[] = [];
    world.intercept = () => {
      arrivals.push(performance.now());
      return undefined;
    };
    return arrivals;
  }

  /** The most that arrived in any sliding second. */
  const mostInASecond = (arrivals: readonly number[]) =>
    Math.max(...arrivals.map((from) => arrivals.filter((at) => at >= from && at - from < 1_000).length));

  test('of two runs on a restored state database one sends, the other ends with lease-lost, and the rate is kept', async () => {
    const world = await createWorld();
    Object.assign(world.settings.jobs, { ratePerSecond: RATE, concurrency: 4 });
    // Long enough that a busy machine does not end it.
    world.settings.leaseTtlMs = 9_000;
    // The backup has a lease that is over; the run that follows gets the next token, and so does the one after the restore.
    await world.run();
    const goBack = await keepRows(world);
    await addCompanies(world, 24);
    const arrivals = arrivalsOf(world);
    const failures: string[] = [];
    const first = world.run({
      holder: 'first',
      onEvent: (event) => event.type === 'run-failed' && failures.push(event.code),
    });
    await expect.poll(() => arrivals.length, { timeout: 60_000, interval: 20 }).toBeGreaterThanOrEqual(12);
    await goBack({ elsewhere: true });
    const [ended, other] = await Promise.all([first, world.run({ holder: 'second' })]);
    expect(ended).toMatchObject({ exitCode: 1, outcome: 'failed' });
    expect(failures).toEqual(['lease-lost']);
    expect(other).toMatchObject({
      exitCode: 0,
      outcome: 'complete',
      entities: { companies: { accepted: 24 } },
    });
    expect(mostInASecond(arrivals)).toBeLessThanOrEqual(RATE);
  });

  /** A lease that somebody else takes, with the same token, as after a restore. */
  const take = (world: World, name: 'push' | 'sweep') =>
    world.sql(
      `update placement_sync.lease set nonce = gen_random_uuid(), holder = 'another', expires_at = now() + interval '1 hour'
     where name = $1`,
      [name],
    );

  test.each(['push', 'sweep'] as const)(
    'a run whose %s lease goes to somebody else while it reads ends at once: nothing is published or sent',
    async (name) => {
      const world = await createWorld();
      world.settings.leaseTtlMs = 2_000;
      await addCompanies(world, 2);
      world.blocks.companies = block(
        `select id as key, name, city as region_id from company, lateral (select pg_sleep(60)) slow`,
      );
      const run = world.run({ onEvent: (event) => event.type === 'sweep-started' && void take(world, name) });
      expect(await run).toMatchObject({ exitCode: 1, outcome: 'failed' });
      expect(await world.state.runs.last()).toMatchObject({ error: { code: 'lease-lost' } });
      expect(await world.sql('select 1 from placement_sync.sync_state')).toEqual([]);
      expect(world.requests()).toEqual([]);
    },
  );

  test('a run whose push lease goes to somebody else sends nothing after its next statement, though its lease seems good', async () => {
    const world = await createWorld();
    world.settings.leaseTtlMs = 3_600_000;
    world.settings.jobs.concurrency = 1;
    await addCompanies(world, 6);
    let taken: Promise<unknown> | null = null;
    world.intercept = () => {
      taken ??= take(world, 'push');
      return { delayMs: 300 };
    };
    expect(await world.run()).toMatchObject({ exitCode: 1, outcome: 'failed' });
    expect(await world.state.runs.last()).toMatchObject({ error: { code: 'lease-lost' } });
    // Two were claimed by then: without a rate twice the concurrency. Their outcomes still count, because nobody has ended
    // the claims; the others were never sent.
    expect(world.requests()).toHaveLength(2);
    expect(await world.state.records.counts('companies')).toMatchObject({ synced: 2 });
  });

  test('adopt ends when its lease goes to somebody else, and acknowledges nothing after', async () => {
    const world = await createWorld();
    await addCompanies(world, 4);
    await world.run();
    await world.sql('delete from placement_sync.sync_state');
    world.settings.leaseTtlMs = 3_600_000;
    world.settings.jobs.concurrency = 1;
    let taken: Promise<unknown> | null = null;
    world.intercept = () => {
      taken ??= take(world, 'push');
      return { delayMs: 200 };
    };
    await expect(world.adoptRecords()).rejects.toMatchObject({ code: 'lease-lost' });
    expect(await world.state.records.counts('companies')).toMatchObject({ synced: 0 });
  });

  /** Platform's name of the first company. */
  const nameHeld = (world: World) => Object.values(world.held<{ name: string }>('companies'))[0]?.name;

  /** A worker that has sent a change of which the restored ledger knows nothing, and the source has taken it back. */
  async function restoredUnderWorker() {
    const world = await createWorld();
    world.settings.leaseTtlMs = 6_000;
    world.settings.jobs.timeoutMs = 3_000;
    await addCompanies(world, 1);
    const worker = world.work();
    await expect.poll(() => nameHeld(world), { timeout: 60_000 }).toBe('Company 1');
    await expect.poll(async () => (await world.state.records.counts('companies')).synced).toBe(1);
    const goBack = await keepRows(world);
    await world.sql(`update company set name = 'Changed'`);
    await requestSweep(world.state);
    await expect.poll(() => nameHeld(world), { timeout: 60_000 }).toBe('Changed');
    await world.sql(`update company set name = 'Company 1'`);
    // By the count of renewals alone a step back is noticed when one was lost.
    const renewals = async () => {
      const rows = await world.sql<{ n: number }>(
        'select (l.renewals - b.renewals)::int as n from placement_sync.lease l join backup.lease b using (name)',
      );
      return Math.min(...rows.map(({ n }) => n));
    };
    await expect.poll(renewals, { timeout: 60_000 }).toBeGreaterThan(0);
    await goBack();
    return { world, worker };
  }

  test('a worker notices that its database went back, ends its leases, says so with a code, and goes on', async () => {
    const { world, worker } = await restoredUnderWorker();
    await expect
      .poll(() => worker.events, { timeout: 60_000 })
      .toContainEqual(
        expect.objectContaining({
          type: 'warning',
          code: 'state-went-back',
          message: expect.stringContaining('companies') as string,
          hint: expect.stringContaining('verify --all --repair') as string,
        }),
      );
    expect((await world.status()).inDoubt).toEqual([
      { entity: 'companies', since: expect.any(String) as string },
    ]);
    await world.sql(`insert into company (id, name) values ('late', 'Late')`);
    await requestSweep(world.state);
    await expect.poll(() => Object.keys(world.held('companies')).length, { timeout: 60_000 }).toBe(2);
    await worker.stop();
  });

  test('verify --all --repair sends what was changed and changed back around a restore, and ends the doubt', async () => {
    const { world, worker } = await restoredUnderWorker();
    await expect.poll(async () => (await world.status()).inDoubt?.length, { timeout: 60_000 }).toBe(1);
    await worker.stop();
    // What the ledger believes: nothing is to be sent.
    expect(await world.run()).toMatchObject({ exitCode: 0, entities: { companies: { sent: 0 } } });
    expect(nameHeld(world)).toBe('Changed');

    await world.verify({ sample: null, repair: false });
    await world.verify({ sample: 100, repair: true });
    expect((await world.status()).inDoubt).toHaveLength(1);
    await world.sql(`update placement_sync.entity_state set in_doubt_since = now() - interval '1 day'`);
    expect(await world.verify({ repair: true })).toMatchObject({ exitCode: 0 });
    expect(nameHeld(world)).toBe('Company 1');
    expect((await world.status()).inDoubt).toBeUndefined();
  });

  test('a comparison that began before a request of earlier can be over does not end the doubt, and says when it counts', async () => {
    const world = await createWorld();
    await addCompanies(world, 1);
    await world.run();
    await world.sql('update placement_sync.entity_state set in_doubt_since = now()');
    await world.verify({ repair: true });
    expect((await world.status()).inDoubt).toHaveLength(2);
    expect(world.events).toContainEqual(
      expect.objectContaining({
        type: 'warning',
        code: 'state-went-back',
        hint: expect.stringMatching(/8 s or more/) as string,
      }),
    );
  });

  test('a resync of everything ends the doubt of what it sends again, one of single records does not', async () => {
    const world = await createWorld();
    await addCompanies(world, 1);
    await world.run();
    await world.sql(`update placement_sync.entity_state set in_doubt_since = now() - interval '1 day'`);
    await world.resync(['c01'], ['companies']);
    expect((await world.status()).inDoubt).toHaveLength(2);
    await world.resync(null, ['companies']);
    expect((await world.status()).inDoubt).toMatchObject([{ entity: 'vacancies' }]);
  });

  test('a resync right after a restore waits until it ends the doubt, and sends everything once', async () => {
    const world = await createWorld();
    world.settings.leaseTtlMs = 3_000;
    world.settings.jobs.timeoutMs = 1_500;
    await addCompanies(world, 2);
    await world.run();
    await world.sql(`update placement_sync.entity_state set in_doubt_since = now()`);
    expect(await world.resync(null, ['companies'])).toMatchObject({
      entities: { companies: { accepted: 2 } },
    });
    expect((await world.status()).inDoubt).toMatchObject([{ entity: 'vacancies' }]);
  });

  test('of what cannot be compared nothing is believed after a restore: it is sent when it is right again', async () => {
    const world = await createWorld();
    await addCompanies(world, 1);
    await world.run();
    await world.sql(`update company set name = ''`);
    await world.run();
    world.requests();
    await world.sql(`update placement_sync.entity_state set in_doubt_since = now() - interval '1 day'`);
    await world.verify({ repair: true });
    await world.sql(`update company set name = 'Company 1'`);
    expect(await world.run()).toMatchObject({ entities: { companies: { accepted: 1 } } });
  });
});

describe('restored source', () => {
  /** What every company is about, at the platform. */
  const held = (world: World) =>
    Object.values(world.held<{ about?: string }>('companies')).map(({ about }) => about ?? null);

  /** Twenty companies, each edited and sent since a backup of the source was made. */
  async function edited() {
    const world = await createWorld();
    await addCompanies(world, 20);
    await world.sql(`update company set about = 'old'`);
    await world.run();
    await world.sql('create table backup as select * from company');
    await world.sql(`update company set about = 'new'`);
    await world.run();
    expect(new Set(held(world))).toEqual(new Set(['new']));
    return world;
  }

  const restore = async (world: World) => {
    await world.sql('delete from company');
    await world.sql('insert into company select * from backup');
  };

  test('a source that was restored wins: its older contents are sent as changes, and no guard stops them', async () => {
    const world = await edited();
    await restore(world);
    // What an operator sees before it happens.
    const plan = await world.plan();
    expect(plan.entities.companies).toMatchObject({ changed: 20, vanished: 0 });
    expect(await world.run()).toMatchObject({
      exitCode: 0,
      entities: { companies: { changed: 20, accepted: 20 } },
    });
    expect(new Set(held(world))).toEqual(new Set(['old']));
  });
});
