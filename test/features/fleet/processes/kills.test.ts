import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createRandom, type Random } from '../../../random.js';
import { peakPerSecond } from '../../../rate/arrivals.js';
import { openRateServer } from '../measure-shared-load.js';
import { createFleetWorld, type FleetWorld, manyTenants } from './fleet-world.js';
import { openFeeder } from './keep-busy.js';
import { deferrals, ledgerRuns, overlaps } from './ledger-runs.js';
import { PATIENCE_MS, settle } from './settle.js';

const TENANTS = Number(process.env.FLEET_TENANTS ?? 40);
const REPLICAS = Number(process.env.FLEET_REPLICAS ?? 3);
const SECONDS = Number(process.env.FLEET_SECONDS ?? 40);
/** What the fleet promises for the tenants of a killed replica. */
const TAKE_OVER_MS = 30_000;

/** A tenant that a replica ran when it was killed. */
interface Orphan {
  readonly tenant: string;
  readonly killedAt: Date;
}

/** Kills any replica, and says which tenants it ran. */
async function killOne(world: FleetWorld, random: Random): Promise<Orphan[]> {
  const victim = random.pick(world.replicas.filter(({ killedAt }) => killedAt === null));
  const running = await world.database.query<{ name: string }>(
    'select name from vendor.tenant where running_replica = $1',
    [victim.name],
  );
  await victim.kill();
  const killedAt = victim.killedAt ?? new Date(NaN);
  return running.map(({ name: tenant }) => ({ tenant, killedAt }));
}

test(
  'replicas are killed one after the other: no two runs of a tenant overlap, each goes on within 30 s, nothing is lost',
  { timeout: (SECONDS + 240) * 1_000 },
  async () => {
    const world = await createFleetWorld({
      tenants: manyTenants(TENANTS),
      // A run takes so long that a kill finds several under way.
      file: { readSeconds: 0.7 },
    });
    for (let count = 0; count < REPLICAS; count += 1) await world.start();
    const feeder = await openFeeder(world);
    feeder.keepBusy(Math.ceil(TENANTS / 5));
    const random = createRandom(5);
    const orphans: Orphan[] = [];
    for (let second = 10; second <= SECONDS; second += 10) {
      await wait(10_000);
      orphans.push(...(await killOne(world, random)));
      await world.start();
    }
    await wait(TAKE_OVER_MS);
    const behind = await settle(world, feeder);
    await feeder.stop();

    const runs = await ledgerRuns(world, world.tenants);
    expect(orphans.length, 'tenants that a kill found under way').toBeGreaterThan(SECONDS / 10);
    const again = orphans.map(({ tenant, killedAt }) => {
      const next = runs.find((run) => run.tenant === tenant && run.startedAt > killedAt);
      return { tenant, afterMs: (next?.startedAt.getTime() ?? Infinity) - killedAt.getTime() };
    });
    const after = again.map(({ afterMs }) => afterMs);
    process.stdout.write(
      `${runs.length} runs of ${TENANTS} tenants on ${world.replicas.length} replicas, ${orphans.length} cut off by kills, which ran again after ${Math.min(...after)} to ${Math.max(...after)} ms\n`,
    );
    expect(overlaps(runs, world.replicas)).toEqual([]);
    expect(again.filter(({ afterMs }) => afterMs > TAKE_OVER_MS)).toEqual([]);
    expect(behind).toEqual([]);
    expect(runs.filter(({ outcome }) => outcome === 'failed' || outcome === 'held')).toEqual([]);
  },
);

/** Of the test below; ten minutes of it are a bad day. */
const BAD_SECONDS = Number(process.env.FLEET_BAD_SECONDS ?? 45);
/** From here on its shares and waits are judged; in less time a few kills decide them. */
const JUDGED_FROM_SECONDS = 300;
const RATE = Number(process.env.FLEET_RATE ?? 50);
const KILL_EVERY_MS = 8_000;
const SMALL = ['small0', 'small1', 'small2', 'small3'];

/** As many programs as cores that do nothing but compute, until the test ends. */
function keepCoresBusy(): void {
  for (let core = 0; core < 2; core += 1) {
    const program = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
    onTestFinished(() => void program.kill('SIGKILL'));
  }
}

/** So long a record may wait that failed, at most. */
const PUT_OFF_MS = 60_000;

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** The value that so many percent are not above. */
function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? NaN;
}

