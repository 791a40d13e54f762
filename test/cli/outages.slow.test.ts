import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createWorkerMetrics } from '../../src/cli/compose/open-listeners.js';
import { readStatus } from '../../src/features/look/read-status.js';
import { openTestState, wants } from '../core/ledger/open-test-state.js';
import { addCompanies, createCliWorld, type CliWorld, configureWorker } from './cli-world.js';
import { listening } from './run-cli.js';

const DOWN = { status: 503, body: { message: 'down' } } as const;
const HOUR = { status: 429, headers: { 'Retry-After': '3600' }, body: { message: 'slow down' } } as const;

/** Four companies that were never sent. */
async function fourCompanies(): Promise<CliWorld> {
  const world = await createCliWorld();
  await addCompanies(world, 4);
  return world;
}

/** Requests since the last call. */
function countRequests(world: CliWorld): () => number {
  let before = 0;
  return () => {
    const count = world.sandbox.requests().length;
    const since = count - before;
    before = count;
    return since;
  };
}

test('a run in an outage exits 5 however soon it is repeated, tries with one request, and sends everything once the platform is well', async () => {
  const world = await fourCompanies();
  const requests = countRequests(world);
  world.intercept = () => DOWN;
  expect(await world.run()).toMatchObject({ code: 5, exitCode: 5, outcome: 'aborted' });
  requests();

  const again = await world.run();
  expect(again).toMatchObject({
    code: 5,
    outcome: 'aborted',
    entities: { companies: { sent: 1, deferred: 1, pending: 3, error: { code: 'breaker-open' } } },
  });
  expect(requests()).toBe(1);
  const text = await world.cli('run');
  expect(text.exitCode).toBe(5);
  const said = text.stdout + text.stderr;
  expect(said).toMatch(/4 records are waiting to be sent/);
  expect(said).toMatch(/sending stopped/);
  expect(said).not.toMatch(/Nothing to do/);
  expect(requests()).toBe(1);

  world.intercept = null;
  expect(await world.run()).toMatchObject({
    code: 0,
    outcome: 'complete',
    entities: { companies: { accepted: 4 } },
  });
  expect(requests()).toBe(4);
  expect(JSON.parse((await world.cli('status', '--json')).stdout)).not.toHaveProperty('stoppedAreas');
});

test('one record that always fails does not keep a run from trying the stopped area with another', async () => {
  const world = await fourCompanies();
  world.intercept = () => DOWN;
  await world.run();
  world.intercept = ({ body }) =>
    (body as { name?: string } | null)?.name === 'Company 1' ? DOWN : undefined;
  // Each run tries the one whose attempt is the longest ago.
  const codes: (number | null)[] = [];
  for (let round = 0; round < 2 && codes.at(-1) !== 0; round += 1) codes.push((await world.run()).code);
  expect(codes.at(-1)).toBe(0);
  expect(JSON.parse((await world.cli('status', '--json')).stdout)).toMatchObject({
    entities: { companies: { synced: 3, deferred: 1 } },
  });
});

test('a run within a long pause sends nothing, says until when and exits 5, until retry ends the pause', async () => {
  const world = await fourCompanies();
  const requests = countRequests(world);
  world.configure('ratePerSecond: null', 'ratePerSecond: null\n    concurrency: 1');
  world.intercept = () => HOUR;
  expect(await world.run()).toMatchObject({
    code: 5,
    entities: { companies: { error: { code: 'long-pause' } } },
  });
  expect(requests()).toBe(1);

  world.intercept = null;
  const again = await world.cli('run');
  expect(again.exitCode).toBe(5);
  const until = /the pause ends at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d WIB)/.exec(
    again.stdout + again.stderr,
  )?.[1];
  expect(until).toBeDefined();
  expect(again.stdout + again.stderr).toContain(`until the pause ends, at ${until ?? ''}`);
  expect(requests()).toBe(0);
  const { stoppedAreas } = JSON.parse((await world.cli('status', '--json')).stdout) as {
    stoppedAreas: { code: string; pausedUntil: string }[];
  };
  expect(stoppedAreas).toMatchObject([{ code: 'long-pause' }]);
  const left = Date.parse(stoppedAreas[0]?.pausedUntil ?? '') - Date.now();
  expect(left).toBeGreaterThan(3_000_000);
  expect(left).toBeLessThanOrEqual(3_600_000);
  expect((await world.cli('explain', 'companies', 'c002')).stdout).toMatch(
    /it is sent after the pause, at \d{4}-/,
  );

  const retried = await world.cli('retry');
  expect(retried.exitCode).toBe(0);
  expect(retried.stdout + retried.stderr).toContain('jobs: the pause that the platform asked for is ended.');
  expect(requests()).toBe(4);
  expect(JSON.parse((await world.cli('status', '--json')).stdout)).toMatchObject({
    entities: { companies: { synced: 4 } },
  });
});

