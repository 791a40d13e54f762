import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import {
  addCompanies,
  addVacancies,
  closeVanished,
  type CliWorld,
  createCliWorld,
  configureWorker,
} from './cli-world.js';
import { listening } from './run-cli.js';

describe('says what happened', () => {
  vi.setConfig({ testTimeout: 60_000 });

  /** The cells of a table's row by the names of its columns. */
  function cells(stdout: string, entity: string): Record<string, string> {
    const lines = stdout.split('\n').map((line) => line.trim().split(/\s{2,}/));
    const head = lines.find((line) => line.includes('sent')) ?? [];
    const row = lines.find(([name]) => name === entity)?.slice(1) ?? [];
    return Object.fromEntries(head.map((name, index) => [name, row[index] ?? '']));
  }

  test('a failed query is the reason, and its entity is not read instead of empty', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 2);
    world.write('vacancies.sql', 'select id as key from vacanci');
    const run = await world.cli('run');
    expect(run.exitCode).toBe(1);
    expect(run.stdout).toMatch(
      /Failed: vacancies could not be read\. The query failed\. Exit code 1, .*\n.*vacanci/,
    );
    expect(run.stdout).not.toContain('signal');
    expect(cells(run.stdout, 'companies')).toMatchObject({ read: '2', new: '2', sent: '2' });
    expect(cells(run.stdout, 'vacancies')).toMatchObject({ read: 'not read', new: '-', sent: '0' });
  });

  test('an unreachable source reads nothing, and the table says so', async () => {
    const world = await createCliWorld();
    const state = world.env.SOURCE_DATABASE_URL ?? '';
    world.configure('state: { leaseTtl: 8s }', `state: { leaseTtl: 8s, url: '${state}' }`);
    world.env.SOURCE_DATABASE_URL = 'postgres://nobody:hidden-word@127.0.0.1:9/hr';
    const run = await world.cli('run');
    expect(run.stdout).toContain(
      'Failed: companies and vacancies could not be read. The source cannot be reached.',
    );
    for (const entity of ['companies', 'vacancies'])
      expect(cells(run.stdout, entity)).toMatchObject({ read: 'not read', vanished: '-', sent: '0' });
    const json = await world.run();
    expect(json.entities.companies, 'numbers for programs').toMatchObject({
      read: 0,
      error: { code: 'source-unavailable' },
    });
  });

  test('the table has everything that is not at the platform yet, whichever run deferred it', async () => {
    const world = await createCliWorld();
    world.configure('entities:', 'retry: { baseDelay: 10m, maxDelay: 10m }\nentities:');
    await addCompanies(world, 3);
    world.intercept = ({ body }) =>
      (body as { name: string }).name === 'Company 1'
        ? undefined
        : { status: 500, body: { message: 'broken' } };
    const first = await world.cli('run');
    const again = await world.cli('run');
    expect(again.exitCode).toBe(0);
    expect(cells(again.stdout, 'companies')).toMatchObject({ sent: '0', deferred: '2', pending: '0' });
    expect(again.stdout).toContain('Done. A later run sends the rest.');
    // Whichever run deferred them, both name the cause.
    for (const { stdout } of [first, again])
      expect(stdout).toMatch(/companies: 2 deferred\..* HTTP 500.*broken/);
    // Who sends them next: the worker that holds the leases, else the next run.
    const status = async () => (await world.cli('status')).stdout;
    for (const stdout of [again.stdout, await status()]) {
      expect(stdout).toContain('The next run tries again.');
      expect(stdout).not.toContain('The worker');
    }
    await world.sql(
      `update placement_sync.lease set holder = 'db-host pid 7', expires_at = now() + interval '1 minute', ttl_ms = 60000`,
    );
    expect(await status()).toContain('The worker tries again by itself.');
    await world.sql(`update placement_sync.lease set expires_at = now() - interval '1 minute'`);
    expect((await world.cli('run', '--json')).stderr).toMatch(/put off\. The last error: HTTP 500.*broken/);
    expect((await world.cli('status', '--json')).stdout).toContain('"lastSuccessAt": null');
  });

  test('a run beside another one says who is running, on standard output too', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 1);
    await world.cli('run');
    await world.sql(
      `update placement_sync.lease set holder = 'db-host pid 7', expires_at = now() + interval '5 seconds', ttl_ms = 8000`,
    );
    const busy = await world.cli('run');
    expect(busy.exitCode).toBe(6);
    expect(busy.stdout).toMatch(
      /^Nothing was read or sent\. Another process is running: db-host pid 7 holds the sweep lease, valid for \d s\./,
    );
  });

  test('a standby that is stopped says who holds the leases, not that they are free', async () => {
    const world = await createCliWorld();
    configureWorker(world);
    await world.cli('run');
    await world.sql(
      `update placement_sync.lease set holder = 'db-host pid 7', expires_at = now() + interval '1 minute', ttl_ms = 60000`,
    );
    const standby = world.start('start');
    await expect
      .poll(() => standby.stderr(), { timeout: 60_000 })
      .toContain('Standing by: db-host pid 7 holds the leases');
    standby.child.kill('SIGTERM');
    const { exitCode, stderr } = await standby.done;
    expect(exitCode).toBe(0);
    expect(stderr).toContain('Stopped. db-host pid 7 holds the leases and goes on.');
    expect(stderr).not.toContain('leases are free');
  });

  test('a run whose process died is cut off in status, and under way while somebody holds the leases', async () => {
    const world = await createCliWorld();
    await world.cli('run');
    await world.sql(
      'update placement_sync.sync_run set finished_at = null, outcome = null, exit_code = null',
    );
    expect((await world.cli('status')).stdout).toMatch(
      /Last run: cut off, began [^.]*\. It did not end, and no process holds the leases: its process died\./,
    );
    await world.sql(
      `update placement_sync.lease set expires_at = now() + interval '5 seconds', ttl_ms = 8000`,
    );
    const { stdout } = await world.cli('status');
    expect(stdout).toContain('Last run: under way, began');
    expect(stdout).not.toContain('died');
  });

  test('status says who works, when the next run is due, and that a worker which died is missing', async () => {
    const world = await createCliWorld();
    configureWorker(world);
    world.configure(`sync: '* * * * * *'`, `sync: '0 0 * * *', spread: false`);
    await addCompanies(world, 1);
    await world.cli('run');
    expect((await world.cli('status')).stdout).toContain('No process runs now.');
    expect((await world.cli('status', '--exit-code')).exitCode, 'a run need not run').toBe(0);

    const worker = world.start('start');
    const admin = await listening(worker, 'admin');
    expect(admin).toMatch(/^http/);
    let working = '';
    await expect
      .poll(async () => (working = (await world.cli('status')).stdout), { timeout: 60_000 })
      .toMatch(
        /Working: \S+ pid \d+ \((sweep, push|push, sweep)\)\. The next sweep is due at \d{4}-\d\d-\d\d 00:00:00 /,
      );
    expect(working).toContain('Job applications by webhook: none yet.');
    expect(JSON.parse((await world.cli('status', '--json')).stdout)).toMatchObject({
      worker: { holders: [{ leases: expect.arrayContaining(['push', 'sweep']) as string[] }] },
      inbox: { total: 0 },
    });

    worker.child.kill('SIGKILL');
    await worker.done;
    await expect
      .poll(async () => (await world.cli('status')).stdout, { timeout: 60_000, interval: 500 })
      .toContain('No worker is running. No process holds the leases.');
    expect((await world.cli('status')).stdout).not.toContain('Working:');
    expect((await world.cli('status', '--exit-code')).exitCode).toBe(1);
    expect((await world.cli('status')).exitCode, 'only on request').toBe(0);
  });

  test('status --exit-code is that of what is wrong now', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 2);
    world.intercept = ({ body }) =>
      (body as { name: string }).name === 'Company 1' ? { status: 422, body: { message: 'No.' } } : undefined;
    await world.run();
    expect((await world.cli('status', '--exit-code')).exitCode).toBe(3);
    world.write('companies.sql', 'select id as key from compani');
    await world.run();
    expect((await world.cli('status', '--exit-code', '--json')).exitCode).toBe(1);
  });

  test('run and status count what left the query and is still open to the public', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 1);
    await addVacancies(world, 4);
    await world.run();
    await world.sql(`delete from vacancy where id <= 'v002'`);
    const said =
      'vacancies: 2 records have left the query and are still open at the platform, because onVanished is report.';
    expect((await world.cli('run')).stdout).toContain(said);
    expect((await world.cli('status')).stdout).toContain(said);
    expect(JSON.parse((await world.cli('status', '--json')).stdout)).toMatchObject({
      entities: { vacancies: { vanished: 2, leftOpen: 2 } },
    });
    closeVanished(world);
    expect((await world.cli('run')).stdout).not.toContain('still open');
  });

  test('start logs one line for each push that sent something, and its metrics count what was sent', async () => {
    const world = await createCliWorld();
    configureWorker(world);
    // One run, so that the next one does not begin with 0 again.
    world.configure(`sync: '* * * * * *'`, `sync: '0 0 29 2 *'`);
    await addCompanies(world, 1);
    const worker = world.start('start');
    const admin = await listening(worker, 'admin');
    await expect
      .poll(async () => (await fetch(`${admin}/metrics`)).text(), { timeout: 60_000 })
      .toContain('placement_sync_last_run_records{entity="companies",counter="sent"} 1');
    worker.child.kill('SIGTERM');
    const { stderr } = await worker.done;
    const lines = stderr.split('\n').filter((line) => line.includes('"event":"push-finished"'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({
      level: 'info',
      message: 'Sent one record of companies: 1 accepted.',
    });
  });
});

describe('truths', () => {
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
    expect((await world.cli('explain', 'vacancies', 'v001')).stdout).toContain(
      'It has expired: its last day',
    );
  });

  test('explain shows a changed row beside what the ledger has', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 2);
    await world.run();
    await world.sql(`update company set name = 'Other' where id = 'c002'`);
    const { stdout } = await world.cli('explain', 'companies', 'c002');
    expect(stdout).toMatch(/The row has changed since the last sweep \(.* WIB\) in name; the next sweep/);
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
});
