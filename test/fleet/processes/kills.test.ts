import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRandom } from '../../random.js';
import { createFleetWorld, manyTenants } from './fleet-world.js';
import { openFeeder } from './keep-busy.js';
import { ledgerRuns, overlaps } from './ledger-runs.js';
import { settle } from './settle.js';

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

test(
  'replicas are killed one after the other: no two runs of a tenant overlap, each goes on within 30 s, nothing is lost',
  { timeout: (SECONDS + 240) * 1_000 },
  async () => {
    const world = await createFleetWorld({
      tenants: manyTenants(TENANTS),
      // A run takes so long that a kill finds several under way; its requests carry the ETag of their record.
      file: { readSeconds: 0.7, precondition: 'if-match' },
    });
    world.sandbox.setDeviations({ requests: { etags: 'required' } });
    for (let count = 0; count < REPLICAS; count += 1) await world.start();
    const feeder = await openFeeder(world);
    feeder.keepBusy(Math.ceil(TENANTS / 5));
    const random = createRandom(5);
    const orphans: Orphan[] = [];
    for (let second = 10; second <= SECONDS; second += 10) {
      await wait(10_000);
      const victim = random.pick(world.replicas.filter(({ killedAt }) => killedAt === null));
      const running = await world.database.query<{ name: string }>(
        'select name from vendor.tenant where running_replica = $1',
        [victim.name],
      );
      await victim.kill();
      const killedAt = victim.killedAt ?? new Date(NaN);
      orphans.push(...running.map(({ name: tenant }) => ({ tenant, killedAt })));
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
