import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { MIGRATIONS } from '../../migrations/all.js';
import { ROOT } from '../../docs/generate.js';
import {
  addCompanies,
  addVacancies,
  closeVanished,
  createCliWorld,
  type CliWorld,
  configureWorker,
} from './cli-world.js';
import { listening } from './run-cli.js';

vi.setConfig({ testTimeout: 180_000 });

/** The statements of docs/deploy.md: those of a superuser, and those of the owner. */
const SECTION = readFileSync(join(ROOT, 'docs/deploy.md'), 'utf8')
  .split('\n## ')
  .find((part) => part.startsWith('A role that only works'));
const [BY_SUPERUSER = '', BY_OWNER = ''] = [...(SECTION ?? '').matchAll(/^```sql\n([\s\S]*?)^```$/gm)].map(
  ([, sql = '']) => sql,
);

interface TwoRoles {
  readonly world: CliWorld;
  /** Address of the ledger's database, by role. */
  readonly owner: string;
  readonly worker: string;
  /** Runs a command with the state database as that role. */
  as(url: string, ...args: string[]): ReturnType<CliWorld['cli']>;
}

/** A database in which nobody but these two may do anything; not migrated. */
async function twoRoles(): Promise<TwoRoles> {
  const world = await createCliWorld({ migrated: false });
  world.configure('state: { leaseTtl: 8s }', "state: { url: '${STATE_DATABASE_URL}', leaseTtl: 8s }");
  const superuser = new URL(world.env.SOURCE_DATABASE_URL ?? '');
  const database = superuser.pathname.slice(1);
  const id = randomUUID().slice(0, 8);
  const [owner, worker] = [`sync_owner_${id}`, `sync_worker_${id}`];
  // Roles belong to the whole server, so each test has its own; the statements stay as they are.
  const named = (sql: string) =>
    sql
      .replaceAll('placement_sync_worker', worker)
      .replaceAll('database placement_sync', `database ${database}`);
  expect(BY_SUPERUSER).toContain('create role');
  expect(BY_OWNER).toContain('alter default privileges');
  await world.sql(`revoke all on database ${database} from public`);
  await world.sql(`revoke all on schema public from public`);
  await world.sql(`create role ${owner} login password 'change me too'`);
  await world.sql(`grant connect, create on database ${database} to ${owner}`);
  await world.sql(named(BY_SUPERUSER));
  onTestFinished(async () => {
    // One after the other: of both at once Postgres fails on the default privileges.
    for (const role of [owner, worker]) await world.sql(`drop owned by ${role} cascade`);
    await world.sql(`drop role ${owner}, ${worker}`);
  });
  const urlOf = (role: string, password: string) => {
    const url = new URL(superuser.href);
    [url.username, url.password] = [role, password];
    return url.href;
  };
  const urls = { owner: urlOf(owner, 'change me too'), worker: urlOf(worker, 'change me three') };
  const client = new pg.Client({ connectionString: urls.owner });
  await client.connect();
  await client.query(named(BY_OWNER));
  await client.end();
  world.env.STATE_DATABASE_URL = urls.worker;
  return {
    world,
    ...urls,
    async as(url, ...args) {
      world.env.STATE_DATABASE_URL = url;
      const result = await world.cli(...args);
      world.env.STATE_DATABASE_URL = urls.worker;
      return result;
    },
  };
}

/** Runs a command as the worker; nothing may have been refused. */
async function works({ world }: TwoRoles, exitCode: number, ...args: string[]): Promise<string> {
  const result = await world.cli(...args);
  expect(`${result.stdout}${result.stderr}`).not.toMatch(/permission denied|must be owner/i);
  expect(result.exitCode, `${args.join(' ')}: ${result.stderr}`).toBe(exitCode);
  return result.stdout;
}

