import { createHash, randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { addCompanies, addVacancies, configureWorker, createCliWorld, type CliWorld } from './cli-world.js';
import { listening, onTerminal, startCli } from './run-cli.js';

vi.setConfig({ testTimeout: 120_000 });

const EMAIL = 'marked.person@example.org';
const OTHER = 'somebody.else@example.org';
const NAME = 'Marked Person';
const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** A synced vacancy, and a table of statuses. */
async function hiringWorld(): Promise<CliWorld> {
  const world = await createCliWorld();
  await addCompanies(world, 1);
  await addVacancies(world, 1);
  await world.sql('create table hiring (application uuid, status text)');
  world.write('hiring.sql', 'select application as key, status from hiring');
  world.configure('  vacancies:', '  application-statuses: { query: hiring.sql }\n  vacancies:');
  await world.run();
  return world;
}

async function applied({ sql }: CliWorld, email: string): Promise<string> {
  const id = randomUUID();
  const body = JSON.stringify({ id, email, name: NAME });
  await sql(
    `insert into placement_sync.job_application
       (layout, application_ref, application_id, vacancy_key, name, email, request_id, request_timestamp, body, delivery_hash)
     values ('flat', cast($1 as text), cast($1 as uuid), 'v001', $2, $3, 'r', now(), $4, $5)`,
    [id, NAME, email, body, md5(body)],
  );
  return id;
}

const hire = ({ sql }: CliWorld, application: string) =>
  sql(`insert into hiring values ($1, 'hired')`, [application]);

/** Every value of every column of the schema, as text. */
async function dump({ sql }: CliWorld): Promise<string> {
  const tables = await sql<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'placement_sync' and table_type = 'BASE TABLE'`,
  );
  const texts = tables.map(({ name }) =>
    sql<{ rows: string | null }>(
      `select string_agg(cast(to_jsonb(t) as text), ' ') as rows from placement_sync.${name} t`,
    ),
  );
  return (await Promise.all(texts)).map(([row]) => row?.rows ?? '').join('\n');
}

test('a person is exported and erased while a worker sends her status, and the reply does not bring her back', async () => {
  const world = await hiringWorld();
  const id = await applied(world, EMAIL);
  const other = await applied(world, OTHER);
  await hire(world, id);
  await hire(world, other);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  world.intercept = ({ path }) => (path.includes(id) ? released : undefined);
  // Longer than the commands below take on the slowest machine: a request that ends would be a delivery.
  world.configure('timeout: 5s', 'timeout: 5m');
  configureWorker(world);
  world.sandbox.clearRequests();
  const worker = world.start('start');
  await listening(worker, 'admin');
  const asked = () => world.sandbox.requests().filter(({ path }) => path.includes('/status'));
  await expect.poll(() => asked().length, { timeout: 60_000 }).toBe(2);

  const exported = await world.cli('subject', 'export', EMAIL);
  expect(exported).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(exported.stdout)).toMatchObject({
    job_application: [{ application_id: id, name: NAME, email: EMAIL }],
    sync_state: [{ entity: 'application-statuses', platform_id: id }],
    delivery: [],
  });
  const before = await dump(world);
  const dry = await world.cli('subject', 'erase', EMAIL, '--dry-run', '--json');
  expect(JSON.parse(dry.stdout)).toMatchObject({
    receiptId: null,
    dryRun: true,
    removed: { job_application: 1, sync_state: 1, delivery: 0 },
  });
  const refused = await world.cli('subject', 'erase', EMAIL);
  expect(refused).toMatchObject({ exitCode: 2 });
  expect(refused.stdout).toContain('To be removed: 1 row of job_application and 1 row of sync_state.');
  expect(refused.stderr).toContain('Nothing was done.');
  expect(before).toContain(EMAIL);

  const erased = await world.cli('subject', 'erase', EMAIL, '--yes', '--json');
  release();
  const receipt = JSON.parse(erased.stdout) as Record<string, unknown>;
  expect(receipt).toMatchObject({
    dryRun: false,
    removed: { job_application: 1, unstored_webhook: 0, sync_state: 1, delivery: 0 },
    hints: expect.arrayContaining([expect.stringContaining('foreign')]) as string[],
  });
  expect(erased.stderr).toContain(String(receipt.receiptId));
  for (const trace of [EMAIL, id, NAME]) expect(erased.stdout + erased.stderr).not.toContain(trace);

  // The reply arrives, and later sweeps find her row still in the query.
  const sweeps = async () =>
    (
      await world.sql<{ n: number }>(
        'select count(*)::int as n from placement_sync.sync_run where finished_at is not null',
      )
    )[0]!.n;
  const swept = await sweeps();
  await expect.poll(sweeps, { timeout: 60_000 }).toBeGreaterThan(swept + 2);
  worker.child.kill('SIGTERM');
  expect(await worker.done).toMatchObject({ exitCode: 0 });
  const after = await dump(world);
  for (const trace of [EMAIL, id]) expect(after.includes(trace), trace).toBe(false);
  expect(after).toContain(other);
  expect(asked()).toHaveLength(2);
});

test('erase asks on a terminal, and its receipt says what was done', async () => {
  const world = await hiringWorld();
  await applied(world, EMAIL);
  const no = await onTerminal(world, ['subject', 'erase', EMAIL], () => 'n\n');
  expect(no).toMatchObject({ exitCode: 1, shown: expect.stringContaining('Nothing was erased.') as string });
  const yes = await onTerminal(world, ['subject', 'erase', EMAIL], () => 'y\n');
  expect(yes.exitCode).toBe(0);
  expect(yes.shown).toMatch(/Receipt [0-9a-f-]{36} of 20\d\d-/);
  expect(yes.shown).toContain('Removed: 1 row of job_application.');
  const again = await startCli(['subject', 'erase', '-', '--yes'], { env: world.env, input: `${EMAIL}\n` })
    .done;
  expect(again.stdout).toContain('Nothing was stored of this person.');
  const wrong = await world.cli('subject', 'export', NAME);
  expect(wrong).toMatchObject({ exitCode: 2 });
  expect(wrong.stderr).not.toContain(NAME);
});

test('a worker that only stands by deletes what is past its retention, by its own clock', async () => {
  const world = await hiringWorld();
  configureWorker(world);
  world.configure(`schedule: { sync: '* * * * * *' }`, `schedule: { sync: '0 0 1 1 *' }`);
  const active = world.start('start');
  await listening(active, 'admin');
  await expect.poll(() => active.stderr(), { timeout: 60_000 }).toMatch(/Run [0-9a-f-]{36} ends/);
  await applied(world, EMAIL);
  await world.sql(`update placement_sync.job_application set received_at = now() - interval '200 days'`);
  const standby = world.start('start');
  await expect.poll(() => standby.stderr(), { timeout: 60_000 }).toContain('Standing by');
  const left = () => world.sql('select 1 from placement_sync.job_application');
  await expect.poll(left, { timeout: 60_000 }).toEqual([]);
  for (const worker of [standby, active]) {
    worker.child.kill('SIGTERM');
    expect(await worker.done).toMatchObject({ exitCode: 0 });
  }
});

test('a run whose source is away still deletes what is past its retention', async () => {
  const world = await hiringWorld();
  await applied(world, EMAIL);
  await world.sql(`update placement_sync.job_application set received_at = now() - interval '200 days'`);
  world.configure(
    'state: { leaseTtl: 8s }',
    `state: { leaseTtl: 8s, url: '${world.env.SOURCE_DATABASE_URL}' }`,
  );
  world.env.SOURCE_DATABASE_URL = 'postgres://reader@127.0.0.1:1/away';
  expect((await world.cli('run')).exitCode).toBe(1);
  expect(await world.sql('select 1 from placement_sync.job_application')).toEqual([]);
});
