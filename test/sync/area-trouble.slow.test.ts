import { expect, test } from 'vitest';
import { readStatus } from '../../src/sync/explain/read-status.js';
import { ofVersion, startFront } from '../servers/front.js';
import { addCompanies, addVacancies, createWorld, unbalanced, type World } from './world.js';

const stops = (world: World) => world.events.filter(({ type }) => type === 'area-stopped');

/** One request at a time, so that the first reply is seen before the second request. */
async function oneByOne(companies: number): Promise<World> {
  const world = await createWorld();
  await addCompanies(world, companies);
  world.settings.jobs.concurrency = 1;
  return world;
}

test('401 for everything ends the run with one message; all stays pending and no attempt is used', async () => {
  const world = await createWorld();
  await addCompanies(world, 20);
  // The first exchange of a process takes longer than the others.
  world.settings.jobs.timeoutMs = 10_000;
  world.intercept = () => ({ status: 401, body: { message: 'Invalid signature' } });

  const report = await world.run();
  expect(report).toMatchObject({ exitCode: 5, outcome: 'aborted' });
  expect(report.entities.companies).toMatchObject({
    new: 20,
    sent: 0,
    rejected: 0,
    deferred: 0,
    pending: 20,
    error: { code: 'authentication-refused' },
  });
  expect(stops(world)).toHaveLength(1);
  expect(stops(world)[0]).toMatchObject({
    message: expect.stringMatching(/401: Invalid signature/) as string,
  });
  expect(world.requests().length).toBeLessThanOrEqual(4);
  const [{ attempts } = { attempts: -1 }] = await world.sql<{ attempts: number }>(
    'select sum(attempts)::int as attempts from placement_sync.sync_state',
  );
  expect(attempts).toBe(0);
  expect(await world.explain('companies', 'c01')).toMatchObject({
    status: 'pending',
    lastReply: { statusCode: 401 },
  });

  world.intercept = null;
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    entities: { companies: { sent: 20, accepted: 20 } },
  });
});

test('a 403 as a web page names the edge as the likely cause', async () => {
  const world = await oneByOne(3);
  world.intercept = () => ({ status: 403, body: '<html><body>Access denied</body></html>' });
  expect(await world.run()).toMatchObject({ exitCode: 5, entities: { companies: { pending: 3, sent: 0 } } });
  expect(stops(world)).toMatchObject([
    { code: 'authentication-refused', hint: expect.stringMatching(/edge/) as string },
  ]);
  // It refuses them all, not one text: the next run asks with two, because the first may be such a text.
  expect(world.requests()).toHaveLength(3);
  await world.run();
  expect(world.requests()).toHaveLength(2);
});

test('a redirect is not followed and stops the area', async () => {
  const world = await oneByOne(3);
  world.intercept = () => ({
    status: 302,
    headers: { Location: 'https://elsewhere.example/login?token=1' },
    body: '',
  });
  expect(await world.run()).toMatchObject({
    exitCode: 5,
    entities: { companies: { pending: 3, sent: 0, error: { code: 'redirected' } } },
  });
  expect(stops(world)).toMatchObject([
    { hint: expect.stringMatching(/https:\/\/elsewhere\.example\)/) as string },
  ]);
  expect(world.requests()).toHaveLength(1);
});

test.each([
  ['429 with seconds', 429, () => '1'],
  ['503 with a date', 503, () => new Date(Date.now() + 2_000).toUTCString()],
])('%s is waited for by the whole area and uses up no attempt', async (_name, status, retryAfter) => {
  const world = await oneByOne(5);
  let refusals = 0;
  world.intercept = () => {
    if (refusals > 0) return undefined;
    refusals += 1;
    return { status, headers: { 'Retry-After': retryAfter() }, body: { message: 'slow down' } };
  };
  const report = await world.run();
  expect(report).toMatchObject({
    exitCode: 0,
    outcome: 'complete',
    entities: { companies: { sent: 5, accepted: 5, deferred: 0 } },
  });
  const paused = world.events.filter(({ type }) => type === 'area-paused');
  expect(paused).toHaveLength(1);
  const [refused, next] = world.sandbox.requests();
  expect((next?.atMs ?? 0) - (refused?.atMs ?? 0)).toBeGreaterThanOrEqual(900);
  expect(world.requests()).toHaveLength(6);
});

