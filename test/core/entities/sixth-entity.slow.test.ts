import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Explanation } from '../../../src/features/look/explain-record.js';
import type { RunReport } from '../../../src/core/run/end.js';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { copyWithCanteens, type CopiedTree } from './sixth-entity/copied-tree.js';

const CITY = '8a4c0d52-3a52-4f0e-9f0c-6d8f6f8f1c11';

let tree: CopiedTree;
let database: TestDatabase;
let sandbox: { readonly url: string; stop(): Promise<void> };

beforeAll(async () => {
  tree = await copyWithCanteens();
  database = await createTestDatabase();
  await database.query(`
    create table company (id text primary key, name text);
    create table vacancy (id text primary key, company_id text, title text);
    create table canteen (id text primary key, company_id text, name text, address text);
    insert into company values ('1', 'PT Satu'), ('2', null);
    insert into vacancy values ('11', '1', 'Kasir');
    insert into canteen values ('21', '1', 'Kantin Barat', 'Jalan Satu'), ('22', '2', 'Kantin Timur', null)`);
  sandbox = await startSandbox();
  tree.write('companies.sql', `select id as key, name, '${CITY}' as region_id from company`);
  tree.write('vacancies.sql', 'select id as key, company_id as company_key, title from vacancy');
  cpSync(join(import.meta.dirname, 'sixth-entity/canteens.sql'), join(tree.folder, 'canteens.sql'));
  tree.write(
    'worker.yaml',
    `source: { url: '${database.url}', timeZone: Asia/Jakarta }
ids: { namespace: 6f1de0a2-6a57-4d1c-9c43-0f5c0b8f7a11 }
platform:
  jobs: { baseUrl: '${sandbox.url}', clientId: sandbox-client, clientSecret: sandbox-secret, ratePerSecond: null }
  operations: { deleteCompany: {}, deleteVacancy: {}, deleteCanteen: {} }
entities:
  companies: { query: companies.sql, onVanished: delete }
  vacancies: { query: vacancies.sql, onVanished: delete }
  canteens: { query: canteens.sql, onVanished: delete }
guards: { maxVanishedPercent: 100 }
`,
  );
}, 300_000);

afterAll(async () => {
  await sandbox.stop();
  tree.remove();
});

