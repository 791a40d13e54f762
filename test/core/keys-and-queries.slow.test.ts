import { v5 } from 'uuid';
import { expect, test } from 'vitest';
import { addCompanies, addVacancies, block, CITY, createWorld, unbalanced } from './world.js';

const UUID = '7A1F6C2E-0B5D-4E7A-9C3B-1D2E3F405162';

test('keys of any type live in one installation: UUIDs, whole numbers, padded text and astral characters', async () => {
  const world = await createWorld();
  await world.sql(`create table padded (id char(8), n bigint, name text)`);
  await world.sql(`insert into padded values ('AB', 9007199254740993, 'padded'), ('CD', 2, 'padded too')`);
  await world.sql(
    `insert into company (id, name) values ($1, 'uuid'), ('Ａ', 'wide'), ('😀', 'astral'), ('é', 'accent')`,
    [UUID],
  );
  world.blocks.companies = block(`select id as key, name, city as region_id from company
    union all select id::text, name, '${CITY}' from padded`);
  world.blocks.vacancies = block(`select n as key, id as company_key, name as title from padded`);

  const first = await world.run();
  expect(first).toMatchObject({ exitCode: 0, outcome: 'complete' });
  expect(first.entities).toMatchObject({
    companies: { read: 6, accepted: 6 },
    vacancies: { read: 2, accepted: 2 },
  });
  const { namespace } = world.settings;
  expect(world.held('companies')).toHaveProperty(UUID.toLowerCase());
  expect(Object.keys(world.held('vacancies')).sort()).toEqual(
    ['2', '9007199254740993'].map((key) => v5(`vacancies:${key}`, namespace)).sort(),
  );
  expect(await world.idOf('companies', 'AB')).toBe(v5('companies:AB', namespace));
  world.requests();

  await world.sql(`update company set name = 'edited' where id in ('Ａ', '😀')`);
  const second = await world.run();
  expect(second.entities.companies).toMatchObject({ read: 6, changed: 2, unchanged: 4, sent: 2 });
});

test('a UUID key in another case is the same record also where leaving the source means nothing', async () => {
  const world = await createWorld();
  world.blocks.companies!.onVanished = 'ignore';
  await addCompanies(world, 3);
  await world.sql(`insert into company (id, name) values ($1, 'Same')`, [UUID]);
  await world.run();
  world.requests();

  await world.sql(`update company set id = lower(id) where id = $1`, [UUID]);
  await world.sql(`delete from company where id = 'c02'`);
  const report = await world.run();
  expect(report).toMatchObject({
    exitCode: 0,
    entities: { companies: { read: 3, unchanged: 2, new: 0, vanished: 0, changed: 1, error: null } },
  });
  expect(unbalanced(report)).toEqual([]);
  expect(world.requests()).toEqual([]);
  expect(await world.sql('select key from placement_sync.sync_state order by key')).toMatchObject([
    { key: UUID.toLowerCase() },
    { key: 'c01' },
    { key: 'c02' },
    { key: 'c03' },
  ]);

  // Both spellings at once are one record that is returned twice.
  await world.sql(`insert into company (id, name) values ($1, 'Same')`, [UUID]);
  expect(await world.run()).toMatchObject({
    exitCode: 1,
    entities: { companies: { error: { code: 'duplicate-key' } } },
  });
});

test('a source without rows is a complete run', async () => {
  const world = await createWorld();
  expect(await world.run()).toMatchObject({
    outcome: 'complete',
    exitCode: 0,
    entities: { companies: { read: 0, new: 0 } },
  });
  expect(world.requests()).toEqual([]);
});

const FAILURES: [name: string, sql: string, code: string, said: RegExp][] = [
  [
    'a query that fails half-way',
    `select id as key, name, city as region_id, (1 / (case id when 'c03' then 0 else 1 end))::text as about from company`,
    'query-failed',
    /division by zero/,
  ],
  [
    'a duplicate key',
    'select id as key, name, city as region_id from company cross join generate_series(1, 2)',
    'duplicate-key',
    /c01/,
  ],
  [
    'two spellings of one UUID',
    `select '${UUID}' as key, 'a' as name, '${CITY}' as region_id union all select lower('${UUID}'), 'a', '${CITY}'`,
    'duplicate-key',
    /platform id/,
  ],
  [
    'a key that no index holds',
    `select case when id = 'c02' then (select string_agg(md5(n::text), '') from generate_series(1, 100) n) else id end as key,
       name, city as region_id from company`,
    'column-contract',
    /the key of companies has more than 500 bytes/,
  ],
];

test.each(FAILURES)('%s fails its entity only, and nothing vanishes', async (_name, sql, code, said) => {
  const world = await createWorld();
  await addCompanies(world, 3);
  await addVacancies(world, 1);
  await world.run();
  const good = world.blocks.companies;
  world.blocks.companies = block(sql);
  await world.sql(`update vacancy set title = 'Edited'`);

  const report = await world.run();
  expect(report).toMatchObject({ exitCode: 1, outcome: 'failed' });
  expect(report.entities.companies).toMatchObject({ error: { code }, vanished: 0, sent: 0 });
  expect(report.entities.companies?.error?.message).toMatch(said);
  expect(report.entities.vacancies).toMatchObject({ error: null, changed: 1, accepted: 1 });

  if (good) world.blocks.companies = good;
  const fixed = await world.run();
  expect(fixed).toMatchObject({ exitCode: 0, outcome: 'complete' });
  expect(fixed.entities.companies).toMatchObject({ unchanged: 3, vanished: 0, sent: 0 });
});
