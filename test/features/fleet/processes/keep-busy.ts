import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../../../src/cli/compose/package-info.js';
import { createRandom } from '../../../random.js';
import { openJobQueue } from '../../../../src/features/fleet/open-job-queue.js';
import { FLEET_SCHEMA, type FleetWorld } from './fleet-world.js';

export interface Feeder {
  /** Sends one job for each of these tenants, as `fleet sync` does. */
  send(tenants: readonly string[]): Promise<void>;
  /** Changes sources and sends jobs every second, until `calm`. */
  keepBusy(perSecond: number): void;
  /** Changes nothing more. */
  calm(): Promise<void>;
  stop(): Promise<void>;
}

/** What happens to a fleet from outside: changes in the sources, and people who want a tenant to run now. */
export async function openFeeder({ database, sources, tenants }: FleetWorld): Promise<Feeder> {
  const queue = await openJobQueue({
    ...{ url: database.url, poolMax: 3, schema: `${FLEET_SCHEMA}_jobs`, clock: systemClock },
    emit: () => undefined,
  });
  const random = createRandom(23);
  const over = new AbortController();
  let feeding: Promise<void> = Promise.resolve();
  const send = async (names: readonly string[]): Promise<void> => {
    for (const name of names) await queue.send(name, 'sync');
  };
  const calm = async (): Promise<void> => {
    over.abort();
    await feeding;
  };
  return {
    send,
    keepBusy(perSecond) {
      const feed = async (): Promise<void> => {
        while (!over.signal.aborted) {
          const some = random.sample(tenants, Math.min(perSecond, tenants.length));
          for (const tenant of some) await sources.edit(tenant);
          await send(some);
          await wait(1_000, undefined, { signal: over.signal }).catch(() => undefined);
        }
      };
      feeding = feed();
    },
    calm,
    async stop() {
      await calm();
      await queue.close();
    },
  };
}
