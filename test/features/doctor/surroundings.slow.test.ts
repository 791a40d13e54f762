import { expect, test, vi } from 'vitest';
import { createDoctorWorld, type DoctorWorld } from './doctor-world.js';

vi.setConfig({ testTimeout: 60_000 });

/** A world whose state stands in the same database, with a role of its own, and is migrated. */
async function migratedWorld(...args: Parameters<typeof createDoctorWorld>): Promise<DoctorWorld> {
  const world = await createDoctorWorld(...args);
  world.change('placement-sync.yaml', '\nids:', "\nstate: { url: '${OWNER_DATABASE_URL}' }\nids:");
  expect(await world.cli('migrate')).toMatchObject({ exitCode: 0 });
  return world;
}

test('with a migrated state everything passes', async () => {
  const world = await migratedWorld();
  const { checks, at, exitCode } = await world.doctor();
  expect(at('warn').concat(at('fail')), JSON.stringify(checks, null, 1)).toEqual([]);
  expect(exitCode).toBe(0);
});

test('without credentials everything else is judged, and one warning says what was not', async () => {
  const world = await migratedWorld();
  expect(await world.cli('run')).toMatchObject({ exitCode: 0 });
  world.change('placement-sync.yaml', 'clientId: sandbox-client', "clientId: '${CLIENT_ID:-}'");
  await world.sql(`update hr.employer set town = 'SBY' where id in (2, 3)`);
  delete world.env.CLIENT_SECRET;
  const { at, of, exitCode } = await world.doctor();
  expect(at('warn')).toEqual(['credentials']);
  expect(of('credentials')).toMatchObject([
    { message: 'not checked: jobs: the environment variables CLIENT_ID, CLIENT_SECRET are not set' },
  ]);
  expect(at('fail')).toEqual(['companies codes']);
  expect(exitCode).toBe(2);
  expect(await world.cli('config', 'check')).toMatchObject({ exitCode: 2 });

  world.change('placement-sync.yaml', 'query: openings.sql', 'query: none.sql');
  expect((await world.doctor()).checks).toMatchObject([
    { id: 'configuration', level: 'fail', message: expect.stringMatching(/none\.sql/) as string },
  ]);
});

test('a state database that cannot be reached is a warning, and everything else goes on', async () => {
  const world = await createDoctorWorld();
  world.change('placement-sync.yaml', '\nids:', "\nstate: { url: 'postgres://a:b@127.0.0.1:1/x' }\nids:");
  const { at, of, exitCode } = await world.doctor();
  expect(at('warn')).toEqual(['state']);
  expect(of('state')[0]?.message).toMatch(/127\.0\.0\.1:1/);
  expect(exitCode).toBe(0);
});

test('a role that may make the tables is only asked to migrate', async () => {
  const world = await createDoctorWorld();
  world.env.SOURCE_DATABASE_URL = world.env.OWNER_DATABASE_URL ?? '';
  const { of } = await world.doctor();
  expect(of('state')).toMatchObject([
    {
      level: 'warn',
      message: expect.stringMatching(/no tables yet$/) as string,
      hint: expect.stringMatching(/^placement-sync migrate/) as string,
    },
  ]);
});

test('a ledger of another platform fails', async () => {
  const world = await migratedWorld();
  expect(await world.cli('run')).toMatchObject({ exitCode: 0 });
  world.change('placement-sync.yaml', 'clientId: sandbox-client', 'clientId: another-client');
  const { of, exitCode } = await world.doctor();
  expect(of('state')).toMatchObject([
    {
      level: 'fail',
      message: 'platform.jobs.clientId is another-client, but this ledger belongs to sandbox-client.',
    },
  ]);
  expect(exitCode).toBe(2);
});

const ANSWERS = `
  application-statuses: { query: answers.sql }
`;

