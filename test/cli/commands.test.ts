import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Explanation } from '../../src/features/look/explain-record.js';
import type { PlanReport } from '../../src/features/plan/plan-sync.js';
import type { StatusReport } from '../../src/features/look/read-status.js';
import { DAILY } from '../slow.js';
import { addCompanies, addVacancies, createCliWorld, SECRET } from './cli-world.js';
import { runCli } from './run-cli.js';

const COUNTERS = [
  'read unchanged new changed vanished invalid',
  'sent accepted rejected deferred waiting pending held error',
].flatMap((names) => names.split(' '));

test('run --json prints exactly one object of the promised shape, and the log goes to standard error', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 2);
  await addVacancies(world, 1);
  const { stdout, stderr } = await world.cli('run', '--json');
  const report = JSON.parse(stdout) as Record<string, unknown> & { entities: Record<string, object> };
  expect(Object.keys(report)).toEqual([
    'runId',
    'outcome',
    'startedAt',
    'finishedAt',
    'exitCode',
    'entities',
  ]);
  expect(Object.keys(report.entities)).toEqual(['companies', 'vacancies']);
  for (const counters of Object.values(report.entities)) expect(Object.keys(counters)).toEqual(COUNTERS);
  expect(report.entities.companies).toEqual({
    ...Object.fromEntries(COUNTERS.map((name) => [name, 0])),
    read: 2,
    new: 2,
    sent: 2,
    accepted: 2,
    held: false,
    error: null,
  });
  expect(report.runId).toMatch(/^[0-9a-f-]{36}$/);
  expect(report.startedAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { event: string });
  expect(lines.map(({ event }) => event)).toContain('run-finished');
  expect(stderr).not.toMatch(/Company 1|Vacancy 1/);
});

test('--config works before and after the command, from any working directory, and beats the environment', async () => {
  const world = await createCliWorld();
  const env = { ...world.env, PLACEMENT_SYNC_CONFIG: '/nowhere.yaml' };
  const cwd = join(world.folder, 'elsewhere');
  for (const args of [
    ['--config', '../placement-sync.yaml', 'config', 'check'],
    ['config', 'check', '--config', world.configFile],
    ['config', '-c', world.configFile, 'check'],
  ]) {
    expect((await runCli(args, { env, cwd })).exitCode, args.join(' ')).toBe(0);
  }
  expect((await runCli(['config', 'check'], { env, cwd })).stderr).toContain('/nowhere.yaml');
  mkdirSync(join(cwd, 'config'));
  const { PLACEMENT_SYNC_CONFIG: _, ...bare } = env;
  writeFileSync(join(cwd, 'config', 'placement-sync.yaml'), 'source: {');
  expect((await runCli(['config', 'check'], { env: bare, cwd })).stderr).toContain(
    'config/placement-sync.yaml:1',
  );
});

test('all problems of a configuration are reported together with their lines', async () => {
  const world = await createCliWorld();
  world.configure('timeout: 5s', 'timeout: soon');
  world.configure('leaseTtl', 'leseTtl');
  world.configure('{ query: vacancies.sql }', '{ query: vacanties.sql }');
  for (const command of ['run', 'plan', 'status']) {
    const { exitCode, stdout, stderr } = await world.cli(command, '--json');
    expect(exitCode).toBe(2);
    if (command === 'run')
      expect(JSON.parse(stdout)).toMatchObject({ outcome: 'failed', exitCode: 2, entities: {} });
    else expect(stdout).toBe('');
    expect(stderr).toMatch(/3 problems/);
    for (const part of ['.yaml:3: ', 'leaseTtl', 'platform.jobs.timeout', 'vacanties.sql'])
      expect(stderr).toContain(part);
    expect(stderr).not.toContain('    at ');
  }
});

test('an unknown command, option or entity ends with 2 and a suggestion', async () => {
  const world = await createCliWorld();
  expect(await world.cli('rum')).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('run?') as string,
  });
  const option = await world.cli('run', '--jsno');
  expect(option).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('--json?') as string,
  });
  const entity = await world.cli('run', '--entity', 'company');
  expect(entity).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('companies, vacancies') as string,
  });
  const keyless = await world.cli('resync', '--key', 'c001');
  expect(keyless).toMatchObject({ exitCode: 2, stdout: '' });
});

