import { expect, test } from 'vitest';
import { scheduledVerify } from '../../../src/features/verify/scheduled-verify.js';
import type { WorkerSchedule } from '../../../src/core/run/run-worker.js';
import { addCompanies, createWorld, type RunningWorker, type World } from '../../core/world.js';

/** Reads back at the times of `expression`; sweeps only when asked. */
const verifying = (
  expression: string,
  { readBacks }: World['state'],
): { schedule: Partial<WorkerSchedule> } => ({
  schedule: {
    verify: {
      expression,
      verify: (context) =>
        scheduledVerify({ ...context, state: { ...context.state, readBacks } }, () => true),
    },
  },
});
const EVERY_SECOND = '* * * * * *';
const NEVER = '0 0 29 2 *';

const LONG_AGO = new Date('2026-01-01T00:00:00Z');

const warnings = ({ events }: RunningWorker) =>
  events.flatMap((event) => (event.type === 'warning' ? [event] : []));
const readBacks = ({ events }: RunningWorker) =>
  events.filter(({ type }) => type === 'read-back-finished').length;

/** Most of these moments (ascending, milliseconds) in any span of less than a second. */
function peak(moments: readonly number[]): number {
  return Math.max(...moments.map((from) => moments.filter((at) => at >= from && at - from < 1_000).length));
}

/** Four companies, sent. */
async function syncedWorld(): Promise<World> {
  const world = await createWorld();
  await addCompanies(world, 4);
  await world.run();
  world.requests();
  return world;
}

test('a push and a verify beside it never exceed the rate together, and the verify never its share', async () => {
  const RATE = 20;
  const SHARE = 4;
  const world = await createWorld();
  const arrivals: { readonly method: string; readonly at: number }[] = [];
  await addCompanies(world, 40);
  await world.run();
  world.settings.jobs.ratePerSecond = RATE;
  world.settings.readBackPerSecond = SHARE;
  await world.sql(
    `insert into company (id, name) select 'd' || n, 'Company ' || n from generate_series(1, 100) n`,
  );
  world.intercept = ({ method }) => {
    arrivals.push({ method, at: performance.now() });
    return undefined;
  };
  const worker = world.work(verifying(EVERY_SECOND, world.state));
  const sent = () => arrivals.filter(({ method }) => method === 'PUT').length;
  await expect.poll(sent, { timeout: 25_000 }).toBe(100);
  // The verify goes on when the push has ended.
  const finds = () => arrivals.filter(({ method }) => method === 'GET').length;
  const soFar = finds();
  await expect.poll(finds, { timeout: 60_000 }).toBeGreaterThan(soFar + SHARE);
  await worker.stop();

  expect(peak(arrivals.map(({ at }) => at))).toBeLessThanOrEqual(RATE);
  expect(peak(arrivals.filter(({ method }) => method === 'GET').map(({ at }) => at))).toBeLessThanOrEqual(
    SHARE,
  );
  const methods = arrivals.map(({ method }) => method);
  const whilePushing = methods.slice(methods.indexOf('PUT'), methods.lastIndexOf('PUT'));
  expect(whilePushing.filter((method) => method === 'GET').length, 'both at once').toBeGreaterThan(3);
}, 60_000);

test('differing and missing records are reported by entity with a hint, and nothing is repaired', async () => {
  const world = await syncedWorld();
  world.sandbox.forget('companies', await world.idOf('companies', 'c02'));
  await world.state.schedules.setDue('verify', LONG_AGO);
  const worker = world.work(verifying(NEVER, world.state));
  await expect.poll(() => readBacks(worker), { timeout: 60_000 }).toBe(1);
  await worker.stop();
  expect(warnings(worker)).toEqual([
    {
      type: 'warning',
      message:
        'companies: of 4 records read back (of 4, chosen at random), 0 differ at the platform and 1 are missing.',
      hint: expect.stringContaining('placement-sync verify --all --repair --entity companies') as string,
    },
  ]);
  expect(world.requests().filter((request) => !request.startsWith('GET '))).toEqual([]);
});

test('at the first start nothing is read back before the time comes; one that passed is made up for once', async () => {
  const world = await syncedWorld();
  const first = world.work(verifying(NEVER, world.state));
  const stored = async () => await world.state.schedules.read('verify');
  await expect.poll(stored, { timeout: 60_000 }).toMatchObject({ overdue: false });
  // A later round of the same loop has looked, too: the sweep that is asked for comes after it.
  const sweeps = () => first.events.filter(({ type }) => type === 'run-finished').length;
  await expect.poll(sweeps, { timeout: 60_000 }).toBe(1);
  await world.state.schedules.setDueNow('sync');
  await expect.poll(sweeps, { timeout: 60_000 }).toBe(2);
  await first.stop();
  expect(world.requests()).toEqual([]);

  await world.state.schedules.setDue('verify', LONG_AGO);
  const second = world.work(verifying(NEVER, world.state));
  await expect.poll(() => readBacks(second), { timeout: 60_000 }).toBe(1);
  await second.stop();
  expect(world.requests()).toHaveLength(4);
  expect(await stored()).toMatchObject({ overdue: false });
  await world.state.schedules.setDueNow('sync');
  const third = world.work(verifying(NEVER, world.state));
  await expect
    .poll(() => third.events.some(({ type }) => type === 'run-finished'), { timeout: 60_000 })
    .toBe(true);
  await third.stop();
  expect(world.requests()).toEqual([]);
});

test.each([
  ['refuses the authentication', { status: 401 }, /^Reading back ended early: .*401/],
  ['is down', { status: 503 }, /^Reading back ended early: .* in a row failed/],
])('a platform that %s is a warning, stops no area and the worker goes on', async (_case, reply, message) => {
  const world = await syncedWorld();
  world.settings.retry.breakerAfter = 2;
  await world.state.schedules.setDue('verify', LONG_AGO);
  world.intercept = ({ method }) => (method === 'GET' ? reply : undefined);
  const worker = world.work(verifying(NEVER, world.state));
  await expect
    .poll(() => warnings(worker), { timeout: 60_000 })
    .toMatchObject([{ message: expect.stringMatching(message) as string }]);
  await world.sql(`insert into company (id, name) values ('late', 'Late')`);
  await world.state.schedules.setDueNow('sync');
  await expect.poll(() => Object.keys(world.held('companies')).length, { timeout: 60_000 }).toBe(5);
  await worker.stop();
  expect(worker.events.map(({ type }) => type)).not.toContain('area-stopped');
  expect(worker.events.filter(({ type }) => type === 'worker-active')).toHaveLength(1);
});

test('the signal ends a verify that waits for its place in a low rate', async () => {
  const world = await syncedWorld();
  world.settings.readBackPerSecond = 0.001;
  await world.state.schedules.setDue('verify', LONG_AGO);
  const worker = world.work(verifying(NEVER, world.state));
  await expect.poll(() => world.sandbox.requests().length, { timeout: 60_000 }).toBe(1);
  // Without that the next place is a quarter of an hour away.
  await worker.stop();
  expect(warnings(worker)).toEqual([]);
  expect(world.requests()).toHaveLength(1);
});
