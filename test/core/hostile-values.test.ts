import { monitorEventLoopDelay } from 'node:perf_hooks';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convertLarge, convertedText } from '../../src/core/entities/plain-text.js';
import { skillElements } from '../../src/core/entities/values.js';
import { addCompanies, block, createWorld } from './world.js';

/** The longest time for which nothing else was done, milliseconds. */
async function longestStandstill(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  await work();
  // The last standstill is noted by the timer after it.
  await new Promise((resolve) => setTimeout(resolve, 50));
  delay.disable();
  return delay.max / 1e6;
}

/** Much more than the pauses, much less than a lease or a probe waits; the machine may be busy. */
const FREE_MS = 1_000;

const HOSTILE: Readonly<Record<string, string>> = {
  'lines that are entities': `${'<blockquote>'.repeat(45)}<pre>${'x&NewLine;'.repeat(190_000)}`,
  'a table of 60,000 rows': `<table>${'<tr><td>a<td>b'.repeat(60_000)}`,
  'one entity and 1.9 MB': `&amp;${'a'.repeat(1_900_000)}`,
  '200,000 attributes': `<p ${'a=b '.repeat(200_000)}>x</p>`,
  '100,000 levels': '<div>'.repeat(100_000),
  'a megabyte of <': `<p>${'<'.repeat(1_000_000)}`,
  'comments without an end': '<!--'.repeat(490_000),
  'sections without an end': '<![CDATA['.repeat(220_000),
  'more than two million characters': `<p>${'a'.repeat(2_000_000)}`,
  'four million characters of entities': '&Tab;&lt;'.repeat(440_000),
};

test.each(Object.entries(HOSTILE))('%s hold up nothing else', async (_what, text) => {
  const row = { description: text };
  const standstill = await longestStandstill(() => convertLarge([row], { plainText: ['description'] }));
  expect(standstill).toBeLessThan(FREE_MS);
  const reading = convertedText(row, 'description', text);
  if ('fault' in reading)
    expect(reading.fault).toMatchObject({ code: 'range', hint: expect.any(String) as string });
});

test('no entity in any nesting holds up anything else', async () => {
  const names = [
    'NewLine',
    'Tab',
    'nbsp',
    'amp',
    'lt',
    'shy',
    'ZeroWidthSpace',
    '#10',
    '#x0A',
    'bne',
    'ThickSpace',
  ];
  const tags = ['blockquote', 'pre', 'ul', 'ol', 'li', 'table', 'td', 'a href="https://a.id"', 'h1', 'p'];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...tags), { maxLength: 45 }),
      fc.constantFrom(...names),
      fc.constantFrom('', 'x', 'x '),
      async (around, name, between) => {
        const unit = `${between}&${name};`;
        const text = around.map((tag) => `<${tag}>`).join('') + unit.repeat(600_000 / unit.length);
        const row = { description: text };
        const work = () => convertLarge([row], { plainText: ['description'] });
        expect(await longestStandstill(work)).toBeLessThan(FREE_MS);
      },
    ),
    { numRuns: 12 },
  );
});

test.each([
  ['an array', Array.from({ length: 1_001 }, (_, index) => `s${String(index)}`)],
  ['text', ','.repeat(3_000_000)],
])('skills that are %s of too many elements are refused before one is looked at', (_what, value) => {
  expect(skillElements(value)).toMatchObject({
    fault: { code: 'range', message: 'has more than 1,000 elements' },
  });
});

test('a thousand skills are taken', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => `s${String(index)}`);
  expect(skillElements(many)).toEqual({ value: many });
  expect(skillElements(many.join(','))).toEqual({ value: many });
});

test('records with hostile values wait with their reason, the others are sent, and nothing stands still', async () => {
  const world = await createWorld();
  await addCompanies(world, 1);
  await world.sql('create table job (key text primary key, description text, skills text[])');
  await world.sql(
    `insert into job select 'h' || n, repeat('<blockquote>', 45) || '<pre>' || repeat('x&NewLine;', 190000), null
     from generate_series(1, 2) n`,
  );
  await world.sql(`insert into job select 's', null, array_agg('s' || n) from generate_series(1, 3000000) n`);
  await world.sql(`insert into job select 'v' || n, '<p>Kasir</p>', '{k3}' from generate_series(1, 30) n`);
  world.blocks.vacancies = {
    ...block(`select *, 'c01' as company_key, 'Kasir' as title from job`),
    plainText: ['description'],
  };
  const standstill = await longestStandstill(() => world.run());
  expect(standstill).toBeLessThan(FREE_MS);
  expect(Object.keys(world.held('vacancies'))).toHaveLength(30);
  for (const [key, field] of [
    ['h1', 'description'],
    ['s', 'skills'],
  ] as const)
    expect((await world.explain('vacancies', key)).issues).toMatchObject([{ field, code: 'range' }]);
});
