import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planted, secretsIn, secretsInProcessList } from '../security/planted.js';
import { MAIL_USER } from '../features/notices/receivers.js';
import { addCompanies, addVacancies, createCliWorld, type CliWorld } from './cli-world.js';
import { type CliResult, listening } from './run-cli.js';

// runCli itself refuses output with a planted secret, and createCliWorld a state schema with one, in every test.

const PERSON = { name: 'Siti Rahmawati', email: 'siti.r@example.org' };

/** A set-up in which every setting that can hold a secret holds one, with the log at its most talkative. */
async function secretWorld(): Promise<CliWorld> {
  const world = await createCliWorld();
  world.env.HOOK = planted('webhook');
  world.env.TOKEN = planted('token');
  world.configure(
    'entities:',
    `webhook: { secrets: ['\${HOOK}', '\${CLIENT_SECRET}'] }
http: { public: { host: 127.0.0.1, port: 0 }, admin: { port: 0, token: '\${TOKEN}' }, metrics: { port: 0 } }
notify:
  url: http://127.0.0.1:9/services/${planted('path')}?key=${planted('query')}
  secret: ${planted('notify')}
  smtp: { url: 'smtps://${MAIL_USER}:${planted('mail')}@127.0.0.1:9', from: a@example.com, to: [b@example.com] }
logging: { level: debug, format: json }
entities:`,
  );
  return world;
}

/** Two at a time; the machine may have no more. */
async function each(world: CliWorld, commands: readonly string[]): Promise<CliResult[]> {
  const results: CliResult[] = [];
  for (let at = 0; at < commands.length; at += 2)
    results.push(
      ...(await Promise.all(commands.slice(at, at + 2).map((line) => world.cli(...line.split(' '))))),
    );
  return results;
}

test(
  'no command shows a secret when all is well, and none is in a process list',
  { timeout: 180_000 },
  async () => {
    const world = await secretWorld();
    await addCompanies(world, 2);
    await addVacancies(world, 1);
    world.intercept = () => ({ delayMs: 300 });
    const first = world.start('run', '--json');
    await world.requested(1);
    expect(secretsInProcessList()).toEqual([]);
    expect((await first.done).exitCode).toBe(0);
    const bundle = join(world.folder, 'bundle.json');
    const results = await each(world, [
      'plan --diff',
      `status --bundle ${bundle}`,
      'explain companies c001',
      'verify',
      'resync --entity companies',
      'config print',
      'sign PUT /api/v1/employers/x/company',
      'notify test',
    ]);
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
    expect(results[5]?.stdout).toContain('***');
    expect(secretsIn(readFileSync(bundle, 'utf8'), world.env)).toEqual([]);
  },
);

test(
  'no failure shows a secret: refused log-ins, no connection, a defect',
  {
    timeout: 180_000,
  },
  async () => {
    const world = await secretWorld();
    await addCompanies(world, 2);
    const { SOURCE_DATABASE_URL: good = '', BASE_URL: platform = '' } = world.env;
    const source = (change: (url: URL) => void) => {
      const url = new URL(good);
      change(url);
      world.env.SOURCE_DATABASE_URL = url.href;
    };
    const failing = async (what: string, expected: number, ...commands: string[]) => {
      for (const { exitCode, stderr } of await each(world, commands))
        expect(exitCode, `${what}: ${stderr}`).toBe(expected);
    };
    const name = decodeURIComponent(new URL(good).pathname.slice(1));
    const state = `state: { url: '${good}',`;

    source((url) => (url.password = planted('wrong')));
    await failing('a wrong password, for source and state', 1, 'status', 'migrate');
    world.configure('state: {', state);
    // One after the other: a second run at the same time is refused.
    await failing('a wrong password for the source', 1, 'run --json');
    await failing('a wrong password for the source', 1, 'run');
    source((url) => {
      url.username = 'nobody';
      url.password = planted('pass/word');
      url.host = '127.0.0.1:1';
    });
    await failing('no connection', 1, 'run');
    source((url) => url.searchParams.set('sslpassword', planted('tls')));
    await failing('a parameter that nobody knows', 2, 'run');
    world.env.SOURCE_DATABASE_URL = `postgres://user:${planted('a')}@host:${planted('port')}/${name}`;
    await failing('an address that is none', 2, 'run');

    world.env.SOURCE_DATABASE_URL = good;
    world.env.CLIENT_SECRET = planted('refused');
    await failing('a refused client', 5, 'run --json');
    world.env.BASE_URL = platform.replace(/:\d+$/, ':1');
    await failing('a platform that is another, and away', 2, 'run', 'retry');

    world.env.BASE_URL = platform;
    const preload = join(world.folder, 'defect.mjs');
    writeFileSync(preload, `Date.prototype.toISOString = () => { throw new Error('a defect') };\n`);
    world.env.NODE_OPTIONS = `--import=${preload}`;
    await failing('a defect', 1, 'run');
  },
);

