import { join } from 'node:path';
import { startPostgres } from '../../src/features/demo/postgres/start-postgres.js';
import type { Context } from '../context.js';
import { USUAL_TENANTS } from '../options.js';
import type { Figure } from '../results/figure.js';
import { openFleetWorld } from '../world/open-fleet-world.js';
import { fleetGrowth } from '../results/growth.js';
import { fleetCommands } from './fleet-commands.js';
import { fleetLoad } from './fleet-load.js';

/** Companies of each tenant. */
const RECORDS_EACH = 10;

/** Every ledger has statements of its own, because they name its schema. */
const MOST_STATEMENTS = '1000000';

/** Beside the usual number: what grows with the tenants shows with fewer and with more of them. */
const FEWER = 200;
const MORE = 10_000;

/** From here on they have no records, and do not run before they are watched: that takes an hour. */
const EMPTY_FROM = 5_000;

/**
 * What fleets of small tenants cost: the commands, the first runs, and two replicas with nothing to send; and how that grows
 * with the tenants.
 */
export async function* fleet(context: Context): AsyncGenerator<Figure> {
  const { tenants, quick } = context.options;
  const sizes = quick || tenants !== USUAL_TENANTS ? [tenants] : [FEWER, tenants, MORE];
  const figures: Figure[] = [];
  for (const size of sizes)
    for await (const figure of fleetOf(context, size)) {
      figures.push(figure);
      yield figure;
    }
  yield* fleetGrowth(figures, sizes);
}

/** On a server of its own, which counts statements, and has autovacuum: the table of jobs changes all the time. */
async function* fleetOf({ options, platform, folder }: Context, tenants: number): AsyncGenerator<Figure> {
  const { quick } = options;
  const postgres = await startPostgres({
    env: process.env,
    settings: {
      max_wal_size: '4GB',
      max_connections: '200',
      shared_preload_libraries: 'pg_stat_statements',
      'pg_stat_statements.max': MOST_STATEMENTS,
      'pg_stat_statements.save': 'off',
    },
  });
  platform.answer(200);
  try {
    const records = tenants >= EMPTY_FROM ? 0 : RECORDS_EACH;
    const world = await openFleetWorld({
      ...{ tenants, records, postgres, baseUrl: platform.url, folder: join(folder, String(tenants)) },
    });
    yield* fleetCommands(world);
    yield* fleetLoad({ world, postgres, seconds: quick ? 5 : 60, quick });
  } finally {
    platform.answer(401);
    await postgres.stop();
  }
}
