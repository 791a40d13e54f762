import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { requestTimestamp } from '../../src/contract/time.js';
import { send } from '../sandbox/signed-request.js';
import { startCli } from './run-cli.js';

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
    signature: { timestamp: milliseconds, signedPrefix: '' }
  signature: { template: { string: "{method} {path} {requestId}", encoding: hex, prefix: 'v0=', digest: none } }
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

/** Headers as the template of the configuration has them. */
function byTemplate(): Record<string, string> {
  const requestId = randomUUID();
  const hmac = createHmac('sha256', 'sandbox-secret').update(`DELETE ${path} ${requestId}`).digest('hex');
  return {
    'Request-Id': requestId,
    'Request-Timestamp': requestTimestamp(Date.now()),
    Signature: `v0=${hmac}`,
  };
}

test('the sandbox takes signature template and paths of the configuration that it is given', async () => {
  const url = await start();
  expect(await send(url, { method: 'DELETE', path, headers: byTemplate() })).toMatchObject(FOUND_NOTHING);
  expect((await send(url, { method: 'DELETE', path })).status).toBe(401);
});

test('an explicit profile counts more than the configuration', async () => {
  const url = await start('--profile', 'digest-lines');
  expect((await send(url, { method: 'DELETE', path, headers: byTemplate() })).status).toBe(401);
  expect(await send(url, { method: 'DELETE', path })).toMatchObject(FOUND_NOTHING);
});

test('each area has its own signature, time form and signed prefix, at the path of its address and without it', async () => {
  const url = await start();
  const target = `/api/v1/institutions/${ID}`;
  const find = { method: 'GET', target, milliseconds: true };
  for (const at of [`/toss${target}`, target]) {
    const reply = await send(url, { ...find, path: at });
    expect([at, reply.status, reply.json.message]).toEqual([at, 404, 'Institution not found']);
  }
  expect((await send(url, { ...find, path: target, milliseconds: false })).status).toBe(401);
  expect((await send(url, { ...find, path: `/toss${target}`, target: `/toss${target}` })).status).toBe(401);
});
