import { createServer, request as forward } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { expect, test } from 'vitest';
import { listen } from '../loopback.js';
import { startProxy } from '../core/platform/servers.js';
import { makeAuthority } from '../postgres/make-certificates.js';
import { addCompanies, addVacancies, closeVanished, type CliWorld, createCliWorld } from './cli-world.js';

/** What stands between us and the platform, or is mixed up on the way there, is named as that. */

interface Kept {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}

/** A cache as Varnish is by its default rules: every GET is kept, whatever it asks for. Gives its address. */
async function cacheBefore(world: CliWorld, onGet: (cacheControl: string | undefined) => void) {
  const kept = new Map<string, Kept>();
  const server = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    if (method === 'GET') onGet(headers['cache-control']);
    const known = method === 'GET' ? kept.get(url) : undefined;
    const via = { Via: '1.1 varnish (Varnish/7.1)', 'X-Varnish': '32770 3' };
    if (known) {
      outgoing.writeHead(known.status, { ...known.headers, ...via, Age: '43' }).end(known.body);
      return;
    }
    const { host: _, ...rest } = headers;
    const onward = forward(`${world.sandbox.url}${url}`, { method, headers: rest }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('end', () => {
        const body = Buffer.concat(chunks);
        const answer = { status: reply.statusCode ?? 0, headers: reply.headers, body };
        if (method === 'GET') kept.set(url, answer);
        outgoing.writeHead(answer.status, { ...answer.headers, ...via, Age: '0' }).end(body);
      });
    });
    incoming.pipe(onward);
  });
  const { port } = await listen(server);
  return `http://127.0.0.1:${port}`;
}

const NOT_COMPARED =
  /companies: 3 records were not compared: a cache answered in place of the platform \(via: 1\.1 varnish.*age: 43\)\.\s+Ask the operator of this cache/s;

test('a Find that a cache answered is neither compared nor repaired, and the cache is named', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 3);
  const asked = new Set<string | undefined>();
  world.env.BASE_URL = await cacheBefore(world, (cacheControl) => asked.add(cacheControl));
  await world.run();
  const first = await world.cli('verify', '--all');
  expect([first.exitCode, first.stdout], first.stderr).toEqual([0, expect.not.stringContaining('cache')]);
  await world.sql(`update company set name = name || ' again'`);
  await world.run();
  world.sandbox.clearRequests();

  const second = await world.cli('verify', '--all');
  expect(second.exitCode, second.stderr).toBe(0);
  expect(second.stdout).toMatch(NOT_COMPARED);
  const repaired = await world.cli('verify', '--all', '--repair');
  expect(repaired.exitCode, repaired.stderr).toBe(0);
  const json = await world.cli('verify', '--all', '--json');
  const counters = { checked: 0, same: 0, drifted: 0, missing: 0 };
  expect(JSON.parse(json.stdout)).toMatchObject({ entities: { companies: counters }, drift: [] });
  expect(json.exitCode).toBe(0);
  expect(world.sandbox.requests(), 'nothing passed the cache').toEqual([]);
  expect([...asked]).toEqual(['no-cache']);
});

test('what a cache says is missing is not believed: by verify, adopt, doctor, and before a closing', async () => {
  const world = await createCliWorld();
  closeVanished(world);
  world.configure('entities:', 'guards: { maxVanishedPercent: 100 }\nentities:');
  await addCompanies(world, 1);
  await addVacancies(world, 2);
  world.intercept = ({ method, body }) => {
    if (method === 'GET')
      return { status: 404, headers: { 'X-Cache': 'HIT from edge-7' }, body: { message: 'Not found' } };
    return (body as { title?: string } | null)?.title === 'Vacancy 2' ? { status: 422, body: {} } : undefined;
  };
  await world.run();
  const verified = await world.cli('verify', '--all', '--repair');
  expect(verified.exitCode, verified.stderr).toBe(0);
  expect(verified.stdout).toMatch(
    /vacancies: one record was not compared: a cache .*x-cache: HIT from edge-7/s,
  );
  const doctor = await world.cli('doctor');
  expect(doctor.stdout).toMatch(
    /a cache answered in place of the platform .*so the signature was not tried/s,
  );
  expect(doctor.stdout).not.toContain('signature accepted');
  const adopted = await world.cli('adopt', '--json');
  expect(JSON.parse(adopted.stdout)).toMatchObject({ entities: { vacancies: { checked: 0, missing: 0 } } });
  expect(adopted.stderr).toMatch(/vacancies: one record was not compared: a cache/);

  // Whether the platform has it from somebody else is not known, so the end is sent; and a control, because it is refused.
  await world.sql(`delete from vacancy where id = 'v002'`);
  world.sandbox.clearRequests();
  await world.run();
  expect(world.sandbox.requests().map(({ method }) => method)).toEqual(['GET', 'PUT', 'PUT']);
});