test('a second refusal near the first lowers the rate, which is kept for the next run and shown', async () => {
  const world = await oneByOne(5);
  world.settings.jobs.ratePerSecond = 40;
  let refusals = 0;
  world.intercept = () => (refusals++ > 1 ? undefined : { status: 429, headers: {}, body: {} });
  expect(await world.run()).toMatchObject({ exitCode: 0, entities: { companies: { accepted: 5 } } });
  const learned = (await world.state.areaStates.read('jobs'))?.learnedRate;
  expect(learned).toMatchObject({ setting: 40, announced: null });
  expect(learned?.perSecond).toBeCloseTo(28, 2);
  expect(await readStatus(world.state, ['companies'])).toMatchObject({
    learnedRates: [{ area: 'jobs', learned: 28, ratePerSecond: 40, suggested: null }],
  });
  await world.sql(`update company set name = name || ' Tbk'`);
  expect(await world.run()).toMatchObject({ entities: { companies: { accepted: 5 } } });
  expect((await world.state.areaStates.read('jobs'))?.learnedRate?.accepted).toBe(10);
});

test('a longer pause than retry.maxPause ends the run and leaves everything pending', async () => {
  const world = await oneByOne(5);
  world.intercept = () => ({
    status: 429,
    headers: { 'Retry-After': '3600' },
    body: { message: 'slow down' },
  });
  expect(await world.run()).toMatchObject({
    exitCode: 5,
    entities: { companies: { sent: 0, pending: 5, error: { code: 'long-pause' } } },
  });
  expect(stops(world)).toMatchObject([{ message: expect.stringMatching(/3600 s/) as string }]);
  expect(world.requests()).toHaveLength(1);
});

test('failures in a row open the breaker and use up no attempt', async () => {
  const world = await oneByOne(6);
  world.settings.retry.breakerAfter = 3;
  world.intercept = () => ({ status: 500, body: { message: 'broken' } });
  const report = await world.run();
  expect(report).toMatchObject({
    exitCode: 5,
    outcome: 'aborted',
    entities: { companies: { sent: 3, deferred: 3, error: { code: 'breaker-open' } } },
  });
  expect(unbalanced(report)).toEqual([]);
  expect(world.requests()).toHaveLength(3);
  expect(await world.sql('select max(attempts) as most from placement_sync.sync_state')).toEqual([
    { most: 0 },
  ]);

  world.intercept = null;
  expect(await world.run()).toMatchObject({ exitCode: 0, entities: { companies: { accepted: 6 } } });
});

test('a platform that cannot be reached opens the breaker and leaves nothing to confirm', async () => {
  const world = await oneByOne(3);
  world.settings.retry.breakerAfter = 2;
  world.settings.jobs.baseUrl = 'http://127.0.0.1:1';
  expect(await world.run()).toMatchObject({
    exitCode: 5,
    entities: { companies: { deferred: 2, error: { code: 'breaker-open' } } },
  });
  expect(await world.sql('select count(confirm_at)::int as count from placement_sync.sync_state')).toEqual([
    { count: 0 },
  ]);
});

