import { expect, test } from 'vitest';
import { addCompanies, block, CITY, createWorld } from './world.js';

test.each([
  ['a whole number', 'integer', '3', 3],
  ['a number with a fraction', 'numeric(6,2)', '2.50', 2.5],
  ['text', 'text', '3', '3'],
  ['jsonb', 'jsonb', '{"min": 2, "unit": "years"}', { min: 2, unit: 'years' }],
  ['a boolean', 'boolean', 'true', true],
])(
  'the experience that is asked for reaches the platform as %s, and is read back as that',
  async (_, type, value, sent) => {
    const world = await createWorld();
    await addCompanies(world, 1);
    await world.sql(`create table job (id text, company_id text, experience ${type})`);
    await world.sql(`insert into job values ('v1', 'c01', $1), ('v2', 'c01', null)`, [value]);
    world.blocks.vacancies = block(
      `select id as key, company_id as company_key, 'Kasir' as title, experience as min_experience from job`,
    );
    expect(await world.run()).toMatchObject({ exitCode: 0, entities: { vacancies: { accepted: 2 } } });
    expect(Object.values(world.held('vacancies'))).toMatchObject([
      { min_experience: sent },
      { min_experience: null },
    ]);
    expect((await world.verify({ only: ['vacancies'] })).report).toMatchObject({
      entities: { vacancies: { checked: 2, same: 2, drifted: 0 } },
    });
    world.requests();
    await world.run();
    expect(world.requests()).toEqual([]);
  },
);

test('a country code without a region id is counted and named in the log, beside more frequent warnings', async () => {
  const world = await createWorld();
  await addCompanies(world, 1);
  await world.sql('create table job (id text, country text, region text, salary text)');
  await world.sql(
    `insert into job values ('v1', null, $1, '0'), ('v2', null, $1, '0'), ('v3', 'SG', null, '0'), ('v4', 'SG', $1, '3000000')`,
    [CITY],
  );
  world.blocks.vacancies = block(
    `select id as key, 'c01' as company_key, 'Kasir' as title, region as region_id,
       country as region_country_code, salary as min_salary_amount from job`,
  );
  expect(await world.run()).toMatchObject({ exitCode: 0, entities: { vacancies: { accepted: 4 } } });
  expect(world.events.filter(({ type }) => type === 'mapping-warnings')).toEqual([
    {
      type: 'mapping-warnings',
      entity: 'vacancies',
      field: 'min_salary.amount',
      code: 'doubtful',
      hint: expect.any(String) as string,
      count: 3,
      sample: expect.stringMatching(/^v1: /) as string,
    },
    {
      type: 'mapping-warnings',
      entity: 'vacancies',
      field: 'region.country_code',
      code: 'doubtful',
      hint: expect.any(String) as string,
      count: 1,
      sample:
        'v3: region.country_code is not sent, because the region has no id (column region_country_code)',
    },
  ]);
});
