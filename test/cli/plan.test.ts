import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addCompanies, addVacancies, closeVanished, createCliWorld } from './cli-world.js';
import { runCli } from './run-cli.js';

const last = (stdout: string) => stdout.trimEnd().split('\n').at(-1);

test('plan ends with what a run would do, and --detailed-exitcode shows it to a script', async () => {
  const world = await createCliWorld();
  closeVanished(world);
  world.configure('entities:', 'guards: { maxVanishedPercent: 100, maxInvalidPercent: 100 }\nentities:');
  await addCompanies(world, 6);
  await addVacancies(world, 2);
  const plan = (...args: string[]) => world.cli('plan', ...args);
  const first = await plan('--detailed-exitcode');
  expect([first.exitCode, last(first.stdout)]).toEqual([10, '8 create']);
  expect((await plan()).exitCode).toBe(0);
  expect((await plan('--detailed-exitcode', '--json')).exitCode).toBe(10);
  await world.run();
  const none = await plan('--detailed-exitcode');
  expect([none.exitCode, last(none.stdout)]).toEqual([0, 'nothing to send']);

  await world.sql(`insert into company (id, name) values ('c007', 'New')`);
  await world.sql(`update company set name = 'Renamed' where id in ('c001', 'c002')`);
  await world.sql(`update company set name = null where id in ('c003', 'c004')`);
  await world.sql(`delete from vacancy where id = 'v002'`);
  await world.sql(`delete from company where id = 'c006'`);
  const { stdout } = await plan('--detailed-exitcode');
  expect(last(stdout)).toBe(
    '1 create, 2 update, 1 close, 1 vanished (the platform keeps them), 2 with errors',
  );
  expect(stdout).toContain('  + new      companies c007');
  expect(stdout).toContain('  ~ changed  companies c001: name');
  expect(stdout).toContain('  - vanished vacancies v002');
  expect(stdout).toContain('  ! invalid  companies c003: name is required');
  await world.sql(`update company set name = 'Company 1' where id in ('c001', 'c002')`);
});

test('plan needs no credentials, also where the ledger belongs to a client id; another platform is still refused', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 2);
  expect((await world.run()).code).toBe(0);
  await world.sql(`insert into company (id, name) values ('c009', 'New')`);
  world.configure('clientId: sandbox-client', 'clientId: ${NOT_YET}');
  const { exitCode, stdout, stderr } = await world.cli('plan');
  expect(exitCode, stderr).toBe(0);
  expect(stderr).toContain('platform.jobs: NOT_YET is not set. A plan sends nothing; run needs the');
  expect(last(stdout)).toBe('1 create');
  world.configure('clientId: ${NOT_YET}', 'clientId: another-client');
  expect((await world.cli('plan')).stderr).toContain('this ledger belongs to sandbox-client');
});

test('a key of the partner in place of a code is doubtful to plan and run, and an id that is known is not', async () => {
  const world = await createCliWorld();
  const city = (
    await world.sql<{ city: string }>(`insert into company values ('c000', 'Listed') returning city`)
  )[0];
  world.write('cities.csv', `code,id\nBDG,${String(city?.city)}\n`);
  world.configure('query: companies.sql', 'query: companies.sql, lookups: { region_id: cities.csv }');
  expect((await world.cli('plan')).stdout).not.toContain('doubtful');
  await world.sql(`insert into company (id, name, city)
    select 'c00' || n, 'Own', '00000000-0000-4000-8000-00000000000' || n from generate_series(1, 3) n`);
  const { stdout } = await world.cli('plan');
  expect(stdout).toMatch(/is a UUID that is neither in cities\.csv nor .*: 3 companies are doubtful/);
  expect(stdout).toContain('c001');
  const run = await world.run();
  expect(run).toMatchObject({ code: 0, entities: { companies: { accepted: 4 } } });
  expect(run.stderr).toContain('is a UUID that is neither in cities.csv');
});

