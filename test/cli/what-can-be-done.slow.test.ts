import { expect, test, vi } from 'vitest';
import { MIGRATIONS } from '../../migrations/all.js';
import { addCompanies, addVacancies, configureWorker, createCliWorld } from './cli-world.js';
import { listening, onTerminal } from './run-cli.js';

// Each of them starts several processes.
vi.setConfig({ testTimeout: 120_000 });

test('while a worker is at work, advice is what works beside it: when it tries again, and a retry that wakes it', async () => {
  const world = await createCliWorld();
  configureWorker(world);
  world.configure(`sync: '* * * * * *'`, `sync: '0 0 1 1 *', spread: false`);
  world.configure('entities:', 'retry: { baseDelay: 10m, maxDelay: 1h }\nentities:');
  world.intercept = () => ({ status: 503 });
  await addCompanies(world, 2);
  await world.sql(
    `insert into placement_sync.lease (name, token, holder, expires_at) values ('push', 1, 'gone', now() - interval '1 hour')`,
  );
  const worker = world.start('start');
  await listening(worker, 'admin');
  const status = async () => (await world.cli('status')).stdout;
  await expect
    .poll(status, { timeout: 60_000 })
    .toMatch(
      /The worker tries again at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d WIB\. Earlier:\n +placement-sync retry\n/,
    );
  const told = await status();
  expect(told).toMatch(/^Last run: done, nothing sent: the platform is down, began /m);
  expect(told, 'nobody has to act').toMatch(/Waits by itself:\n {2}area jobs: sending stopped\./);
  expect(told).not.toContain('placement-sync run');
  expect(told, 'nobody answered webhooks').toMatch(
    /^Webhooks: no process listened from .* WIB to .* WIB\.$/m,
  );

  world.intercept = null;
  const retried = await world.cli('retry');
  expect(retried).toMatchObject({ exitCode: 0 });
  expect(retried.stdout).toContain('is running and sends them.');
  await expect
    .poll(async () => JSON.parse((await world.cli('status', '--json')).stdout) as unknown, {
      timeout: 60_000,
    })
    .toMatchObject({ entities: { companies: { synced: 2 } } });
});

test('without a worker the same advice is the next run', async () => {
  const world = await createCliWorld();
  world.intercept = () => ({ status: 503 });
  await addCompanies(world, 12);
  await world.run();
  const { stdout } = await world.cli('status');
  expect(stdout).toContain('      placement-sync run\n');
  expect(stdout).not.toContain('The worker tries again');
});

test('a hold says whose records they are, and the counts have their thousands apart', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 2);
  await addVacancies(world, 20);
  await world.run();
  await world.sql(`update vacancy set company_id = 'c002' where id > 'v017'`);
  await world.run();
  await world.sql(`delete from vacancy where id > 'v003'`);
  expect(await world.run()).toMatchObject({ code: 4 });
  const { stdout } = await world.cli('status');
  expect(stdout).toMatch(
    /\d+ of 20 records vanished \([\d.]+ %\); .* 14 of these 17 are of \S.*\. Nothing of the sweep/,
  );
});

test('refused webhooks stay visible after one was accepted', async () => {
  const world = await createCliWorld();
  world.configure('entities:', `webhook: { secrets: [a-secret-of-the-webhook] }\nentities:`);
  await world.sql(
    `insert into placement_sync.refused_webhook (reason, refused, first_at, last_at, ended_at)
     values ('signature', 12, '2026-11-28T11:45:24Z', '2026-11-28T11:45:50Z', now())`,
  );
  const { stdout } = await world.cli('status');
  expect(stdout).toContain(
    'Webhooks: 12 refused from 2026-11-28 18:45:24 WIB to 2026-11-28 18:45:50 WIB; accepted again since.',
  );
  expect(stdout).not.toContain('Webhooks are refused');
});

test('a moved state database is believed after a question, and a later doubt is another one', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 1);
  await world.run();
  expect((await world.cli('adopt', '--state-moved')).stdout).toContain('This ledger is not in doubt.');
  await world.sql(`update placement_sync.entity_state set in_doubt_since = now();`);
  await world.sql(
    `insert into placement_sync.journal_gap (begins, ends) values ('2020-01-01Z', '2020-01-02Z'), (now() - interval '1 hour', now())`,
  );
  const refused = await world.cli('adopt', '--state-moved');
  expect(refused.exitCode).toBe(2);
  expect(refused.stdout).toContain('If every process was stopped before it was copied');
  expect(refused.stderr).toContain('placement-sync adopt --state-moved --yes');
  const no = await onTerminal(world, ['adopt', '--state-moved'], () => 'n\n');
  expect(no).toMatchObject({ exitCode: 1 });
  expect((await world.cli('status', '--json')).stdout).toContain('inDoubt');
  const yes = await onTerminal(world, ['adopt', '--state-moved'], () => 'y\n');
  expect(yes).toMatchObject({ exitCode: 0 });
  expect((await world.cli('status', '--json')).stdout).not.toContain('inDoubt');
  const gaps = await world.sql(
    `select extract(year from begins)::int as year from placement_sync.journal_gap where begins > '-infinity'`,
  );
  expect(gaps, 'what was unknown before stays so').toEqual([{ year: 2020 }]);
});

test('migrate --down --to undoes all after a number, after one question that names all of it', async () => {
  const world = await createCliWorld();
  const later = MIGRATIONS.map(({ name }) => name).filter((name) => name > '0012');
  const asked = await world.cli('migrate', '--down', '--to', '11');
  expect(asked.exitCode).toBe(2);
  expect(asked.stderr).toContain('placement-sync migrate --down --to 11 --yes');
  for (const name of later) expect(asked.stdout).toContain(name);
  const { exitCode } = await world.cli('migrate', '--down', '--to', '11', '--yes');
  expect(exitCode).toBe(0);
  const [last] = await world.sql('select max(name) as name from placement_sync.migration');
  expect(last).toEqual({ name: '0011-looks' });
  expect((await world.cli('migrate', '--to', '11')).exitCode, 'only with --down').toBe(2);
  expect((await world.cli('migrate', '--down', '--to', '11')).stdout).toContain('has no migration to undo');
});
