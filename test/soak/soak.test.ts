import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { FaultsInput } from '../../src/features/sandbox/fault-rules.js';
import { addCompanies, addVacancies, createCliWorld, SECRET, type CliWorld } from '../cli/cli-world.js';
import { table } from '../../docs/table.js';
import type { RunningCli } from '../cli/run-cli.js';
import {
  comparePlatform,
  measureProcess,
  seededRandom,
  sourceChanges,
  type Trend,
  trendOf,
  watchTables,
} from './soak.js';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 20);
const SEED = Number(process.env.SOAK_SEED ?? 1);
/** Seconds after which runs, vanished rows and applications go. */
const RETENTION = Math.min(60, Math.max(15, MINUTES * 7.5));

/**
 * Bounds of what may differ between the median of the second and of the last third of one process's life. Generous:
 * a heap breathes, and so do pools. What leaks in every sweep or request goes far beyond in twenty minutes.
 */
const MEMORY_GROWTH = (before: number): number => 0.15 * before + 20;
const DESCRIPTOR_GROWTH = 8;
const CONNECTION_GROWTH = 3;

const FAULTS: FaultsInput = {
  seed: SEED,
  rules: [
    { fault: 'latency', delay: '5ms', jitter: '30ms' },
    { fault: 'retry-after', every: 150, burst: 2, after: '1s' },
    { fault: 'retry-after', every: 400, status: 503, form: 'date', after: '2s', from: 70 },
    { fault: 'server-error', every: 200, burst: 4, from: 40 },
    { fault: 'server-error', status: 502, json: false, share: 0.01 },
    { fault: 'signature-refused', every: 600, from: 300 },
    { fault: 'html', status: 403, every: 700, from: 500 },
    { fault: 'drop-before', share: 0.01 },
    { fault: 'drop-after', share: 0.01 },
    // Within twice the time-out, after which nothing that was sent may arrive.
    { fault: 'apply-late', share: 0.01, after: '3s' },
    { fault: 'no-reply', share: 0.002, applied: true },
    { fault: 'slow-body', share: 0.005, over: '1s' },
    { fault: 'truncated-reply', share: 0.005 },
    { fault: 'wrong-envelope', share: 0.005 },
    { fault: 'html', status: 200, share: 0.003 },
    { fault: 'duplicate-request-id', share: 0.005 },
    { fault: 'fields-refused', share: 0.01, operation: 'putVacancy', fields: { title: 'is taken' } },
  ],
};

async function soakWorld(): Promise<CliWorld> {
  const world = await createCliWorld();
  world.configure(
    'state: { leaseTtl: 8s }',
    `state: { leaseTtl: 3s, retention: ${RETENTION}s, deliveryRetention: ${RETENTION}s }`,
  );
  world.configure('ratePerSecond: null', 'ratePerSecond: 100');
  world.configure('timeout: 5s', 'timeout: 2s');
  world.configure(
    'entities:',
    `  operations: { deleteCompany: { enabled: true }, deleteVacancy: { enabled: true } }
schedule: { sync: '*/5 * * * * *' }
retry: { baseDelay: 500ms, maxDelay: 4s, maxAttempts: 100 }
guards: { maxVanishedPercent: 60, maxRejectedInARow: 1000 }
sweep: { fullEvery: 1m }
logging: { level: warn }
webhook: { secrets: ['${SECRET}'], retention: ${RETENTION}s }
http: { public: { host: 127.0.0.1, port: 18480 }, admin: { port: 0 } }
entities:`,
  );
  world.configure('{ query: companies.sql }', '{ query: companies.sql, onVanished: delete }');
  world.configure('{ query: vacancies.sql }', '{ query: vacancies.sql, onVanished: delete }');
  await addCompanies(world, 40);
  await addVacancies(world, 200);
  return world;
}

/** Starts the worker; the promise is kept when it has begun to serve. */
async function startWorker(world: CliWorld): Promise<RunningCli> {
  const worker = world.start('start');
  const serving = async () =>
    (await fetch('http://127.0.0.1:18480/').catch(() => ({ status: worker.child.exitCode ?? 0 }))).status;
  await expect.poll(serving, { timeout: 60_000, message: worker.stderr() }).toBe(404);
  return worker;
}

async function stopWorker(worker: RunningCli): Promise<void> {
  worker.child.kill('SIGTERM');
  const { exitCode, stderr } = await worker.done;
  expect(exitCode, stderr.slice(-2_000)).toBe(0);
}

