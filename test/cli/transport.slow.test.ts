import { createPrivateKey } from 'node:crypto';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { operation, OPERATIONS } from '../../src/core/entities/index.js';
import type { SandboxOptions } from '../../src/features/sandbox/sandbox-options.js';
import { type RunningSandbox, startSandbox } from '../../src/features/sandbox/start-sandbox.js';
import { type ProxyOptions, type RunningProxy, startProxy } from '../core/platform/servers.js';
import { makeAuthority } from '../postgres/make-certificates.js';
import { planted } from '../security/planted.js';
import {
  addCompanies,
  addVacancies,
  closeVanished,
  createCliWorld,
  SECRET,
  type CliWorld,
} from './cli-world.js';
import { listen } from '../loopback.js';

const PASSWORD = planted('proxy');
let world: CliWorld;

beforeEach(async () => {
  world = await createCliWorld();
  // What is deferred is due again at once.
  world.configure('platform:\n', 'retry: { baseDelay: 1ms, maxDelay: 1ms }\nplatform:\n');
  await addCompanies(world, 2);
  await addVacancies(world, 1);
});

/** Adds settings to the platform's block, and to that of the area. */
function settings(...lines: string[]): void {
  world.configure('platform:\n', `platform:\n${lines.map((line) => `  ${line}\n`).join('')}`);
}
const areaSettings = (line: string) => world.configure('timeout: 5s', `timeout: 5s\n    ${line}`);

/** Passes a request on to the sandbox. */
function passOn() {
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { method } = incoming;
    // The sandbox answers to its own name only.
    const { host: _, ...headers } = incoming.headers;
    const onward = forward(`${world.sandbox.url}${incoming.url ?? ''}`, { method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 0, reply.headers);
      reply.pipe(outgoing);
    });
    incoming.pipe(onward);
  };
}

async function proxy(options: ProxyOptions = {}): Promise<RunningProxy> {
  const routes = options.routes ?? { 'platform.test:80': (await listen(createServer(passOn()))).port };
  return await startProxy({ ...options, routes });
}

/** A platform of one's own that the sandbox plays. */
async function playedBy(options: SandboxOptions): Promise<RunningSandbox> {
  const sandbox = await startSandbox({
    clients: { jobs: { clientId: 'sandbox-client', secret: SECRET } },
    ...options,
  });
  onTestFinished(() => sandbox.close());
  world.env.BASE_URL = sandbox.url;
  return sandbox;
}

/** The run stops its area with this code; nothing was sent, and nothing is rejected. */
async function stops(code: string, ...texts: readonly string[]): Promise<void> {
  const run = await world.run();
  expect(run.code, run.stderr).toBe(5);
  expect(run.entities.companies).toMatchObject({ accepted: 0, rejected: 0, error: { code } });
  for (const text of texts) expect(run.stderr).toContain(text);
  const [left] = await world.sql(
    'select count(*)::int as count from placement_sync.sync_state where refused_hash is null and acknowledged_hash is null',
  );
  expect(left).toEqual({ count: 3 });
}

/** A run sends everything, and the next one nothing. */
async function allIsRight(platform: RunningSandbox = world.sandbox): Promise<void> {
  const run = await world.run();
  expect(run.code, run.stderr).toBe(0);
  expect(platform.records('jobs', 'companies')).toHaveLength(2);
  expect(platform.records('jobs', 'vacancies')).toHaveLength(1);
  const sent = platform.requests().length;
  const second = await world.run();
  expect(second.code, second.stderr).toBe(0);
  expect(platform.requests()).toHaveLength(sent);
}

