import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Server } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { listen } from '../loopback.js';
import { pageWords } from '../dashboard/open-test-dashboard.js';
import { makeAuthority } from '../postgres/make-certificates.js';
import { startNoticeReceiver } from '../features/notices/receivers.js';
import { addCompanies, type CliWorld, createCliWorld } from './cli-world.js';
import { listening } from './run-cli.js';

vi.setConfig({ testTimeout: 120_000 });

/*
 * What goes wrong for an operator, each played for real, and what each place says of it: the summary of `run`, `status`,
 * `doctor`, `explain`, the page, the notice, the metrics and the log. All must give the same cause; none may give another one.
 */

const PLACES = ['run', 'status', 'doctor', 'explain', 'page', 'notice', 'metric', 'log'] as const;
type Place = (typeof PLACES)[number];

interface Situation {
  /** Makes it so, before the second run. All twelve companies were accepted, and each has changed since. */
  readonly play: (world: CliWorld) => Promise<void> | void;
  /** What the places say; left out: that place has nothing to say about it. `others`: every place that is not named. */
  readonly says: Readonly<Partial<Record<Place, RegExp>>> & { readonly others: RegExp };
  /** What no place may say. */
  readonly never: RegExp | null;
  readonly exitCode: number;
}

const DOWN = /does not answer|cannot be reached|unreachable/;
const OUTAGE = {
  explain: /Nothing is sent to its area now/,
  metric: /area_stopped\{area="jobs",code="breaker-open"\} 1/,
};
const MAINTENANCE = '<!doctype html><html><head><title>Pemeliharaan</title></head></html>';

/** In place of the platform. */
async function answering(world: CliWorld, answer: RequestListener): Promise<void> {
  await takePlace(world, createServer(answer), 'http');
}

async function takePlace(world: CliWorld, server: Server, scheme: string) {
  const { port } = await listen(server);
  world.env.BASE_URL = `${scheme}://127.0.0.1:${port}`;
  // The ledger is of this address from now on.
  await world.sql(`update placement_sync.environment set base_url = '${world.env.BASE_URL}'`);
}

const page =
  (status: number): Situation['play'] =>
  (world) =>
    answering(world, (_request, response) => {
      response.writeHead(status, { 'content-type': 'text/html' }).end(MAINTENANCE);
    });

const SITUATIONS: Readonly<Record<string, Situation>> = {
  'the port is closed': {
    play: async (world) => {
      await answering(world, () => undefined);
      world.env.BASE_URL = 'http://127.0.0.1:9';
      await world.sql(`update placement_sync.environment set base_url = 'http://127.0.0.1:9'`);
    },
    says: { ...OUTAGE, others: /The platform cannot be reached/ },
    never: /only with errors|certificate/,
    exitCode: 5,
  },
  'no answer in time': {
    play: (world) => {
      world.configure('timeout: 5s', 'timeout: 300ms');
      return answering(world, () => undefined);
    },
    says: { ...OUTAGE, others: /The platform does not answer in time/ },
    never: /only with errors|cannot be reached/,
    exitCode: 5,
  },
  'an untrusted certificate': {
    play(world) {
      const { key, certificate: cert } = makeAuthority('An authority that nobody knows').issue();
      return takePlace(world, createTlsServer({ key, cert }), 'https');
    },
    says: { ...OUTAGE, others: /The certificate of the platform is not trusted/ },
    never: DOWN,
    exitCode: 5,
  },
  'an overloaded platform': {
    play: (world) =>
      answering(world, (_request, response) => {
        response.writeHead(503, { 'content-type': 'application/json' }).end('{"message":"overloaded"}');
      }),
    says: { ...OUTAGE, others: /The platform answers, but only with errors/ },
    never: DOWN,
    exitCode: 5,
  },
  'a page of maintenance with 503': {
    play: page(503),
    says: { ...OUTAGE, others: /A web page answers in place of the platform/ },
    never: DOWN,
    exitCode: 5,
  },
  'a page of maintenance with 200': {
    play: page(200),
    says: {
      ...OUTAGE,
      metric: /area_stopped\{area="jobs",code="reply-not-understood"\} 1/,
      others: /web page.*maintenance|maintenance.*web page/s,
    },
    never: DOWN,
    exitCode: 5,
  },
  'the edge refuses': {
    play: page(403),
    says: {
      ...OUTAGE,
      metric: /area_stopped\{area="jobs",code="authentication-refused"\} 1/,
      others: /The edge in front of the platform \(CDN or firewall\) refuses our requests/,
    },
    never: /refused our credentials|does not accept our client id/,
    exitCode: 5,
  },
  'a wrong secret': {
    play(world) {
      world.env.CLIENT_SECRET = 'wrong';
    },
    says: {
      ...OUTAGE,
      metric: /area_stopped\{area="jobs",code="authentication-refused"\} 1/,
      others: /refused our credentials|does not accept our client id|client id and secret/,
    },
    never: /edge in front|only with errors/,
    exitCode: 5,
  },
  'rejections in masses': {
    play(world) {
      // What it accepted before still passes, so it is about the names.
      world.intercept = ({ body }) =>
        ((body as { name?: string } | undefined)?.name ?? 'Other ').startsWith('Other ')
          ? { status: 422, body: { message: 'The name is not allowed.' } }
          : undefined;
    },
    says: {
      doctor: /HTTP 422/,
      explain: /refused this payload: .*The name is not allowed/,
      metric: /records\{entity="companies",status="rejected"\} 12/,
      notice: /"rejected".*The platform rejects 12 of 12 records, most of them with HTTP 422/,
      log: /rejected/,
      others: /companies: 12 rejected|Companies: 12 rejected/,
    },
    never: DOWN,
    exitCode: 3,
  },
  'a failed query': {
    play: (world) => world.write('companies.sql', 'select id as key, name from compani;\n'),
    says: {
      doctor: /compani/,
      explain: /The source could not be read/,
      metric: /last_run_exit_code 1/,
      others: /query failed|The query of companies|compani/,
    },
    never: /platform (does not|cannot)/,
    exitCode: 1,
  },
  'half of the source is gone': {
    play: async (world) => void (await world.sql(`delete from company where id > 'c006'`)),
    says: {
      doctor: /empty|rows|6/,
      explain: /The row has changed|no longer in the query/,
      metric: /held\{entity="companies"\} 1/,
      others: /6 of 12 records vanished/,
    },
    never: DOWN,
    exitCode: 4,
  },
};

