import { expect, test } from 'vitest';
import { addCompanies, addVacancies, createCliWorld } from './cli-world.js';

test('adopt --json builds the ledger from what the platform holds, and the next run sends nothing', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 3);
  await addVacancies(world, 2);
  await world.run();
  await world.sql('truncate placement_sync.sync_state, placement_sync.entity_state');
  world.sandbox.clearRequests();

  const { exitCode, stdout, stderr } = await world.cli('adopt', '--json');
  expect(stderr).not.toContain('error');
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    entities: {
      companies: { checked: 3, adopted: 3, different: 0, missing: 0 },
      vacancies: { checked: 2, adopted: 2, different: 0, missing: 0 },
    },
  });
  expect(new Set(world.sandbox.requests().map(({ method }) => method))).toEqual(new Set(['GET']));
  world.sandbox.clearRequests();
  expect(await world.run()).toMatchObject({ code: 0, entities: { companies: { unchanged: 3, sent: 0 } } });
  expect(world.sandbox.requests()).toEqual([]);
});

test('adopt of one entity asks for that one only, and prints a table', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 2);
  await addVacancies(world, 2);
  const { exitCode, stdout } = await world.cli('adopt', '--entity', 'companies');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/companies +2 +0 +0 +2/);
  expect(stdout).toContain('Nothing was sent');
  expect(world.sandbox.requests()).toHaveLength(2);
});

test('adopt without a state database exits 1 and still prints its JSON', async () => {
  const world = await createCliWorld();
  world.configure('state: { leaseTtl: 8s }', 'state: { url: "postgres://nobody@127.0.0.1:1/none" }');
  const { exitCode, stdout } = await world.cli('adopt', '--json');
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toEqual({ entities: {} });
});

test.each([
  [['--keep']],
  [['--environment', '--keep', '--json']],
  [['--environment', '--keep', '-e', 'companies']],
])('adopt %j is refused with exit code 2', async (args) => {
  const world = await createCliWorld();
  const { exitCode, stderr } = await world.cli('adopt', ...args);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('adopt --environment --keep');
});
