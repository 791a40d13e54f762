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
        return { load: await runTool(['run'], { config, postgres: postgres.pid, expect: [5] }) };
      },
    });
    const loads = measured.load.flatMap((each) => ('load' in each ? each.load : []));
    const fetches = measured.fetch.flatMap((each) => ('fetch' in each ? each.fetch : []));
    yield {
      what: 'first load: read, map, validate, hash, stage, publish',
      ...{ rows, unit: 's', aside: processAside(loads) },
      value: spread(loads.map(({ stderr }) => sweepSeconds(stderr, 'vacancies'))),
      reference: { what: 'DECLARE and FETCH of the same rows', value: spread(fetches) },
      // With fewer, the seconds are those of a program that is not warm yet.
      target: rows === options.rows || rows >= 100_000 ? { of: 'ratio', atMost: 5 } : null,
    };
  }
}

type Measured = { readonly fetch: number } | { readonly load: Awaited<ReturnType<typeof runTool>> };