const POLL = { timeout: 30_000, interval: 200 };

/** One line for each situation, printed at the end: what was checked in which place. */
const table: string[] = [];
afterAll(() => {
  process.stdout.write(`${[`${''.padEnd(34)}${PLACES.join('  ')}`, ...table].join('\n')}\n`);
});

test.each(Object.entries(SITUATIONS))('%s: every place gives the same cause', async (name, situation) => {
  const world = await createCliWorld();
  const receiver = await startNoticeReceiver();
  const metrics = join(world.folder, 'sync.prom');
  world.env.NOTIFY_URL = receiver.url;
  world.configure(
    'entities:',
    `notify: { url: '\${NOTIFY_URL}' }
guards: { maxChangedPercent: 100 }
retry: { baseDelay: 200ms, maxDelay: 400ms }
schedule: { sync: '0 0 29 2 *' }
http: { admin: { port: 0 } }
entities:`,
  );
  await addCompanies(world, 12);
  expect(await world.run()).toMatchObject({ code: 0 });
  await world.sql(`update company set name = 'Other ' || name`);
  await situation.play(world);

  const run = await world.cli('run');
  expect(run.exitCode, run.stdout + run.stderr).toBe(situation.exitCode);
  // An outage is notified once it has lasted for five minutes.
  await world.sql(`update placement_sync.notice set since = since - interval '10 minutes'`);
  const again = await world.cli('run', '--metrics-file', metrics);
  const seen: Record<Place, string> = {
    run: run.stdout,
    log: run.stderr,
    notice: JSON.stringify(receiver.received.map(({ body }) => JSON.parse(body) as unknown)),
    status: (await world.cli('status')).stdout,
    doctor: (await world.cli('doctor')).stdout.replace(/\s+/g, ' '),
    explain: (await world.cli('explain', 'companies', 'c001')).stdout,
    metric: readFileSync(metrics, 'utf8'),
    page: '',
  };
  expect(again.exitCode).toBe(situation.exitCode);
  const worker = world.start('start');
  const address = await listening(worker, 'admin');
  const { says, never } = situation;
  const ofPage = says.page ?? says.others;
  const read = async (path: string) => (await fetch(`${address}${path}`)).text();
  // Once the worker has seen it too.
  await expect.poll(async () => (seen.page = pageWords(await read('/'))), POLL).toMatch(ofPage);
  await expect
    .poll(async () => (seen.page = pageWords(await read('/'))), POLL)
    .not.toContain('No worker is running');
  const ofMetric = says.metric ?? says.others;
  await expect.poll(async () => (seen.metric += await read('/metrics')), POLL).toMatch(ofMetric);
  worker.child.kill('SIGTERM');
  await worker.done;

  const cells = PLACES.map((place) => {
    expect(seen[place], `${place} of: ${name}`).toMatch(says[place] ?? says.others);
    if (never !== null && place !== 'metric') expect(seen[place], `${place} of: ${name}`).not.toMatch(never);
    return '✓'.padEnd(place.length);
  });
  table.push(`${name.padEnd(34)}${cells.join('  ')}`);
});