test('a record that fails maxAttempts times is rejected with its last error, and re-armed by retry', async () => {
  const world = await oneByOne(4);
  world.settings.retry.maxAttempts = 3;
  world.intercept = ({ body }) =>
    (body as { name: string }).name === 'Company 2'
      ? { status: 500, body: { message: 'cannot save' } }
      : undefined;
  let report = await world.run();
  expect(unbalanced(report)).toEqual([]);
  // The failure is its own only while the area answers other requests.
  for (let round = 0; round < 4 && report.exitCode === 0; round += 1) {
    await world.sql(`update company set about = 'edit ${round}' where id = 'c04'`);
    report = await world.run();
  }

  expect(report).toMatchObject({ exitCode: 3 });
  expect(await world.explain('companies', 'c02')).toMatchObject({
    status: 'rejected',
    attempts: 3,
    lastReply: { statusCode: 500, error: expect.stringMatching(/cannot save/) as string },
  });
  const failing = await world.idOf('companies', 'c02');
  expect(world.sentIds().filter((id) => id === failing)).toHaveLength(3);
  expect(await world.run()).toMatchObject({ exitCode: 3, entities: { companies: { sent: 0 } } });

  world.intercept = null;
  expect(
    await world.state.resendRequests.retry('companies', {
      preview: false,
      status: 'rejected',
      sinceMs: null,
    }),
  ).toBe(1);
  expect(await world.run()).toMatchObject({ exitCode: 0, entities: { companies: { sent: 1, accepted: 1 } } });
});

test('refusals before the first acceptance hold the push, sweeps go on, and an approval ends it', async () => {
  const world = await oneByOne(8);
  world.settings.guards.maxRejectedInARow = 3;
  world.intercept = () => ({ status: 422, body: { message: 'unknown field' } });
  const first = await world.run();
  expect(first).toMatchObject({
    exitCode: 4,
    outcome: 'held',
    entities: { companies: { sent: 3, rejected: 3, pending: 5, held: true } },
  });
  expect(unbalanced(first)).toEqual([]);

  world.intercept = null;
  await world.sql(`update company set about = 'edited' where id = 'c08'`);
  world.requests();
  expect(await world.run()).toMatchObject({
    exitCode: 4,
    entities: { companies: { changed: 1, sent: 0, held: true } },
  });
  expect(world.requests()).toEqual([]);

  const { push, rearmed } = await world.state.entityStates.approve('companies');
  expect({ guard: push?.guard, rearmed }).toEqual({ guard: 'max-rejected-in-a-row', rearmed: 3 });
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    entities: { companies: { sent: 8, accepted: 8, held: false } },
  });
});

test('the same refusal for the first records stops the area, rejects nobody, and one request tries again', async () => {
  const world = await oneByOne(8);
  world.settings.guards.maxSameRefusals = 3;
  world.intercept = () => ({
    status: 422,
    body: { pesan: 'Validasi gagal', kesalahan: { npwp: ['wajib diisi'] } },
  });
  const first = await world.run();
  expect(first).toMatchObject({
    exitCode: 5,
    entities: { companies: { sent: 0, rejected: 0, pending: 8, error: { code: 'same-refusal' } } },
  });
  expect(unbalanced(first)).toEqual([]);
  expect(world.requests()).toHaveLength(3);
  expect(stops(world)).toMatchObject([
    { message: expect.stringMatching(/all with HTTP 422: npwp: wajib diisi/) as string },
  ]);
  expect(await world.explain('companies', 'c01')).toMatchObject({ status: 'pending' });
  expect(await world.run()).toMatchObject({
    exitCode: 5,
    entities: { companies: { rejected: 0, pending: 8 } },
  });
  expect(world.requests()).toHaveLength(1);

  // Now it is about one of them.
  world.intercept = ({ body }) =>
    (body as { name: string }).name === 'Company 2' ? { status: 422, body: { message: 'no' } } : undefined;
  expect(await world.run()).toMatchObject({
    exitCode: 3,
    entities: { companies: { sent: 8, accepted: 7, rejected: 1 } },
  });
});

test('as few as there are records stop the area alike, before anything was accepted', async () => {
  const world = await oneByOne(2);
  world.settings.guards.maxSameRefusals = 3;
  world.intercept = () => ({ status: 422, body: { message: 'npwp: wajib diisi' } });
  const report = await world.run();
  expect(report).toMatchObject({
    exitCode: 5,
    entities: { companies: { sent: 0, rejected: 0, pending: 2 } },
  });
  expect(unbalanced(report)).toEqual([]);
});