test('the owner migrates, and a worker that can change no table does everything else', async () => {
  const roles = await twoRoles();
  const { world, owner, worker, as } = roles;
  expect((await as(worker, 'migrate')).stderr, 'the worker cannot').toMatch(/refuses access|denied/);
  expect((await as(worker, 'run', '--json')).exitCode, 'before the first migration').toBe(2);
  const migrated = await as(owner, 'migrate');
  expect(migrated.exitCode, migrated.stderr).toBe(0);

  closeVanished(world);
  await addCompanies(world, 3);
  await addVacancies(world, 900);
  // From 1,000 findings on, the worker analyzes what it has filled.
  await world.sql(
    `insert into vacancy (id, company_id, title) select 'w' || n, 'c001', 'More ' || n from generate_series(1, 300) n`,
  );
  await works(roles, 0, 'run', '--migrate');
  expect(world.sandbox.records('jobs', 'vacancies')).toHaveLength(1_200);
  await world.sql(`update vacancy set title = 'Edited' where id = 'v001'`);
  await world.sql(`delete from vacancy where id between 'w1' and 'w22'`);
  await works(roles, 4, 'run');
  await works(roles, 0, 'approve', 'vacancies', '--yes');
  await works(roles, 0, 'run');
  await works(roles, 0, 'resync', '--entity', 'companies');
  await works(roles, 0, 'retry', '--entity', 'companies');
  await works(roles, 0, 'verify', '--sample', '3');
  await works(roles, 0, 'plan');
  await works(roles, 0, 'status');
  await works(roles, 0, 'explain', 'vacancies', 'v001');
  await works(roles, 0, 'adopt', '--entity', 'companies');

  const client = new pg.Client({ connectionString: worker });
  await client.connect();
  onTestFinished(() => client.end());
  for (const sql of [
    'create table placement_sync.mine (a int)',
    'create table public.mine (a int)',
    'create schema mine',
    'alter table placement_sync.sync_state add column mine int',
    'drop table placement_sync.job_application',
    'truncate placement_sync.sync_state',
    'create index on placement_sync.sync_state (key)',
  ])
    await expect(client.query(sql), sql).rejects.toThrow(/permission denied|must be owner/);
});

test('a long-running worker of that role sweeps, sends, receives applications and answers its pages', async () => {
  const roles = await twoRoles();
  const { world, owner, as } = roles;
  expect((await as(owner, 'migrate')).exitCode).toBe(0);
  configureWorker(world);
  await addCompanies(world, 1);
  await addVacancies(world, 1);
  const started = world.start('start');
  const admin = await listening(started, 'admin');
  await world.requested(2);
  const [vacancy] = world.sandbox.records('jobs', 'vacancies');
  const to = await listening(started, 'webhook');
  const sent = await world.sandbox.sendApplication({ to, vacancyId: vacancy!.id, email: 'a@example.com' });
  expect(sent).toMatchObject({ status: 200 });
  expect(await world.sql('select 1 from placement_sync.job_application')).toHaveLength(1);
  expect((await fetch(`${admin}/readyz`)).status).toBe(200);
  expect((await fetch(`${admin}/`)).status).toBe(200);
  expect(await (await fetch(`${admin}/metrics`)).text()).toContain('placement_sync_records{');
  started.child.kill('SIGTERM');
  const { exitCode, stderr } = await started.done;
  expect(exitCode, stderr).toBe(0);
  expect(stderr).not.toMatch(/permission denied|must be owner|"level":"error"/i);
});

test('what the owner makes anew belongs to the worker too', async () => {
  const roles = await twoRoles();
  const { world, owner, as } = roles;
  expect((await as(owner, 'migrate')).exitCode).toBe(0);
  for (const { name } of MIGRATIONS.toReversed())
    expect((await as(owner, 'migrate', '--down', '--yes')).stdout).toContain(`took back ${name}`);
  await addCompanies(world, 1);
  expect(await works(roles, 2, 'run')).toBe('');
  const { stdout } = await as(owner, 'migrate');
  for (const { name } of MIGRATIONS) expect(stdout).toContain(name);
  await works(roles, 0, 'run');
});
