import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { peakPerSecond, usualPerSecond } from '../../../rate/arrivals.js';
import { openRateServer } from '../measure-shared-load.js';
import { createFleetWorld, type FleetWorld, manyTenants } from './fleet-world.js';
import { openFeeder } from './keep-busy.js';
import { ledgerRuns } from './ledger-runs.js';

const RATE = Number(process.env.FLEET_RATE ?? 50);
const REPLICAS = 4;
const TENANTS = 40;
const SECONDS = Number(process.env.FLEET_SECONDS ?? 30);
const SHARE = 0.95;
/** Given to reach the share: where machines are virtual, others take the processor away for a second and more. */
const ATTEMPTS = 5;
const RETRY_AFTER = 4;
/** From the answer with 429 until all replicas know of it, and what was under way has arrived, milliseconds. */
const KNOWN_MS = 500;
/** A small tenant has as many requests as fill a few turns; a turn takes 4 s when 40 others have work. */
const SMALL_WAIT_MS = 45_000;

const vacanciesFor = (seconds: number): number => Math.ceil((seconds * RATE) / TENANTS);

async function startAll(world: FleetWorld): Promise<void> {
  await Promise.all(Array.from({ length: REPLICAS }, () => world.start()));
}

/** Somebody has sent since then. */
async function untilSending({ database }: FleetWorld, since = new Date(0)): Promise<void> {
  const sent = () => database.query('select 1 from vendor.rate where seen_at > $1', [since]);
  await expect.poll(sent).toHaveLength(1);
}

/** What came after the longest time without an arrival. */
function afterGap(arrivals: readonly number[]): readonly number[] {
  const gaps = arrivals.map((at, index) => at - (arrivals[index - 1] ?? at));
  return arrivals.slice(gaps.indexOf(Math.max(...gaps)));
}

test(
  'forty busy tenants on four replicas never exceed their rate, also while all replicas start, and use nearly all of it',
  { timeout: ATTEMPTS * (SECONDS + 90) * 1_000 },
  async () => {
    let best = 0;
    for (let attempt = 0; attempt < ATTEMPTS && best < SHARE; attempt += 1) {
      const server = await openRateServer();
      const world = await createFleetWorld({
        tenants: manyTenants(TENANTS),
        size: { companies: 2, vacancies: vacanciesFor(SECONDS + 30) },
        rate: RATE,
        slots: TENANTS / REPLICAS,
      });
      world.env.BASE_URL = server.url;
      await startAll(world);
      await untilSending(world);
      await wait(5_000);
      // The second time no replica has tables to make: all tenants come in the same moment.
      await Promise.all(world.replicas.map((replica) => replica.stop()));
      const stoppedAt = await world.now();
      await startAll(world);
      await untilSending(world, stoppedAt);
      await wait(SECONDS * 1_000);
      const { at: arrivals, since } = await server.report();
      await Promise.all(world.replicas.map((replica) => replica.kill()));
      const peak = peakPerSecond(arrivals, since);
      const used = usualPerSecond(afterGap(arrivals), RATE) / RATE;
      process.stdout.write(
        `${REPLICAS} replicas x ${TENANTS / REPLICAS} tenants at ${RATE}/s, started twice: ${arrivals.length} arrived, peak ${peak}, usual ${(100 * used).toFixed(1)} %\n`,
      );
      expect(peak).toBeLessThanOrEqual(RATE);
      best = Math.max(best, used);
    }
    expect(best).toBeGreaterThanOrEqual(SHARE);
  },
);

test(
  'small tenants get their turn while large ones push, and a 429 pauses all replicas',
  { timeout: 300_000 },
  async () => {
    const server = await openRateServer();
    const large = manyTenants(TENANTS);
    const world = await createFleetWorld({
      tenants: large,
      size: { companies: 2, vacancies: vacanciesFor(120) },
      file: { lane: 'large' },
      rate: RATE,
      slots: 2,
      largeSlots: TENANTS / REPLICAS,
    });
    world.env.BASE_URL = server.url;
    const small = Array.from({ length: REPLICAS }, (_, n) => `small${n}`);
    for (const tenant of small) {
      await world.sources.add(tenant);
      world.write(tenant, { lane: 'sync', enabled: false });
    }
    expect((await world.apply()).exitCode).toBe(0);
    await startAll(world);
    await untilSending(world);
    await wait(5_000);
    for (const tenant of small) world.write(tenant, { lane: 'sync' });
    expect((await world.apply()).exitCode).toBe(0);
    const feeder = await openFeeder(world);
    const sentAt = (await world.now()).getTime();
    await feeder.send(small);
    await feeder.stop();
    const done = async () =>
      (await ledgerRuns(world, small)).filter(
        ({ finishedAt, outcome }) => finishedAt && outcome === 'complete',
      );
    await expect.poll(async () => (await done()).length).toBeGreaterThanOrEqual(small.length);
    const runs = await done();
    const begun = runs.map(({ startedAt }) => startedAt.getTime() - sentAt);
    const sent = runs.map(({ finishedAt }) => (finishedAt?.getTime() ?? Infinity) - sentAt);
    process.stdout.write(
      `${small.length} small tenants with 8 records each, while ${large.length} push: begun after ${Math.max(...begun)} ms at most, all sent after ${Math.min(...sent)} to ${Math.max(...sent)} ms\n`,
    );
    expect(Math.max(...sent)).toBeLessThan(SMALL_WAIT_MS);

    const refusedAt = await server.refuse(RETRY_AFTER);
    await wait((RETRY_AFTER + 5) * 1_000);
    const { at: arrivals, since } = await server.report();
    const endsAt = refusedAt + RETRY_AFTER * 1_000;
    const inPause = arrivals
      .filter((at) => at > refusedAt && at < endsAt)
      .map((at) => Math.round(at - refusedAt));
    const after = arrivals.filter((at) => at >= endsAt);
    process.stdout.write(
      `429 with Retry-After ${RETRY_AFTER}: ${inPause.length} more arrived, the last after ${inPause.at(-1) ?? 0} ms; then ${after.length} from ${Math.round((after[0] ?? 0) - refusedAt)} ms on; peak ${peakPerSecond(arrivals, since)}\n`,
    );
    expect(inPause.filter((ms) => ms > KNOWN_MS)).toEqual([]);
    expect(after.length).toBeGreaterThan(RATE);
    expect(peakPerSecond(arrivals, since)).toBeLessThanOrEqual(RATE);
  },
);