/** The copy's own sandbox, over real HTTP. */
async function startSandbox() {
  const child = tree.start(['sandbox', '--port', '0']);
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text));
  while (!printed.includes('journal')) {
    if (child.exitCode !== null) throw new Error(`the sandbox ended: ${printed}`);
    await wait(20);
  }
  return {
    url: /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? '',
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

const cli = (...args: string[]) => tree.cli([...args, '--config', 'worker.yaml']);

async function json<T>(...args: string[]): Promise<T & { readonly code: number }> {
  const { code, stdout, stderr } = await cli(...args, '--json');
  if (stdout === '') throw new Error(stderr);
  return { ...(JSON.parse(stdout) as T), code };
}

const run = () => json<RunReport>('run');

interface Held {
  readonly body: { readonly name: string; readonly company: { readonly id: string; readonly name: string } };
  readonly reference: string;
}

async function held(kind: string): Promise<readonly Held[]> {
  const response = await fetch(`${sandbox.url}/_sandbox/records/jobs/${kind}`);
  return ((await response.json()) as { records: Held[] }).records;
}

/** Requests since the last call, as method and kind of record. */
async function requested(): Promise<string[]> {
  const address = `${sandbox.url}/_sandbox/requests`;
  const { requests } = (await (await fetch(address)).json()) as {
    requests: { method: string; path: string }[];
  };
  await fetch(address, { method: 'DELETE' });
  return requests.map(({ method, path }) => `${method} ${path.split('/')[3] ?? ''}`);
}

const records = () =>
  database.query<{ entity: string; key: string; status: string; parent_key: string | null }>(
    'select entity, key, status, parent_key from placement_sync.record order by entity, key',
  );

test('a sixth entity goes through all of it by one entity file, one contract file, one line and one query', async () => {
  // Sweep and push: what can be sent is sent under its parent, the other waits for its own.
  expect(await json<RunReport>('run', '--migrate')).toMatchObject({
    code: 3,
    entities: { companies: { invalid: 1 }, canteens: { read: 2, new: 2, accepted: 1, waiting: 1 } },
  });
  const [company] = await held('companies');
  expect(await held('canteens')).toMatchObject([
    {
      body: {
        name: 'Kantin Barat',
        address: 'Jalan Satu',
        company: { id: company?.reference, name: 'PT Satu' },
      },
    },
  ]);
  expect((await records()).filter(({ entity }) => entity === 'canteens')).toEqual([
    { entity: 'canteens', key: '21', status: 'synced', parent_key: '1' },
    { entity: 'canteens', key: '22', status: 'waiting', parent_key: '2' },
  ]);
  expect(await json<Explanation>('explain', 'canteens', '22')).toMatchObject({
    status: 'waiting',
    waitsFor: { entity: 'companies', key: '2' },
  });

  // The parent's acknowledgement releases it.
  await database.query("update company set name = 'PT Dua' where id = '2'");
  expect(await run()).toMatchObject({ code: 0, entities: { canteens: { accepted: 1, waiting: 0 } } });

  expect(await json('verify', '--entity', 'canteens', '--all')).toMatchObject({
    code: 0,
    entities: { canteens: { checked: 2, same: 2, drifted: 0, missing: 0 } },
  });
}, 300_000);

test('a parent with two kinds of children marks both when it comes back with another reference', async () => {
  await database.query(
    "update placement_sync.sync_state set reference = gen_random_uuid() where entity = 'companies' and key = '1'",
  );
  await requested();
  await cli('resync', '--entity', 'companies', '--key', '1');
  expect(await run()).toMatchObject({ code: 0 });
  expect(await requested()).toEqual(['PUT employers', 'PUT jobs', 'PUT canteens']);
}, 300_000);

test('a parent is deleted after the children of both kinds, and leaves the ledger after them', async () => {
  await database.query('delete from company; delete from canteen; delete from vacancy');
  // A query without any row is held, and not what is meant here.
  await database.query(`insert into company values ('3', 'PT Tiga'); insert into vacancy values ('31', '3', 'Koki');
    insert into canteen values ('32', '3', 'Kantin Utara', null)`);
  await requested();
  expect(await run()).toMatchObject({ code: 0 });
  expect(await run()).toMatchObject({ code: 0 });
  const deleted = (await requested()).filter((request) => request.startsWith('DELETE'));
  expect(deleted.slice(0, 3).sort()).toEqual(['DELETE canteens', 'DELETE canteens', 'DELETE jobs']);
  expect(deleted.slice(3)).toEqual(['DELETE employers', 'DELETE employers']);
  expect(await held('canteens')).toHaveLength(1);

  const age = (entity: string) =>
    database.query(
      "update placement_sync.sync_state set vanished_at = now() - interval '1 year' where vanished_at is not null and entity = $1",
      [entity],
    );
  await age('companies');
  expect(await run()).toMatchObject({ code: 0 });
  // Of company 1 the vacancy is still there too; of company 2 only the canteen.
  expect((await records()).map(({ entity, key }) => `${entity} ${key}`)).toEqual([
    ...['canteens 21', 'canteens 22', 'canteens 32', 'companies 1', 'companies 2', 'companies 3'],
    ...['vacancies 11', 'vacancies 31'],
  ]);
  await age('canteens');
  await age('vacancies');
  await run();
  await run();
  expect((await records()).map(({ entity, key }) => `${entity} ${key}`)).toEqual([
    'canteens 32',
    'companies 3',
    'vacancies 31',
  ]);
}, 300_000);

test('init finds its table and drafts its query under its parent', async () => {
  await database.query(`update canteen set address = 'Jalan Tiga'`);
  const { code, stdout, stderr } = await tree.cli(['init', '--yes', '--out', 'drafted'], {
    SOURCE_DATABASE_URL: database.url,
  });
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/companies: company .*\n[^]*vacancies: vacancy .*\n[^]*canteens: canteen /);
  const query = readFileSync(join(tree.folder, 'drafted/queries/canteens.sql'), 'utf8');
  expect(query).toMatch(
    /k\.company_id +as company_key,[^]*k\.name +as name,\n +k\.address +as address\nfrom public\.canteen k\n/,
  );
}, 300_000);

/** What `npm run docs` writes, by file, without the formatting that takes most of its time. */
async function renderedPages(): Promise<Record<string, string>> {
  tree.write(
    'docs/print.ts',
    `import { GENERATORS } from './generate.js';
const pages: Record<string, string> = {};
for (const { file, render } of GENERATORS) pages[file] = (pages[file] ?? '') + (await render());
process.stdout.write(JSON.stringify(pages));`,
  );
  return JSON.parse(await tree.bin('tsx', 'docs/print.ts')) as Record<string, string>;
}

test('the sandbox and the generated pages name it', async () => {
  const openApi = (await (await fetch(`${sandbox.url}/_sandbox/openapi.json`)).json()) as { paths: object };
  expect(Object.keys(openApi.paths)).toContain('/api/v1/canteens/{id}');
  const page = await renderedPages();
  expect(page['docs/reference/columns.md']).toContain('## canteens');
  expect(page['docs/reference/columns.md']).toContain('- **canteens**: ');
  expect(page['docs/reference/settings.md']).toContain('canteens,institutions,trainings}.onVanished');
  expect(page['docs/openapi.yaml']).toContain('CanteenBody:');
  expect(page['config/placement-sync.schema.json']).toContain('Canteens of companies. They need companies.');
  // Until `npm run docs` writes them, each differs from its copy, as test/docs/stale.test.ts says.
  for (const file of Object.keys(page).filter((each) => page[each]?.includes('canteens')))
    expect(readFileSync(join(tree.folder, file), 'utf8'), file).not.toContain('canteens');
}, 300_000);
