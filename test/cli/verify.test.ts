import { expect, test } from 'vitest';
import { addCompanies, addVacancies, createCliWorld, type CliWorld } from './cli-world.js';

async function syncedWorld(): Promise<CliWorld> {
  const world = await createCliWorld();
  await addCompanies(world, 3);
  await addVacancies(world, 2);
  await world.run();
  world.sandbox.clearRequests();
  return world;
}

/** Loses the last company that the platform got. */
function loseOne(world: CliWorld): void {
  const last = world.sandbox.records('jobs', 'companies').at(-1);
  world.sandbox.forget('companies', last?.id ?? '');
}

const methods = (world: CliWorld) => world.sandbox.requests().map(({ method }) => method);

test('verify --json prints counts and differences, and exits 0 when all is as it was sent', async () => {
  const world = await syncedWorld();
  const { exitCode, stdout } = await world.cli('verify', '--json');
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    entities: {
      companies: { checked: 3, same: 3, drifted: 0, missing: 0 },
      vacancies: { checked: 2, same: 2, drifted: 0, missing: 0 },
    },
    drift: [],
  });
  expect(methods(world)).toEqual(Array.from({ length: 5 }, () => 'GET'));
});

test('verify exits 3 when something is missing, and 0 when --repair has sent it again', async () => {
  const world = await syncedWorld();
  loseOne(world);
  const found = await world.cli('verify', '--entity', 'companies', '--json', '--all');
  expect(found.exitCode).toBe(3);
  expect(JSON.parse(found.stdout)).toEqual({
    entities: { companies: { checked: 3, same: 2, drifted: 0, missing: 1 } },
    drift: [],
  });
  expect(found.stderr).toMatch(/companies c00\d is not at the platform/);
  world.sandbox.clearRequests();
  const repaired = await world.cli('verify', '--repair');
  expect(repaired.exitCode).toBe(0);
  expect(repaired.stdout).toContain('sent again');
  expect(methods(world).filter((method) => method === 'PUT')).toHaveLength(1);
  expect((await world.cli('verify')).exitCode).toBe(0);
});

test('verify --sample bounds what is read', async () => {
  const world = await syncedWorld();
  const { stdout } = await world.cli('verify', '--json', '--sample', '1');
  expect(JSON.parse(stdout)).toMatchObject({
    entities: { companies: { checked: 1 }, vacancies: { checked: 1 } },
  });
});

test.each([
  [['--sample', '3', '--all'], '--sample cannot be combined with --all'],
  [['--sample', '0'], '--sample must be at least 1'],
  [['--sample', 'few'], 'Expected a whole number'],
  [['--entity', 'trainings'], 'trainings: not in the configuration'],
])('verify %j is refused with exit code 2', async (args, message) => {
  const world = await createCliWorld();
  const { exitCode, stdout, stderr } = await world.cli('verify', '--json', ...args);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
});

test('verify with the wrong secret exits 5 and still prints its JSON', async () => {
  const world = await syncedWorld();
  world.env.CLIENT_SECRET = 'wrong';
  const { exitCode, stdout } = await world.cli('verify', '--json');
  expect(exitCode).toBe(5);
  expect(JSON.parse(stdout)).toMatchObject({ entities: { companies: { checked: 0 } }, drift: [] });
});

test('verify keeps to its share of the rate', async () => {
  const world = await syncedWorld();
  world.configure('ratePerSecond: null', 'ratePerSecond: 10');
  world.configure('state: { leaseTtl: 8s }', 'state: { leaseTtl: 8s }\nverify: { sharePercent: 20 }');
  const { exitCode } = await world.cli('verify', '--entity', 'companies');
  expect(exitCode).toBe(0);
  const times = world.sandbox.requests().map(({ at }) => Date.parse(at));
  expect(times).toHaveLength(3);
  // Two a second: the third comes a second after the first.
  expect((times[2] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
});
