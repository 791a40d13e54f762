import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Explanation } from '../../src/sync/explain/explain-record.js';
import type { PlanReport } from '../../src/sync/plan/plan-sync.js';
import { startNoticeReceiver } from '../telemetry/receivers.js';
import { DAILY } from '../slow.js';
import { addCompanies, addVacancies, createCliWorld, SECRET, type CliWorld } from './cli-world.js';
import { type CliResult, listening } from './run-cli.js';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const addressOf = (n: number) => `siti.${n}@example.org`;
const idOf = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;

/** Applicants 1 to 5 of a vacancy, whose applications came by webhook, and nothing else to be sent. */
async function hiringWorld(): Promise<CliWorld> {
  const world = await createCliWorld();
  await addCompanies(world, 1);
  await addVacancies(world, 1);
  await world.run();
  await world.sql('create table hiring (vacancy_key text, email text, status text, row_version text)');
  for (const n of [1, 2, 3, 4, 5])
    await world.sql(
      `insert into placement_sync.job_application
         (layout, application_ref, application_id, vacancy_key, email, request_id, request_timestamp, body, delivery_hash)
       values ('flat', cast($1 as text), cast($1 as uuid), 'v001', $2, 'r', now(), '{}', 'h')`,
      [idOf(n), addressOf(n)],
    );
  world.write('hiring.sql', 'select vacancy_key, email, status, row_version from hiring');
  world.configure(
    '  vacancies:',
    '  application-statuses: { query: hiring.sql, onVanished: report }\n  vacancies:',
  );
  return world;
}

/** The keys of the ledger, by the number of the applicant. */
async function keysOf(world: CliWorld): Promise<(n: number) => string> {
  const rows = await world.sql<{ key: string; id: string }>(
    `select key, platform_id as id from placement_sync.sync_state where entity = 'application-statuses'`,
  );
  return (n) => rows.find(({ id }) => id === idOf(n))?.key ?? '';
}

const hire = (world: CliWorld, n: number, status: string | null = 'hired') =>
  world.sql(`insert into hiring values ('v001', $1, $2, '1')`, [addressOf(n).toUpperCase(), status]);

