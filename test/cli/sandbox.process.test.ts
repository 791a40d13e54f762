import { createHash, createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { requestTimestamp } from '../../src/core/contract/time.js';
import { companyBody, companyPath, send } from '../features/sandbox/signed-request.js';
import { addCompanies, createCliWorld } from './cli-world.js';
import { startCli } from './run-cli.js';
import { temporaryFolder } from '../temporary-folder.js';

describe('sandbox', () => {
  test('what the sandbox prints is all that a rehearsal needs', async () => {
    const sandbox = startCli(['sandbox', '--port', '0']);
    onTestFinished(() => void sandbox.child.kill('SIGTERM'));
    while (!sandbox.stdout().includes('journal')) await wait(20);
    const printed = sandbox.stdout();
    expect(printed).toContain('these are no secrets');
    expect(printed).toContain('Rehearse with a separate state.schema');
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? '';
    const [, id = '', secret = ''] = /Client id (\S+), client secret (\S+):/.exec(printed) ?? [];

    const world = await createCliWorld({ migrated: false });
    await addCompanies(world, 1);
    world.configure('clientId: sandbox-client', `clientId: ${id}`);
    world.configure('state: {', 'state: { schema: rehearsal,');
    Object.assign(world.env, { BASE_URL: url, CLIENT_SECRET: secret });
    expect(await world.run('--migrate')).toMatchObject({ code: 0, entities: { companies: { accepted: 1 } } });

    sandbox.child.kill('SIGTERM');
    expect((await sandbox.done).exitCode).toBe(0);
  });

  test('a secret of one’s own is not printed', async () => {
    const sandbox = startCli(['sandbox', '--port', '0', '--client-secret', 'my-own-word']);
    onTestFinished(() => void sandbox.child.kill('SIGTERM'));
    while (!sandbox.stdout().includes('journal')) await wait(20);
    expect(sandbox.stdout()).toContain('client secret as given');
    expect(sandbox.stdout()).not.toContain('my-own-word');
  });

  test('off this machine alone the sandbox says that its secrets are public; on it, it says nothing', async () => {
    for (const [host, warns] of [
      ['0.0.0.0', true],
      ['localhost', false],
      ['127.0.0.1', false],
    ] as const) {
      const sandbox = startCli(['sandbox', '--port', '0', '--host', host]);
      onTestFinished(() => void sandbox.child.kill('SIGTERM'));
      while (!sandbox.stdout().includes('journal')) await wait(20);
      const [, port = ''] = /listens on http:\/\/[^:]+:(\d+)/.exec(sandbox.stdout()) ?? [];
      const name = host === 'localhost' ? host : '127.0.0.1';
      expect((await fetch(`http://${name}:${port}/_sandbox`)).status, host).toBe(200);
      expect(sandbox.stderr().includes('secrets are public'), host).toBe(warns);
    }
  });

  test('the sandbox refuses a host that is not this machine', async () => {
    const { exitCode, stderr } = await startCli(['sandbox', '--port', '0', '--host', '192.0.2.1']).done;
    expect(exitCode).toBe(2);
    expect(stderr).toContain('192.0.2.1 is not an address of this machine.');
  });

  test('the sandbox makes the faults of a file, and a file that is wrong ends it with every problem’s place', async () => {
    const folder = temporaryFolder({ 'faults.yaml': 'rules:\n  - { fault: html, status: 403 }\n' });
    const sandbox = startCli(['sandbox', '--port', '0', '--faults', 'faults.yaml'], { cwd: folder });
    onTestFinished(() => void sandbox.child.kill('SIGTERM'));
    while (!sandbox.stdout().includes('journal')) await wait(20);
    expect(sandbox.stdout()).toContain('It makes the faults of faults.yaml');
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(sandbox.stdout())?.[0] ?? '';
    const put = {
      method: 'PUT',
      path: companyPath('1edd9893-f1a3-45dd-89d4-bc4dc9a071d0'),
      body: companyBody('A'),
    };
    expect((await send(url, put)).status).toBe(403);

    writeFileSync(join(folder, 'faults.yaml'), 'rules:\n  - { fault: htm }\n  - fault: apply-late\n');
    const { exitCode, stderr } = await startCli(['sandbox', '--faults', 'faults.yaml'], { cwd: folder }).done;
    expect(exitCode).toBe(2);
    expect(stderr).toContain('faults.yaml:2:7: rules[0].fault: there is no such fault; did you mean "html"?');
    expect(stderr).toContain('faults.yaml:3:5: rules[1].after: is required');
    expect(stderr).toContain('config/faults.example.yaml shows them in use');
  });

  test.each([
    [[], 422],
    [['--strict'], 422],
    [['--lenient'], 200],
    [['--no-strict'], 200],
  ])('with %j the sandbox answers a company without region with %i', async (flags, status) => {
    const sandbox = startCli(['sandbox', '--port', '0', ...flags]);
    onTestFinished(() => void sandbox.child.kill('SIGTERM'));
    while (!sandbox.stdout().includes('journal')) await wait(20);
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(sandbox.stdout())?.[0] ?? '';
    const path = companyPath('1edd9893-f1a3-45dd-89d4-bc4dc9a071d0');
    expect((await send(url, { method: 'PUT', path, body: { name: 'without a region' } })).status).toBe(
      status,
    );
  });
});

describe('sandbox config', () => {
  const ID = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';
  const CONFIG = `
source: { url: postgres://localhost/hr, timeZone: Asia/Jakarta }
state: { url: postgres://localhost/hr }
ids: { namespace: 6f1de0a2-6a57-4d1c-9c43-0f5c0b8f7a11 }
platform:
  jobs: { baseUrl: 'https://platform.example', clientId: me, clientSecret: word }
  training:
    baseUrl: 'https://gateway.example/toss'
    clientId: me
    clientSecret: word
    signature: { profile: digest-lines }
  signature: { profile: method-path-hex }
  operations: { deleteCompany: { path: '/v2/companies/{id}' } }
entities:
  companies: { query: companies.sql }
`;

  async function start(...args: string[]): Promise<string> {
    return await startWith(CONFIG, ...args);
  }

  async function startWith(config: string, ...args: string[]): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-config-'));
    const file = join(folder, 'own.yaml');
    writeFileSync(file, config);
    writeFileSync(join(folder, 'companies.sql'), 'select 1');
    const sandbox = startCli(['sandbox', '--port', '0', '--config', file, ...args]);
    onTestFinished(() => {
      sandbox.child.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    });
    while (!sandbox.stdout().includes('journal') && sandbox.child.exitCode === null) await wait(20);
    expect(sandbox.stderr()).toBe('');
    return /http:\/\/127\.0\.0\.1:\d+/.exec(sandbox.stdout())?.[0] ?? '';
  }

  const path = `/v2/companies/${ID}`;

  /** The operation's own answer: signature and path were accepted. */
  const FOUND_NOTHING = { status: 404, json: { message: 'Company not found' } };

  /** Headers as the profile of the configuration has them. */
  function byProfile(): Record<string, string> {
    const requestId = randomUUID();
    const timestamp = requestTimestamp(Date.now());
    const digest = createHash('sha256').update('').digest('hex');
    const toSign = ['DELETE', path, 'sandbox-client', requestId, timestamp, digest].join('\n');
    const signature = createHmac('sha256', 'sandbox-secret').update(toSign).digest('hex');
    return { 'Request-Id': requestId, 'Request-Timestamp': timestamp, Signature: signature };
  }

  test('the sandbox takes signature profile and paths of the configuration that it is given', async () => {
    const url = await start();
    expect(await send(url, { method: 'DELETE', path, headers: byProfile() })).toMatchObject(FOUND_NOTHING);
    expect((await send(url, { method: 'DELETE', path })).status).toBe(401);
  });

  test('an explicit profile counts more than the configuration', async () => {
    const url = await start('--profile', 'digest-lines');
    expect((await send(url, { method: 'DELETE', path, headers: byProfile() })).status).toBe(401);
    expect(await send(url, { method: 'DELETE', path })).toMatchObject(FOUND_NOTHING);
  });

  test('each area has its own profile, at the path of its address and without it', async () => {
    const url = await start();
    const find = `/api/v1/institutions/${ID}`;
    for (const at of [`/toss${find}`, find]) {
      const reply = await send(url, { method: 'GET', path: at });
      expect([at, reply.status, reply.json.message]).toEqual([at, 404, 'Institution not found']);
    }
  });
});
