import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../../src/cli/compose/package-info.js';
import type { SyncEvent } from '../../../../src/core/domain/events.js';
import type { JobQueue, NextJob, TenantJob } from '../../../../src/features/fleet/job-queue.js';
import { openJobQueue } from '../../../../src/features/fleet/open-job-queue.js';
import { countJobs } from '../../../../src/features/fleet/state/job-counts.js';
import type { Lane } from '../../../../src/features/fleet/state/types.js';
import { createStateDatabase } from '../../../../src/core/ledger/database/state-database.js';
import { untilAborted } from '../../../../src/core/runtime/time.js';
import { openWire } from '../../../postgres/open-wire.js';
import { createTestDatabase, dropSchema, type TestDatabase } from '../../../postgres/test-database.js';

const SCHEMA = 'fleet_jobs';

let database: TestDatabase;
let events: SyncEvent[];
const open: JobQueue[] = [];
const working: { stop: AbortController; done: Promise<void> }[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  events = [];
});
afterEach(async () => {
  working.forEach(({ stop }) => stop.abort());
  await Promise.all(working.splice(0).map(({ done }) => done));
  await Promise.all(open.splice(0).map((queue) => queue.close()));
});

async function openQueue(url = database.url): Promise<JobQueue> {
  const queue = await openJobQueue({
    url,
    poolMax: 4,
    schema: SCHEMA,
    clock: systemClock,
    emit: (event) => events.push(event),
  });
  open.push(queue);
  return queue;
}

/** Works with one slot in each lane, and begins each job at once; gives how to stop it. */
function work(
  queue: JobQueue,
  job: (job: TenantJob) => Promise<NextJob>,
  slots: Readonly<Record<Lane, number>> = { sync: 1, large: 1 },
) {
  return workLater(
    queue,
    (taken) => {
      taken.onBegun();
      return job(taken);
    },
    slots,
  );
}

/** The same, but the work of a job begins when it says so. */
function workLater(
  queue: JobQueue,
  job: (job: TenantJob) => Promise<NextJob>,
  slots: Readonly<Record<Lane, number>>,
) {
  const stop = new AbortController();
  const done = queue.work(slots, job, stop.signal);
  working.push({ stop, done });
  return { stop, done };
}

const states = () =>
  database.query<{ name: string; key: string; state: string }>(
    `select name, singleton_key as key, state::text from ${SCHEMA}.job where singleton_key is not null
       and name in ('sync', 'large') order by created_on, name`,
  );
const unfinished = async () =>
  (await states())
    .filter(({ state }) => state !== 'completed')
    .map(({ name, key, state }) => `${name} ${key} ${state}`);

const counts = () => {
  const state = createStateDatabase({ url: database.url, poolMax: 1, schema: SCHEMA });
  return countJobs(state).finally(() => state.close());
};

/** All keys of advisory locks that the engine's package computes; `advisoryLockKey` in its plans. */
const LOCKED = ['', 'create-queue', 'queue-stats', 'queue-stats-insert', 'delete-queue'].concat(
  ['failJobsByTimeout', 'failJobsByHeartbeat', 'deletion', 'cleanupDependencies'].flatMap((work) => [
    `job${work}`,
    `job_common${work}`,
  ]),
);

test('a role that may only connect holds up no engine, whatever advisory locks it takes', async () => {
  const mallory = new pg.Client({ connectionString: database.url });
  await mallory.connect();
  for (const key of LOCKED)
    await mallory.query(
      `select pg_advisory_lock(cast(cast('x' || encode(sha224(convert_to(current_database() || '.pgboss.${SCHEMA}' || $1, 'UTF8')), 'hex') as bit(64)) as bigint))`,
      [key],
    );
  const stuck = async () =>
    (await database.query(`select 1 from pg_locks where locktype = 'advisory' and not granted`)).length;
  const replicas = await Promise.all([openQueue(), openQueue(), openQueue()]);
  const ran: string[] = [];
  const [queue, other] = replicas;
  if (!queue || !other) throw new Error('no queue');
  work(queue, ({ tenant }) => {
    ran.push(tenant);
    return Promise.resolve({ again: null });
  });
  await other.send('acme', 'sync');
  await expect.poll(() => ran).toEqual(['acme']);
  // What the supervisors of all three count every five seconds, too.
  await expect
    .poll(async () => (await counts()).sync, { timeout: 30_000 })
    .toMatchObject({ ready: 0, active: 0 });
  expect(await stuck()).toBe(0);
  expect(events).toEqual([]);
  await mallory.end();
});