test('lines call an expired vacancy so, and the plan says where it did not look for doubtful values', async () => {
  const world = await createCliWorld();
  world.configure('entities:', 'guards: { maxVanishedPercent: 100 }\nentities:');
  await addCompanies(world, 1);
  await addVacancies(world, 2);
  await world.sql(`update vacancy set expire_at = '2020-01-31' where id = 'v001'`);
  await world.sql(`update vacancy set quota = '1.5' where id = 'v002'`);
  const unread = /only rows that changed were looked at\. placement-sync doctor looks at all rows/;
  expect((await world.cli('plan')).stdout).not.toMatch(unread);
  await world.run();
  expect((await world.cli('status')).stdout).not.toContain('doubtful');
  await world.sql(`delete from vacancy`);
  const { stdout } = await world.cli('plan');
  expect(stdout).toContain('  - expired  vacancies v001');
  expect(stdout).toContain('  - vanished vacancies v002');
  expect(stdout).toMatch(unread);
  const { changes } = JSON.parse((await world.cli('plan', '--json')).stdout) as { changes: unknown[] };
  expect(changes).toEqual([
    { entity: 'vacancies', key: 'v001', action: 'vanished', fields: [], issues: [], expired: true },
    { entity: 'vacancies', key: 'v002', action: 'vanished', fields: [], issues: [] },
  ]);
});

test('records with errors alone are nothing to send; what is pending from before is', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 2);
  await world.sql(`update company set name = null where id = 'c002'`);
  world.intercept = () => ({ status: 401, body: {} });
  await world.run();
  const before = await world.cli('plan', '--detailed-exitcode');
  expect([before.exitCode, last(before.stdout)]).toEqual([10, '1 pending from before, 1 with errors']);
  world.intercept = null;
  await world.run();
  const after = await world.cli('plan', '--detailed-exitcode');
  expect([after.exitCode, last(after.stdout)]).toEqual([0, 'nothing to send, 1 with errors']);
  world.write('companies.sql', 'select nothing;\n');
  expect((await world.cli('plan', '--detailed-exitcode')).exitCode).toBe(1);
});

test.each([
  [{}, true],
  [{ NO_COLOR: '1' }, false],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  [{ TERM: 'dumb' }, false],
])('a terminal with %j has colours: %s', async (variables, coloured) => {
  const world = await createCliWorld();
  await addCompanies(world, 1);
  const env = { ...world.env, TERM: 'xterm', ...variables };
  const { stdout } = await runCli(['plan'], { env, terminal: { columns: 100 } });
  expect(stdout.includes('\u001b[32m+\u001b[39m')).toBe(coloured);
  expect(stdout.includes('\u001b')).toBe(coloured);
});

test('a pipe has no colours unless FORCE_COLOR asks for them', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 1);
  expect((await world.cli('plan')).stdout).not.toContain('\u001b');
  const forced = await runCli(['plan'], { env: { ...world.env, FORCE_COLOR: '1' } });
  expect(forced.stdout).toContain('\u001b[32m+\u001b[39m');
});

test('before migrate every record is new, and nothing is created; so one SELECT can be tried', async () => {
  const world = await createCliWorld({ migrated: false });
  await addCompanies(world, 3);
  await addVacancies(world, 2);
  await world.sql(`update company set name = null where id = 'c003'`);
  const plan = await world.cli('plan', '--entity', 'companies');
  expect(plan).toMatchObject({ exitCode: 0, stderr: '' });
  expect(plan.stdout).toContain(
    'There is no ledger yet, so every record is new. The state schema "placement_sync" has no tables yet. Nothing is created.',
  );
  expect(plan.stdout).toContain('  + new      companies c001');
  expect(plan.stdout).toContain('name is required: 1 company is invalid; ');
  expect(last(plan.stdout)).toBe('2 create, 1 with errors');
  const json = JSON.parse((await world.cli('run', '--dry-run', '--json')).stdout) as object;
  expect(json).toMatchObject({
    ledger: false,
    entities: { companies: { new: 2, invalid: 1, pending: 2 }, vacancies: { pending: 2 } },
  });
  expect(await world.sql(`select 1 as n from pg_namespace where nspname = 'placement_sync'`)).toEqual([]);
});

test('a plan needs no state role yet; a ledger that is away is an error', async () => {
  const world = await createCliWorld({ migrated: false });
  await addCompanies(world, 1);
  const url = (user: string, port?: string) => {
    const target = new URL(world.env.SOURCE_DATABASE_URL ?? '');
    target.username = user;
    target.password = 'x';
    if (port !== undefined) target.port = port;
    return target.href;
  };
  world.configure('state: { leaseTtl: 8s }', `state: { leaseTtl: 8s, url: '${url('nobody_yet')}' }`);
  const plan = await world.cli('plan', '--entity', 'companies');
  expect(plan.exitCode).toBe(0);
  expect(plan.stdout).toContain('There is no ledger yet, so every record is new.');
  expect(plan.stdout).toContain('nobody_yet');
  world.configure(url('nobody_yet'), url('nobody_yet', '1'));
  expect(await world.cli('plan')).toMatchObject({ exitCode: 1, stdout: '' });
});