test(
  'a bad day: kills, failures, a busy machine. Never above the rate on the wire, nothing is lost, small tenants do not wait',
  { timeout: (2 * BAD_SECONDS + 600) * 1_000 },
  async () => {
    const large = manyTenants(TENANTS);
    const world = await createFleetWorld({
      tenants: large,
      // More than is allowed when each 429 halves the rate for a while.
      size: { companies: 2, vacancies: Math.ceil((0.8 * BAD_SECONDS * RATE) / TENANTS) },
      rate: RATE,
      // Three of four replicas have a place for each tenant.
      slots: Math.ceil((TENANTS + SMALL.length) / 3) + 1,
    });
    const line = await openRateServer(Number(new URL(world.sandbox.url).port));
    world.env.BASE_URL = line.url;
    for (const tenant of SMALL) {
      await world.sources.add(tenant);
      world.write(tenant);
    }
    expect((await world.apply()).exitCode).toBe(0);
    const tenants = [...large, ...SMALL];
    world.sandbox.setFaults({
      seed: 3,
      rules: [
        { fault: 'server-error', share: 0.02 },
        { fault: 'drop-after', share: 0.02 },
        { fault: 'retry-after', after: '1s', every: 2_500 },
      ],
    });
    const arrived: { readonly path: string; readonly at: number }[] = [];
    world.intercept = ({ path }) => {
      arrived.push({ path, at: Date.now() });
      return undefined;
    };
    if (process.env.FLEET_BUSY !== undefined) keepCoresBusy();
    await Promise.all(Array.from({ length: Math.max(4, REPLICAS) }, () => world.start()));
    const feeder = await openFeeder(world);
    const random = createRandom(7);
    const orphans: { readonly tenant: string; readonly killedAt: Date }[] = [];
    const lastsUntil = Date.now() + BAD_SECONDS * 1_000;
    const feed = async (): Promise<void> => {
      for (let turn = 0; Date.now() < lastsUntil; turn += 1) {
        const tenant = SMALL[turn % SMALL.length] ?? 'small0';
        await world.sources.edit(tenant);
        await feeder.send([tenant]);
        await wait(1_000);
      }
    };
    const kill = async (): Promise<void> => {
      for (; Date.now() + KILL_EVERY_MS < lastsUntil;) {
        await wait(KILL_EVERY_MS);
        orphans.push(...(await killOne(world, random)));
        await world.start();
      }
    };
    let allowed = 0;
    /** A 429 halves the rate of all, which then comes back, and has them wait. */
    const sample = async (): Promise<void> => {
      for (let last = Date.now(); Date.now() < lastsUntil;) {
        await wait(200);
        const [row] = await world.database.query<{ rate: number }>(
          `select case when paused_until > clock_timestamp() then 0
             else least(${RATE}, coalesce((learned ->> 'perSecond')::float, ${RATE})) end as rate from vendor.rate`,
        );
        allowed += ((row?.rate ?? RATE) * (Date.now() - last)) / 1_000;
        last = Date.now();
      }
    };
    await Promise.all([feed(), kill(), sample()]);
    const used = arrived.length / allowed;
    world.sandbox.setFaults(null);
    // What was not sent meanwhile, as the machine was busy, has to be sent now.
    const patienceMs = PATIENCE_MS + 600 * BAD_SECONDS;
    const behind = await settle(world, feeder, tenants, patienceMs);
    await feeder.stop();

    const { at, since } = await line.report();
    const peak = peakPerSecond(at, since);
    const runs = await ledgerRuns(world, tenants);
    // Of a tenant whose next replica was killed before it began, since that.
    const again = orphans.map(({ tenant, killedAt }) => {
      const next = runs.find((run) => run.tenant === tenant && run.startedAt > killedAt);
      const ends = orphans.filter((end) => end.tenant === tenant).map((end) => end.killedAt.getTime());
      const last = Math.max(...ends.filter((end) => end < (next?.startedAt.getTime() ?? Infinity)));
      return (next?.startedAt.getTime() ?? Infinity) - last;
    });
    const late = orphans
      .filter((_, at) => (again[at] ?? 0) > TAKE_OVER_MS)
      .map(({ tenant, killedAt }, at) => {
        const told = runs
          .filter((run) => run.tenant === tenant)
          .map(({ startedAt, finishedAt, outcome }) => {
            const after = (time: Date) => seconds(time.getTime() - killedAt.getTime());
            return `${after(startedAt)} to ${finishedAt ? after(finishedAt) : '?'} ${outcome ?? ''}`;
          });
        return `${at}. ${tenant}, killed at ${killedAt.toISOString()}: ${told.join(', ')}\n`;
      });
    const waits: number[] = [];
    for (const tenant of SMALL) {
      const ids = new Set((await world.sources.expected(tenant)).keys());
      const own = arrived.filter(({ path }) => [...path.split('/')].some((part) => ids.has(part)));
      const deferred = await deferrals(world, tenant);
      // Its first load comes with that of all others, as each has tables made.
      for (const { startedAt, finishedAt, outcome } of runs.filter((run) => run.tenant === tenant).slice(1)) {
        const first = own.find((request) => request.at >= startedAt.getTime());
        if (outcome !== 'complete' || !finishedAt || !first || first.at > finishedAt.getTime()) continue;
        // What failed before waits until it is tried again, whatever the rate.
        const isPutOff = deferred.some(
          ({ platformId, at }) =>
            first.path.includes(platformId) &&
            at.getTime() < first.at &&
            first.at - at.getTime() < PUT_OFF_MS,
        );
        if (!isPutOff) waits.push(first.at - startedAt.getTime());
      }
    }
    process.stdout.write(
      [
        `${tenants.length} tenants, ${world.replicas.length} replicas in ${BAD_SECONDS} s: ${at.length} arrived, peak ${peak} of ${RATE}`,
        `used ${(100 * used).toFixed(1)} % of ${Math.round(allowed)} allowed`,
        `${again.length} runs cut off, again after p50 ${seconds(percentile(again, 50))}, p99 ${seconds(percentile(again, 99))}, at most ${seconds(Math.max(...again))}`,
        `${waits.length} later small runs sent first after p50 ${seconds(percentile(waits, 50))}, p99 ${seconds(percentile(waits, 99))}\n`,
        ...late,
      ].join('; '),
    );
    expect(peak).toBeLessThanOrEqual(RATE);
    expect(overlaps(runs, world.replicas)).toEqual([]);
    expect(behind).toEqual([]);
    expect(orphans.length).toBeGreaterThan(BAD_SECONDS / 10);
    expect(waits.length).toBeGreaterThan(0);
    const status = await world.status();
    expect(status.tenants.filter(({ state }) => state === 'failing')).toEqual([]);
    if (BAD_SECONDS < JUDGED_FROM_SECONDS) return;
    expect(used).toBeGreaterThanOrEqual(0.85);
    expect(percentile(again, 99)).toBeLessThanOrEqual(TAKE_OVER_MS);
    expect(percentile(waits, 99)).toBeLessThanOrEqual(1_500);
  },
);