test('a replica leaves some of what is due in one moment to the others: after two jobs it waits for a tenth of a second', async () => {
  const queue = await openQueue();
  for (let n = 0; n < 6; n += 1) await queue.send(`t${n}`, 'sync');
  const begun: number[] = [];
  const { stop, done } = work(
    queue,
    async ({ signal }) => {
      begun.push(performance.now());
      await untilAborted(signal);
      return { again: null };
    },
    { sync: 8, large: 1 },
  );
  await expect.poll(() => begun.length).toBe(6);
  const [, second = 0, third = 0, fourth = 0, fifth = 0] = begun;
  expect(third - second).toBeGreaterThan(95);
  expect(fifth - fourth).toBeGreaterThan(95);
  expect(fifth - second).toBeLessThan(5_000);
  stop.abort();
  await done;
});

test('the longest wait counts from when a job might have begun, and not one that is to begin later', async () => {
  const queue = await openQueue();
  for (const tenant of ['acme', 'other', 'later']) await queue.send(tenant, 'sync');
  await database.query(
    `update ${SCHEMA}.job set created_on = now() - interval '100 s',
       start_after = now() + case singleton_key when 'later' then interval '1 h' when 'acme' then interval '-90 s' else interval '-5 s' end
     where singleton_key is not null`,
  );
  const { sync, large } = await counts();
  expect(sync.longestWait).toBeGreaterThanOrEqual(90);
  expect(sync.longestWait).toBeLessThan(100);
  expect(large.longestWait).toBe(0);
});

test('a tenant has one job at most, over both lanes, while it waits and while it runs', async () => {
  const queue = await openQueue();
  expect(await queue.send('acme', 'sync')).toBe(true);
  expect(await queue.send('acme', 'sync')).toBe(false);
  expect(await queue.send('acme', 'large')).toBe(false);
  expect(await queue.send('other', 'large')).toBe(true);
  const running: string[] = [];
  let end = (_next: NextJob) => {};
  work(queue, (job) => {
    running.push(`${job.lane} ${job.tenant}`);
    return job.tenant === 'other'
      ? Promise.resolve({ again: null })
      : new Promise((resolve) => (end = resolve));
  });
  await expect.poll(() => running.toSorted()).toEqual(['large other', 'sync acme']);
  expect(await queue.send('acme', 'sync')).toBe(false);
  expect(await queue.send('acme', 'large')).toBe(false);
  end({ again: null });
  await expect.poll(unfinished).toEqual([]);
  expect(await queue.send('acme', 'large')).toBe(true);
});

test('of the tenants that are due only those get a job that have none; what another lane has is theirs, too', async () => {
  const [one, two] = [await openQueue(), await openQueue()];
  await one.send('a', 'sync');
  const ran: string[] = [];
  work(two, ({ signal, lane, tenant }) => {
    ran.push(`${lane} ${tenant}`);
    return untilAborted(signal).then(() => ({ again: lane }));
  });
  await expect.poll(unfinished).toEqual(['sync a active']);
  const due = [
    { name: 'a', lane: 'sync' as const },
    { name: 'c', lane: 'sync' as const },
    { name: 'd', lane: 'large' as const },
  ];
  const sent = await Promise.all([one, two].map((queue) => queue.sendDue(() => Promise.resolve(due))));
  expect(sent).toEqual([3, 3]);
  await expect
    .poll(async () => (await unfinished()).toSorted())
    .toEqual(['large d active', 'sync a active', 'sync c created']);
  // It moved while it ran.
  await one.sendDue(() => Promise.resolve([{ name: 'd', lane: 'sync' }]));
  expect(ran.toSorted()).toEqual(['large d', 'sync a']);
});

