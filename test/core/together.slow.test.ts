import { expect, test } from 'vitest';
import { addCompanies, addVacancies, createWorld } from './world.js';

test('a lease whose holder died ends by itself', async () => {
  const world = await createWorld();
  await addCompanies(world, 1);
  await world.state.leases.acquire('push', 'dead', 400);
  expect(await world.run()).toMatchObject({ exitCode: 6 });
  await expect.poll(async () => (await world.run()).exitCode, { timeout: 60_000 }).toBe(0);
});

test('another address, client or namespace is refused before anything is sent', async () => {
  const world = await createWorld();
  await addCompanies(world, 2);
  await world.run();
  await world.sql(`update company set about = 'edited'`);
  world.requests();
  const { baseUrl, clientId } = world.settings.jobs;
  const { namespace } = world.settings;
  const refused = { name: 'SyncError', code: 'environment-changed', scope: 'usage' };

  world.settings.jobs.baseUrl = baseUrl.replace('127.0.0.1', 'localhost');
  await expect(world.run()).rejects.toMatchObject({
    ...refused,
    message: expect.stringContaining('localhost') as string,
  });
  await expect(world.resync()).rejects.toMatchObject(refused);
  world.settings.jobs.baseUrl = baseUrl;
  world.settings.jobs.clientId = 'another';
  await expect(world.run()).rejects.toMatchObject({
    ...refused,
    message: expect.stringContaining('another') as string,
  });
  world.settings.jobs.clientId = clientId;
  world.settings.namespace = '00000000-0000-4000-8000-000000000000';
  await expect(world.run()).rejects.toMatchObject({
    ...refused,
    message: expect.stringContaining('namespace') as string,
    // `--keep` would be refused.
    hint: expect.not.stringContaining('--keep') as string,
  });
  expect(world.requests()).toEqual([]);

  world.settings.namespace = namespace.toUpperCase();
  world.settings.jobs.baseUrl = `${baseUrl}/`;
  expect(await world.run()).toMatchObject({ exitCode: 0, entities: { companies: { accepted: 2 } } });
});

test('adopt waits for no run: while one holds the lease it is refused as busy', async () => {
  const world = await createWorld();
  await world.state.leases.acquire('sweep', 'somebody', 10_000);
  await expect(world.adopt('keep')).rejects.toMatchObject({
    code: 'busy',
    message: expect.stringContaining('somebody') as string,
  });
});

test('a push without a sweep needs the push lease alone', async () => {
  const world = await createWorld();
  await addCompanies(world, 2);
  world.intercept = () => ({ status: 401 });
  await world.run();
  world.intercept = null;
  await world.state.leases.acquire('sweep', 'another', 60_000);
  expect(await world.run()).toMatchObject({ exitCode: 6 });
  expect(await world.run({ pushOnly: true })).toMatchObject({
    exitCode: 0,
    entities: { companies: { accepted: 2 } },
  });
});

test('another namespace cannot be kept; after a reset nothing is sent under the old ids, also when the next sweep fails', async () => {
  const world = await createWorld();
  await addCompanies(world, 2);
  await world.run();
  const before = Object.keys(world.held('companies'));
  world.settings.namespace = '11111111-2222-4333-8444-555555555555';
  await expect(world.adopt('keep')).rejects.toMatchObject({ name: 'SyncError', code: 'usage' });
  await world.adopt('reset');
  world.requests();
  const { sql } = world.blocks.companies!;
  world.blocks.companies!.sql = 'select broken';
  await world.run();
  expect(world.requests()).toEqual([]);
  world.blocks.companies!.sql = sql;
  expect(await world.run()).toMatchObject({ exitCode: 0, entities: { companies: { new: 2, accepted: 2 } } });
  expect(world.sentIds().filter((id) => before.includes(id))).toEqual([]);
});

test('a reset also forgets entities that are not configured just now', async () => {
  const world = await createWorld();
  await addCompanies(world, 1);
  await addVacancies(world, 1);
  await world.run();
  const { vacancies } = world.blocks;
  delete world.blocks.vacancies;
  world.settings.jobs.baseUrl = world.settings.jobs.baseUrl.replace('127.0.0.1', 'localhost');
  await world.adopt('reset');
  world.blocks.vacancies = vacancies!;
  world.requests();
  expect(await world.run()).toMatchObject({ entities: { vacancies: { sent: 1, accepted: 1 } } });
});
