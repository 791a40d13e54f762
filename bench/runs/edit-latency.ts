import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../../src/features/demo/sample/seed-sample.js';
import type { Context } from '../context.js';
import type { Figure } from '../results/figure.js';
import { spread } from '../results/spread.js';
import { startWorker } from '../world/start-worker.js';

const ROWS = 100_000;
const EDITS = 40;
const QUICK_EDITS = 5;
const PATIENCE_MS = 20_000;

/** From an edit in the source to its answer by the platform, with a worker that sweeps every second. */
export async function* editLatency(context: Context): AsyncGenerator<Figure> {
  const { options, platform } = context;
  const world = await context.world(options.quick ? options.rows : ROWS);
  await world.use('versioned');
  platform.answer(200);
  const answered = new Map<string, number>();
  platform.follow(({ path, at }) => void answered.set(path.split('/')[4] ?? '', at));
  const worker = startWorker(world.config({ schedule: '* * * * * *' }));
  try {
    await worker.line(/Run .* ends/);
    const latencies = await withClient(world.url, async (client) => {
      const { rows: records } = await client.query<{ key: string; id: string }>(
        `select key, platform_id as id from placement_sync.sync_state where entity = 'vacancies'
         order by md5(key) limit ${options.quick ? QUICK_EDITS : EDITS}`,
      );
      const seconds: number[] = [];
      for (const [index, { key, id }] of records.entries()) {
        // At another part of the second each time.
        await sleep(300 + ((index * 370) % 1_000));
        await client.query(
          `update vacancy set title = title || '!', changed_at = changed_at + interval '1 second' where key = $1`,
          [key],
        );
        seconds.push(await untilAnswered(id, Date.now()));
      }
      return seconds;
    });
    const p95 =
      latencies.toSorted((left, right) => left - right)[Math.ceil(0.95 * latencies.length) - 1] ?? NaN;
    const common = { rows: world.rows, unit: 's', reference: null };
    yield* [
      {
        what: 'from an edit to its answer by the platform, a sweep every second: 95 % of the edits',
        ...{ ...common, value: spread([p95]), target: { of: 'value', atMost: 2 } },
        aside: `${latencies.length} edits`,
      },
      {
        what: 'from an edit to its answer by the platform, a sweep every second: all edits',
        ...{ ...common, value: spread(latencies), target: null, aside: '' },
      },
    ];
  } finally {
    await worker.stop();
    platform.answer(401);
  }

  /** Seconds. */
  async function untilAnswered(id: string, since: number): Promise<number> {
    while (Date.now() - since < PATIENCE_MS) {
      const at = answered.get(id);
      if (at !== undefined && at >= since) return (at - since) / 1000;
      await sleep(2);
    }
    throw new Error(`The platform did not get ${id}.`);
  }
}
