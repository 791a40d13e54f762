import { expect, test } from 'vitest';
import type { Explanation } from '../../src/features/look/explain-record.js';
import type { RunReport } from '../../src/core/run/end.js';
import { addCompanies, addVacancies, createCliWorld, type CliWorld } from './cli-world.js';

const UPPER = '7A1F6C2E-0B5D-4E7A-9C3B-1D2E3F405162';
const LOWER = UPPER.toLowerCase();
const MIXED = UPPER.slice(0, 18) + LOWER.slice(18);

async function explain(world: CliWorld, entity: string, key: string): Promise<Explanation> {
  const { exitCode, stdout, stderr } = await world.cli('explain', entity, key, '--json');
  expect(exitCode, stderr).toBe(0);
  return JSON.parse(stdout) as Explanation;
}

test('explain and resync --key find a UUID whatever its case', async () => {
  const world = await createCliWorld();
  await world.sql(`insert into company (id, name) values ($1, 'Upper')`, [UPPER]);
  expect(await explain(world, 'companies', LOWER), 'before its first sweep').toMatchObject({
    key: UPPER,
    status: 'pending',
    row: { name: 'Upper' },
  });
  await world.run();
  for (const key of [UPPER, LOWER, MIXED]) {
    expect(await explain(world, 'companies', key)).toMatchObject({
      key: UPPER,
      platformId: LOWER,
      status: 'synced',
      row: { key: UPPER },
    });
  }
  const resync = await world.cli('resync', '--entity', 'companies', '--key', MIXED, '--json');
  expect((JSON.parse(resync.stdout) as RunReport).entities.companies).toMatchObject({ sent: 1, accepted: 1 });
});

test('explain names the parent that a row asks for, also when there is none', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 1);
  await addVacancies(world, 1, 'c999');
  const waitsFor = { entity: 'companies', key: 'c999', reason: 'no such record in the query of companies' };
  expect(await explain(world, 'vacancies', 'v001'), 'before its first sweep').toMatchObject({ waitsFor });
  await world.run();
  expect(await explain(world, 'vacancies', 'v001')).toMatchObject({ status: 'waiting', waitsFor });
});

test('a key that comes twice is reported with the query and the column', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 2);
  world.write('companies.sql', `select 'same' as key, name, city as region_id from company`);
  const { entities } = await world.run();
  expect(entities.companies?.error).toMatchObject({
    code: 'duplicate-key',
    message: expect.stringMatching(/companies\.sql: .*"same" more than once \(column key\)/) as string,
  });
});

test('what a key or a value holds is no command to a terminal, and JSON has it unchanged', async () => {
  const world = await createCliWorld();
  const key = 'k\u001b[31m\u001b]0;title\u0007\u009b2J\u202e';
  await world.sql(`insert into company (id, name, about) values ($1, '', $1)`, [key]);
  world.configure('entities:', 'logging: { format: pretty, level: debug }\nentities:');
  const shown = [
    await world.cli('run'),
    await world.cli('status'),
    await world.cli('plan', '--diff'),
    await world.cli('explain', 'companies', key),
    await world.cli('explain', 'companies', `none ${key}`),
  ];
  for (const { stdout, stderr } of shown) expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n\t]|\u202e/u);
  expect(shown[1]?.stdout).toContain('(k\\u001b[31m');
  const json = await world.cli('explain', 'companies', key, '--json');
  expect(json.stdout).not.toMatch(/[^\P{Cc}\n\t]|\u202e/u);
  expect((JSON.parse(json.stdout) as Explanation).key).toBe(key);
});
