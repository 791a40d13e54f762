import { withClient } from '../../src/features/demo/sample/seed-sample.js';
import type { Context } from '../context.js';
import { alternate } from '../measure/alternate.js';
import { drainCopy } from '../measure/drain-copy.js';
import { sweepSeconds } from '../measure/sweep-seconds.js';
import type { Figure } from '../results/figure.js';
import { spread } from '../results/spread.js';
import type { SweepWorld } from '../world/open-sweep-world.js';
import { changeRows } from '../world/change-rows.js';
import { copySql } from './copy-sql.js';
import { sizes } from './sizes.js';

const INDEXED = 'an index on the key';
const UNINDEXED = 'a key that no index serves';

/** A sweep that finds changes: versions, rows, staging and publishing, beside the COPY that an unchanged one has. */
export async function* changedSweep(context: Context): AsyncGenerator<Figure> {
  for (const rows of sizes(context.options)) {
    const world = await context.world(rows);
    for (const [query, kind, count, atMost] of [
      ['versioned', INDEXED, 10, 4],
      ['versioned', INDEXED, null, 6],
      ['unindexed', UNINDEXED, 10, 8],
      ['unindexed', UNINDEXED, null, 8],
    ] as const) {
      await world.use(query);
      yield measure(context, world, kind, { count, atMost });
    }
  }
}

/** `count`: of changed rows; null: 1 %. */
async function measure(
  { options }: Context,
  world: SweepWorld,
  kind: string,
  { count, atMost }: { readonly count: number | null; readonly atMost: number },
): Promise<Figure> {
  const changed = count ?? world.rows / 100;
  const measured = await alternate(options.rounds + 1, {
    copy: () => drainCopy(world.url, copySql.versions),
    sweep: async (round) => {
      await withClient(world.url, (client) => changeRows(client, world.rows, changed, round));
      const { stderr } = await world.run('same');
      return sweepSeconds(stderr, 'vacancies');
    },
  });
  const share = count === null ? '1 %' : `${count} rows`;
  return {
    what: `sweep with ${share} changed, ${kind}`,
    ...{ rows: world.rows, unit: 's', aside: '' },
    // The first round fills caches.
    value: spread(measured.sweep.slice(1)),
    reference: { what: 'COPY', value: spread(measured.copy.slice(1)) },
    target: world.rows === options.rows ? { of: 'ratio', atMost } : null,
  };
}
