import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { login, openWire, serverThatSays, type Wire } from '../postgres/open-wire.js';
import { addCompanies, addVacancies, type CliWorld, createCliWorld, configureWorker } from './cli-world.js';
import { listening } from './run-cli.js';

describe('database faults', () => {
  // Each of them starts several processes.
  vi.setConfig({ testTimeout: 120_000 });

  /** A world whose ledger is reached through a wire of its own. */
  async function wiredWorld(): Promise<{ world: CliWorld; wire: Wire }> {
    const world = await createCliWorld();
    const wire = await openWire(world.env.SOURCE_DATABASE_URL ?? '');
    world.configure('state: { leaseTtl: 8s }', `state: { leaseTtl: 2s, url: '${wire.url}' }`);
    return { world, wire };
  }

  /** Backends of the worker that wait for something of this type, or sleep. */
  const waiting = (world: CliWorld, what: 'PgSleep' | 'Lock') =>
    world.sql<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and application_name = 'placement-sync'
     and $1 in (wait_event, wait_event_type)`,
      [what],
    );

  async function untilWaiting(world: CliWorld, what: 'PgSleep' | 'Lock'): Promise<void> {
    await expect
      .poll(async () => (await waiting(world, what)).length, { timeout: 60_000 })
      .toBeGreaterThan(0);
  }

  async function terminate(world: CliWorld, what: 'PgSleep' | 'Lock'): Promise<void> {
    for (const { pid } of await waiting(world, what))
      await world.sql('select pg_terminate_backend($1)', [pid]);
  }

  /** Keeps the ledger from being read and written until the function that it gives is called. */
  async function lockLedger(world: CliWorld): Promise<() => Promise<void>> {
    const other = new pg.Client({ connectionString: world.env.SOURCE_DATABASE_URL });
    await other.connect();
    onTestFinished(() => other.end());
    await other.query('begin; lock table placement_sync.sync_state in access exclusive mode');
    return async () => void (await other.query('rollback'));
  }

  const errorsOf = (stderr: string) => stderr.split('\n').filter((line) => line.includes('"level":"error"'));

  const companies = (world: CliWorld) => world.sandbox.records('jobs', 'companies').length;

  test('a source backend that is ended in the middle of a read fails its entity alone, and nothing vanishes', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 10);
    expect((await world.run()).code).toBe(0);
    await addVacancies(world, 1);
    const query = 'select id as key, name, city as region_id from company';
    world.write('companies.sql', `${query}, (select pg_sleep(40)) as slow`);
    const running = world.run();
    await untilWaiting(world, 'PgSleep');
    await terminate(world, 'PgSleep');
    const run = await running;
    expect(run).toMatchObject({
      code: 1,
      outcome: 'failed',
      entities: {
        companies: { vanished: 0, sent: 0, error: { code: 'query-failed' } },
        vacancies: { new: 1, accepted: 1, error: null },
      },
    });
    expect(errorsOf(run.stderr)).toEqual([expect.stringContaining('The next run reads again')]);
    world.write('companies.sql', query);
    expect(await world.run()).toMatchObject({
      code: 0,
      entities: { companies: { unchanged: 10, vanished: 0 } },
    });
  });

  test('state backends that are ended in the middle of a sweep end the run, which a later one makes up for', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 10);
    const unlock = await lockLedger(world);
    const running = world.run();
    await untilWaiting(world, 'Lock');
    await terminate(world, 'Lock');
    await unlock();
    const run = await running;
    expect(run).toMatchObject({ code: 1, outcome: 'failed', entities: { companies: { sent: 0 } } });
    expect(errorsOf(run.stderr)).toEqual([
      expect.stringMatching(/state-unavailable.*57P01|state-unavailable.*terminating/),
    ]);
    expect(world.sandbox.requests()).toEqual([]);
    expect(await world.run()).toMatchObject({ code: 0, entities: { companies: { accepted: 10 } } });
  });

  test('state backends that are ended while outcomes are written end the run, and nothing is lost', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 10);
    let unlock = () => Promise.resolve();
    let locked: Promise<void> | null = null;
    world.intercept = async () => {
      locked ??= lockLedger(world).then((release) => void (unlock = release));
      await locked;
    };
    const running = world.run();
    await untilWaiting(world, 'Lock');
    await terminate(world, 'Lock');
    await unlock();
    const run = await running;
    expect(run).toMatchObject({ code: 1, outcome: 'failed' });
    expect(errorsOf(run.stderr)).toHaveLength(1);
    world.intercept = null;
    expect((await world.run()).code).toBe(0);
    expect(companies(world)).toBe(10);
    // What the ended backends left open is confirmed by a run that comes when it can no longer arrive late.
    const settled = async () => {
      expect((await world.run()).code).toBe(0);
      const { stdout } = await world.cli('status', '--json');
      return (JSON.parse(stdout) as { entities: object }).entities;
    };
    await expect.poll(settled, { timeout: 60_000 }).toMatchObject({ companies: { pending: 0, rejected: 0 } });
  });

  test('a state database that goes away while a run sends ends it with a summary; nothing is sent without it', async () => {
    const { world, wire } = await wiredWorld();
    await addCompanies(world, 60);
    let refused: Promise<void> | null = null;
    world.intercept = async ({ count }) => {
      if (count > 0 && world.sandbox.requests().length > 8) await (refused ??= wire.refuse());
    };
    const run = await world.run();
    expect(run).toMatchObject({ code: 1, outcome: 'failed', exitCode: 1 });
    // On a slow machine the lease ends first.
    expect(errorsOf(run.stderr)).toEqual([expect.stringMatching(/state-unavailable|lease-lost/)]);
    // Those under way, and what was claimed with them.
    expect(world.sandbox.requests().length).toBeLessThanOrEqual(9 + 2 * 4);
    world.intercept = null;
    await wire.mend();
    await expect.poll(async () => (await world.run()).code, { timeout: 60_000 }).toBe(0);
    expect(companies(world)).toBe(60);
  });

  test('start bears an outage of the state database: webhooks are answered 503, and both halves go on after it', async () => {
    const { world, wire } = await wiredWorld();
    configureWorker(world);
    await addCompanies(world, 2);
    await addVacancies(world, 1);
    const worker = world.start('start');
    await world.requested(3);
    const to = await listening(worker, 'webhook');
    const [vacancy] = world.sandbox.records('jobs', 'vacancies');
    const apply = async () =>
      (await world.sandbox.sendApplication({ to, vacancyId: vacancy?.id ?? '', email: 'budi@example.com' }))
        .status;

    await wire.refuse();
    expect(await apply()).toBe(503);
    await expect.poll(() => worker.stderr(), { timeout: 60_000 }).toContain('(state-unavailable)');
    await world.sql(`insert into company (id, name) values ('late', 'Late')`);
    await wire.mend();
    await expect.poll(() => companies(world), { timeout: 60_000 }).toBe(3);
    expect(await apply()).toBe(200);
    worker.child.kill('SIGTERM');
    expect((await worker.done).exitCode).toBe(0);
  });

  test('a role with too few connections for the ledger ends the run with what to lower, and nothing is lost', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 300);
    const role = `ledger_${randomUUID().slice(0, 8)}`;
    const url = new URL(world.env.SOURCE_DATABASE_URL ?? '');
    await world.sql(`create role ${role} login password 'of-the-ledger' connection limit 0`);
    await world.sql(`grant create on database "${url.pathname.slice(1)}" to ${role}`);
    onTestFinished(async () => {
      await world.sql(`drop owned by ${role}`);
      await world.sql(`drop role ${role}`);
    });
    url.username = role;
    url.password = 'of-the-ledger';
    world.configure('state: { leaseTtl: 8s }', `state: { leaseTtl: 20s, schema: own, url: '${url.href}' }`);
    const none = await world.run('--migrate');
    expect(none).toMatchObject({ code: 1, outcome: 'failed' });
    expect(none.entities.companies?.error).toMatchObject({ code: 'state-unavailable' });
    expect(errorsOf(none.stderr)).toEqual([expect.stringMatching(/lower state\.poolMax .*CONNECTION LIMIT/)]);
    expect(none.stderr).not.toContain('of-the-ledger');
    expect(companies(world)).toBe(0);

    // Slow statements: claims and outcomes are under way at the same time, on any machine.
    await world.sql(`alter role ${role} connection limit -1`);
    expect((await world.cli('migrate')).exitCode).toBe(0);
    await world.sql(`create function own.wait() returns trigger language plpgsql as
    'begin perform pg_catalog.pg_sleep(0.2); return null; end'`);
    await world.sql('create trigger slow after update on own.sync_state execute function own.wait()');
    await world.sql(`alter role ${role} connection limit 1`);
    const one = await world.run();
    expect(one).toMatchObject({ code: 1, outcome: 'failed', entities: { companies: { new: 300 } } });
    expect(errorsOf(one.stderr)).toEqual([expect.stringMatching(/lower state\.poolMax .*CONNECTION LIMIT/)]);
    await world.sql(`alter role ${role} connection limit -1`);
    await world.sql('drop function own.wait() cascade');
    expect(await world.run()).toMatchObject({ code: 0 });
    expect(companies(world)).toBe(300);
  });
});

describe('source unavailable', () => {
  test('a source that is down fails the run, and what was pending is sent all the same', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 3);
    world.intercept = () => ({ status: 401, body: { message: 'not now' } });
    expect(await world.run()).toMatchObject({ code: 5, entities: { companies: { pending: 3, sent: 0 } } });

    world.intercept = null;
    const state = world.env.SOURCE_DATABASE_URL ?? '';
    world.configure('state: { leaseTtl: 8s }', `state: { leaseTtl: 8s, url: '${state}' }`);
    world.env.SOURCE_DATABASE_URL = 'postgres://nobody:hidden-word@127.0.0.1:9/hr';
    const down = await world.run();
    expect(down).toMatchObject({
      code: 1,
      outcome: 'failed',
      entities: {
        companies: { read: 0, vanished: 0, sent: 3, accepted: 3, error: { code: 'source-unavailable' } },
        vacancies: { error: { code: 'source-unavailable' } },
      },
    });
    expect(down.stderr).not.toContain('hidden-word');
  });

  test('a source whose log-in the driver does not know is an ordinary error of every command', async () => {
    const [text, hint] = ['asks to log in by GSSAPI', 'pg_hba.conf'];
    const world = await createCliWorld();
    await addCompanies(world, 1);
    const state = world.env.SOURCE_DATABASE_URL ?? '';
    world.configure('state: { leaseTtl: 8s }', `state: { leaseTtl: 3s, url: '${state}' }`);
    configureWorker(world);
    world.env.SOURCE_DATABASE_URL = await serverThatSays(login(7));
    const place = new URL(world.env.SOURCE_DATABASE_URL).host;

    for (const command of ['plan', 'run']) {
      const { exitCode, stdout, stderr } = await world.start(command).done;
      expect(exitCode, `${command}: ${stderr}`).toBe(1);
      expect(stdout + stderr).toContain(`The source database ${place}/hr cannot be reached`);
      expect(stdout + stderr).toContain(text);
      expect(stdout + stderr).toContain(hint);
    }
    const { checks } = JSON.parse((await world.start('doctor', '--json').done).stdout) as {
      checks: { id: string; level: string; message: string }[];
    };
    expect(checks.filter(({ id, level }) => id === 'connection' && level === 'fail')).toMatchObject([
      { message: expect.stringContaining(text) as string },
    ]);

    const worker = world.start('start');
    await expect.poll(() => worker.stderr(), { timeout: 60_000 }).toContain(text);
    worker.child.kill('SIGTERM');
    expect((await worker.done).exitCode).toBe(0);
  });
});
