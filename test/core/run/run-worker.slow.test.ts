import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { requestSweep } from '../../../src/features/actions/resync.js';
import { addCompanies, addVacancies, block, createWorld, type World } from '../world.js';

/** Triggers of the runs so far. */
async function triggers(world: World): Promise<string[]> {
  const rows = await world.sql<{ trigger: string }>(
    'select trigger from placement_sync.sync_run where finished_at is not null order by started_at',
  );
  return rows.map(({ trigger }) => trigger);
}

test('a requested sweep begins within seconds, whichever process holds the lease', async () => {
  const world = await createWorld();
  const worker = world.work();
  await expect.poll(() => triggers(world), { timeout: 60_000 }).toEqual(['catch-up']);
  await addCompanies(world, 2);
  // Only the state database connects the process that asks and the one that works.
  await requestSweep(world.state);
  await expect.poll(() => Object.keys(world.held('companies')).length, { timeout: 60_000 }).toBe(2);
  await expect.poll(() => triggers(world), { timeout: 60_000 }).toEqual(['catch-up', 'manual']);
  await worker.stop();
});

test('a sweep that was asked for while nothing ran is made up for at the start, and only once', async () => {
  const world = await createWorld();
  await world.state.schedules.setDue('sync', new Date(Date.now() + 3_600_000));
  await requestSweep(world.state);
  const worker = world.work();
  await expect.poll(() => triggers(world), { timeout: 60_000 }).toEqual(['catch-up']);
  await worker.stop();
  const next = await world.state.schedules.read('sync');
  expect(next).toMatchObject({ overdue: false });
});

test('the next holder of the leases repeats a sweep that was cut off, whatever the schedule', async () => {
  const world = await createWorld();
  await addCompanies(world, 1);
  await world.state.schedules.setDue('sync', new Date(Date.now() + 3_600_000));
  // A kill leaves it open; the time of the next one was stored when it began.
  await world.state.runs.start({ runId: randomUUID(), trigger: 'cron', holder: 'killed' });
  const worker = world.work();
  await expect.poll(() => triggers(world), { timeout: 60_000 }).toEqual(['cron', 'catch-up']);
  await worker.stop();
});

test('a due time still to come is waited for', async () => {
  const world = await createWorld();
  await addCompanies(world, 1);
  await world.run();
  await world.state.schedules.setDue('sync', new Date(Date.now() + 3_600_000));
  const worker = world.work();
  // From here on it waits for the time of its own that it has stored.
  const stored = async () => (await world.state.schedules.read('sync'))?.at.getTime() ?? 0;
  await expect.poll(stored, { timeout: 60_000 }).toBeGreaterThan(Date.now() + 3_700_000);
  await requestSweep(world.state);
  await expect.poll(() => triggers(world), { timeout: 60_000 }).toEqual(['manual', 'manual']);
  await worker.stop();
});

test('a worker whose lease was taken from it stops all its loops, stands by, and takes over again', async () => {
  const world = await createWorld();
  world.settings.leaseTtlMs = 2_000;
  await addCompanies(world, 1);
  const worker = world.work();
  const types = () => worker.events.map(({ type }) => type);
  await expect.poll(() => triggers(world), { timeout: 60_000 }).toEqual(['catch-up']);
  await world.sql(
    `update placement_sync.lease set token = token + 1, holder = 'thief', expires_at = now() + interval '4 seconds'
     where name = 'push'`,
  );
  await expect.poll(types, { timeout: 60_000 }).toContain('worker-standby');
  expect(worker.events).toContainEqual(expect.objectContaining({ type: 'worker-standby', holder: 'thief' }));
  // The sweep lease was its own and is released, so that another process can take both.
  await expect
    .poll(() => types().filter((type) => type === 'worker-active').length, { timeout: 60_000 })
    .toBe(2);
  await world.sql(`insert into company (id, name) values ('late', 'Late')`);
  await requestSweep(world.state);
  await expect.poll(() => Object.keys(world.held('companies')).length, { timeout: 60_000 }).toBe(2);
  await worker.stop();
  // No run was under way, so none has failed.
  expect(types()).not.toContain('run-failed');
  expect(worker.events).toContainEqual(
    expect.objectContaining({
      type: 'warning',
      code: 'lease-lost',
      message: expect.stringMatching(/^The process lost the push lease/) as string,
    }),
  );
});

