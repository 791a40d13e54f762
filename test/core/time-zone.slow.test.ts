import { afterEach, expect, test } from 'vitest';
import { addCompanies, block, createWorld } from './world.js';

const zoneOfProcess = process.env.TZ;

afterEach(() => {
  if (zoneOfProcess === undefined) delete process.env.TZ;
  else process.env.TZ = zoneOfProcess;
});

async function heldUnder(zone: string): Promise<unknown> {
  process.env.TZ = zone;
  // The process does live in that zone now.
  expect(new Date(0).getTimezoneOffset() === 0).toBe(zone === 'UTC');
  const world = await createWorld();
  world.settings.sourceTimeZone = 'UTC';
  await addCompanies(world, 1);
  await world.sql(`create table deadline (day date, local timestamp, instant timestamptz)`);
  await world.sql(
    `insert into deadline values ('2027-03-14', '2027-03-14 18:30:00', '2027-03-14 18:30:00.123456+00')`,
  );
  const bodies: unknown[] = [];
  for (const column of ['day', 'local', 'instant']) {
    world.blocks.vacancies = block(
      `select 'one' as key, 'c01' as company_key, '${column}' as title, ${column} as expire_at from deadline`,
    );
    expect(await world.run()).toMatchObject({ exitCode: 0 });
    bodies.push(world.held('vacancies')[await world.idOf('vacancies', 'one')]);
  }
  return bodies;
}

test('dates are the same whatever zone the process lives in', { timeout: 120_000 }, async () => {
  const utc = await heldUnder('UTC');
  expect(utc).toMatchObject([
    { title: 'day', expire_at: '2027-03-14' },
    // 18:30 UTC is 01:30 of the next day in Jakarta.
    { title: 'local', expire_at: '2027-03-15' },
    { title: 'instant', expire_at: '2027-03-15' },
  ]);
  expect(await heldUnder('America/St_Johns')).toEqual(utc);
});
