import { expect, test } from 'vitest';
import { addCompanies, block, createWorld, type World } from './world.js';

/** One vacancy for each of these, and what is said of it. */
const DOUBTFUL: readonly (readonly [string, string, string, string])[] = [
  ['quota', '2.5', 'quota', 'has a fraction and is rounded'],
  ['quota', '-1', 'quota', 'is negative'],
  ['min_salary_amount', '0', 'min_salary.amount', 'is 0, and job seekers see it as 0'],
  ['min_salary_amount', '9000000', 'min_salary.amount', 'is above max_salary.amount'],
  ['min_salary_currency', 'Rp', 'min_salary.currency', 'is not a currency code'],
  ['region_country_code', 'Singapura', 'region.country_code', 'is not a country code'],
  ['gender', 'Pria', 'gender', 'is not a word that the interface knows'],
  ['marital', 'kawin', 'marital', 'is not a word that the interface knows'],
  ['min_age', '50', 'min_age', 'is above max_age'],
  ['max_age', '999', 'max_age', 'is above 100'],
  ['skills', 'Public-Speaking', 'skills', 'must be lower-case snake_case'],
  ['expire_at', '2001-01-01', 'expire_at', 'is past while status is open'],
];

async function doubtfulWorld(): Promise<World> {
  const world = await createWorld();
  await addCompanies(world, 1);
  await world.sql(`create table job (key text, company_key text default 'c01', title text default 'Kasir', quota text,
    min_salary_currency text, min_salary_amount text default '3000000', max_salary_amount text default '5000000',
    region_id text, region_country_code text, gender text, marital text, min_age text, max_age text default '45',
    skills text, expire_at text, status text default 'open')`);
  for (const [index, [column, value]] of DOUBTFUL.entries())
    await world.sql(
      `insert into job (key, region_id, ${column}) values ($1, (select city from company), $2)`,
      [`v${String(index)}`, value],
    );
  await world.sql(
    `insert into job (key, gender, skills, expire_at) values ('good', 'male', 'k3,sim_b1', '2999-01-01')`,
  );
  world.blocks.vacancies = block('select * from job');
  return world;
}

const found = (world: World) =>
  world.events.flatMap((event) => (event.type === 'mapping-warnings' ? [event] : []));

test('every doubtful value is said by explain before anything is sent', async () => {
  const world = await doubtfulWorld();
  for (const [index, [column, value, field, message]] of DOUBTFUL.entries()) {
    const { status, issues, warnings } = await world.explain('vacancies', `v${String(index)}`);
    expect([status, issues], column).toEqual(['waiting', []]);
    expect(warnings, column).toMatchObject([
      { field, message: expect.stringContaining(message) as string, hint: expect.any(String) as string },
    ]);
    expect(warnings?.[0]?.value, column).toContain(value);
  }
  expect((await world.explain('vacancies', 'good')).warnings).toBeUndefined();
  expect(world.requests()).toEqual([]);
});

test('a sweep counts them by field and kind, also while the platform takes nothing', async () => {
  const world = await doubtfulWorld();
  world.intercept = () => ({ status: 401, body: { message: 'no' } });
  await world.run();
  expect(found(world)).toHaveLength(DOUBTFUL.length);
  for (const { entity, code, count, sample } of found(world)) {
    expect([entity, count]).toEqual(['vacancies', 1]);
    expect(['doubtful', 'word']).toContain(code);
    expect(sample).toMatch(/^v\d+: /);
  }
});

test('the strict rehearsal refuses those that the interface rules out, and takes the others', async () => {
  const world = await doubtfulWorld();
  const report = await world.run();
  expect(report).toMatchObject({
    exitCode: 3,
    entities: { vacancies: { sent: 13, accepted: 4, rejected: 9 } },
  });
  const { recordViews } = world.state;
  const accepted = await Promise.all(
    ['v0', 'v2', 'v11', 'good'].map(async (key) => (await recordViews.find('vacancies', key))?.status),
  );
  expect(accepted).toEqual(['synced', 'synced', 'synced', 'synced']);
  for (const key of DOUBTFUL.keys()) {
    const { status, warnings } = await world.explain('vacancies', `v${String(key)}`);
    expect(warnings?.[0]?.hint?.endsWith('A strict platform refuses it.'), `v${String(key)}`).toBe(
      status === 'rejected',
    );
  }
});
