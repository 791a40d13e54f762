import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addCompanies, createCliWorld } from './cli-world.js';

const PLANTED = {
  client: 'planted-client-secret',
  webhook: 'planted-webhook-secret',
  token: 'planted-admin-token',
  password: 'planted pass/word',
  env: 'planted-environment-secret',
  email: 'siti.planted@example.com',
  payload: 'Planted Company Name',
  mail: 'planted mail/word',
  hook: 'planted-hook-path',
  name: 'Siti Planted',
};

interface BundleFile {
  readonly versions: Record<string, unknown>;
  readonly configuration: { readonly settings: { source: { url: string } } };
  readonly status: { readonly entities: Record<string, { rejected: number }>; readonly error?: string };
  readonly entityState: Record<string, { fingerprint: string; configuredFingerprint: string }>;
  readonly runs: readonly { exitCode: number; entities: object }[];
  readonly errors: readonly object[];
  readonly issues: readonly object[];
  readonly tables: readonly { table: string }[];
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as BundleFile;

test('a bundle shows how things stand, and holds no secret, payload or e-mail address wherever they were', async () => {
  const world = await createCliWorld();
  const file = join(world.folder, 'bundle.json');
  await addCompanies(world, 5);
  await world.sql('update company set about = $1', [PLANTED.payload]);
  await world.sql(`update company set name = null where id = 'c004'`);
  world.intercept = ({ body }) =>
    (body as { name?: string }).name === 'Company 5' ? undefined : { status: 422 };
  await world.run();
  world.intercept = null;

  // As a platform and a database might have said them.
  const parts = `${PLANTED.mail} ${encodeURIComponent(PLANTED.mail)} ${PLANTED.hook} '${PLANTED.name}'`;
  const said = (n: number) =>
    `HTTP 422: "${PLANTED.email}" and ${PLANTED.client} at 0812345678${n}: no ${parts}`;
  for (const n of [1, 2, 3])
    await world.sql(`update placement_sync.sync_state set last_error = $1 where key = $2`, [
      said(n),
      `c00${n}`,
    ]);
  await world.sql(`update placement_sync.sync_run set error = $1`, [
    { code: 'state-failed', message: `no ${PLANTED.webhook} for ${PLANTED.email} at ${PLANTED.env}` },
  ]);
  await world.sql(
    `insert into placement_sync.sync_state (entity, key, platform_id, last_error, last_status_code)
     values ('application-statuses', 'v1:0123456789abcdef0123456789abcdef', gen_random_uuid(), 'Siti said no', 422)`,
  );
  world.env.CLIENT_SECRET = PLANTED.client;
  world.env.WEBHOOK_SECRET = PLANTED.webhook;
  world.env.HOOK = PLANTED.env;
  const source = new URL(world.env.SOURCE_DATABASE_URL ?? '');
  const state = source.href;
  source.password = encodeURIComponent(PLANTED.password);
  source.port = '9';
  world.env.SOURCE_DATABASE_URL = source.href;
  world.configure('state: {', `state: { url: '${state}',`);
  world.configure(
    'entities:',
    `webhook: { secrets: ['\${WEBHOOK_SECRET}', '\${HOOK}'] }
http: { admin: { token: ${PLANTED.token} } }
notify:
  url: http://127.0.0.1:9/services/${PLANTED.hook}
  smtp: { url: 'smtps://ops:${encodeURIComponent(PLANTED.mail)}@127.0.0.1:9', from: a@example.com, to: [b@example.com] }
entities:`,
  );
  const { exitCode, stdout, stderr } = await world.cli('status', '--bundle', file);
  expect(exitCode, stderr).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(stdout, 'the source cannot be reached').toContain('versions.sourcePostgres');

  const text = readFileSync(file, 'utf8');
  const secrets = [
    ...Object.values(PLANTED),
    encodeURIComponent(PLANTED.password),
    encodeURIComponent(PLANTED.mail),
    new URL(state).password,
  ];
  for (const secret of secrets.filter((each) => each !== '')) {
    expect(text.includes(secret), secret).toBe(false);
    expect(stdout + stderr).not.toContain(secret);
  }
  for (const personal of ['0123456789abcdef', 'Siti', '0812345678']) expect(text).not.toContain(personal);

  const bundle = read(file);
  expect(Object.keys(bundle)).toEqual(
    'format writtenAt versions configuration status entityState leases environments runs errors issues tables'.split(
      ' ',
    ),
  );
  expect(bundle.versions).toHaveProperty('commit');
  expect(bundle.versions).toMatchObject({
    node: process.version,
    statePostgres: expect.stringMatching(/^\d/) as string,
    migrations: { pending: [] },
  });
  expect(bundle.configuration.settings.source.url).toContain(':***@');
  expect(bundle.status.entities.companies?.rejected).toBe(3);
  const { fingerprint, configuredFingerprint } = bundle.entityState.companies!;
  expect(fingerprint).toBe(configuredFingerprint);
  expect(bundle.runs).toMatchObject([{ exitCode: 3 }]);
  expect(bundle.errors).toMatchObject([
    {
      entity: 'companies',
      statusCode: 422,
      count: 3,
      message: 'HTTP 422: "…" and *** at <number>: no *** *** *** "…"',
    },
    { entity: 'application-statuses', statusCode: 422, count: 1, message: null },
  ]);
  expect(bundle.issues).toEqual([{ entity: 'companies', field: 'name', code: 'required', count: 1 }]);
  expect(bundle.tables.map(({ table }) => table)).toContain('sync_state');
});

test('there is a bundle also without a state database, and it says why the rest is missing', async () => {
  const world = await createCliWorld();
  world.configure('state: {', `state: { url: 'postgres://sync:planted-pw@127.0.0.1:9/none',`);
  const file = join(world.folder, 'bundle.json');
  const { exitCode, stdout } = await world.cli('status', '--bundle', file);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('status');
  expect(read(file).status.error).toMatch(/^state-unavailable: /);
  expect(read(file).versions.sourcePostgres).toMatch(/^\d/);
  expect(readFileSync(file, 'utf8')).not.toContain('planted-pw');
});

test('a bundle replaces a bundle or an empty file, and nothing else', async () => {
  const world = await createCliWorld();
  const at = (name: string) => join(world.folder, name);
  writeFileSync(at('empty.json'), '', { mode: 0o644 });
  for (const name of ['empty.json', 'empty.json', 'new.json']) {
    expect((await world.cli('status', '--bundle', at(name))).exitCode, name).toBe(0);
    expect(statSync(at(name)).mode & 0o777, name).toBe(0o600);
  }
  const before = readFileSync(world.configFile, 'utf8');
  mkdirSync(at('folder'));
  symlinkSync(at('new.json'), at('link.json'));
  for (const name of ['placement-sync.yaml', 'folder', 'link.json', 'no/such.json']) {
    const { exitCode, stderr } = await world.cli('status', '--bundle', at(name));
    expect(exitCode, name).toBe(2);
    expect(stderr).toContain('Name a new file');
  }
  expect(readFileSync(world.configFile, 'utf8')).toBe(before);
  expect((await world.cli('status', '--json', '--bundle', at('x.json'))).exitCode).toBe(2);
});
