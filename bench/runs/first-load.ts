import { withClient } from '../../src/features/demo/sample/seed-sample.js';
import type { Context } from '../context.js';
import { alternate } from '../measure/alternate.js';
import { fetchRows } from '../measure/fetch-rows.js';
import { sweepSeconds } from '../measure/sweep-seconds.js';
import { timed } from '../measure/timed.js';
import type { Figure } from '../results/figure.js';
import { spread } from '../results/spread.js';
import { createDatabase } from '../world/create-database.js';
import { VACANCIES } from '../world/queries.js';
import { runTool } from '../world/tool.js';
import { processAside } from './process-aside.js';
import { sizes } from './sizes.js';

/** From so many records on, one round takes minutes. */
const LARGE = 200_000;

/** The first sweep: read, map, validate, hash, stage, publish; beside reading the same rows in full. */
export async function* firstLoad(context: Context): AsyncGenerator<Figure> {
  const { options, postgres } = context;
  for (const rows of sizes(options)) {
    const world = await context.world(rows);
    const measured = await alternate<'fetch' | 'load', Measured>(rows > LARGE ? 1 : options.rounds, {
      fetch: async () => ({ fetch: await timed(() => fetchRows(world.url, VACANCIES.versioned)) }),
      load: async () => {
        const stateUrl = await createDatabase(postgres, 'bench_first_load');
        const config = world.config({ stateUrl, vacancies: 'versioned' });
        await runTool(['migrate'], { config, postgres: postgres.pid });
        const load = await runTool(['run'], { config, postgres: postgres.pid, expect: [5] });
        return { load, write: await writeLedger(stateUrl) };
      },
    });
    const loads = measured.load.flatMap((each) => ('load' in each ? each.load : []));
    const writes = measured.load.flatMap((each) => ('write' in each ? each.write : []));
    const fetches = measured.fetch.flatMap((each) => ('fetch' in each ? each.fetch : []));
    const reference = { what: 'DECLARE and FETCH of the same rows', value: spread(fetches) };
    yield {
      what: 'first load: read, map, validate, hash, stage, publish',
      ...{ rows, unit: 's', aside: processAside(loads) },
      value: spread(loads.map(({ stderr }) => sweepSeconds(stderr, 'vacancies'))),
      reference,
      // With fewer, the seconds are those of a program that is not warm yet.
      target: rows === options.rows || rows >= 100_000 ? { of: 'ratio', atMost: 5 } : null,
    };
    yield {
      what: 'of that, the least: Postgres writes the finished ledger once, INSERT SELECT',
      ...{ rows, unit: 's', aside: '', reference, target: null },
      value: spread(writes),
    };
  }
}

type Measured =
  { readonly fetch: number } | { readonly load: Awaited<ReturnType<typeof runTool>>; readonly write: number };

/** Seconds to insert a ledger's rows into an empty table with the same columns, constraints and indexes. */
function writeLedger(stateUrl: string): Promise<number> {
  return withClient(stateUrl, async (client) => {
    await client.query('create table placement_sync.copy (like placement_sync.sync_state including all)');
    const columns = await client.query<{ names: string }>(STORED_COLUMNS);
    const names = columns.rows[0]?.names ?? '';
    return timed(() =>
      client.query(
        `insert into placement_sync.copy (${names}) select ${names} from placement_sync.sync_state`,
      ),
    );
  });
}

/** Without those that Postgres computes. */
const STORED_COLUMNS = `select string_agg(quote_ident(attname), ', ' order by attnum) as names from pg_attribute
  where attrelid = 'placement_sync.sync_state'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`;
