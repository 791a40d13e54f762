import type { Context } from '../context.js';
import { alternate } from '../measure/alternate.js';
import { drainCopy } from '../measure/drain-copy.js';
import { sweepSeconds } from '../measure/sweep-seconds.js';
import type { Figure, Target } from '../results/figure.js';
import { spread } from '../results/spread.js';
import type { SweepWorld } from '../world/open-sweep-world.js';
import { copySql } from './copy-sql.js';
import { processAside } from './process-aside.js';
import { sizes } from './sizes.js';

/** A sweep that finds nothing changed, beside a COPY of what it has to compare. */
export async function* unchangedSweep(context: Context): AsyncGenerator<Figure> {
  for (const rows of sizes(context.options)) {
    const world = await context.world(rows);
    const versioned = (when: string) =>
      measure(context, world, `with row_version, ${when}`, copySql.versions, { of: 'ratio', atMost: 1.5 });
    if (world.isFresh()) yield* await versioned('right after the first load');
    await world.use('versioned');
    yield* await versioned('after a vacuum');
    await world.use('whole');
    yield* await measure(context, world, 'without row_version', copySql.rows, { of: 'ratio', atMost: 0.8 });
  }
}

async function measure(
  { options }: Context,
  world: SweepWorld,
  kind: string,
  sql: string,
  target: Target,
): Promise<Figure[]> {
  await world.copyState();
  const { copy, same, other } = await alternate<'copy' | 'same' | 'other', Measured>(options.rounds + 1, {
    copy: async () => ({ copy: await drainCopy(world.url, sql) }),
    same: async () => ({ run: await world.run('same') }),
    other: async () => ({ run: await world.run('other') }),
  });
  // The first round fills caches.
  const reference = {
    what: 'COPY',
    value: spread(copy.slice(1).flatMap((each) => ('copy' in each ? each.copy : []))),
  };
  return [['the same database', same] as const, ['another database', other] as const].flatMap(
    ([where, measured]) => {
      const runs = measured.slice(1).flatMap((each) => ('run' in each ? each.run : []));
      const common = { rows: world.rows, unit: 's', reference };
      return [
        {
          what: `sweep ${kind}, state in ${where}`,
          ...{ ...common, target: world.rows === options.rows ? target : null, aside: '' },
          value: spread(runs.map(({ stderr }) => sweepSeconds(stderr, 'vacancies'))),
        },
        {
          what: `run ${kind}, state in ${where}, process start to exit`,
          ...{ ...common, target: null, aside: processAside(runs) },
          value: spread(runs.map(({ seconds }) => seconds)),
        },
      ];
    },
  );
}

type Measured = { readonly copy: number } | { readonly run: Awaited<ReturnType<SweepWorld['run']>> };