test(`${MINUTES} minutes of changes, faults, restarts and kills lose nothing, and nothing grows`, async () => {
  const world = await soakWorld();
  const random = seededRandom(SEED);
  const changes = sourceChanges(world, random);
  const tables = watchTables(world);
  world.sandbox.setFaults(FAULTS);
  const measures = { memory: [] as number[], descriptors: [] as number[], connections: [] as number[] };
  const applications = { accepted: 0, failed: 0 };
  let worker = await startWorker(world);
  const lives = { restarts: 0, kills: 0 };

  const sendApplication = async () => {
    const to = 'http://127.0.0.1:18480/webhooks/job-applications';
    const vacancies = world.sandbox.records('jobs', 'vacancies');
    const vacancyId = vacancies[Math.floor(random() * vacancies.length)]?.id;
    const sent = world.sandbox.sendApplication(vacancyId === undefined ? { to } : { to, vacancyId });
    // A worker that was just killed answers nobody.
    const status = await sent.then((answer) => answer.status).catch(() => 0);
    applications[status === 200 ? 'accepted' : 'failed'] += 1;
  };
  const work = async (seconds: number, measured: boolean) => {
    const until = performance.now() + seconds * 1_000;
    for (let round = 0; performance.now() < until; round++) {
      await changes.change();
      if (round % 3 === 0) await sendApplication();
      if (round % 5 === 0) await tables.look();
      if (measured && round % 5 === 0) {
        const { memory, descriptors } = measureProcess(worker.child.pid ?? 0);
        measures.memory.push(memory);
        measures.descriptors.push(descriptors);
        measures.connections.push(await tables.connections());
      }
      await wait(200);
    }
  };

  // A third of the time with restarts and kills, the rest with one process that is measured.
  const lifetime = Math.min(30, Math.max(8, (MINUTES * 60) / 3 / 8));
  for (let spent = 0, round = 0; spent < (MINUTES * 60) / 3; spent += lifetime, round++) {
    await work(lifetime, false);
    if (round % 3 === 2) {
      worker.child.kill('SIGKILL');
      await worker.done;
      lives.kills += 1;
    } else {
      await stopWorker(worker);
      lives.restarts += 1;
    }
    worker = await startWorker(world);
  }
  await work((MINUTES * 60 * 2) / 3, true);

  // The faults end, and what the platform refused is sent again.
  const faults = world.sandbox.faults();
  world.sandbox.setFaults(null);
  const retried = await world.cli('retry', '--status', 'rejected');
  expect(retried.exitCode, retried.stderr).toBe(0);
  const agrees = async () => {
    const { held, wanted } = await comparePlatform(world);
    const wantedSet = new Set(wanted);
    const heldSet = new Set(held);
    return {
      missing: wanted.filter((line) => !heldSet.has(line)),
      left: held.filter((line) => !wantedSet.has(line)),
      count: held.length - wanted.length,
    };
  };
  await expect
    .poll(agrees, { timeout: 120_000, interval: 1_000 })
    .toEqual({ missing: [], left: [], count: 0 });
  // Nothing of it comes undone: no request is under way, and none is to be confirmed.
  const unsettled = async () =>
    (
      await world.sql<{ key: string }>(
        'select key from placement_sync.sync_state where not settled and vanished_at is null',
      )
    ).length;
  await expect.poll(() => world.sandbox.faults().late, { timeout: 60_000 }).toBe(0);

  const nothing = {
    runs: 0,
    'vanished rows': 0,
    applications: 0,
    'staged findings': 0,
    'answers of past hours': 0,
  };
  const overdue = () => tables.overdue(RETENTION, 15);
  await expect.poll(overdue, { timeout: (RETENTION + 60) * 1_000, interval: 1_000 }).toEqual(nothing);
  const seen = tables.seen();
  const left = Object.fromEntries(
    (
      await world.sql<{ what: string; count: string }>(
        `select 'runs' as what, count(*) from placement_sync.sync_run
         union all select 'vanished rows', count(*) from placement_sync.sync_state where vanished_at is not null
         union all select 'applications', count(*) from placement_sync.job_application`,
      )
    ).map(({ what, count }) => [what, Number(count)]),
  );
  const final = await agrees();
  const trends = {
    'memory (MiB)': trendOf(measures.memory),
    'file descriptors': trendOf(measures.descriptors),
    'connections to Postgres': trendOf(measures.connections),
  };
  const open = await unsettled();
  report({ trends, seen, left, made: { ...changes.made, ...lives, ...applications }, faults });

  expect(final).toEqual({ missing: [], left: [], count: 0 });
  expect(open).toBe(0);
  for (const [what, count] of Object.entries(seen))
    expect(left[what], `${what} were pruned`).toBeLessThan(count);
  expect(Object.keys(seen).sort()).toEqual(['applications', 'runs', 'vanished rows']);
  expect(applications.accepted).toBeGreaterThan(0);
  const [memory, descriptors, connections] = Object.values(trends) as [Trend, Trend, Trend];
  expect(memory.after - memory.before, 'memory').toBeLessThan(MEMORY_GROWTH(memory.before));
  expect(descriptors.after - descriptors.before, 'descriptors').toBeLessThan(DESCRIPTOR_GROWTH);
  expect(connections.after - connections.before, 'connections').toBeLessThan(CONNECTION_GROWTH);
  await stopWorker(worker);
});

interface SoakReport {
  readonly trends: Readonly<Record<string, Trend>>;
  readonly seen: Readonly<Record<string, number>>;
  readonly left: Readonly<Record<string, number>>;
  readonly made: Readonly<Record<string, number>>;
  readonly faults: { readonly rules: readonly { readonly name: string; readonly fired: number }[] };
}

function report({ trends, seen, left, made, faults }: SoakReport): void {
  const text = [
    `${MINUTES} minutes, seed ${SEED}, retention ${RETENTION} s`,
    table(
      ['one process', 'second third', 'last third', 'most', 'samples'],
      Object.entries(trends).map(([what, { before, after, max, samples }]) =>
        [what, before, after, max, samples].map(String),
      ),
    ),
    table(
      ['rows', 'seen', 'left'],
      Object.entries(seen).map(([what, count]) => [what, String(count), String(left[what])]),
    ),
    table(
      ['what was done', 'times'],
      [...Object.entries(made), ...faults.rules.map(({ name, fired }) => [name, fired] as const)].map(
        ([what, count]) => [what, String(count)],
      ),
    ),
  ];
  process.stdout.write(`\n${text.join('\n\n')}\n\n`);
}
