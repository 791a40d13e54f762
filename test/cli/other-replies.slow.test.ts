import { expect, test, vi } from 'vitest';
import { type Asked, type OtherPlatform, type Said, startOtherPlatform } from '../core/other-worlds.js';
import { knowingLate } from '../servers/front.js';
import { addCompanies, addVacancies, createCliWorld, type CliWorld } from './cli-world.js';

vi.setConfig({ testTimeout: 60_000 });

const isVacancy = ({ path }: Asked) => path.includes('/jobs/');
const okay = (asked: Asked): Said => ({
  status: 200,
  body: { data: { id: `p-${asked.number}`, reference: `r-${asked.number}` }, meta: { version: 'v1' } },
});

async function worldAt(
  answer: OtherPlatform['answer'],
): Promise<{ world: CliWorld; platform: OtherPlatform }> {
  const world = await createCliWorld();
  // What had no reply that is understood is confirmed after twice the time-out: after the test.
  world.configure('timeout: 5s', 'timeout: 2m');
  const platform = await startOtherPlatform(answer);
  world.env.BASE_URL = platform.url;
  await addCompanies(world, 2);
  await addVacancies(world, 2);
  return { world, platform };
}

/** An adapter whose `reply` has this body. */
function adapt(world: CliWorld, lines: string): void {
  world.write('adapter.mjs', `export default { reply(reply, about) { ${lines} } };\n`);
  world.configure('platform:\n', 'platform:\n  adapter: adapter.mjs\n');
}

/** The `employer.id` that the platform holds of each vacancy. */
function employers({ held }: OtherPlatform): unknown[] {
  return [...held.values()].flatMap(({ employer }) => (employer ? [(employer as { id: unknown }).id] : []));
}

test.each<[string, (asked: Asked) => Said, unknown]>([
  [
    'a reference that is a whole number',
    ({ number }) => ({ status: 200, body: { data: { reference: number } } }),
    1,
  ],
  [
    'a reference of more digits than a number holds',
    ({ number }) => ({ status: 200, body: `{"data":{"reference":1234567890123456780${number}}}` }),
    '12345678901234567801',
  ],
  [
    'no reference of a vacancy',
    (asked) => (isVacancy(asked) ? { status: 200, body: { data: { id: 'v' } } } : okay(asked)),
    'r-1',
  ],
])('%s needs no adapter', async (_, answer, reference) => {
  const { world, platform } = await worldAt(answer);
  expect(await world.run()).toMatchObject({
    code: 0,
    outcome: 'complete',
    entities: { companies: { accepted: 2 }, vacancies: { accepted: 2 } },
  });
  expect(employers(platform)).toEqual([reference, reference]);
  platform.requests();
  expect(await world.run()).toMatchObject({ code: 0, entities: { companies: { unchanged: 2, sent: 0 } } });
  expect(platform.requests()).toEqual([]);
});

test('the summary of a run and the status name the missing part and the line of the adapter once', async () => {
  const { world } = await worldAt(() => ({ status: 200, body: { data: { id: 'x', number: 7 } } }));
  for (const { stdout } of [await world.cli('run'), await world.cli('status')]) {
    expect(stdout.match(/data\.reference is missing/g), stdout).toHaveLength(1);
    expect(stdout.match(/return \{ accepted: \{ reference \} \}/g), stdout).toHaveLength(1);
    expect(stdout).toContain("Stopped: the platform's replies are not understood (HTTP 200).");
    expect(stdout).not.toMatch(/does not answer|unreachable|signal|seems to be down/);
  }
});

test('replies to vacancies that are not understood stop the area although those to companies are', async () => {
  const { world, platform } = await worldAt((asked) => (isVacancy(asked) ? { status: 204 } : okay(asked)));
  const first = await world.run();
  expect(first).toMatchObject({
    code: 5,
    entities: {
      companies: { accepted: 2 },
      vacancies: { deferred: 2, error: { code: 'reply-not-understood' } },
    },
  });
  expect(first.entities.vacancies?.error?.message).toContain('if (reply.status === 204)');
  adapt(world, 'if (reply.status === 204) return { accepted: {} };');
  platform.requests();
  expect(await world.run()).toMatchObject({ code: 0, entities: { vacancies: { accepted: 2 } } });
  expect(platform.requests()).toHaveLength(2);
});