test('standing invalid records are listed by plan and status after a run, with what follows from them', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 4);
  await addVacancies(world, 3);
  await world.sql(`update company set name = null where id in ('c001', 'c002')`);
  expect((await world.run()).code).toBe(3);
  const group = 'name is required: 2 companies are invalid, 3 vacancies wait for them; ';
  const line = '  ! invalid  companies c002: name is required';
  const { stdout: plan } = await world.cli('plan', '--limit', '100000');
  expect(plan).toContain(group);
  // As the runbook finds them.
  expect(plan.split('\n').filter((each) => each.includes('! invalid'))).toEqual([
    line.replace('c002', 'c001'),
    line,
  ]);
  expect(last(plan)).toBe('nothing to send, 3 wait for their parents, 2 with errors');
  const { stdout: status } = await world.cli('status');
  expect(status).toContain(group);
  expect(status).not.toContain(line);
  const { stdout: listed } = await world.cli('status', '--invalid');
  expect(listed).toContain(group);
  expect(listed.split('\n').filter((each) => each.includes('! invalid'))).toHaveLength(2);
  expect(listed).toContain(line);
  expect(JSON.parse((await world.cli('status', '--invalid', '--json')).stdout)).toMatchObject({
    groups: [
      {
        entity: 'companies',
        kind: 'invalid',
        field: 'name',
        code: 'required',
        count: 2,
        sampleKeys: ['c001', 'c002'],
        follows: [{ entity: 'vacancies', count: 3, standing: 'waiting' }],
      },
    ],
    invalid: [{ key: 'c001' }, { entity: 'companies', key: 'c002', issues: [{ field: 'name' }] }],
  });
  const { stdout: run } = await world.cli('run');
  expect(run).toContain(group);
});

test('plan --sample prints whole records, title first, the same ones each time', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 20);
  await addVacancies(world, 2);
  const { stdout } = await world.cli('plan', '--sample', '3');
  expect(stdout.match(/^Records of .+$/gm)).toEqual([
    'Records of companies as they would be sent:',
    'Records of vacancies as they would be sent:',
  ]);
  expect(stdout).toMatch(/^ {2}v001, of companies c001\n {4}\{\n {6}"title": "/m);
  interface Sampled {
    readonly entity: string;
    readonly key: string;
    readonly parent: unknown;
    readonly record: Record<string, unknown>;
  }
  const samples = async () =>
    (JSON.parse((await world.cli('plan', '--json', '--sample', '3')).stdout) as { samples: Sampled[] })
      .samples;
  const before = await samples();
  expect(before.map(({ entity }) => entity)).toEqual([
    ...Array<string>(3).fill('companies'),
    ...Array<string>(2).fill('vacancies'),
  ]);
  expect(Object.keys(before[0]?.record ?? {})[0]).toBe('name');
  expect(before.at(-1)).toMatchObject({
    parent: { entity: 'companies' },
    record: { title: expect.any(String) as string },
  });
  await world.sql(`update company set about = 'Changed'`);
  const after = await samples();
  expect(after.map(({ key }) => key)).toEqual(before.map(({ key }) => key));
  expect(after[0]?.record).toMatchObject({ about: 'Changed' });
  await world.run();
  expect(await samples()).toEqual([]);
  expect((await world.cli('plan', '--json')).stdout).not.toContain('"samples"');
});

test('plan and the first run say how many questions of init are open', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 1);
  const query = 'select id as key, name, city as region_id from company';
  world.write('companies.sql', `${query}\n-- decide: which of them?\n-- and name is not null\n`);
  const open = /1 question of init is open: 1 in .*companies\.sql\./;
  expect((await world.cli('plan')).stderr).toMatch(open);
  expect((await world.run()).stderr).toMatch(open);
  expect((await world.run()).stderr).not.toMatch(open);
  expect((await world.cli('plan', '--json')).stderr).toMatch(open);
  world.write('companies.sql', `${query}\n`);
  expect((await world.cli('plan')).stderr).not.toMatch(open);
});

