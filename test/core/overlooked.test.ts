import { expect, test } from 'vitest';
import { differenceOf, foldForm } from '../../src/core/domain/near-miss.js';
import { lookupCode, readLookup } from '../../src/core/entities/lookup.js';
import { anyText } from '../../src/core/entities/text-values.js';
import { createTestDatabase } from '../postgres/test-database.js';
import { addCompanies, block, CITY, createWorld } from './world.js';

test.each([
  ['Cafe\u0301', 'Café', 'the Unicode form of a letter (NFC, NFD)', true],
  ['Jak\u200Barta', 'Jakarta', 'invisible characters, such as U+200B', true],
  ['abc\u00a0', 'abc', 'blanks', true],
  ['ABC', 'abc', 'upper and lower case', false],
  ['007', '7', 'leading zeros', false],
  ["'3174", '3174', 'a quote mark', false],
  ['3.17E+03', '3170', 'an exponent', false],
  ['3174.0', '3174', 'a fraction of zeros', false],
  ['1e+15', '1000000000000000', 'an exponent', false],
  [' ABC', 'abc', 'blanks and upper and lower case', false],
])('%j differs from %j by %s', (a, b, text, unseen) => {
  expect(foldForm(a)).toBe(foldForm(b));
  expect(differenceOf(a, b)).toEqual({ text, unseen });
});

test('a code that differs from a line only in its form is not to be added to the file', () => {
  const file = `code,id\n3174,${CITY}\nCafe\u0301,${CITY}\nBogor,${CITY}\n0012,${CITY}\n`;
  const cities = readLookup(file, 'cities.csv', { column: 'region_id', required: false });
  for (const [code, line] of [
    ["'3174", 2],
    ['3174.0', 2],
    ['Café', 3],
    ['Bo\u200Bgor', 4],
    ['12', 5],
  ] as const) {
    const reading = lookupCode(code, cities, true);
    if (!('fault' in reading)) throw new Error(code);
    expect(reading.fault.message).toContain(`but line ${String(line)} differs from it only by`);
    expect(reading.fault).not.toHaveProperty('lookup');
  }
  expect(lookupCode('Depok', cities, true)).toMatchObject({ fault: { code: 'unmapped' } });
});

test('explain names the company whose key differs only in its form', async () => {
  const world = await createWorld();
  await world.sql(`insert into company (id, name) values ('ABC', 'PT Satu')`);
  await world.sql(
    `insert into vacancy (id, company_id, title) values ('v', 'abc ', 'Kasir'), ('w', 'x', 'Kasir')`,
  );
  await world.run();
  expect((await world.explain('vacancies', 'v')).waitsFor?.reason).toBe(
    'no such record in the query of companies, but its key "ABC" differs from "abc " only by blanks and upper and lower case',
  );
  expect((await world.explain('vacancies', 'w')).waitsFor?.reason).toBe(
    'no such record in the query of companies',
  );
});

const TEXTS = [
  ['email', '-', 'stands for'],
  ['email', 'x y@contoh.id', 'is not an e-mail'],
  ['email', 'mailto:budi@contoh.id', 'is not an e-mail'],
  ['email', 'a@contoh.id; b@contoh.id', 'is not an e-mail'],
  ['phone', '0', 'is not a telephone'],
  ['address', 'N/A', 'stands for'],
  ['address', 'Tidak Ada', 'stands for'],
  ['address', 'null', 'stands for'],
  ['address', 'Jl. Satu\u000b2', 'control characters'],
  ['address', 'Jl.\u001b[0m', 'control characters'],
  ['name', '\u200B', 'only invisible'],
  ['name', '  PT Satu \n', 'begins or ends'],
  ['name', 'PT Satu\u00a0', 'begins or ends'],
] as const;

test('a text that hardly anybody means is sent as it is, and counted by column', async () => {
  const world = await createWorld();
  await addCompanies(world, 1);
  await world.sql('alter table company add email text, add phone text, add address text');
  for (const [index, [column, text]] of TEXTS.entries())
    await world.sql(
      `insert into company (id, name, ${column === 'name' ? 'about' : column}) values ($1, 'PT', $2)`,
      [`t${String(index)}`, text],
    );
  await world.sql(`update company set name = about, about = null where about is not null`);
  await world.sql(
    `insert into company (id, name, email, phone, address) values ('good', 'PT Nihil', 'a.b+c@contoh.co.id', '(021) 5551234', E'Jl. Satu\\nNo. 2\\n')`,
  );
  world.blocks.companies = block(
    'select id as key, name, city as region_id, email, phone, address, about from company',
  );
  const { entities } = await world.run({ only: ['companies'] });
  expect(entities.companies).toMatchObject({ invalid: 0, sent: TEXTS.length + 2 });
  for (const [index, [column, text, message]] of TEXTS.entries()) {
    const { warnings } = await world.explain('companies', `t${String(index)}`);
    expect(warnings, text).toMatchObject([
      { field: column, code: 'doubtful', message: expect.stringContaining(message) as string },
    ]);
  }
  expect((await world.explain('companies', 'good')).warnings).toBeUndefined();
});

test('what the hint of a text says works', async () => {
  const { query } = await createTestDatabase();
  for (const text of ['-', 'Jl.\u001b[0m\u000b', ' \u00a0PT Satu \n']) {
    const reading = anyText(text, 'address');
    const hint = 'warning' in reading ? (reading.warning?.hint ?? '') : '';
    const sql = /\b(?:nullif|regexp_replace|btrim)\(.*\)/.exec(hint)?.[0].replaceAll('column', 'q."column"');
    const [row] = await query<{ value: string | null }>(
      `select ${sql ?? 'no SQL'} as value from (values ($1::text)) as q("column")`,
      [text],
    );
    expect(anyText(row?.value ?? 'absent', 'address')).not.toHaveProperty('warning');
  }
});
