import { expect, test } from 'vitest';
import { addCompanies, createWorld, FARMING, MINING, unbalanced } from './world.js';

test('an invalid row says which field, which value and why; the others are sent, now and on the next run', async () => {
  const world = await createWorld();
  await addCompanies(world, 3);
  await world.sql(`update company set industry = 'no-uuid' where id = 'c02'`);

  const first = await world.run();
  expect(first).toMatchObject({
    exitCode: 3,
    entities: { companies: { read: 3, new: 2, invalid: 1, accepted: 2 } },
  });
  expect(unbalanced(first)).toEqual([]);
  expect(await world.explain('companies', 'c02')).toMatchObject({
    status: 'invalid',
    issues: [{ field: 'industry', value: 'no-uuid', message: expect.stringMatching(/UUID/) as string }],
    payload: null,
    desiredHash: null,
  });

  world.requests();
  const second = await world.run();
  expect(second).toMatchObject({
    exitCode: 3,
    entities: { companies: { read: 3, unchanged: 2, invalid: 1, sent: 0 } },
  });
  expect(unbalanced(second)).toEqual([]);
  expect(world.requests()).toEqual([]);

  await world.sql(`update company set industry = null where id = 'c02'`);
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    entities: { companies: { invalid: 0, changed: 1, accepted: 1 } },
  });
});

test('a code without an entry names the code and the file; adding it sends the record', async () => {
  const world = await createWorld();
  const [companies] = [world.blocks.companies];
  if (!companies) throw new Error('no block');
  companies.lookups = { industry: `code,id\nfarm,${FARMING}\nundecided,\n` };
  await addCompanies(world, 3);
  await world.sql(
    `update company set industry = case id when 'c01' then ' FARM ' when 'c02' then 'mine' else 'undecided' end`,
  );

  expect(await world.run()).toMatchObject({
    exitCode: 3,
    entities: { companies: { invalid: 2, accepted: 1 } },
  });
  const { issues } = await world.explain('companies', 'c02');
  expect(issues).toMatchObject([{ field: 'industry', code: 'unmapped', value: 'mine' }]);
  expect(issues[0]?.message).toMatch(/mine.*reference\/industry\.csv/);
  expect((await world.explain('companies', 'c03')).issues).toMatchObject([{ code: 'undecided' }]);
  world.requests();

  companies.lookups = { industry: `code,id\nfarm,${FARMING}\nundecided,-\nmine,${MINING}\n` };
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    entities: { companies: { unchanged: 1, changed: 2, accepted: 2 } },
  });
  expect(world.sentIds()).toHaveLength(2);
  expect(world.held('companies')[await world.idOf('companies', 'c02')]).toMatchObject({ industry: MINING });
  expect(world.held('companies')[await world.idOf('companies', 'c03')]).not.toHaveProperty('industry');
});

test('a record that becomes invalid stays at the platform as it is, and comes back when it is corrected', async () => {
  const world = await createWorld();
  await addCompanies(world, 2);
  await world.run();
  world.requests();
  await world.sql(`update company set name = ' ' where id = 'c01'`);

  expect(await world.run()).toMatchObject({
    exitCode: 3,
    entities: { companies: { invalid: 1, unchanged: 1, sent: 0 } },
  });
  expect(world.held('companies')[await world.idOf('companies', 'c01')]).toMatchObject({ name: 'Company 1' });

  await world.sql(`update company set name = 'Company 1' where id = 'c01'`);
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    entities: { companies: { invalid: 0, changed: 1, sent: 0 } },
  });
  expect(world.requests()).toEqual([]);
});

test('a column that is nested without end makes its record invalid, which can be explained; the others are sent', async () => {
  const world = await createWorld();
  await addCompanies(world, 2);
  const { companies } = world.blocks;
  if (!companies) throw new Error('companies has no block');
  const deep = `case id when 'c01' then (repeat('[', 9000) || repeat(']', 9000))::json end as about`;
  companies.sql = companies.sql.replace('about', deep);
  expect(await world.run()).toMatchObject({
    exitCode: 3,
    entities: { companies: { read: 2, new: 1, invalid: 1, accepted: 1 } },
  });
  const explained = await world.explain('companies', 'c01');
  expect(explained).toMatchObject({ status: 'invalid', issues: [{ field: 'about', value: '…' }] });
  expect(JSON.stringify(explained)).toContain('nested too deeply');
});
