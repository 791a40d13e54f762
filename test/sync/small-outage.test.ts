import { expect, test } from 'vitest';
import { addCompanies, createWorld, type World } from './world.js';

const AWAY = 'http://127.0.0.1:1';

/** Four records that the platform holds, and a change of each. */
async function changedWorld(): Promise<World> {
  const world = await createWorld();
  Object.assign(world.settings.retry, { maxAttempts: 2, baseDelayMs: 1, maxDelayMs: 1 });
  await addCompanies(world, 4);
  expect(await world.run()).toMatchObject({ exitCode: 0, outcome: 'complete' });
  await world.sql(`update company set about = 'changed'`);
  return world;
}

/** The platform under another address; what was learned about the former one is forgotten. */
async function moveTo(world: World, baseUrl: string): Promise<void> {
  world.settings.jobs.baseUrl = baseUrl;
  await world.adopt('keep');
  expect(await world.state.areaStates.all()).toEqual([]);
}

const lastSuccess = async (world: World) => (await world.status()).entities.companies?.lastSuccessAt;

test('a platform that is away stops the area, however few records there are, and every process can say so', async () => {
  const world = await changedWorld();
  const before = await lastSuccess(world);
  const { baseUrl } = world.settings.jobs;
  await moveTo(world, AWAY);
  const report = await world.run();
  expect(report).toMatchObject({
    exitCode: 5,
    outcome: 'aborted',
    entities: { companies: { changed: 4, sent: 4, deferred: 4, error: { code: 'breaker-open' } } },
  });
  expect(await world.status()).toMatchObject({
    entities: { companies: { synced: 0, lastSuccessAt: before } },
    stoppedAreas: [
      {
        area: 'jobs',
        code: 'breaker-open',
        message: expect.stringMatching(/^\d+ requests in a row/) as string,
      },
    ],
  });
  // The records are late since they changed, whether they are pending or deferred.
  expect((await world.status()).entities.companies?.oldestPendingAt).not.toBeNull();

  await moveTo(world, baseUrl);
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    outcome: 'complete',
    entities: { companies: { accepted: 4 } },
  });
  const after = await world.status();
  expect(after.stoppedAreas).toBeUndefined();
  expect(after.entities.companies).toMatchObject({ synced: 4, oldestPendingAt: null });
  expect(await lastSuccess(world)).not.toBe(before);
});

test.each([
  ['cannot be reached', null],
  ['answers 503 to everything', 503],
])('a record is never rejected because the platform %s, however often it is tried', async (_, status) => {
  const world = await changedWorld();
  const { baseUrl } = world.settings.jobs;
  if (status === null) await moveTo(world, AWAY);
  else world.intercept = () => ({ status, body: { message: 'down' } });
  for (let round = 0; round < 3; round += 1) {
    expect((await world.run()).exitCode).toBe(5);
    expect(await world.sql('select max(attempts) as most from placement_sync.sync_state')).toEqual([
      { most: 0 },
    ]);
  }
  if (status === null) await moveTo(world, baseUrl);
  world.intercept = null;
  expect(await world.run()).toMatchObject({ exitCode: 0, entities: { companies: { accepted: 4 } } });
});

test('failures in a row count across runs, and the row ends with an answer', async () => {
  const world = await changedWorld();
  Object.assign(world.settings.retry, { breakerAfter: 6, baseDelayMs: 60_000, maxDelayMs: 60_000 });
  world.settings.jobs.concurrency = 1;
  world.requests();
  world.intercept = () => ({ status: 503, body: { message: 'down' } });
  await world.run();
  expect(world.requests()).toHaveLength(4);
  // One each of two more runs make six.
  await world.run();
  await world.run();
  expect(world.requests()).toHaveLength(2);
  expect((await world.state.areaStates.read('jobs'))?.failuresInARow).toBe(6);
  world.intercept = null;
  await world.run();
  expect((await world.state.areaStates.read('jobs'))?.failuresInARow).toBe(0);
});

test('deferred records keep the last success back, also while the area answers others', async () => {
  const world = await changedWorld();
  Object.assign(world.settings.retry, { maxAttempts: 10, baseDelayMs: 60_000, maxDelayMs: 60_000 });
  const before = await lastSuccess(world);
  world.intercept = ({ body }) =>
    (body as { name: string }).name === 'Company 2'
      ? { status: 500, body: { message: 'cannot save' } }
      : undefined;
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    outcome: 'partial',
    entities: { companies: { deferred: 1 } },
  });
  // Nothing is due, but not everything is there.
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    outcome: 'partial',
    entities: { companies: { sent: 0 } },
  });
  expect(world.events.filter(({ type }) => type === 'warning')).toMatchObject([
    {
      message: expect.stringMatching(
        /^Records of companies could not be sent by an earlier run and are put off\. The last error: HTTP 500.*cannot save/,
      ) as string,
    },
  ]);
  expect(await lastSuccess(world)).toBe(before);
  const { since, ...deferral } = (await world.state.records.deferral('companies')) ?? {};
  expect(deferral).toEqual({ statusCode: 500, error: expect.stringMatching(/cannot save/) as string });
  expect(since).toBeInstanceOf(Date);
  expect((await world.status()).entities.companies).toMatchObject({
    deferred: 1,
    oldestPendingAt: since?.toISOString(),
  });
});

test('a record that fails alone, again and again, uses up an attempt only when the area has answered others in between', async () => {
  const world = await changedWorld();
  Object.assign(world.settings.retry, { maxAttempts: 3, baseDelayMs: 600_000, maxDelayMs: 600_000 });
  await world.run();
  world.intercept = ({ body }) =>
    (body as { name: string }).name === 'Company 2'
      ? { status: 500, body: { message: 'cannot save' } }
      : undefined;
  await world.sql(`update company set about = 'again' where id = 'c02'`);
  const attempts = async () => {
    await world.sql(
      `update placement_sync.sync_state set next_attempt_at = now() where key = 'c02' and next_attempt_at > now()`,
    );
    const { exitCode } = await world.run();
    const { attempts: used, status } = await world.explain('companies', 'c02');
    return { exitCode, used, status };
  };
  /** Another record is tried first, and the one that was blameless so far follows it at once. */
  const answered = async (about: string, counts: object) => {
    await world.sql(`update company set about = $1 where id = 'c03'`, [about]);
    expect((await world.run()).entities.companies).toMatchObject(counts);
  };
  expect(await attempts()).toEqual({ exitCode: 5, used: 0, status: 'deferred' });
  expect(await attempts()).toEqual({ exitCode: 5, used: 0, status: 'deferred' });
  await answered('one', { sent: 2, accepted: 1, deferred: 1 });
  expect(await attempts()).toEqual({ exitCode: 5, used: 2, status: 'deferred' });
  expect(await attempts()).toEqual({ exitCode: 5, used: 2, status: 'deferred' });
  await answered('two', { sent: 1, accepted: 1 });
  expect(await attempts()).toMatchObject({ used: 3, status: 'rejected' });
});
