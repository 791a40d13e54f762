import { expect, test } from 'vitest';
import { addCompanies, block, createWorld } from './world.js';

/** Each is written by whoever may write a job description, and once ended or stopped the worker. */
const POISON = [
  '<table><tr><td colspan="Infinity">x</table>',
  '<table><tr><td rowspan="-1">x</table>',
  '<table><tr><td rowspan="20000" colspan="100000000">x</table>',
];
/** The library throws on the first, and the second is too large. */
const UNCONVERTIBLE = ['<ol type="I" start="99999999">' + '<li>x'.repeat(2), '<tr>'.repeat(60_000)];

test('a text that cannot be converted is an error of its record, and every other record goes out', async () => {
  const world = await createWorld();
  // Loading the library for HTML may take longer than usual on a busy machine.
  world.settings.leaseTtlMs = 60_000;
  world.settings.jobs.timeoutMs = 30_000;
  await addCompanies(world, 1);
  await world.sql(`create table job (key text, company_key text default 'c01', title text default 'Kasir',
    description text)`);
  for (const [index, text] of [...POISON, ...UNCONVERTIBLE, 'plain'].entries())
    await world.sql('insert into job (key, description) values ($1, $2)', [`v${String(index)}`, text]);
  world.blocks.vacancies = { ...block('select * from job'), plainText: ['description'] };

  const report = await world.run();

  expect(report).toMatchObject({ exitCode: 3, entities: { vacancies: { invalid: 2, accepted: 4 } } });
  expect(report.entities.vacancies?.error).toBeNull();
  for (const [key, message] of [
    ['v3', 'cannot be converted'],
    ['v4', 'is HTML that is too large'],
  ] as const) {
    const { status, issues } = await world.explain('vacancies', key);
    expect(status).toBe('invalid');
    expect(issues).toMatchObject([
      { field: 'description', message: expect.stringContaining(message) as string },
    ]);
  }
});