test('a worker in a long pause says so everywhere, sends nothing, and a restart obeys it too', async () => {
  const world = await fourCompanies();
  const requests = countRequests(world);
  world.configure('ratePerSecond: null', 'ratePerSecond: null\n    concurrency: 1');
  configureWorker(world);
  world.intercept = () => HOUR;
  const first = world.start('start');
  const admin = await listening(first, 'admin');
  await world.requested(1);
  const metrics = async () => (await fetch(`${admin}/metrics`)).text();
  await expect
    .poll(metrics, { timeout: 60_000 })
    .toMatch(/area_paused_until_timestamp_seconds\{area="jobs"\} \d{10}/);
  expect(await metrics()).toMatch(/area_stopped\{area="jobs",code="long-pause"\} 1/);
  await expect.poll(() => page(admin, 'en'), { timeout: 60_000 }).toContain('the platform asked us to pause');
  requests();
  expect(await page(admin, 'en')).toMatch(/Nothing is sent there until the pause ends, in (59|60) minutes/);
  expect(await page(admin, 'id')).toMatch(/platform meminta jeda/);
  expect((await world.cli('status')).stdout).toMatch(/until the pause ends, at \d{4}-\d\d-\d\d \d\d:\d\d/);
  first.child.kill('SIGTERM');
  await first.done;
  expect(requests()).toBe(0);

  world.intercept = null;
  const second = world.start('start');
  const restarted = await listening(second, 'admin');
  await expect
    .poll(() => page(restarted, 'en'), { timeout: 60_000 })
    .toContain('the platform asked us to pause');
  await wait(1_000);
  expect(requests()).toBe(0);
  second.child.kill('SIGTERM');
  await second.done;
});

async function page(admin: string, language: string): Promise<string> {
  return (await fetch(`${admin}/`, { headers: { 'Accept-Language': language } })).text();
}

describe('worker metrics', () => {
  test('the metric and status show a silent area as stopped while something is left to send, and not after', async () => {
    const state = await openTestState();
    const metrics = createWorkerMetrics(['companies']);
    metrics.use(() => state);
    const stop = { code: 'breaker-open', message: 'HTTP 503', hint: '' } as const;
    metrics.emit({ type: 'area-stopped', area: 'jobs', ...stop });
    await state.areaStates.save(state.push, {
      area: 'jobs',
      answered: false,
      failuresInARow: 3,
      failingMs: null,
      lastError: null,
      stop,
    });
    const line = async () => {
      const { text } = await metrics.render();
      return text.split('\n').find((each) => each.startsWith('placement_sync_area_stopped{'));
    };
    const inStatus = async () => (await readStatus(state, ['companies'])).stoppedAreas?.length ?? 0;

    await state.publish('companies', wants('a', '1'));
    expect([await line(), await inStatus()]).toEqual([expect.stringMatching(/ 1$/), 1]);
    // Its source no longer has it, and the platform never did.
    await state.sql('delete from placement_sync.sync_state');
    expect([await line(), await inStatus()]).toEqual([expect.stringMatching(/ 0$/), 0]);
  });
});
