import { withClient } from '../../src/demo/with-client.js';
import type { Context } from '../context.js';
import type { Figure } from '../results/figure.js';
import { openFleetWorld } from '../world/open-fleet-world.js';
import { fleetCommands } from './fleet-commands.js';
import { fleetLoad } from './fleet-load.js';

/** What a fleet of many small tenants costs: its commands, its first runs, and two replicas with nothing to send. */
export async function* fleet({ options, postgres, platform, folder }: Context): AsyncGenerator<Figure> {
  const { tenants, quick } = options;
  const settings = async (...statements: string[]) =>
    withClient(postgres.superUrl, async (client) => {
      for (const sql of statements) await client.query(sql);
      await client.query('select pg_reload_conf()');
    });
  platform.answer(200);
  // The table of jobs changes all the time, so a fleet without autovacuum is no fleet that somebody has.
  await settings('alter system set autovacuum = on');
  try {
    const world = await openFleetWorld({ tenants, postgres, baseUrl: platform.url, folder });
    yield* fleetCommands(world);
    yield* fleetLoad({ world, postgres, seconds: quick ? 5 : 30, quick });
  } finally {
    await settings('alter system reset autovacuum');
    platform.answer(401);
  }
}