test(
  'no command, log, page, notice or bundle shows what stands for an applicant’s address, and every name is understood',
  { timeout: 180_000 },
  async ({ skip }) => {
    skip(DAILY);
    const world = await hiringWorld();
    const receiver = await startNoticeReceiver();
    world.configure(
      'entities:',
      `logging: { level: debug }
guards: { maxRejectedInARow: 2 }
webhook: { secrets: ['${SECRET}'] }
http: { public: { host: 127.0.0.1, port: 0 }, admin: { port: 0 } }
notify: { url: '${receiver.url}', on: [held] }
entities:`,
    );
    world.intercept = ({ method }) =>
      method === 'PATCH' ? { status: 422, body: { message: 'no' } } : undefined;
    const outputs: string[] = [];
    const cli = async (...args: string[]): Promise<CliResult> => {
      const result = await world.cli(...args);
      outputs.push(result.stdout, result.stderr);
      return result;
    };
    await hire(world, 1);
    await hire(world, 2);
    await hire(world, 3, null);

    // Beside each other, because most of a command's time is its start.
    const [plan, planJson, unsent] = await Promise.all([
      cli('plan', '--diff', '--entity', 'application-statuses'),
      cli('plan', '--json'),
      cli('explain', 'application-statuses', idOf(1)),
    ]);
    expect(plan.stdout).toContain(`new      application-statuses ${idOf(1)}`);
    expect(plan.stdout).toContain(`invalid  application-statuses ${idOf(3)}`);
    const { changes } = JSON.parse(planJson.stdout) as PlanReport;
    expect(changes.map(({ key }) => key).sort()).toEqual([1, 2, 3].map(idOf));
    expect(unsent.stdout, 'it is in no ledger yet').toContain(`application-statuses ${idOf(1)} is pending`);

    const run = await cli('run');
    expect(run).toMatchObject({ exitCode: 4 });
    expect(run.stderr).toContain(`application-statuses ${idOf(1)} was rejected`);
    expect(run.stderr).toContain(`application-statuses ${idOf(3)} is invalid`);
    expect(run.stdout).toMatch(new RegExp(`application-statuses: \\d rejected\\.[^]*\\(\\d: .*${idOf(1)}`));
    const bundle = join(world.folder, 'bundle.json');
    const [status, explained] = await Promise.all([
      cli('status'),
      cli('explain', 'application-statuses', idOf(1), '--json'),
      cli('status', '--json'),
      cli('status', '--bundle', bundle),
    ]);
    expect(status.stdout).toMatch(new RegExp(`Keys: (${idOf(1)}|${idOf(2)}), `));
    expect(JSON.parse(explained.stdout) as Explanation).toMatchObject({
      key: idOf(1),
      status: 'rejected',
      row: { email: addressOf(1).toUpperCase() },
    });
    outputs.push(readFileSync(bundle, 'utf8'));
    expect(receiver.received).toHaveLength(1);

    const worker = world.start('start');
    const admin = await listening(worker, 'admin');
    const page = async (path: string, form?: Record<string, string>) => {
      const body = form && new URLSearchParams(form);
      const reply = await fetch(`${admin}${path}`, body ? { method: 'POST', body, redirect: 'manual' } : {});
      const text = await reply.text();
      outputs.push(text, JSON.stringify([...reply.headers]));
      return text;
    };
    const entity = 'application-statuses';
    expect(await page('/')).toContain(idOf(1));
    const list = (status: string, after = '') => page(`/records?entity=${entity}&status=${status}${after}`);
    // In the order of the keys in the ledger, also from page to page.
    const keyOf = await keysOf(world);
    const [first = 1, second = 2] = [1, 2].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    expect(await list('rejected')).toContain(`key=${idOf(first)}`);
    const rest = await list('rejected', `&after=${idOf(first)}`);
    expect(rest).toContain(`key=${idOf(second)}`);
    expect(rest).not.toContain(`key=${idOf(first)}`);
    expect(await list('invalid')).toContain(`key=${idOf(3)}`);
    expect(await page(`/record?entity=${entity}&key=${idOf(1)}`)).toContain(idOf(1));
    // As an operator who made the key from what the database holds.
    const asked = await page(`/record?entity=${entity}&key=${encodeURIComponent(keyOf(1))}`);
    expect(asked).toContain(idOf(1));
    await page('/metrics');
    worker.child.kill('SIGTERM');
    const { stderr } = await worker.done;

    const again = await cli('resync', '--entity', entity, '--key', idOf(1));
    expect(again.stderr).not.toContain('unknown to the ledger');
    await hire(world, 1);
    await hire(world, 4);
    const twice = await cli('run', '--json');
    expect(twice.stdout).toContain('the query returns the key \\"v001:…\\" more than once');
    await world.sql(`delete from hiring`);
    const gone = await cli('run', '--json');
    expect(gone.stderr).toMatch(new RegExp(`The source has no rows.* Keys: .*${idOf(1)}`));

    outputs.push(stderr, ...receiver.received.map(({ body }) => body));
    const digests = [1, 2, 3, 4].flatMap((n) => [md5(addressOf(n)), ...(n < 4 ? [keyOf(n).slice(5)] : [])]);
    expect(outputs.filter((output) => digests.some((digest) => output.includes(digest)))).toEqual([]);
    for (const n of [1, 2, 3]) expect(keyOf(n), 'the ledger has its keys').toMatch(/^v001:[0-9a-f]{64}$/);
  },
);

test('what an operator asks for by the ledger’s key is answered under that key', async () => {
  const world = await hiringWorld();
  await hire(world, 1);
  await world.run();
  const key = (await keysOf(world))(1);
  const { stdout } = await world.cli('explain', 'application-statuses', key, '--json');
  expect(JSON.parse(stdout) as Explanation).toMatchObject({ key, platformId: idOf(1), status: 'synced' });
});