test('plan --json lists what a run would do, writes nothing and exits 0', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 4);
  await world.run();
  await world.sql(`update company set name = 'Renamed' where id = 'c001'`);
  await world.sql(`update company set name = null where id = 'c002'`);
  await world.sql(`insert into company (id, name) values ('c009', 'New')`);
  world.sandbox.clearRequests();
  const { exitCode, stdout } = await world.cli('plan', '--json');
  expect(exitCode).toBe(0);
  const plan = JSON.parse(stdout) as PlanReport;
  expect(Object.keys(plan)).toEqual(['entities', 'changes', 'groups']);
  expect(Object.keys(plan.entities.companies ?? {})).toEqual(COUNTERS);
  expect(plan.entities.companies).toMatchObject({
    read: 5,
    unchanged: 2,
    new: 1,
    changed: 1,
    invalid: 1,
    sent: 0,
  });
  for (const change of plan.changes)
    expect(Object.keys(change)).toEqual(['entity', 'key', 'action', 'fields', 'issues']);
  expect(plan.changes).toMatchObject([
    { key: 'c001', action: 'changed', fields: ['name'], issues: [] },
    { key: 'c002', action: 'invalid', fields: ['name'], issues: [{ field: 'name', code: 'required' }] },
    { key: 'c009', action: 'new' },
  ]);
  const limited = JSON.parse((await world.cli('plan', '--json', '--limit', '1')).stdout) as PlanReport;
  expect(limited.changes).toHaveLength(1);
  expect(limited.entities).toEqual(plan.entities);
  expect((await world.cli('plan')).stdout).toContain('invalid  companies c002: name is required');
  const dry = await world.cli('run', '--dry-run', '--json');
  expect(dry).toMatchObject({ exitCode: 0, stdout });
  expect(world.sandbox.requests()).toEqual([]);
  expect((await world.cli('plan', '--limit', 'x')).exitCode).toBe(2);
});

test('status --json has numbers for every configured entity, also before the first sweep', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 2);
  const before = JSON.parse((await world.cli('status', '--json')).stdout) as StatusReport;
  const empty = {
    synced: 0,
    pending: 0,
    invalid: 0,
    rejected: 0,
    waiting: 0,
    deferred: 0,
    vanished: 0,
    held: false,
    lastSuccessAt: null,
    oldestPendingAt: null,
  };
  expect(before).toEqual({ entities: { companies: empty, vacancies: empty }, lastRun: null });
  const { runId } = await world.run();
  const after = JSON.parse((await world.cli('status', '--json')).stdout) as StatusReport;
  expect(after.entities.companies).toEqual({
    ...empty,
    synced: 2,
    lastSuccessAt: expect.any(String) as string,
  });
  expect(after.lastRun).toMatchObject({ runId, outcome: 'complete', exitCode: 0 });
});

test('explain --json has the promised keys, whatever the record’s fate', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 1);
  await addVacancies(world, 2);
  await world.sql(`update vacancy set title = null where id = 'v002'`);
  await world.run();
  const explain = async (...args: string[]) =>
    JSON.parse((await world.cli('explain', ...args, '--json')).stdout) as Explanation;
  const synced = await explain('vacancies', 'v001');
  expect(Object.keys(synced)).toEqual(
    [
      'entity key platformId status reason row payload issues desiredHash acknowledgedHash reference waitsFor',
      'attempts nextAttemptAt lastReply timeline',
    ].flatMap((names) => names.split(' ')),
  );
  expect(Object.keys(synced.lastReply ?? {})).toEqual(['statusCode', 'requestId', 'error', 'body']);
  expect(synced).toMatchObject({
    entity: 'vacancies',
    key: 'v001',
    status: 'synced',
    issues: [],
    lastReply: { statusCode: 200 },
  });
  expect(synced.desiredHash).toMatch(/^v1:[0-9a-f]{64}$/);
  expect(synced.acknowledgedHash).toBe(synced.desiredHash);
  const invalid = await explain('vacancies', 'v002');
  expect(invalid).toMatchObject({ status: 'invalid', payload: null, issues: [{ field: 'title' }] });
  expect(invalid.reason).toContain('title is required');
  const people = await world.cli('explain', 'vacancies', 'v002');
  expect(people.stdout).toContain('vacancies v002 is invalid');
  expect(await world.cli('explain', 'vacancies', 'nobody')).toMatchObject({ exitCode: 2, stdout: '' });
});