test.each([405, 415, 428])(
  '%i for everything stops the area with a setting, and rejects nobody',
  async (status) => {
    const world = await oneByOne(4);
    world.intercept = () => ({ status, body: { message: 'no' } });
    expect(await world.run()).toMatchObject({
      exitCode: 5,
      entities: { companies: { sent: 0, rejected: 0, pending: 4, error: { code: 'request-refused' } } },
    });
    expect(world.requests()).toHaveLength(1);
    expect(stops(world)).toMatchObject([
      { hint: expect.stringMatching(/platform\.(headers|operations|adapter)/) as string },
    ]);
  },
);

test('a 200 that says failure rejects its record while others pass, and stops the area when none does', async () => {
  const world = await oneByOne(30);
  const failed = {
    status: 200,
    body: { status: 'error', message: 'kuota penuh', by: 'siti@example.org, +62 812-3456-7890' },
  };
  world.intercept = ({ body }) => ((body as { name: string }).name === 'Company 2' ? failed : undefined);
  expect(await world.run()).toMatchObject({
    exitCode: 3,
    entities: { companies: { sent: 30, accepted: 29, rejected: 1 } },
  });
  expect(await world.explain('companies', 'c02')).toMatchObject({
    status: 'rejected',
    lastReply: {
      statusCode: 200,
      error: 'kuota penuh',
      body: '{"status":"error","message":"kuota penuh","by":"<email>, <number>"}',
    },
  });

  await world.sql("update company set about = 'edited' where id <> 'c02'");
  let passed = 0;
  world.intercept = () => ((passed += 1) > 1 ? failed : undefined);
  const report = await world.run();
  expect(unbalanced(report)).toEqual([]);
  expect(report).toMatchObject({
    exitCode: 5,
    entities: { companies: { accepted: 1, rejected: 0, error: { code: 'reply-not-understood' } } },
  });
});

test('a new mapping ends such a hold, and what was refused is sent again', async () => {
  const world = await oneByOne(5);
  world.settings.guards.maxRejectedInARow = 2;
  world.intercept = () => ({ status: 422, body: { message: 'unknown field' } });
  expect(await world.run()).toMatchObject({ exitCode: 4, entities: { companies: { rejected: 2 } } });
  world.intercept = null;
  const { companies } = world.blocks;
  if (companies) companies.sql += ' -- fixed';
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    entities: { companies: { sent: 5, accepted: 5, held: false } },
  });
});

test('after an acceptance refusals never hold the push', async () => {
  const world = await oneByOne(6);
  world.settings.guards.maxRejectedInARow = 2;
  world.intercept = ({ body }) =>
    (body as { name: string }).name === 'Company 1' ? undefined : { status: 422, body: { message: 'no' } };
  expect(await world.run()).toMatchObject({
    exitCode: 3,
    entities: { companies: { accepted: 1, rejected: 5, held: false } },
  });
});

test('a signal ends the run after what is under way, and the next run goes on', async () => {
  const world = await oneByOne(10);
  const controller = new AbortController();
  world.intercept = ({ path }) => {
    if (world.sandbox.requests().length >= 3 && path) controller.abort();
    return undefined;
  };
  const report = await world.run({ signal: controller.signal });
  expect(report).toMatchObject({ exitCode: 1, outcome: 'aborted' });
  expect(unbalanced(report)).toEqual([]);
  const { accepted = 0, pending = 0 } = report.entities.companies ?? {};
  expect(accepted).toBeGreaterThanOrEqual(3);
  expect(accepted + pending).toBe(10);
  expect(world.requests()).toHaveLength(accepted);
  world.intercept = null;
  expect(await world.run()).toMatchObject({ exitCode: 0, entities: { companies: { accepted: pending } } });
  expect(world.requests()).toHaveLength(pending);
});

