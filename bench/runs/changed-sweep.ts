import { withClient } from '../../src/demo/with-client.js';
import type { Context } from '../context.js';
import { alternate } from '../measure/alternate.js';
import { drainCopy } from '../measure/drain-copy.js';
import { sweepSeconds } from '../measure/sweep-seconds.js';
import type { Figure } from '../results/figure.js';
import { spread } from '../results/spread.js';
import type { SweepWorld } from '../world/open-sweep-world.js';
import { changeRows } from '../world/change-rows.js';
import { copySql } from './copy-sql.js';
import { growth } from './growth.js';
import { sizes } from './sizes.js';

const INDEXED = 'an index on the key';
const UNINDEXED = 'a key that no index serves';

/** A sweep that finds changes: versions, rows, staging and publishing, beside the COPY that an unchanged one has. */
export async function changedSweep(context: Context): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const rows of sizes(context.options)) {
    const world = await context.world(rows);
    await world.use('versioned');
    figures.push(await measure(context, world, INDEXED, { count: 10, atMost: 4 }));
    figures.push(await measure(context, world, INDEXED, { count: null, atMost: 6 }));
    await world.use('unindexed');
    figures.push(await measure(context, world, UNINDEXED, { count: 10, atMost: 8 }));
    figures.push(await measure(context, world, UNINDEXED, { count: null, atMost: 8 }));
  }
  return [...figures, ...growth(figures)];
}

/** `count`: of changed rows; null: 1 %. */
async function measure(
  { options, say }: Context,
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
  say(`${share} changed, ${kind}: ${world.rows}`);
  return {
    what: `sweep with ${share} changed, ${kind}`,
    ...{ rows: world.rows, unit: 's', aside: '' },
    // The first round fills caches.
    value: spread(measured.sweep.slice(1)),
    reference: { what: 'COPY', value: spread(measured.copy.slice(1)) },
    target: { of: 'ratio', atMost },
  };
}