test('application statuses with keys of a table of their own match nothing in the inbox; before migrate nobody knows', async () => {
  const world = await createDoctorWorld();
  await world.sql(`create table hr.answer (id uuid primary key default gen_random_uuid(), mail text, outcome text);
    insert into hr.answer (mail, outcome) select 'applicant' || n || '@mail.co.id', 'accepted' from generate_series(1, 7) n;
    grant select on hr.answer to ${world.role}`);
  world.write('answers.sql', 'select a.id as key, a.outcome as status from hr.answer a');
  world.change(
    'placement-sync.yaml',
    '  vacancies: { query: openings.sql, onVanished: close }\n',
    `  vacancies: { query: openings.sql, onVanished: close }${ANSWERS}`,
  );
  const before = await world.doctor();
  expect(before.of('applications')).toMatchObject([
    {
      level: 'warn',
      message: expect.stringMatching(/not checked: the inbox cannot be read: .*no tables yet/) as string,
    },
  ]);

  world.change('placement-sync.yaml', '\nids:', "\nstate: { url: '${OWNER_DATABASE_URL}' }\nids:");
  await world.cli('migrate');
  const after = await world.doctor();
  expect(after.of('applications')).toMatchObject([
    {
      level: 'warn',
      message: '7 application statuses (all of them) match no application in the inbox, so they are not sent',
      count: 7,
    },
  ]);

  await world.sql(`insert into placement_sync.job_application
      (layout, application_ref, request_id, request_timestamp, body, delivery_hash)
    select 'flat', id::text, 'r', now(), '{}', id::text from hr.answer where mail <> 'applicant3@mail.co.id'`);
  expect((await world.doctor()).of('applications')).toMatchObject([{ level: 'warn', count: 1 }]);
  await world.sql(`delete from hr.answer where mail = 'applicant3@mail.co.id'`);
  expect((await world.doctor()).of('applications')).toMatchObject([
    { level: 'pass', message: 'every application is in the inbox' },
  ]);
});

test('a clock that differs from that of the platform', async () => {
  const world = await createDoctorWorld({ platformNow: () => Date.now() - 600_000 });
  const { of } = await world.doctor();
  expect(of('platform-clock')).toMatchObject([
    { level: 'warn', message: expect.stringMatching(/10 min ahead of/) as string },
  ]);
});

test('a query that takes too long is judged by a sample', async () => {
  const world = await createDoctorWorld();
  world.change('placement-sync.yaml', "URL}' }", "URL}', statementTimeout: 6s }");
  world.change(
    'openings.sql',
    null,
    `select n as key, 1 as company_key, 'Opening' as title, '<p>x</p>' as description,
    pg_sleep(0.001)::text as qualification from generate_series(1, 20000) n`,
  );
  const { of, exitCode, checks } = await world.doctor('--entity', 'vacancies');
  expect(of('query')[0]?.message, JSON.stringify(checks, null, 1)).toMatch(
    /it takes too long; a sample of 1,000 rows/,
  );
  expect(of('html')).toMatchObject([{ level: 'warn', count: 1_000 }]);
  expect(exitCode).toBe(0);
});

test('a configuration that is not valid is a line too', async () => {
  const world = await createDoctorWorld();
  world.change('placement-sync.yaml', 'openings.sql', 'closings.sql');
  const { exitCode, checks } = await world.doctor();
  expect(exitCode).toBe(2);
  expect(checks).toMatchObject([{ id: 'configuration', level: 'fail', entity: null }]);
});

test('people read lines with hints and keys; what fails stands first; one cause of many is one line', async () => {
  const world = await createDoctorWorld();
  await world.sql(`update hr.employer set town = 'SBY' where id in (2, 3)`);
  world.change('openings.sql', 'o.name as title', 'o.nam as title');
  const { stdout, exitCode } = await world.cli('doctor');
  const lines = stdout.split('\n');
  expect(lines[0]).toMatch(/^fail {2}vacancies, query: .*o\.nam does not exist/);
  expect(lines[1]).toMatch(/^ {6}hint: /);
  expect(stdout).toContain(
    'fail  companies, codes: region_id: code "SBY" has no id: 2 companies are invalid\n      hint: ',
  );
  expect(stdout).toContain('\n      keys: 2, 3\n');
  expect(lines.filter((line) => line.includes('not checked'))).toHaveLength(1);
  expect(stdout).toMatch(/\n2 fail, \d+ warn, \d+ pass\.\nFix what fails/);
  expect(exitCode).toBe(2);
});

test('an entity that is not configured is an error of usage', async () => {
  const world = await createDoctorWorld();
  const { exitCode, stderr } = await world.cli('doctor', '--entity', 'trainings');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('trainings: not in the configuration');
});