describe('a platform that only a proxy reaches', () => {
  beforeEach(() => {
    world.env.BASE_URL = 'http://platform.test';
    areaSettings('allowHttp: true');
  });

  it('is unreachable without the setting, which is named', async () => {
    await stops('breaker-open', 'If only a proxy leads out of your network, name it in platform.proxy.');
  });

  it('is reached by platform.proxy, with user and password that are never shown', async () => {
    const between = await proxy({ user: `me:${PASSWORD}` });
    const { port } = between;
    world.env.PROXY = `http://me:${PASSWORD}@127.0.0.1:${port}`;
    settings('proxy: ${PROXY}');
    await allIsRight();
    expect(between.asked).toHaveLength(3);
    const verified = await world.cli('verify', '--all');
    expect(verified.exitCode, verified.stderr).toBe(0);
    const printed = await world.cli('config', 'print');
    expect(printed.stdout).toContain(`http://me:***@127.0.0.1:${port}`);
    const checked = await world.cli('config', 'check');
    expect(checked.stdout).toContain(
      `jobs: requests go through the proxy http://127.0.0.1:${port} (platform.proxy).`,
    );
  });
});

it('https:// goes through a tunnel, with the certificate of one’s own authority', async () => {
  const authority = makeAuthority('authority of the gateway');
  const { certificate, key } = authority.issue(false, 'platform.test');
  const { port } = await listen(createHttpsServer({ cert: certificate, key }, passOn()));
  const between = await proxy({ user: `me:${PASSWORD}`, routes: { 'platform.test:443': port } });
  world.env.BASE_URL = 'https://platform.test';
  world.env.https_proxy = `http://me:wrong@127.0.0.1:${between.port}`;
  await stops('breaker-open', '(407, it asks for user and password, or refuses them): check https_proxy');
  world.env.https_proxy = `http://me:${PASSWORD}@127.0.0.1:${between.port}`;
  await stops(
    'breaker-open',
    'The certificate of the platform is not trusted',
    'name its file in platform.ca',
  );
  world.write('authority.pem', authority.certificate);
  settings('ca: authority.pem');
  await allIsRight();
  expect((await world.cli('config', 'check')).stdout).toContain(
    'trusts CN=authority of the gateway, valid until',
  );
});

it('a gateway that wants a key of its own and another Accept gets both', async () => {
  const key = planted('gateway');
  const pass = passOn();
  const server = createServer((incoming, outgoing) => {
    const { 'x-api-key': given, accept } = incoming.headers;
    const refuse = (status: number, message: string) =>
      outgoing.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ message }));
    if (given !== key) return refuse(403, 'No API key');
    if (accept !== 'application/json; version=2') return refuse(406, 'Not Acceptable');
    return pass(incoming, outgoing);
  });
  world.env.BASE_URL = `http://127.0.0.1:${(await listen(server)).port}`;
  world.env.API_KEY = key;
  await stops('authentication-refused', 'No API key', 'A gateway’s own key belongs into platform.headers');
  settings('headers:', "  X-Api-Key: '${API_KEY}'", '  accept: application/json; version=2');
  await allIsRight();
});

it('operations with another method and path are sent as the configuration has them, with a warning', async () => {
  const v2 = (name: string, path: string, method: 'POST' | 'PUT' = 'POST') => ({
    [name]: { ...operation(name), path, method },
  });
  const platform = await playedBy({
    operations: {
      ...OPERATIONS,
      ...v2('putCompany', '/api/v2/employers/{id}'),
      ...v2('findCompany', '/api/v2/employers/{id}/show'),
      ...v2('deleteCompany', '/api/v2/employers/{id}/remove'),
    },
  });
  const run = await world.run();
  // Nothing was ever accepted, so it may be about all of them.
  expect(run.code, run.stderr).toBe(5);
  expect(run.entities.companies).toMatchObject({ accepted: 0, rejected: 0, pending: 2 });
  const explained = await world.cli('explain', 'companies', 'c001');
  expect(explained.stdout.replace(/\s+/g, ' ')).toContain(
    'the platform may have another path: set it in platform.operations.putCompany',
  );

  settings(
    'operations:',
    '  putCompany: { method: POST, path: "/api/v2/employers/{id}" }',
    '  findCompany: { method: POST, path: "/api/v2/employers/{id}/show" }',
    '  deleteCompany: { method: POST, path: "/api/v2/employers/{id}/remove" }',
  );
  world.configure(
    'companies: { query: companies.sql }',
    'companies: { query: companies.sql, onVanished: delete }',
  );
  closeVanished(world);
  expect((await world.cli('retry', '--entity', 'companies')).exitCode).toBe(0);
  await allIsRight(platform);
  const verified = await world.cli('verify', '--all');
  expect(verified.exitCode, verified.stderr).toBe(0);
  expect(verified.stderr).toContain(
    'platform.operations.putCompany sends POST /api/v2/employers/{id}; the platform specifies PUT /api/v1/employers/{id}/company',
  );
  expect(verified.stderr).toContain('platform.operations.findCompany sends POST');

  await world.sql("delete from company where id = 'c002'");
  const removed = await world.run();
  expect(removed.code, removed.stderr).toBe(0);
  expect(platform.records('jobs', 'companies')).toHaveLength(1);
});

