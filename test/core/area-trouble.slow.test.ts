import { expect, test } from 'vitest';
import { readStatus } from '../../src/features/look/read-status.js';
import { ofVersion, startFront } from '../servers/front.js';
import { addCompanies, createWorld, unbalanced, type World } from './world.js';

/** One request at a time, so that the first reply is seen before the second request. */
async function oneByOne(companies: number): Promise<World> {
  const world = await createWorld();
  await addCompanies(world, companies);
  world.settings.jobs.concurrency = 1;
  return world;
}

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
