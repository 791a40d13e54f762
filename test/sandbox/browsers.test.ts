import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { answersTo, startSandbox } from '../../src/sandbox/start-sandbox.js';
import type { SandboxOptions } from '../../src/sandbox/sandbox-options.js';
import { dial } from '../runtime/http/raw-client.js';

async function open(options: SandboxOptions = {}) {
  const sandbox = await startSandbox({ faults: { rules: [{ fault: 'server-error' }] }, ...options });
  onTestFinished(() => sandbox.close());
  /** Node's own client: fetch would not let a test say Host and Origin. */
  const ask = (method: string, path: string, headers: Readonly<Record<string, string>>, body = '') =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port: sandbox.port, method, path, headers }, (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (part: string) => (text += part));
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text }));
      });
      asked.on('error', reject).end(method === 'DELETE' ? '' : body);
    });
  return { sandbox, ask };
}

test('a foreign name that was made to lead to the sandbox is answered by nothing of it', async () => {
  const { ask, sandbox } = await open();
  for (const host of ['evil.example', '127.0.0.1.evil.example', `evil.example:${sandbox.port}`, 'sandbox'])
    for (const path of [
      '/_sandbox',
      '/_sandbox/requests',
      '/_sandbox/faults',
      '/api/v1/institutions/x',
      '/',
    ]) {
      const reply = await ask('GET', path, { host });
      expect([host, path, reply.status]).toEqual([host, path, 403]);
      expect(reply.text).toContain('--allow-host');
    }
  for (const host of ['localhost', `127.0.0.1:${sandbox.port}`, '[::1]:1'])
    expect([host, (await ask('GET', '/_sandbox/requests', { host })).status]).toEqual([host, 200]);
});

test('a target that names a host is judged by that host, and is a route of the sandbox', async () => {
  const { sandbox } = await open();
  for (const [target, status] of [
    ['http://evil.example/_sandbox/requests', 403],
    [`http://localhost/_sandbox/requests`, 200],
  ] as const) {
    const client = await dial(sandbox.port);
    client.socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    await client.ended;
    expect([target, client.received().slice(9, 12)]).toEqual([target, String(status)]);
  }
});

test('a page of another address changes nothing', async () => {
  const { ask, sandbox } = await open();
  const host = `localhost:${sandbox.port}`;
  const foreign: readonly Readonly<Record<string, string>>[] = [
    { host, origin: 'https://evil.example' },
    { host, origin: 'null' },
    { host, 'sec-fetch-site': 'cross-site' },
    { host, origin: 'http://localhost:1', 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of foreign)
    for (const [method, path] of [
      ['POST', '/_sandbox/faults'],
      ['PUT', '/%5Fsandbox/faults'],
      ['DELETE', '/_sandbox/faults'],
      ['DELETE', '/_sandbox/requests'],
    ] as const)
      expect([headers, method, path, (await ask(method, path, headers, 'rules: []')).status]).toEqual([
        headers,
        method,
        path,
        403,
      ]);
  expect(sandbox.faults().rules).toHaveLength(1);
  const own = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
  expect((await ask('POST', '/_sandbox/faults', own, 'rules: []')).status).toBe(200);
  expect((await ask('DELETE', '/_sandbox/requests', { host })).status).toBe(200);
});

test.each([
  ['127.0.0.1', 'localhost:8484', true],
  ['127.0.0.1', 'app.localhost', true],
  ['127.0.0.1', '10.0.0.5', false],
  ['127.0.0.1', 'sandbox', false],
  ['127.0.0.1', 'named.example', true],
  ['0.0.0.0', 'sandbox:8484', true],
  ['0.0.0.0', '10.0.0.5:8484', true],
  ['0.0.0.0', '[fd00::5]:8484', true],
  ['0.0.0.0', 'localhost', true],
  ['0.0.0.0', 'evil.example', false],
  ['0.0.0.0', 'NAMED.example:1', true],
  ['0.0.0.0', 'sandbox.', false],
  ['sandbox.internal', 'sandbox.internal', true],
  ['0.0.0.0', 'a@sandbox', false],
  ['0.0.0.0', undefined, false],
])('listening on %s, the sandbox answers to the host %s: %s', (listening, host, expected) => {
  expect(answersTo(host, { listening, names: ['named.example'] })).toBe(expected);
});
