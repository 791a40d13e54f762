import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { onServer } from '../postgres/test-database.js';
import { addCompanies, addVacancies, type CliWorld, createCliWorld, configureWorker } from './cli-world.js';
import { listening, type RunningCli, startCli } from './run-cli.js';
import { temporaryFolder } from '../temporary-folder.js';

describe('start', () => {
  /** A worker that sweeps every second, on free ports. */
  async function workerWorld(): Promise<CliWorld> {
    const world = await createCliWorld();
    world.configure('state: { leaseTtl: 8s }', 'state: { leaseTtl: 3s }');
    configureWorker(world);
    return world;
  }

  async function stop(worker: RunningCli): Promise<void> {
    worker.child.kill('SIGTERM');
    const { exitCode, stderr } = await worker.done;
    expect(exitCode, stderr).toBe(0);
  }

  test('start sweeps on schedule, sends what changes, answers probes, and ends with 0 at SIGTERM', async () => {
    const world = await workerWorld();
    await addCompanies(world, 3);
    await addVacancies(world, 2);
    const worker = world.start('start');
    const admin = await listening(worker, 'admin');
    await world.requested(5);

    expect(await (await fetch(`${admin}/livez`)).text()).toBe('ok\n');
    expect((await fetch(`${admin}/readyz`)).status).toBe(200);
    const page = await (await fetch(`${admin}/`)).text();
    expect(page).toContain('Health by entity');
    const { stdout: version } = await startCli(['--version']).done;
    expect(page, 'the footer').toContain(`Version ${version.trim()}. `);
    expect((await fetch(`${admin}/nothing`)).status).toBe(404);
    await world.sql(`update company set about = 'edited' where id = (select min(id) from company)`);
    await world.requested(6);

    const metrics = await (await fetch(`${admin}/metrics`)).text();
    expect(metrics).toContain('placement_sync_records{entity="companies",status="synced"}');
    expect(metrics).toMatch(/placement_sync_requests_total\{operation="putVacancy",status_class="2xx"\} 2/);
    expect(metrics).toMatch(
      /placement_sync_build_info\{version="\d[^"]*",commit="([0-9a-f]{7}(-dirty)?|unknown)"\} 1$/m,
    );
    const scraped = async () => (await fetch(`${admin}/metrics`)).text();
    await expect.poll(scraped, { timeout: 60_000 }).toMatch(/runs_total\{outcome="complete"\} [1-9]/);
    await expect
      .poll(scraped, { timeout: 60_000 })
      .toMatch(/last_success_timestamp_seconds\{entity="vacancies"\} \d+/);
    await stop(worker);
    // The leases are released: the next run begins at once, and finds nothing to do.
    expect(await world.run()).toMatchObject({ code: 0, entities: { companies: { sent: 0 } } });
    expect(world.sandbox.requests()).toHaveLength(6);
  });

  test('an application that comes by webhook gets its status back, and the public listener serves nothing else', async () => {
    const world = await workerWorld();
    await addCompanies(world, 1);
    await addVacancies(world, 1);
    await world.sql('create table hiring (application text, status text)');
    world.write('hiring.sql', 'select application as key, status from hiring');
    world.configure('  vacancies:', '  application-statuses: { query: hiring.sql }\n  vacancies:');
    const worker = world.start('start');
    const url = await listening(worker, 'webhook');
    await world.requested(2);
    const [vacancy] = world.sandbox.records('jobs', 'vacancies');

    expect((await fetch(new URL('/', url))).status).toBe(404);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    const sent = await world.sandbox.sendApplication({
      to: url,
      vacancyId: vacancy!.id,
      email: 'budi@example.com',
    });
    expect(sent).toMatchObject({ status: 200 });
    await world.sql(`insert into hiring values ($1, 'hired')`, [sent.applicationId]);
    await world.requested(3);
    expect(world.sandbox.records('jobs', 'application-statuses')).toMatchObject([
      { id: sent.applicationId, body: { status: 'hired' } },
    ]);
    await stop(worker);
  });

  test('readyz says what to do when the state schema is not this version’s, and livez does not mind', async () => {
    const world = await workerWorld();
    const worker = world.start('start');
    const admin = await listening(worker, 'admin');
    const ready = async () => {
      const answer = await fetch(`${admin}/readyz`);
      return [answer.status, await answer.text()];
    };
    expect(await ready()).toEqual([200, 'ok\n']);

    const newer = `insert into placement_sync.migration (name, batch, migration_time) values ('9999-later', 99, now())`;
    await world.sql(newer);
    expect(await ready()).toEqual([
      503,
      'The state schema "placement_sync" was migrated by a newer version (9999-later). Run the newer version. To go back to this one, take its migrations back with the newer one first (docs/moves.md). A second ledger would send everything again.\n',
    ]);
    await world.sql(`delete from placement_sync.migration where name = '9999-later'`);
    // The view of an older version.
    await world.sql('comment on view placement_sync.record is null');
    expect(await ready()).toEqual([
      503,
      'The state schema "placement_sync" is not up to date: record-view. Run: placement-sync migrate (run and start also take --migrate).\n',
    ]);
    expect((await fetch(`${admin}/livez`)).status).toBe(200);
    await stop(worker);
  });

  test('a platform that is down stops the area, which is tried again with growing pauses', async () => {
    const world = await workerWorld();
    world.configure('entities:', 'retry: { breakerAfter: 2, baseDelay: 300ms, maxDelay: 600ms }\nentities:');
    world.intercept = () => ({ status: 503 });
    await addCompanies(world, 3);
    const worker = world.start('start');
    const admin = await listening(worker, 'admin');
    await world.requested(6);
    expect(
      (await fetch(`${admin}/readyz`)).status,
      'a platform outage does not make the worker unready',
    ).toBe(200);
    const before = world.sandbox.requests().length;
    await wait(1_000);
    expect(world.sandbox.requests().length - before, 'one request a pause').toBeLessThanOrEqual(5);
    world.intercept = null;
    await expect.poll(() => world.sandbox.records('jobs', 'companies').length, { timeout: 60_000 }).toBe(3);
    await stop(worker);
  });

  test('a standby answers probes and takes applications before, while and after the active one is killed', async () => {
    const world = await workerWorld();
    await addCompanies(world, 1);
    await addVacancies(world, 1);
    const first = world.start('start');
    await world.requested(2);
    const second = world.start('start');
    await expect.poll(() => second.stderr(), { timeout: 60_000 }).toContain('Standing by');
    const admin = await listening(second, 'admin');
    const webhook = await listening(second, 'webhook');
    const [vacancy] = world.sandbox.records('jobs', 'vacancies');
    const answers = async (email: string) => ({
      livez: (await fetch(`${admin}/livez`)).status,
      readyz: (await fetch(`${admin}/readyz`)).status,
      webhook: (await world.sandbox.sendApplication({ to: webhook, vacancyId: vacancy!.id, email })).status,
    });
    const fine = { livez: 200, readyz: 200, webhook: 200 };

    expect(await answers('before@example.com')).toEqual(fine);
    first.child.kill('SIGKILL');
    await first.done;
    expect(second.stderr(), 'its lease lasts a while').not.toContain('This process sweeps and sends now');
    expect(await answers('while@example.com')).toEqual(fine);
    await expect
      .poll(() => second.stderr(), { timeout: 60_000 })
      .toContain('This process sweeps and sends now');
    expect(await answers('after@example.com')).toEqual(fine);
    await stop(second);
    const stored = await world.sql<{ email: string }>(
      'select email from placement_sync.job_application order by received_at',
    );
    expect(stored.map(({ email }) => email)).toEqual([
      'before@example.com',
      'while@example.com',
      'after@example.com',
    ]);
  });

  test('while the state database is gone the worker is alive and not ready, and /metrics has the counters', async () => {
    const world = await workerWorld();
    await addCompanies(world, 2);
    const worker = world.start('start');
    const admin = await listening(worker, 'admin');
    await world.requested(2);
    const metrics = async () => (await fetch(`${admin}/metrics`)).text();
    await expect.poll(metrics, { timeout: 60_000 }).toMatch(/putCompany",status_class="2xx"\} 2/);
    expect(await metrics()).toContain('placement_sync_records{');
    const [row] = await world.sql<{ name: string }>('select current_database() as name');
    const name = row?.name ?? '';
    await onServer(async (client) => {
      await client.query(`alter database ${name} allow_connections false`);
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    });
    const without = await metrics();
    expect(without).toMatch(/putCompany",status_class="2xx"\} 2/);
    expect(without).not.toContain('placement_sync_records{');
    expect((await fetch(`${admin}/livez`)).status).toBe(200);
    const ready = await fetch(`${admin}/readyz`);
    expect([ready.status, await ready.text()], 'without saying where it is').toEqual([
      503,
      'The state database cannot be used.\n',
    ]);

    await onServer((client) => client.query(`alter database ${name} allow_connections true`));
    await expect.poll(metrics, { timeout: 60_000 }).toContain('placement_sync_records{');
    await world.sql(`insert into company (id, name) values ('late', 'Late')`);
    await world.requested(3);
    await stop(worker);
  });

  test('SIGTERM ends a worker that waits for a lock on the ledger', async () => {
    const world = await workerWorld();
    await addCompanies(world, 1);
    const worker = world.start('start');
    await world.requested(1);
    const other = new pg.Client({ connectionString: world.env.SOURCE_DATABASE_URL });
    await other.connect();
    onTestFinished(() => other.end());
    await other.query('begin');
    await other.query('lock table placement_sync.sync_state in access exclusive mode');
    // From a connection of its own: within a transaction pg_stat_activity stays as it was at the first look.
    const waiting = async () => {
      const [row] = await world.sql<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row?.count;
    };
    await expect.poll(waiting, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
    // Its statements would wait for two minutes, longer than this test may take.
    await stop(worker);
    expect(worker.stderr()).not.toContain('"level":"error"');
    const { rows } = await other.query(
      'select 1 from placement_sync.lease where expires_at > clock_timestamp()',
    );
    expect(rows, 'the leases are free').toEqual([]);
  }, 60_000);
});

describe('a lookup that changes while start runs', () => {
  const [FIRST, SECOND] = ['8f1c1d8e-3f4b-4a59-9a63-0f6a3f1d7c01', '8f1c1d8e-3f4b-4a59-9a63-0f6a3f1d7c02'];

  /** Companies with a code that has no id yet, in a folder as a ConfigMap mounts it: links to links. */
  async function worldWithLookup() {
    const world = await createCliWorld();
    configureWorker(world);
    world.write('companies.sql', 'select id as key, name, city as region_id, about as industry from company');
    world.configure(
      'query: companies.sql',
      'query: companies.sql, lookups: { industry: reference/codes.csv }',
    );
    const at = (name: string) => join(world.folder, 'reference', name);
    const version = (name: string, text: string) => {
      mkdirSync(at(name));
      writeFileSync(join(at(name), 'codes.csv'), text);
    };
    mkdirSync(at(''));
    version('v1', 'code,id\nAUTO,\n');
    symlinkSync('v1', at('..data'));
    symlinkSync('..data/codes.csv', at('codes.csv'));
    /** All files of a mounted ConfigMap change by one rename. */
    const mount = (name: string, text: string) => {
      version(name, text);
      symlinkSync(name, at('new'));
      renameSync(at('new'), at('..data'));
    };
    const add = (id: string) =>
      world.sql(`insert into company (id, name, about) values ($1, $1, 'AUTO')`, [id]);
    const sent = () =>
      world.sandbox.records('jobs', 'companies').map(({ body }) => (body as { industry: unknown }).industry);
    return { world, codes: at('codes.csv'), mount, add, sent };
  }

  const count = (worker: RunningCli, text: string) => worker.stderr().split(text).length - 1;

  test('the next sweep takes it; of one that cannot be used nothing is taken, and the worker says so once', async () => {
    const { world, codes, mount, add, sent } = await worldWithLookup();
    await add('c001');
    const worker = world.start('start');
    await listening(worker, 'admin');
    await expect
      .poll(() => worker.stderr(), { timeout: 60_000 })
      .toContain('0 changed, 0 vanished, 1 invalid');
    writeFileSync(codes, `code,id\nAUTO,${FIRST}\n`);
    await expect.poll(sent, { timeout: 60_000 }).toEqual([FIRST]);
    expect(worker.stderr()).toContain('reference/codes.csv has changed and was read again');

    // The second line is right: half of a file would be worse than the earlier one.
    writeFileSync(codes, `code,id\nAUTO,${SECOND}\nMEDIA,none\n`);
    await expect.poll(() => count(worker, 'line 3: the id'), { timeout: 60_000 }).toBe(1);
    for (const id of ['c002', 'c003']) {
      await add(id);
      await expect.poll(sent, { timeout: 60_000 }).toHaveLength(Number(id.slice(1)));
    }
    expect(sent()).toEqual([FIRST, FIRST, FIRST]);
    rmSync(codes);
    await expect.poll(() => count(worker, 'codes.csv does not exist'), { timeout: 60_000 }).toBe(1);
    await add('c004');
    await expect.poll(sent, { timeout: 60_000 }).toEqual([FIRST, FIRST, FIRST, FIRST]);

    symlinkSync('..data/codes.csv', codes);
    mount('v2', `code,id\nAUTO,${SECOND}\n`);
    await expect.poll(sent, { timeout: 60_000 }).toEqual([SECOND, SECOND, SECOND, SECOND]);
    expect([count(worker, 'line 3: the id'), count(worker, 'does not exist')]).toEqual([1, 1]);
    expect(worker.stderr(), 'a changed lookup is a changed mapping').toContain('mapping changed');
    worker.child.kill('SIGTERM');
    expect((await worker.done).exitCode, worker.stderr()).toBe(0);
    // The next process reads the same, so it has nothing to do.
    const requests = world.sandbox.requests().length;
    expect(await world.run()).toMatchObject({ code: 0, entities: { companies: { changed: 0, sent: 0 } } });
    expect(world.sandbox.requests()).toHaveLength(requests);
  }, 120_000);

  test('guards judge it as they judge any other change, and the pages have it before the next sweep', async () => {
    const { world, codes, add, sent } = await worldWithLookup();
    world.configure(`sync: '* * * * * *'`, `sync: '0 0 29 2 *'`);
    writeFileSync(codes, `code,id\nAUTO,${FIRST}\n`);
    for (const id of ['c001', 'c002', 'c003', 'c004', 'c005']) await add(id);
    const worker = world.start('start');
    const admin = await listening(worker, 'admin');
    await expect.poll(sent, { timeout: 60_000 }).toHaveLength(5);
    const page = async () => (await fetch(`${admin}/record?entity=companies&key=c001`)).text();
    expect(await page()).toContain(FIRST);

    writeFileSync(codes, `code,id\nMEDIA,${SECOND}\n`);
    expect(await page()).toContain('is not in reference/codes.csv');
    await world.sql(`update placement_sync.schedule set due_at = clock_timestamp() where name = 'sync'`);
    await expect.poll(() => worker.stderr(), { timeout: 60_000 }).toContain('companies is held');
    expect(sent()).toHaveLength(5);
    worker.child.kill('SIGTERM');
    expect((await worker.done).exitCode, worker.stderr()).toBe(0);
  }, 120_000);
});

describe('the start of', () => {
  /** What a process loaded: libraries by name, and folders of src. */
  interface Loaded {
    readonly exitCode: number | null;
    readonly libraries: readonly string[];
    readonly folders: readonly string[];
  }

  /**
   * Folders of src of which a file of the built program has modules: the build names each module in a comment. The registry
   * is the names of the entities; it loads them when it is asked.
   */
  function foldersIn(url: string): readonly string[] {
    if (!url.includes('/dist/')) return [];
    const text = readFileSync(fileURLToPath(url), 'utf8');
    return [...text.matchAll(/^\/\/ src\/(?!entities\/registry\.ts)([^/]+)\//gm)].map(
      ([, folder]) => folder ?? '',
    );
  }

  /** Runs a command as a process whose modules are listed: V8 names every script that it reports the coverage of. */
  async function loadedBy(args: readonly string[], env: Record<string, string> = {}): Promise<Loaded> {
    const folder = temporaryFolder();
    const { exitCode } = await startCli(args, { env: { ...env, NODE_V8_COVERAGE: folder } }).done;
    const scripts = readdirSync(folder).flatMap((name) => {
      const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
        result: { url: string }[];
      };
      return result.map(({ url }) => url);
    });
    const named = (form: RegExp) =>
      [...new Set(scripts.flatMap((url) => form.exec(url)?.[1] ?? []))].toSorted();
    return {
      exitCode,
      libraries: named(/\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/),
      folders: [...new Set(scripts.flatMap(foldersIn))].toSorted(),
    };
  }

  it.each([['--version'], ['sandbox send-application --help']])(
    '%s loads no library but the one that reads the command line',
    async (line) => {
      const { exitCode, libraries, folders } = await loadedBy(line.split(' '));
      expect(exitCode).toBe(0);
      expect(libraries).toEqual(['commander']);
      expect(folders).toContain('cli');
      for (const folder of ['entities', 'source', 'state', 'platform', 'telemetry', 'service', 'dashboard'])
        expect(folders).not.toContain(folder);
    },
  );

  it('a run with nothing to send loads neither an HTTP client nor the schedule of the worker', async () => {
    const world = await createCliWorld();
    const { exitCode, libraries } = await loadedBy(['run'], world.env);
    expect(exitCode).toBe(0);
    expect(libraries).toEqual(expect.arrayContaining(['commander', 'pg']));
    expect(libraries).not.toContain('got');
    expect(libraries).not.toContain('node-cron');
  });

  it('status loads nothing that only a run, the worker or the sandbox needs', async () => {
    const world = await createCliWorld();
    const { exitCode, libraries, folders } = await loadedBy(['status'], world.env);
    expect(exitCode).toBe(0);
    // That the list is of this process: these it cannot do without.
    expect(libraries).toEqual(expect.arrayContaining(['commander', 'pg', 'yaml', 'zod']));
    for (const library of [
      ...['got', 'hono', '@hono/node-server', 'node-cron', 'prom-client', 'nodemailer'],
      ...['winston', 'cli-progress', 'html-to-text', 'uuid'],
    ])
      expect(libraries).not.toContain(library);
    for (const folder of ['source', 'platform', 'webhook', 'sandbox', 'dashboard', 'service', 'demo'])
      expect(folders).not.toContain(folder);
  });
});