test('resync --json sends everything, or the named, again', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 3);
  await world.run();
  const all = await world.cli('resync', '--json');
  expect(all.exitCode).toBe(0);
  expect(JSON.parse(all.stdout)).toMatchObject({
    outcome: 'complete',
    entities: { companies: { read: 3, sent: 3, accepted: 3 } },
  });
  const one = await world.cli('resync', '--entity', 'companies', '--key', 'c002', '--json');
  expect(JSON.parse(one.stdout)).toMatchObject({ entities: { companies: { sent: 1 } } });
});

test('no command prints the secret', async () => {
  const world = await createCliWorld();
  const print = await world.cli('config', 'print');
  expect(JSON.parse(print.stdout)).toMatchObject({ platform: { jobs: { clientId: 'sandbox-client' } } });
  const { password } = new URL(world.env.SOURCE_DATABASE_URL ?? '');
  expect(password, 'there is one to be masked').not.toBe('');
  expect(print.stdout).not.toContain(password);
  writeFileSync(join(world.folder, 'body.json'), '{}');
  const path = '/api/v1/employers/6f1de0a2-6a57-4d1c-9c43-0f5c0b8f7a11/company';
  const sign = await world.cli('sign', 'PUT', path, '--body', join(world.folder, 'body.json'));
  expect(sign.exitCode).toBe(0);
  expect(sign.stdout).toContain(`Request-Target:${path}`);
  expect(sign.stdout).toMatch(/^Signature: \S+/m);
  const json = await world.cli('sign', 'GET', path, '--json');
  expect(Object.keys(JSON.parse(json.stdout) as object)).toEqual([
    'profile',
    'digest',
    'stringToSign',
    'headers',
  ]);
  const missing = await world.cli('sign', 'PUT', path, '--body', 'nowhere.json');
  expect(missing.exitCode).toBe(2);
  for (const { stdout, stderr } of [print, sign, json, missing]) {
    expect(stdout + stderr).not.toContain(SECRET);
    expect(stderr).not.toContain('    at ');
  }
});

test('--quiet leaves only results and errors', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 1);
  expect(await world.cli('run', '--json', '--quiet')).toMatchObject({ exitCode: 0, stderr: '' });
  world.env.CLIENT_SECRET = 'wrong';
  await addVacancies(world, 1);
  const refused = await world.cli('--quiet', 'run', '--json');
  expect(refused.exitCode).toBe(5);
  expect(refused.stderr.trim().split('\n')).toHaveLength(1);
});

test('a reader that leaves early is no error', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 300);
  const main = new URL('../../dist/src/cli/main.js', import.meta.url).pathname;
  const piped = spawnSync(
    'bash',
    ['-c', '"$0" "$1" plan --json | head -1; echo "${PIPESTATUS[0]}"', process.execPath, main],
    {
      env: { PATH: process.env.PATH, ...world.env },
      encoding: 'utf8',
    },
  );
  expect(piped.stdout).toBe('{\n0\n');
  expect(piped.stderr).not.toMatch(/EPIPE| {4}at /);
});

test('the time zone of the machine changes nothing that is sent', async ({ skip }) => {
  skip(DAILY);
  const world = await createCliWorld();
  await addCompanies(world, 1);
  await addVacancies(world, 3);
  await world.sql(`update vacancy set expire_at = '2031-03-09 17:30:00.123456+00' where id = 'v001'`);
  await world.sql(`update vacancy set expire_at = '2031-03-09 16:59:59.999999+00' where id = 'v002'`);
  await world.sql(`update vacancy set closes = '2031-11-02 00:30:00' where id = 'v003'`);
  const bodies = () => world.sandbox.records('jobs', 'vacancies').map(({ body }) => body);
  world.env.TZ = 'UTC';
  await world.run();
  const utc = bodies();
  expect(utc).toMatchObject([
    { expire_at: '2031-03-10' },
    { expire_at: '2031-03-09' },
    { expire_at: '2031-11-02' },
  ]);
  world.env.TZ = 'America/St_Johns';
  expect(await world.run('--entity', 'vacancies')).toMatchObject({
    entities: { vacancies: { unchanged: 3, sent: 0 } },
  });
  expect((await world.cli('resync', '--json')).exitCode).toBe(0);
  expect(bodies()).toEqual(utc);
});
