import { startPostgres } from '../../src/demo/postgres/start-postgres.js';
import type { Context } from '../context.js';
import type { Figure } from '../results/figure.js';
import { openFleetWorld } from '../world/open-fleet-world.js';
import { fleetCommands } from './fleet-commands.js';
import { fleetLoad } from './fleet-load.js';

/** Every ledger has statements of its own, because they name its schema. */
const MOST_STATEMENTS = '1000000';

/**
 * What a fleet of many small tenants costs: its commands, its first runs, and two replicas with nothing to send. On a
 * server of its own, which counts statements, and has autovacuum: the table of jobs changes all the time.
 */
export async function* fleet({ options, platform, folder }: Context): AsyncGenerator<Figure> {
  const { tenants, quick } = options;
  const postgres = await startPostgres({
    env: process.env,
    settings: {
      max_wal_size: '4GB',
      shared_preload_libraries: 'pg_stat_statements',
      'pg_stat_statements.max': MOST_STATEMENTS,
      'pg_stat_statements.save': 'off',
    },
  });
  platform.answer(200);
  try {
    const world = await openFleetWorld({ tenants, postgres, baseUrl: platform.url, folder });
    yield* fleetCommands(world);
    yield* fleetLoad({ world, postgres, seconds: quick ? 5 : 30, quick });
  } finally {
    platform.answer(401);
    await postgres.stop();
  }
}
