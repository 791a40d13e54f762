import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { startPostgres } from '../../src/features/demo/postgres/start-postgres.js';
import { withClient } from '../../src/features/demo/sample/seed-sample.js';
import type { Context } from '../context.js';
import type { Figure } from '../results/figure.js';
import { spread } from '../results/spread.js';
import { changeRows } from '../world/change-rows.js';
import { openSweepWorld } from '../world/open-sweep-world.js';
import { startWorker } from '../world/start-worker.js';

const ROWS = 20_000;
/** Each a hundredth of the rows, a second apart. */
const ROUNDS = 100;
const QUICK_ROUNDS = 5;
const SHARE = 100;

/** What the last migration gives the table, taken back: the defaults of the server. */
const DEFAULTS = `alter table placement_sync.sync_state reset (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold)`;

const VARIANTS = [
  ['by the defaults of Postgres', DEFAULTS],
  ['as migrated', 'select 1'],
] as const;

/**
 * How large the table of records grows while a worker sweeps and sends each second, and 1 % of the rows change each second. On
 * servers of their own, whose autovacuum looks every 5 s: an hour of usual edits passes in minutes.
 */
export async function* deadRows({ options, platform, folder }: Context): AsyncGenerator<Figure> {
  const rows = options.quick ? options.rows : ROWS;
  platform.answer(200);
  for (const [name, statement] of VARIANTS) {
    const postgres = await startPostgres({ env: process.env, settings: { autovacuum_naptime: '5s' } });
    try {
      const world = await openSweepWorld({ rows, postgres, baseUrl: platform.url, folder });
      await world.use('versioned');
      const worker = startWorker(world.config({ schedule: '* * * * * *' }));
      try {
        yield* await withClient(world.url, async (client) => {
          await client.query(statement);
          await client.query('vacuum full analyze placement_sync.sync_state');
          const before = await look(client);
          const seen: Look[] = [];
          for (let round = 0; round < (options.quick ? QUICK_ROUNDS : ROUNDS); round += 1) {
            await changeRows(client, rows, rows / SHARE, round % SHARE);
            await sleep(1_000);
            seen.push(await look(client));
          }
          const last = seen.at(-1) ?? before;
          const common = { rows, reference: null, target: null };
          const figure = (what: string, unit: string, value: number, aside: string): Figure => ({
            what: `${what}, ${name}`,
            unit,
            value: spread([value]),
            ...common,
            aside,
          });
          return [
            figure(
              'the table of records',
              'MB',
              last.heap,
              `${before.heap.toFixed(1)} MB before; ${last.updates - before.updates} updates, ${last.hot - before.hot} of them HOT; ${last.vacuums - before.vacuums} vacuums`,
            ),
            figure('its indexes', 'MB', last.indexes, `${before.indexes.toFixed(1)} MB before`),
            figure('its dead rows at most', 'rows', Math.max(...seen.map(({ dead }) => dead)), ''),
          ];
        });
      } finally {
        await worker.stop();
      }
    } finally {
      await postgres.stop();
    }
  }
  platform.answer(401);
}

type Look = Readonly<Record<'heap' | 'indexes' | 'dead' | 'hot' | 'updates' | 'vacuums', number>>;

const LOOK = `select cast(pg_table_size(relid) as float) / 1048576 as heap, cast(pg_indexes_size(relid) as float) / 1048576 as indexes,
  cast(n_dead_tup as float) as dead, cast(n_tup_hot_upd as float) as hot, cast(n_tup_upd as float) as updates,
  cast(autovacuum_count as float) as vacuums
  from pg_stat_user_tables where schemaname = 'placement_sync' and relname = 'sync_state'`;

/** Sizes in MB. */
async function look(client: pg.Client): Promise<Look> {
  const { rows } = await client.query<Look>(LOOK);
  const [found] = rows;
  if (!found) throw new Error('There is no table of records.');
  return found;
}
