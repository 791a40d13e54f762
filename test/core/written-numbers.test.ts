import { expect, test } from 'vitest';
import { wholeNumber } from '../../src/core/entities/values.js';
import { createTestDatabase } from '../postgres/test-database.js';
import { addCompanies, block, createWorld, TRAINING_BLOCKS, type World } from './world.js';

const WRITTEN = [
  '750.000',
  '1.000',
  '-7.500',
  '5.000.000',
  '4,500,000',
  '4,500',
  '1 000',
  '1\u00a0000',
  '1\u2009000',
  "1'000",
  '1’000',
  'Rp 750.000',
  'Rp. 750.000,-',
  '750.000,00',
  '4,500.00',
];

async function trainingWorld(price: string): Promise<World> {
  const world = await createWorld();
  Object.assign(world.blocks, {
    institutions: TRAINING_BLOCKS.institutions(),
    trainings:
      block(`select id as key, institution_id as institution_key, title, ${price} as price from training,
      lateral (select '750.000'::text as words) w`),
  });
  await world.sql(`insert into institution values ('i', 'BLK')`);
  await world.sql(`insert into training values ('t', 'i', 'Las', 5)`);
  return world;
}

test('text with digit groups makes its record invalid in every number column, and the others are sent', async () => {
  const world = await createWorld();
  await addCompanies(world, 1);
  await world.sql(`create table job (key text, quota text default '2', min_salary_amount text, max_salary_amount text,
    min_age text, max_age text)`);
  const columns = ['quota', 'min_salary_amount', 'max_salary_amount', 'min_age', 'max_age'];
  for (const column of columns)
    for (const [index, text] of WRITTEN.entries())
      await world.sql(`insert into job (key, ${column}) values ($1, $2)`, [
        `${column}${String(index)}`,
        text,
      ]);
  await world.sql(`insert into job (key, quota, min_salary_amount) values ('good', '1000', '750000.0')`);
  world.blocks.vacancies = block(`select j.*, 'c01' as company_key, 'Kasir' as title from job j`);
  const { entities } = await world.run();
  expect(entities.vacancies).toMatchObject({
    invalid: columns.length * WRITTEN.length,
    sent: 1,
    accepted: 1,
  });
  const { issues } = await world.explain('vacancies', 'min_salary_amount0');
  expect(issues).toMatchObject([
    { field: 'min_salary.amount', message: expect.stringContaining('must be a whole number') as string },
  ]);
  expect(issues[0]?.hint).toContain(`replace(column, '.', '')`);
});

test.each([
  ['words', null],
  [`'{"p": "750.000"}'::json -> 'p'`, null],
  [`'{"p": 750.000}'::jsonb -> 'p'`, 750],
  ['750.000::numeric(10,3)', 750],
  ['1000::numeric(10,3)', 1000],
  ['1000::real', 1000],
  ['750000::double precision', 750_000],
  [`replace(words, '.', '')`, 750_000],
  ['1e6::numeric', 1_000_000],
  ['9007199254740991::bigint', Number.MAX_SAFE_INTEGER],
])('a price of %s is %s', async (sql, price) => {
  const world = await trainingWorld(sql);
  await world.run();
  expect(Object.values(world.held('trainings')).map((body) => body.price)).toEqual(
    price === null ? [] : [price],
  );
});

test.each(['9007199254740992::bigint', '1e400::numeric'])('a price of %s is out of range', async (sql) => {
  const world = await trainingWorld(sql);
  await world.run();
  expect((await world.explain('trainings', 't')).issues).toMatchObject([{ field: 'price', code: 'range' }]);
});

/** The expressions of a hint. */
const sqlIn = (hint: string): string[] =>
  [
    ...hint.matchAll(/(?:\b(?:case|nullif|regexp_replace|replace|substring|split_part)\b).*?(?=\.(?: |$))/g),
  ].map(([sql]) => sql.replaceAll('column', 'q."column"'));

test('what the hint of a number says works, and never ends the query', async () => {
  const { query } = await createTestDatabase();
  for (const text of [...WRITTEN, '7,5', '5 orang', 'N/A', 'Rp 5 juta', '750rb', '3-5', 'NaN', '']) {
    const reading = wholeNumber(text);
    if (!('fault' in reading)) throw new Error(`${text} is taken as ${String(reading.value)}`);
    const [sql, ...others] = sqlIn(reading.fault.hint ?? '');
    if (sql === undefined) throw new Error(`no SQL in: ${reading.fault.hint ?? ''}`);
    const all = ['N/A', '', text, '5 orang']
      .map((each) => `('${each.replaceAll("'", "''")}'::text)`)
      .join(', ');
    for (const each of [sql, ...others])
      await query(`select ${each} as value from (values ${all}) as q("column")`);
    const [row] = await query<{ value: string | null }>(
      `select ${sql} as value from (values ($1::text)) as q("column")`,
      [text],
    );
    const digits = text.replace(/,(00|-)$|\.00$/, '').replace(/[^\d]/g, '');
    const expected = /juta|rb|N\/A|NaN|3-5|^$/.test(text) ? null : text === '7,5' ? '7.5' : digits;
    expect([text, row?.value?.replace('-', '') ?? null]).toEqual([text, expected]);
    if (typeof row?.value === 'string') expect(wholeNumber(row.value)).not.toHaveProperty('fault');
  }
});

test('a floating point column never sends an exponent as text, and is doubted', async () => {
  const world = await createWorld();
  world.blocks.companies =
    block(`select id as key, name, city as region_id, about as phone, about as license_number,
    8.12e10::real as postal_code, 6281234567890123::double precision as address from company`);
  await world.sql(
    `insert into company (id, name, about) values ('c', 'A', '08123'), ('short', 'B', '8.12E+10')`,
  );
  await world.run({ only: ['companies'] });
  expect(Object.values(world.held('companies'))).toMatchObject([
    { phone: '08123', postal_code: '81200000000', address: '6281234567890123' },
  ]);
  const { warnings } = await world.explain('companies', 'c');
  expect(warnings?.map(({ field }) => field)).toEqual(['postal_code', 'address']);
  expect((await world.explain('companies', 'short')).issues).toMatchObject([
    { field: 'phone', code: 'format' },
    { field: 'license_number', code: 'format' },
  ]);
});