test(
  'pages, metrics and the log of a worker show no secret and nothing of an applicant',
  { timeout: 180_000 },
  async () => {
    const world = await secretWorld();
    await addCompanies(world, 1);
    await addVacancies(world, 1);
    world.configure('level: debug', 'level: info');
    const worker = world.start('start');
    const [admin, hook] = [await listening(worker, 'admin'), await listening(worker, 'webhook')];
    await world.requested(2);
    const [vacancy] = world.sandbox.records('jobs', 'vacancies');
    const application = { to: hook, vacancyId: vacancy!.id, ...PERSON };
    const sent = await world.sandbox.sendApplication(application);
    expect(sent.status).toBe(200);
    const { phone } = (JSON.parse(sent.body) as { job_seeker: { phone: string } }).job_seeker;
    expect(phone).toMatch(/\d{6}/);
    // The inbox cannot store this one.
    await world.sql(
      'alter table placement_sync.job_application add constraint full_up check (false) not valid',
    );
    const other = { ...application, email: 'siti.other@example.org' };
    expect(await world.sandbox.sendApplication(other)).toMatchObject({ status: 503 });

    const authorization = `Bearer ${planted('token')}`;
    const bodies: string[] = [];
    const ask = async (url: string, init: RequestInit = {}) => {
      const reply = await fetch(url, { redirect: 'manual', ...init });
      bodies.push(`${JSON.stringify([...reply.headers])} ${await reply.text()}`);
      return reply.status;
    };
    const guess: Record<string, string> = {
      authorization: `Bearer ${planted('guess')}`,
      'x-a': planted('x'),
    };
    for (const path of ['/', '/records?entity=companies&status=synced', '/record?entity=companies&key=c001'])
      for (const headers of [undefined, { authorization }, guess])
        await ask(`${admin}${path}`, headers && { headers });
    expect(await ask(`${await listening(worker, 'metrics')}/metrics`)).toBe(200);
    await ask(`${admin}/login`, { method: 'POST', body: new URLSearchParams({ token: planted('guess') }) });
    expect(
      await ask(hook, {
        method: 'POST',
        body: planted('body'),
        headers: { Signature: planted('signature') },
      }),
    ).toBe(401);
    for (const path of ['', '/requests', '/openapi.json', '/records/jobs/companies'])
      await ask(`${world.sandbox.url}/_sandbox${path}`);
    expect(bodies.flatMap((body) => secretsIn(body, world.env))).toEqual([]);
    expect(secretsInProcessList()).toEqual([]);

    worker.child.kill('SIGTERM');
    const { exitCode, stdout, stderr } = await worker.done;
    expect(exitCode, stderr).toBe(0);
    expect(stderr).toContain('storage-failed');
    for (const personal of [...Object.values(PERSON), phone, 'siti', 'Rahmawati']) {
      expect(stdout + stderr, 'the log').not.toContain(personal);
      for (const body of bodies.slice(0, -4)) expect(body, 'pages').not.toContain(personal);
    }
  },
);