test('the rate holds over everything that a run sends', async () => {
  const world = await createWorld();
  await addCompanies(world, 40);
  await addVacancies(world, 40);
  world.settings.jobs.ratePerSecond = 30;
  expect(await world.run()).toMatchObject({ exitCode: 0, entities: { vacancies: { accepted: 40 } } });
  const times = world.sandbox.requests().map(({ atMs }) => atMs);
  const most = Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length));
  expect(most).toBeLessThanOrEqual(30);
});

test('a run of every kind of trouble balances, and later runs bring everything home', async () => {
  const world = await createWorld();
  await addCompanies(world, 40);
  let count = 0;
  world.intercept = () => {
    count += 1;
    if (count % 5 === 0) return { status: 500, body: { message: 'broken' } };
    if (count % 7 === 0) return { drop: 'after' };
    if (count % 9 === 0) return { drop: 'before' };
    if (count % 11 === 0) return { status: 422, body: { message: 'no' } };
    if (count % 13 === 0) return { status: 429, headers: { 'Retry-After': '0' }, body: { message: 'slow' } };
    return undefined;
  };
  const report = await world.run();
  expect(unbalanced(report)).toEqual([]);
  expect(report).toMatchObject({ exitCode: 3, entities: { companies: { new: 40, sent: 40, error: null } } });

  world.intercept = null;
  await world.state.resendRequests.retry('companies', { preview: false, status: 'rejected', sinceMs: null });
  await expect.poll(async () => (await world.run()).outcome, { timeout: 60_000 }).toBe('complete');
  const names = Object.values(world.held<{ name: string }>('companies')).map(({ name }) => name);
  expect(new Set(names).size).toBe(40);
});

test('with fewer records than the breaker waits for, a warning says that the platform gave no good answer', async () => {
  const world = await createWorld();
  Object.assign(world.settings.retry, { breakerAfter: 10, baseDelayMs: 60_000, maxDelayMs: 60_000 });
  await addCompanies(world, 4);
  world.intercept = ({ body }) =>
    (body as { name: string }).name === 'Company 1' ? undefined : { status: 500 };
  const report = await world.run();
  expect(report).toMatchObject({ exitCode: 0, outcome: 'partial', entities: { companies: { deferred: 3 } } });
  expect(world.events.filter(({ type }) => type === 'warning')).toEqual([
    {
      type: 'warning',
      message: expect.stringMatching(
        /^3 records could not be sent and were put off. The last error: HTTP 500/,
      ) as string,
      hint: 'A later run tries again.',
    },
  ]);
});

test('another version that the platform names is reported once, also after a restart', async () => {
  const world = await oneByOne(3);
  let version = () => 'v1';
  const front = await startFront(
    world.sandbox.url,
    ofVersion(() => version()),
  );
  world.settings.jobs.baseUrl = front.url;
  const reported = () =>
    world.events.flatMap((event) =>
      event.type === 'platform-version' ? [[event.before, event.version]] : [],
    );
  const stored = async () => (await world.state.areaStates.read('jobs'))?.platformVersion;
  await world.run();
  expect([reported(), await stored()]).toEqual([[], 'v1']);

  version = () => 'v2\n';
  await world.sql(`update company set name = name || ' Tbk'`);
  await world.run();
  expect([reported(), await stored()]).toEqual([[['v1', 'v2']], 'v2']);
  await world.sql(`update company set name = name || ' Jaya'`);
  await world.run();
  expect([reported(), await stored()]).toEqual([[], 'v2']);

  // Two servers behind one address that answer in turn: each version is news once in a run.
  let count = 0;
  version = () => (count++ % 2 ? 'v2' : 'v3');
  await world.sql(`update company set name = name || ' Abadi'`);
  await world.run();
  expect(reported()).toEqual([['v2', 'v3']]);
});
