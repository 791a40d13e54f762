import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { addCompanies, addVacancies, createCliWorld, type CliWorld } from './cli-world.js';

/** Six vacancies at the platform, of which the query loses two whose last day is over. */
async function twoExpired(): Promise<CliWorld> {
  const world = await createCliWorld();
  await addCompanies(world, 1);
  await addVacancies(world, 6);
  await world.sql(`update vacancy set expire_at = '2020-01-31T12:00:00+07:00' where id <= 'v002'`);
  expect(await world.run()).toMatchObject({ code: 0 });
  await world.sql(`delete from vacancy where id <= 'v002'`);
  return world;
}

test('plan, run, status, records and report say of vanished vacancies that they had expired', async () => {
  const world = await twoExpired();
  const said = 'vacancies: All 2 vanished records had expired: their last day was over.';
  expect((await world.cli('plan')).stdout).toContain(said);
  const run = await world.cli('run');
  expect(run.stdout).toContain(said);
  expect(run.stderr).toContain('2 vanished (2 expired), 0 invalid');
  expect((await world.cli('status')).stdout).toContain(said);
  const records = await world.cli('records', '--entity', 'vacancies', '--status', 'vanished');
  expect(records.stdout).toContain('expired on 2020-01-31');
  const searched = await world.cli('records', '--entity', 'vacancies', '--reason', 'expired on', '--json');
  expect(JSON.parse(searched.stdout)).toMatchObject({ records: [{ key: 'v001' }, { key: 'v002' }] });
  expect((await world.cli('report')).stdout).toContain(
    'vacancies: 2 records left your query because the last day was over (expired). Nothing was sent about that.',
  );
  expect(JSON.parse((await world.cli('report', '--json')).stdout)).toMatchObject({
    expired: { vacancies: 2 },
  });
  expect((await world.cli('explain', 'vacancies', 'v001')).stdout).toContain('It has expired: its last day');
});

test('explain shows a changed row beside what the ledger has', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 2);
  await world.run();
  await world.sql(`update company set name = 'Other' where id = 'c002'`);
  const { stdout } = await world.cli('explain', 'companies', 'c002');
  expect(stdout).toMatch(/The row has changed since the last sweep \(.* GMT\+7\) in name; the next sweep/);
  expect(stdout).toMatch(/The row now, compared with the ledger\n +name: "Company 2" → "Other"/);
  expect((await world.cli('explain', 'companies', 'c001')).stdout).not.toContain('The row now');
});

test('status counts statuses whose application never came by webhook', async () => {
  const world = await createCliWorld();
  world.configure(
    '  vacancies: { query: vacancies.sql }',
    '  vacancies: { query: vacancies.sql }\n  application-statuses: { query: statuses.sql }',
  );
  world.write('statuses.sql', `select '${randomUUID()}' as key, 'hired' as status`);
  await world.run();
  expect((await world.cli('status')).stdout).toContain(
    'application-statuses: one is for an application that did not come by webhook (foreign). It is not sent.',
  );
  const { stdout } = await world.cli('status', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ entities: { 'application-statuses': { foreign: 1 } } });
});

test('adopt says what it did not read, and what a field that is shown to nobody means', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 4);
  await addVacancies(world, 2, 'c004');
  await world.run();
  await world.sql('truncate placement_sync.sync_state, placement_sync.entity_state');
  await world.sql(`update company set name = null where id = 'c004'`);
  await world.sql(`update company set about = 'Text'`);
  const { stdout, stderr, exitCode } = await world.cli('adopt');
  expect(exitCode).toBe(3);
  expect(stdout).toMatch(/checked +adopted +different +missing +waiting +invalid/);
  expect(stdout).toMatch(/companies +3 +3 +0 +0 +0 +1/);
  expect(stdout).toMatch(/vacancies +0 +0 +0 +0 +2 +0/);
  expect(stdout).toContain('Waiting records were not read');
  expect(stderr).toContain('the platform shows nothing in about for any record');
});