test('a worker that finds a lease under its own name does not take itself for another process', async () => {
  const world = await createWorld();
  world.settings.leaseTtlMs = 2_000;
  await world.state.leases.acquire('sweep', 'worker', 3_000);
  const worker = world.work({ holder: 'worker' });
  const types = () => worker.events.map(({ type }) => type);
  await expect.poll(types, { timeout: 60_000 }).toContain('worker-active');
  expect(worker.events).toContainEqual(
    expect.objectContaining({ type: 'worker-standby', holder: 'worker', own: true }),
  );
  await worker.stop();
});

test('each push of a worker that sent something is reported, and counts in the run before it', async () => {
  const world = await createWorld();
  await addCompanies(world, 3);
  world.intercept = ({ body }) =>
    (body as { name: string }).name === 'Company 1' ? { status: 422, body: { message: 'no' } } : undefined;
  const worker = world.work();
  const counters = async () => (await world.state.runs.last())?.entities.companies;
  await expect
    .poll(counters, { timeout: 60_000 })
    .toMatchObject({ read: 3, sent: 3, accepted: 2, rejected: 1, deferred: 0 });
  await expect.poll(() => triggers(world), { timeout: 60_000 }).toEqual(['catch-up']);
  await world.sql(`update company set about = 'edited' where id = 'c02'`);
  await requestSweep(world.state);
  await expect.poll(() => triggers(world), { timeout: 60_000 }).toEqual(['catch-up', 'manual']);
  await expect
    .poll(counters, { timeout: 60_000 })
    .toMatchObject({ changed: 1, sent: 1, accepted: 1, rejected: 0 });
  await worker.stop();
  const pushes = worker.events.flatMap((event) => (event.type === 'push-finished' ? [event.entities] : []));
  const sent = pushes.map(({ companies }) => companies?.sent ?? 0);
  expect(sent.reduce((sum, each) => sum + each, 0)).toBe(4);
  expect(sent, 'a push that sent nothing is not reported').not.toContain(0);
});

test.each([
  ['an hour ahead', 3_600_000],
  ['an hour behind', -3_600_000],
])('pushes are counted right while the clock of the process is %s', async (_, clockAheadMs) => {
  const world = await createWorld();
  world.settings.clockAheadMs = clockAheadMs;
  world.settings.jobs.timeoutMs = 20_000;
  world.settings.retry.maxDelayMs = world.settings.retry.baseDelayMs = 2_000;
  const failing = { status: 500, body: { message: 'once' } };
  const pushes = () =>
    worker.events.flatMap((event) => (event.type === 'push-finished' ? [event.entities.companies] : []));
  let retried = () => {};
  const firstIsRetried = new Promise<void>((resolve) => (retried = resolve));
  // The second request keeps the push going until the first record, which has failed, is sent again in the same push.
  world.intercept = async ({ body, count }) => {
    if ((body as { name: string }).name !== 'Company 1') return void (await firstIsRetried);
    if (count === 1) return failing;
    retried();
  };
  await addCompanies(world, 2);
  const worker = world.work();
  await expect
    .poll(pushes, { timeout: 60_000 })
    .toEqual([{ sent: 2, accepted: 2, rejected: 0, deferred: 0 }]);

  // Now a record fails in one push and is accepted in the next.
  world.intercept = ({ body, count }) =>
    (body as { name: string }).name === 'Company 3' && count === 1 ? failing : undefined;
  await world.sql(`insert into company (id, name) values ('c03', 'Company 3'), ('c04', 'Company 4')`);
  await requestSweep(world.state);
  await expect
    .poll(() => pushes().slice(1), { timeout: 60_000 })
    .toEqual([
      { sent: 2, accepted: 1, rejected: 0, deferred: 1 },
      { sent: 1, accepted: 1, rejected: 0, deferred: 0 },
    ]);
  await worker.stop();
});