it('a platform that asks for a client certificate is named so, doctor fails, and the setting shows one', async () => {
  const authority = makeAuthority('authority of a gateway');
  const { certificate, key } = authority.issue();
  const asking = createHttpsServer(
    { cert: certificate, key, ca: authority.certificate, requestCert: true, rejectUnauthorized: true },
    passOn(),
  );
  const { port } = await listen(asking);
  world.write('own.pem', authority.certificate);
  world.env.BASE_URL = `https://127.0.0.1:${port}`;
  settings('ca: own.pem');
  await stops(
    'breaker-open',
    'Not reached: the server asks for a client certificate, and none is configured (CLIENT_CERTIFICATE_REQUIRED)',
    'Name the certificate and its key in platform.clientCertificate',
  );
  const doctor = await world.cli('doctor');
  expect(doctor.exitCode, doctor.stdout).toBe(2);
  expect(doctor.stdout).toMatch(/cannot be used as configured \(CLIENT_CERTIFICATE_REQUIRED\)/);
  const probe = await world.cli('probe', '--yes', '--company', 'c001', '--vacancy', 'v001');
  expect(probe.stdout).toContain('it asks for a client certificate, or refuses ours');

  const ours = authority.issue();
  const cipher = 'aes-256-cbc';
  const encrypted = createPrivateKey(ours.key).export({
    ...{ type: 'pkcs8', format: 'pem', cipher, passphrase: PASSWORD },
  } as never) as unknown as string;
  world.write('client.crt', ours.certificate);
  world.write('client.key', encrypted);
  world.env.PASSPHRASE = PASSWORD;
  settings('clientCertificate: { cert: client.crt, key: client.key, passphrase: "${PASSPHRASE}" }');
  const printed = await world.cli('config', 'print');
  expect(printed.stdout).toMatch(/"passphrase": "\*\*\*"/);
  expect((await world.cli('config', 'check')).stdout).toMatch(
    /jobs: shows the client certificate CN=server, valid until \d{4}-\d\d-\d\d \(.*client\.crt\)\./,
  );
  await allIsRight();
  const healthy = await world.cli('doctor');
  expect(healthy.stdout).toMatch(/the client certificate CN=server \(.*client\.crt\) is valid until/);
});

it('a header that is not HTTP is named so, and doctor fails', async () => {
  const folded = 'HTTP/1.1 200 OK\r\nX-Trace: a\r\n  b\r\nBad Header : c\r\nContent-Length: 2\r\n\r\n{}';
  const { port } = await listen(
    createTcpServer((socket) => socket.on('error', () => {}).on('data', () => socket.end(folded))),
  );
  world.env.BASE_URL = `http://127.0.0.1:${port}`;
  await stops('breaker-open', 'HPE_INVALID_HEADER_TOKEN', 'A folded header is an example');
  const doctor = await world.cli('doctor');
  expect(doctor.exitCode, doctor.stdout).toBe(2);
  expect(doctor.stdout).toContain('what is not valid HTTP');
});
