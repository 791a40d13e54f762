import { expect, test } from 'vitest';
import type { PlanFindings } from '../../../src/features/plan/plan-sync.js';
import type { RunReport } from '../../../src/core/run/end.js';
import { addCompanies, block, CITY, createWorld, type World } from '../../core/world.js';

const COMPANIES = 'select id as key, name, city as region_id from company';

/** 20 companies, and 60 vacancies of them in turn; companies 19 and 20 are in a city without id. */
async function createJobWorld(): Promise<World> {
  const world = await createWorld();
  world.settings.guards.maxInvalidPercent = 100;
  world.blocks.companies = { ...block(COMPANIES), lookups: { region_id: `code,id\nBogor,${CITY}\n` } };
  await addCompanies(world, 20);
  await world.sql(`update company set city = 'Bogor'`);
  await world.sql(`create table job (key int, company_key text, title text, gender text default 'female',
    marital text default 'single', skills text default 'k3,sim_b1')`);
  await world.sql(`insert into job (key, company_key, title)
    select n, 'c' || lpad(cast(1 + n % 20 as text), 2, '0'), 'Job ' || n from generate_series(1, 60) n`);
  world.blocks.vacancies = block('select * from job');
  return world;
}

const foretold = ({ entities }: PlanFindings) =>
  Object.entries(entities).map(([name, { pending, waiting, invalid }]) => ({
    name,
    sent: pending,
    waiting,
    invalid,
  }));

const done = ({ entities }: RunReport) =>
  Object.entries(entities).map(([name, { sent, waiting, invalid }]) => ({ name, sent, waiting, invalid }));

/** Records with a word that the interface does not know, as the plan counts them. */
const wordsOf = ({ groups }: PlanFindings) =>
  groups.filter(({ code }) => code === 'word').map(({ field, count }) => [field, count]);

test('of broken words the plan foretells what goes, what waits, what is invalid, and what the strict platform refuses', async () => {
  const world = await createJobWorld();
  await world.sql(`update company set city = 'Surabaya' where id in ('c19', 'c20')`);
  await world.sql(`update job set gender = 'Pria' where key in (1, 2, 3)`);
  await world.sql(`update job set marital = 'kawin' where key in (4, 5)`);
  await world.sql(`update job set skills = 'Public-Speaking' where key between 6 and 12`);
  await world.sql(`update job set title = null where key = 40`);
  // Of a company that is invalid: it waits, so nothing is refused yet.
  await world.sql(`update job set gender = 'Wanita' where key = 18`);
  const plan = await world.plan();
  expect(wordsOf(plan)).toEqual([
    ['skills', 7],
    ['gender', 4],
    ['marital', 2],
  ]);
  const run = await world.run();
  expect(done(run)).toEqual(foretold(plan));
  const inWords = wordsOf(plan).reduce((sum, [, count]) => sum + Number(count), 0);
  expect(run.entities).toMatchObject({
    companies: { sent: 18, accepted: 18, rejected: 0, invalid: 2 },
    vacancies: { sent: 53, accepted: 53 - (inWords - 1), rejected: inWords - 1, waiting: 6, invalid: 1 },
  });

  // Refused records are not foretold as going again; with correct words they are, and are taken.
  expect((await world.plan()).actions).toMatchObject({ create: 0, update: 0, before: 0, waiting: 6 });
  await world.sql(
    `update job set gender = 'male', marital = 'married', skills = 'public_speaking' where key <= 18`,
  );
  const corrected = await world.plan();
  expect(wordsOf(corrected)).toEqual([]);
  const again = await world.run();
  expect(done(again)).toEqual(foretold(corrected));
  expect(again.entities.vacancies).toMatchObject({ rejected: 0, waiting: 6 });
});
