import { expect, test } from 'vitest';
import { addCompanies, addVacancies, createCliWorld } from './cli-world.js';

const AS_CRON = ['run', '--treat-as-success', '3,6'];

async function lastSuccess(world: Awaited<ReturnType<typeof createCliWorld>>, entity = 'vacancies') {
  const { stdout } = await world.cli('status', '--json');
  const { entities } = JSON.parse(stdout) as { entities: Record<string, { lastSuccessAt: string | null }> };
  return entities[entity]?.lastSuccessAt;
}

test('new rows that are mostly invalid hold the entity, and after an approval the valid ones are sent and no run is a success', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 1);
  await addVacancies(world, 20);
  expect((await world.cli(...AS_CRON)).exitCode).toBe(0);
  const before = await lastSuccess(world);
  expect(before).not.toBeNull();

  await world.sql(
    `insert into vacancy (id, company_id, title, quota) select 'w' || n, 'c001', 'More', '3 orang' from generate_series(1, 40) n`,
  );
  await world.sql(`update vacancy set title = 'Edited' where id = 'v001'`);
  const held = await world.cli(...AS_CRON);
  expect(held.exitCode).toBe(4);
  expect(held.stderr).toContain('40 of 60 rows are invalid (66.7 %), 40 of them since the last sweep');
  expect(held.stdout).toContain('40 vacancies will be marked as invalid');
  const plan = await world.cli('plan', '--entity', 'vacancies');
  expect(plan.stdout, 'what is wrong').toContain('quota');
  expect((await world.cli('explain', 'vacancies', 'w7')).stdout).toContain('quota');
  expect(await lastSuccess(world)).toBe(before);

  expect((await world.cli('approve', 'vacancies', '--yes')).exitCode).toBe(0);
  const approved = await world.cli(...AS_CRON);
  expect(approved.exitCode).toBe(3);
  expect(approved.stdout).toContain('Exit code 3 is not treated as success: of vacancies, one record of 20');
  expect(JSON.stringify(world.sandbox.records('jobs', 'vacancies'))).toContain('Edited');

  // Some more of them, and the rest goes on.
  await world.sql(`insert into vacancy (id, company_id, title, quota) values ('x1', 'c001', 'One', 'dua')`);
  await world.sql(`update vacancy set title = 'Again' where id = 'v002'`);
  expect(await world.run()).toMatchObject({ code: 3, entities: { vacancies: { held: false, sent: 1 } } });
  expect(await lastSuccess(world), 'not in step').toBe(before);

  await world.sql(`update vacancy set quota = '3' where id <> 'x1'`);
  expect((await world.cli(...AS_CRON)).exitCode, 'one of many is left').toBe(0);
  expect(await lastSuccess(world)).not.toBe(before);
});

test('a first load that is mostly invalid sends the rest, and is neither held nor a success', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 30);
  await world.sql(`update company set name = null where id > 'c010'`);
  const { exitCode } = await world.cli(...AS_CRON);
  expect(exitCode).toBe(3);
  expect(world.sandbox.records('jobs', 'companies')).toHaveLength(10);
  expect(await lastSuccess(world, 'companies')).toBeNull();
  await world.sql(`update company set name = 'Now' where name is null`);
  expect((await world.cli(...AS_CRON)).exitCode).toBe(0);
  expect(await lastSuccess(world, 'companies')).not.toBeNull();
});