test('a sweep that ends because the push lease was lost is reported as that, not as a regular stop', async () => {
  const world = await createWorld();
  world.settings.leaseTtlMs = 2_000;
  await addCompanies(world, 1);
  world.blocks.companies = block(
    `select id as key, name, city as region_id from company, lateral (select pg_sleep(20)) slow`,
  );
  const worker = world.work();
  await expect.poll(() => worker.events.map(({ type }) => type)).toContain('run-started');
  await world.sql(
    `update placement_sync.lease set token = token + 1, holder = 'thief', expires_at = now() + interval '1 hour'
     where name = 'push'`,
  );
  await expect
    .poll(() => worker.events.map(({ type }) => type), { timeout: 60_000 })
    .toContain('worker-standby');
  await worker.stop();
  expect(await world.state.runs.last()).toMatchObject({ outcome: 'failed', error: { code: 'lease-lost' } });
  expect(worker.events).toContainEqual(expect.objectContaining({ type: 'run-failed', code: 'lease-lost' }));
});

test('a sweep that was stopped between two entities is made up for at the next start', async () => {
  const world = await createWorld();
  await addCompanies(world, 1);
  const stopping = new AbortController();
  await world.state.schedules.setDue('sync', new Date(Date.now() + 3_600_000));
  await world.run({
    signal: stopping.signal,
    onEvent: ({ type }) => type === 'sweep-finished' && stopping.abort(),
  });
  expect(await world.state.runs.last()).toMatchObject({ outcome: 'aborted', error: { code: 'interrupted' } });
  const worker = world.work();
  await expect.poll(() => triggers(world), { timeout: 60_000 }).toEqual(['manual', 'catch-up']);
  await worker.stop();
});

test('the signal ends a pause that the platform asked for at once', async () => {
  const world = await createWorld();
  await addCompanies(world, 2);
  world.intercept = () => ({ status: 429, headers: { 'retry-after': '3600' } });
  const worker = world.work();
  await expect.poll(() => worker.events.map(({ type }) => type), { timeout: 60_000 }).toContain('area-retry');
  // Without that it would last an hour.
  await worker.stop();
});

const toAnotherPlatform = (world: World) =>
  world.sql(`update placement_sync.environment set base_url = 'https://elsewhere.example'`);

test('a worker with the ledger of another platform ends at once, also where it would stand by', async () => {
  const world = await createWorld();
  await world.run();
  await world.state.leases.acquire('sweep', 'somebody', 3_600_000);
  await toAnotherPlatform(world);
  const worker = world.work();
  await expect(worker.stop()).rejects.toMatchObject({ code: 'environment-changed' });
  expect(worker.events).toEqual([]);
});

test('a standby looks again when its turn comes: the ledger may be that of another platform by then', async () => {
  const world = await createWorld();
  world.settings.leaseTtlMs = 2_000;
  await addCompanies(world, 1);
  await world.run();
  await world.sql(`update company set about = 'edited'`);
  world.requests();
  const taken = await world.state.leases.acquire('sweep', 'somebody', 3_600_000);
  const worker = world.work();
  const types = () => worker.events.map(({ type }) => type);
  await expect.poll(types, { timeout: 60_000 }).toContain('worker-standby');
  await toAnotherPlatform(world);
  if ('lease' in taken) await world.state.leases.release(taken.lease);
  await expect.poll(types, { timeout: 60_000 }).toContain('worker-active');
  await expect(worker.stop()).rejects.toMatchObject({ code: 'environment-changed' });
  expect(world.requests()).toEqual([]);
});