test('lookup fill completes a lookup from the rows and their names, and says what is left', async () => {
  const world = await createCliWorld();
  world.write('cities.csv', 'code,id,name\nBDG,,Kota Padang\n');
  await world.sql(`insert into company (id, name, city)
    select 'c00' || n, 'Company', (array['BDG', 'Kota Palembang', 'X1'])[n % 3 + 1] from generate_series(1, 9) n`);
  const file = join(world.folder, 'cities.csv');
  const unused = await world.cli('lookup', 'fill', file);
  expect([unused.exitCode, unused.stderr]).toEqual([2, expect.stringContaining('No entity has') as string]);
  world.configure('query: companies.sql', 'query: companies.sql, lookups: { region_id: cities.csv }');
  const dry = await world.cli('lookup', 'fill', file, '--dry-run');
  expect(dry.stdout).toContain('Nothing was written.');
  expect(readFileSync(file, 'utf8')).toBe('code,id,name\nBDG,,Kota Padang\n');
  chmodSync(file, 0o640);
  const { stdout, stderr, exitCode } = await world.cli('lookup', 'fill', file);
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toMatch(/region_id of companies$/m);
  expect(stdout).toMatch(
    /^ {2}2 codes have got an id:\n {4}BDG \(Kota Padang\): [0-9a-f-]{36}\n {4}Kota Palembang: /m,
  );
  expect(stdout).toMatch(/^ {2}1 code has no id yet; records with it wait:\n {4}X1, 3 rows$/m);
  expect(readFileSync(file, 'utf8')).toMatch(
    /^code,id,name\nBDG,[0-9a-f-]{36},Kota Padang\nKota Palembang,[0-9a-f-]{36},\nX1,,\n$/,
  );
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect((await world.cli('lookup', 'fill', file)).stdout).toContain('stays as it is.');
});

/** Vacancies are closed when they vanish, and no guard asks. */
async function closingWorld() {
  const world = await createCliWorld();
  closeVanished(world);
  world.configure('entities:', 'guards: { maxVanishedPercent: 100 }\nentities:');
  await addCompanies(world, 3);
  await addVacancies(world, 6);
  return world;
}

const refusing =
  (names: RegExp) =>
  ({ body }: { readonly body: unknown }) => {
    const { name, title } = (body ?? {}) as { name?: string; title?: string };
    return names.test(title ?? name ?? '') ? { status: 422, body: { message: 'No.' } } : undefined;
  };

test('plan counts by what the platform has: creates, closes, and what it never had', async () => {
  const world = await closingWorld();
  world.intercept = refusing(/^Company 3/);
  await world.sql(`update vacancy set title = null where id = 'v006'`);
  await world.run();
  world.intercept = null;
  // Never accepted, and valid now; accepted and changed; accepted and gone; never sent and gone.
  await world.sql(`update company set name = name || ' again' where id in ('c002', 'c003')`);
  await world.sql(`delete from vacancy where id in ('v004', 'v006')`);
  const { stdout } = await world.cli('plan');
  expect(stdout).toMatch(/\n1 create, 1 update, 1 close, 1 vanished \(the platform does not have them\)\n$/);
});

test('the platform is asked before it closes what it never took: nothing is created in order to be closed', async () => {
  const world = await closingWorld();
  world.intercept = refusing(/^Vacancy 5/);
  // Somebody else has brought it there before: a script, or a former ledger.
  world.configure('state: { leaseTtl: 8s }', 'state: { leaseTtl: 8s, schema: former }');
  world.intercept = null;
  await world.cli('migrate');
  await world.sql(`delete from vacancy where id = 'v006'`);
  await world.run();
  await world.sql(`insert into vacancy (id, company_id, title) values ('v006', 'c001', 'Vacancy 6')`);
  world.configure('schema: former', 'schema: placement_sync');
  world.intercept = refusing(/^Vacancy [56]/);
  await world.run();
  expect(world.sandbox.records('jobs', 'vacancies')).toHaveLength(5);

  world.intercept = null;
  await world.sql(`delete from vacancy where id in ('v005', 'v006')`);
  world.sandbox.clearRequests();
  await world.run();
  const methods = world.sandbox.requests().map(({ method }) => method);
  expect(methods.toSorted(), 'one is there, and is closed').toEqual(['GET', 'GET', 'PUT']);
  expect(world.sandbox.records('jobs', 'vacancies'), 'the other one was not created').toHaveLength(5);
  const { stdout } = await world.cli('records', '--json', '--entity', 'vacancies', '--status', 'vanished');
  expect((JSON.parse(stdout) as { records: { key: string }[] }).records.map(({ key }) => key)).toEqual([
    'v005',
  ]);
  world.sandbox.clearRequests();
  await world.run();
  expect(world.sandbox.requests()).toEqual([]);
});