test('what `take` changed is kept if and only if the jobs are sent', async () => {
  await database.query('create table due (name text)');
  await database.query(`insert into due values ('acme')`);
  const queue = await openQueue();
  const failing = queue.sendDue(async ({ executeSql }) => {
    await executeSql('delete from public.due', []);
    throw new Error('the replica ends here');
  });
  await expect(failing).rejects.toThrow();
  expect(await database.query('select name from due')).toEqual([{ name: 'acme' }]);
  const sent = await queue.sendDue(async ({ executeSql }) => {
    const { rows } = await executeSql('delete from public.due returning name', []);
    return rows.map((row) => ({ ...(row as { name: string }), lane: 'sync' }));
  });
  expect([sent, await unfinished()]).toEqual([1, ['sync acme created']]);
  expect(await database.query('select name from due')).toEqual([]);
});

test('a job with work left is sent again as it ends, in the lane it belongs to, at the end of the line', async () => {
  const queue = await openQueue();
  const ran: string[] = [];
  await queue.send('long', 'sync');
  await queue.send('short', 'sync');
  work(queue, (job) => {
    ran.push(`${job.lane} ${job.tenant}`);
    const again: Lane | null = ran.length === 1 ? 'sync' : ran.length === 3 ? 'large' : null;
    return Promise.resolve({ again });
  });
  await expect.poll(() => ran).toEqual(['sync long', 'sync short', 'sync long', 'large long']);
  await expect.poll(unfinished).toEqual([]);
});

test('a job that is sent again for later waits, and no other one is sent meanwhile', async () => {
  const queue = await openQueue();
  await queue.send('acme', 'sync');
  const ran: number[] = [];
  work(queue, () => {
    ran.push(performance.now());
    return Promise.resolve(ran.length === 1 ? { again: 'sync', inMs: 4_000 } : { again: null });
  });
  await expect.poll(() => ran.length).toBe(1);
  await expect.poll(unfinished).toEqual(['sync acme created']);
  await queue.sendDue(() => Promise.resolve([{ name: 'acme', lane: 'sync' }]));
  expect(await unfinished()).toEqual(['sync acme created']);
  await expect.poll(() => ran.length).toBe(2);
  expect((ran[1] ?? 0) - (ran[0] ?? 0)).toBeGreaterThan(3_900);
});

test('a job whose time has come goes before those that wait for a slot', async () => {
  const queue = await openQueue();
  await queue.send('busy', 'sync');
  const ran: string[] = [];
  let end = () => {};
  work(
    queue,
    async ({ tenant }) => {
      ran.push(tenant);
      if (tenant === 'first') await new Promise<void>((resolve) => (end = resolve));
      return tenant === 'busy' && ran.length === 1 ? { again: 'sync', inMs: 3_000 } : { again: null };
    },
    { sync: 1, large: 0 },
  );
  await expect.poll(() => ran).toEqual(['busy']);
  for (const tenant of ['first', 'second', 'third']) await queue.send(tenant, 'sync');
  await expect.poll(() => ran).toEqual(['busy', 'first']);
  await wait(3_500);
  end();
  await expect.poll(() => ran).toEqual(['busy', 'first', 'busy', 'second', 'third']);
});

test('whoever sends a job for a tenant that has one for later makes that one come at once, in the lane where it is', async () => {
  const queue = await openQueue();
  await queue.send('acme', 'large');
  const ran: string[] = [];
  work(queue, ({ lane }) => {
    ran.push(lane);
    return Promise.resolve(ran.length === 1 ? { again: 'large', inMs: 3_600_000 } : { again: null });
  });
  // Not the first one, which waits for its look.
  await expect.poll(() => ran.length).toBe(1);
  await expect.poll(unfinished).toEqual(['large acme created']);
  expect(await queue.send('acme', 'sync')).toBe(false);
  await expect.poll(unfinished).toEqual([]);
  expect(ran).toEqual(['large', 'large']);
});