test('a worker ends the open claims of a dead process, also of entities that it does not send', async () => {
  const world = await createWorld();
  await addCompanies(world, 1);
  await addVacancies(world, 1);
  await world.run();
  await world.sql(`update company set about = 'edited'`);
  world.intercept = () => ({ status: 503 });
  await world.run();
  world.intercept = null;
  const killed = await world.state.leases.acquire('push', 'killed', 3_600_000);
  if (!('lease' in killed)) throw new Error('the lease is held');
  await world.sql(`update placement_sync.sync_state set next_attempt_at = null`);
  const claims = await world.state.queue.claim({
    fence: killed.lease.fence,
    entity: 'companies',
    position: null,
    limit: 1,
    deletions: false,
    since: '2000-01-01T00:00:00Z',
  });
  expect(claims).toHaveLength(1);
  await world.state.leases.release(killed.lease);
  delete (world.blocks as Partial<World['blocks']>).companies;
  const open = () => world.sql('select key from placement_sync.sync_state where claim_token is not null');
  expect(await open()).toEqual([{ key: 'c01' }]);
  const worker = world.work();
  await expect.poll(open, { timeout: 60_000 }).toEqual([]);
  await worker.stop();
});

test('the signal ends standing by', async () => {
  const world = await createWorld();
  world.settings.leaseTtlMs = 3_600_000;
  await world.state.leases.acquire('sweep', 'somebody', 3_600_000);
  const worker = world.work();
  await expect.poll(() => worker.events.map(({ type }) => type)).toContain('worker-standby');
  await worker.stop();
});

test('a worker that takes over keeps a second of distance: both together never exceed the rate', async () => {
  const RATE = 5;
  const world = await createWorld();
  Object.assign(world.settings.jobs, { ratePerSecond: RATE, concurrency: RATE });
  await addCompanies(world, 3 * RATE);
  const arrivals: number[] = [];
  world.intercept = () => {
    arrivals.push(performance.now());
    return undefined;
  };
  const first = world.work({ holder: 'first' });
  await expect.poll(() => arrivals.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(RATE);
  await first.stop();
  const before = arrivals.length;
  // What is pending was published by the first one, so that the second could send at once.
  const second = world.work({ holder: 'second' });
  await expect.poll(() => arrivals.length, { timeout: 60_000 }).toBe(3 * RATE);
  await second.stop();
  expect(before).toBeLessThan(3 * RATE);
  const most = Math.max(
    ...arrivals.map((from) => arrivals.filter((at) => at >= from && at - from < 1_000).length),
  );
  expect(most).toBeLessThanOrEqual(RATE);
});

test('a worker on another copy of the database waits for as long as the former holder may go on', async () => {
  const world = await createWorld();
  world.settings.leaseTtlMs = 4_000;
  await addCompanies(world, 1);
  await world.run();
  await world.sql(`update company set about = 'edited'`);
  // As a fail-over leaves it: the same row, taken on another server.
  await world.sql(`update placement_sync.lease set origin = 'another server'`);
  const arrivals: number[] = [];
  world.intercept = () => {
    arrivals.push(performance.now());
    return undefined;
  };
  const began = performance.now();
  const worker = world.work();
  await expect.poll(() => arrivals.length, { timeout: 60_000 }).toBe(1);
  await worker.stop();
  expect((arrivals[0] ?? 0) - began).toBeGreaterThanOrEqual(5_000);
});

test('a record that always fails does not keep the others waiting: after a sweep that found something, the worker tries one that has not failed', async () => {
  const world = await createWorld();
  // Both are longer than this test.
  Object.assign(world.settings.retry, { baseDelayMs: 600_000, maxDelayMs: 600_000 });
  await addCompanies(world, 1);
  world.intercept = ({ body }) =>
    (body as { name: string }).name === 'Company 1'
      ? { status: 500, body: { message: 'cannot save' } }
      : undefined;
  const worker = world.work({ schedule: { sync: '* * * * * *' } });
  const stopped = () => world.events.some(({ type }) => type === 'area-retry');
  await expect.poll(stopped, { timeout: 60_000 }).toBe(true);
  // Due again, and before the new one in the queue.
  await world.sql('update placement_sync.sync_state set next_attempt_at = now()');
  await world.sql(`insert into company (id, name) values ('c02', 'Company 2')`);
  await expect.poll(() => Object.keys(world.held('companies')).length, { timeout: 60_000 }).toBe(1);
  await worker.stop();
});