const LASTING = [
  [
    'https:// to a port without TLS',
    async () => `https://127.0.0.1:${(await listen(createServer((_, reply) => reply.end('{}')))).port}`,
    'the port does not speak TLS, and the address begins with https:// (TLS_MISSING)',
  ],
  [
    'http:// to a port with TLS that ends such connections',
    async () => {
      const { certificate: cert, key } = makeAuthority('platform').issue();
      return `http://127.0.0.1:${(await listen(createHttpsServer({ cert, key }))).port}`;
    },
    'the port speaks TLS, and the address begins with http:// (TLS_EXPECTED)',
  ],
  [
    'http:// to a port with TLS that answers like nginx',
    async () => {
      const page =
        '<html><head><title>400 The plain HTTP request was sent to HTTPS port</title></head></html>';
      const server = createServer((_, reply) =>
        reply.writeHead(400, { 'Content-Type': 'text/html' }).end(page),
      );
      return `http://127.0.0.1:${(await listen(server)).port}`;
    },
    'the port speaks TLS, and the address begins with http:// (TLS_EXPECTED)',
  ],
] as const;

test.each(LASTING)('%s is a lasting fault in plain words, and doctor fails', async (_, address, words) => {
  const world = await createCliWorld();
  await addCompanies(world, 2);
  world.env.BASE_URL = await address();
  const run = await world.run();
  expect(run.code, run.stderr).toBe(5);
  expect(run.entities.companies).toMatchObject({ accepted: 0, rejected: 0 });
  expect(run.stderr).toContain(words);
  expect(run.stderr).toContain('http:// and https:// are mixed up');
  expect((await world.cli('status')).stdout).toContain('http:// and https:// are mixed up');
  const doctor = await world.cli('doctor');
  expect(doctor.exitCode).toBe(2);
  expect(doctor.stdout).toContain('http:// and https:// are mixed up');
});

test('replies with 20 kB of headers name the option of Node that helps, and it does', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 1);
  world.intercept = () => ({ headers: { 'X-Cache-Key': 'x'.repeat(20_000) } });
  const run = await world.run();
  expect(run.code).toBe(5);
  expect(run.stderr).toContain('NODE_OPTIONS=--max-http-header-size=65536');
  expect(run.stderr).not.toContain('not valid HTTP');
  world.env.NODE_OPTIONS = '--max-http-header-size=65536';
  const second = await world.run();
  expect([second.code, second.entities.companies?.accepted], second.stderr).toEqual([0, 1]);
});

test('a body that is too large is refused with its size', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 1);
  await world.sql(`update company set about = repeat('x', 50000)`);
  world.intercept = ({ method }) =>
    method === 'PUT' ? { status: 413, body: { message: 'Payload too large' } } : undefined;
  const run = await world.run();
  expect(run.stderr).toMatch(/Payload too large \(the body had 50,\d{3} bytes\)/);
});

test('a proxy that does not allow the platform is named, not the edge of the platform', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 1);
  const page = '<html><title>ERROR</title><body>Access Denied. Generated by proxy.local (squid/5.7)</body>';
  const server = createServer((_, reply) => reply.writeHead(403, { 'Content-Type': 'text/html' }).end(page));
  const { port } = await listen(server);
  const between = await startProxy({ routes: { 'platform.test:80': port } });
  world.env.BASE_URL = 'http://platform.test';
  world.configure('timeout: 5s', `timeout: 5s\n    allowHttp: true\n    proxy: ${between.address}`);
  const run = await world.run();
  expect(run.code, run.stderr).toBe(5);
  expect(run.stderr).toContain(`The proxy ${between.address} refused the connection (403, it does not allow`);
  expect(run.stderr).not.toContain('your address is allowed');
});

test('a child whose new parent the platform does not know yet names settleAfter', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 1);
  await addVacancies(world, 6);
  world.intercept = ({ method, path }) =>
    method === 'PUT' && path.includes('vacanc')
      ? { status: 422, body: { errors: { 'employer.id': ['The selected employer.id is invalid.'] } } }
      : undefined;
  const run = await world.run();
  expect(run.stderr).toContain('set settleAfter: 10s in entities.companies');
});

test('status says by how much the sweeps of this client come later than the schedule', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 1);
  world.configure('entities:', 'http: { admin: { port: 0 } }\nentities:');
  const worker = world.start('start');
  await expect
    .poll(async () => (await world.cli('status')).stdout, { timeout: 30_000 })
    .toMatch(
      /The next sweep is due at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d WIB: \d\d:\d0 and (\d min )?\d+ s, so that not all partners begin at once\./,
    );
  worker.child.kill('SIGTERM');
});