test('a job that names no tenant is taken away with a warning, and the others go on', async () => {
  const queue = await openQueue();
  for (const tenant of ['broken', 'empty', 'acme']) await queue.send(tenant, 'sync');
  await database.query(`update ${SCHEMA}.job set data = null where singleton_key = 'broken'`);
  await database.query(`update ${SCHEMA}.job set data = '{"tenant": 7}' where singleton_key = 'empty'`);
  const ran: string[] = [];
  work(queue, ({ tenant }) => {
    ran.push(tenant);
    return Promise.resolve({ again: null });
  });
  await expect.poll(unfinished).toEqual([]);
  expect(ran).toEqual(['acme']);
  expect(events).toMatchObject([
    { type: 'warning', message: expect.stringContaining('names no tenant') as string },
  ]);
});

test('a job that was given to somebody else aborts its signal, and its late end changes nothing', async () => {
  const queue = await openQueue();
  await queue.send('acme', 'sync');
  const jobs: TenantJob[] = [];
  let ends: ((next: NextJob) => void)[] = [];
  work(
    queue,
    (job) => {
      jobs.push(job);
      return new Promise((resolve) => ends.push(resolve));
    },
    { sync: 2, large: 0 },
  );
  await expect.poll(() => jobs.length).toBe(1);
  // As the supervisor does when the signs of life are missing; another replica fetches it.
  await database.query(`update ${SCHEMA}.job set retry_count = retry_count + 1 where singleton_key = 'acme'`);
  await expect.poll(() => jobs[0]?.signal.aborted, { timeout: 7_000 }).toBe(true);
  ends.forEach((end) => end({ again: null }));
  ends = [];
  await systemClock.sleep(1_000);
  expect(await unfinished()).toEqual(['sync acme active']);
});

test('a job outlives its signs of life as long as they come, and every job is handed out once', async () => {
  const [one, two] = [await openQueue(), await openQueue()];
  const ran: string[] = [];
  await one.send('slow', 'sync');
  for (const queue of [one, two])
    work(
      queue,
      async (job) => {
        ran.push(job.tenant);
        await systemClock.sleep(25_000, job.signal);
        return { again: null };
      },
      { sync: 4, large: 1 },
    );
  await expect.poll(unfinished, { timeout: 40_000 }).toEqual([]);
  expect(ran).toEqual(['slow']);
});

test('when the work is told to end, its jobs end, and what is sent again waits for somebody else', async () => {
  const queue = await openQueue();
  await queue.send('acme', 'sync');
  const { stop, done } = work(queue, async ({ lane, signal }) => {
    await untilAborted(signal);
    return { again: lane };
  });
  await expect.poll(unfinished).toEqual(['sync acme active']);
  stop.abort();
  await done;
  expect(await unfinished()).toEqual(['sync acme created']);
});

test('a database that is away for a while ends no job and loses no end of one; work goes on when it is back', async () => {
  const wire = await openWire(database.url);
  const queue = await openQueue(wire.url);
  await queue.send('acme', 'sync');
  const ran: TenantJob[] = [];
  let end = (_next: NextJob) => {};
  work(queue, (job) => {
    ran.push(job);
    return ran.length > 1 ? Promise.resolve({ again: null }) : new Promise((resolve) => (end = resolve));
  });
  await expect.poll(() => ran.length).toBe(1);
  await wire.refuse();
  await expect(queue.send('other', 'sync')).rejects.toMatchObject({ code: 'state-unavailable' });
  end({ again: 'large' });
  await systemClock.sleep(7_000);
  expect(ran[0]?.signal.aborted).toBe(false);
  await wire.mend();
  await expect
    .poll(() => ran.map(({ lane, tenant }) => `${lane} ${tenant}`))
    .toEqual(['sync acme', 'large acme']);
  await expect.poll(unfinished).toEqual([]);
  const warnings = events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
  expect(warnings.length).toBeGreaterThan(0);
  expect(new Set(warnings).size).toBe(warnings.length);
  const { hostname, port, password } = new URL(wire.url);
  for (const secret of [hostname, port, password]) expect(warnings.join('\n')).not.toContain(secret);
});