test('adopt takes the reference over as the adapter says, and the first vacancy is sent with it', async () => {
  const region = { regionable_type: 'city', regionable_id: '8a4c0d52-3a52-4f0e-9f0c-6d8f6f8f1c11' };
  const { world, platform } = await worldAt((asked) => {
    if (asked.method === 'PUT') return { status: 201, body: { data: { number: 7 } } };
    if (isVacancy(asked)) return { status: 404, body: {} };
    return { status: 200, body: { data: { employer: { name: 'PT Contoh', region, number: asked.number } } } };
  });
  await world.sql(`update company set name = 'PT Contoh'`);
  const without = await world.cli('adopt', '--json');
  expect(JSON.parse(without.stdout)).toMatchObject({ entities: { companies: { checked: 0, adopted: 0 } } });
  adapt(
    world,
    `const { number, employer } = reply.json?.data ?? {};
    if (number) return { accepted: { reference: number } };
    if (employer) return { found: { employer: { ...employer, reference: employer.number } } };`,
  );
  expect(JSON.parse((await world.cli('adopt', '--json')).stdout)).toMatchObject({
    entities: { companies: { checked: 2, adopted: 2 } },
  });
  platform.requests();
  expect(await world.run()).toMatchObject({
    code: 0,
    entities: { companies: { sent: 0 }, vacancies: { accepted: 2 } },
  });
  expect(platform.requests()).toHaveLength(2);
  const [first, second] = employers(platform);
  expect(first).toBeTypeOf('number');
  expect(second).toBe(first);
});

test('vacancies wait until the platform knows their new company everywhere, and a run waits for them', async () => {
  const late = async (settings: string) => {
    const world = await createCliWorld();
    world.configure('companies: { query: companies.sql }', `companies: { query: companies.sql${settings} }`);
    world.intercept = knowingLate(world.sandbox, 1_500);
    await addCompanies(world, 2);
    await addVacancies(world, 5);
    return world;
  };
  const hasty = await late('');
  expect(await hasty.run()).toMatchObject({ code: 5, entities: { vacancies: { accepted: 0 } } });

  const world = await late(', settleAfter: 2s');
  expect(await world.run()).toMatchObject({
    code: 0,
    entities: { companies: { accepted: 2 }, vacancies: { sent: 5, accepted: 5, rejected: 0 } },
  });
  // A company that was accepted long ago keeps nothing waiting.
  await world.sql(`update company set about = 'news' where id = 'c002'`);
  await world.sql(
    `insert into vacancy (id, company_id, title) values ('v9', 'c002', 'Late'), ('v8', 'c001', 'Soon')`,
  );
  expect(await world.run()).toMatchObject({ code: 0, entities: { vacancies: { accepted: 2 } } });
  const [waited] = await world.sql<{ soon: number; late: number }>(
    `select extract(epoch from (select acknowledged_at from placement_sync.sync_state where key = 'v8') - c.acknowledged_at)::float as soon,
       extract(epoch from (select acknowledged_at from placement_sync.sync_state where key = 'v9') - c.acknowledged_at)::float as late
     from placement_sync.sync_state c where c.key = 'c002'`,
  );
  expect(waited?.late).toBeGreaterThanOrEqual(2);
  expect(waited?.soon).toBeLessThan(waited?.late ?? 0);
});

test('warnings beside a success are kept and shown by explain, until the record is accepted without any', async () => {
  const body = { data: { id: 'p-1', reference: 'r-1' }, warnings: ['skill ignored, ask ani@example.com'] };
  const { world, platform } = await worldAt(() => ({ status: 200, body }));
  expect(await world.run()).toMatchObject({ code: 0, entities: { companies: { accepted: 2 } } });
  const explained = (await world.cli('explain', 'companies', 'c001')).stdout;
  expect(explained).toContain('companies c001 is synced');
  expect(explained).toContain('skill ignored, ask <email>');
  platform.answer = okay;
  await world.cli('resync', '--entity', 'companies', '--key', 'c001');
  const quiet = (await world.cli('explain', 'companies', 'c001', '--json')).stdout;
  expect(JSON.parse(quiet)).toMatchObject({ status: 'synced', lastReply: { statusCode: 200, body: null } });
});