test('a look takes few jobs, so that replicas with free slots share what comes at once', async () => {
  const [one, two] = [await openQueue(), await openQueue()];
  const ran: Record<'one' | 'two', number> = { one: 0, two: 0 };
  for (const [name, queue] of [
    ['one', one],
    ['two', two],
  ] as const)
    work(
      queue,
      async ({ signal, lane }) => {
        ran[name] += 1;
        await untilAborted(signal);
        return { again: lane };
      },
      { sync: 8, large: 0 },
    );
  const due = Array.from({ length: 12 }, (_, index) => ({
    name: `t${String(index)}`,
    lane: 'sync' as const,
  }));
  await one.sendDue(() => Promise.resolve(due));
  await expect.poll(() => ran.one + ran.two).toBe(12);
  expect(Math.min(ran.one, ran.two)).toBeGreaterThanOrEqual(4);
});

test('few jobs wait here until they begin: what a replica has not begun is left to the others', async () => {
  const queue = await openQueue();
  for (const tenant of ['a', 'b', 'c', 'd', 'e']) await queue.send(tenant, 'sync');
  const taken: TenantJob[] = [];
  workLater(
    queue,
    (job) => {
      taken.push(job);
      return untilAborted(job.signal).then(() => ({ again: null }));
    },
    { sync: 8, large: 1 },
  );
  const isActive = async () => (await unfinished()).filter((job) => job.endsWith('active')).length;
  await expect.poll(() => taken.length).toBe(2);
  await wait(1_500);
  expect(await isActive()).toBe(2);
  taken[0]?.onBegun();
  taken[0]?.onBegun();
  await expect.poll(() => taken.length).toBe(3);
  await wait(1_500);
  expect(await isActive()).toBe(3);
  taken.forEach(({ onBegun }) => onBegun());
  await expect.poll(() => taken.length).toBe(5);
});

test('a dropped schema is made anew while jobs run: nothing ends, and who sends what is due is told', async () => {
  const [one, two] = [await openQueue(), await openQueue()];
  const restored: string[] = [];
  one.onRestored(() => restored.push('one'));
  two.onRestored(() => restored.push('two'));
  await one.send('acme', 'sync');
  await one.send('long', 'sync');
  const ran: string[] = [];
  const aborted: string[] = [];
  for (const queue of [one, two])
    work(
      queue,
      async ({ tenant, signal, lane }) => {
        ran.push(tenant);
        if (tenant !== 'long' || ran.filter((name) => name === 'long').length > 1) return { again: null };
        await untilAborted(signal);
        aborted.push(tenant);
        return { again: lane };
      },
      { sync: 2, large: 1 },
    );
  await expect.poll(() => ran.toSorted()).toEqual(['acme', 'long']);
  await dropSchema(database, SCHEMA);
  await expect.poll(() => restored.length).toBeGreaterThan(0);
  // The job that ran is no longer in the queue; its work is sent again.
  await expect.poll(() => aborted, { timeout: 30_000 }).toEqual(['long']);
  await expect.poll(() => ran.filter((name) => name === 'long')).toEqual(['long', 'long']);
  expect(await two.send('after', 'sync')).toBe(true);
  await expect.poll(() => ran).toContain('after');
  const texts = events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
  expect(texts.join('\n')).toContain('The schema of the engine of the fleet is gone.');
  expect(texts.join('\n')).not.toContain(new URL(database.url).password);
});

test('eight replicas that start at once build one schema', async () => {
  const queues = await Promise.all(Array.from({ length: 8 }, () => openQueue()));
  const sent = await Promise.all(queues.map((queue) => queue.send('acme', 'sync')));
  expect(sent.filter(Boolean)).toHaveLength(1);
  await dropSchema(database, SCHEMA);
  const again = await Promise.all(queues.map((queue) => queue.send('acme', 'sync')));
  expect(again.filter(Boolean).length).toBeLessThanOrEqual(1);
  await expect.poll(unfinished).toEqual(['sync acme created']);
});
