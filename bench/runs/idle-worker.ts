import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../../src/features/demo/sample/seed-sample.js';
import type { Context } from '../context.js';
import { childrenCpuTime, cpuTime } from '../measure/cpu-time.js';
import type { Figure } from '../results/figure.js';
import { spread } from '../results/spread.js';
import { startWorker } from '../world/start-worker.js';

const SECONDS = 60;
const QUICK_SECONDS = 5;

/** What a worker costs that waits for its next sweep: CPU on both sides, and statements. */
export async function* idleWorker(context: Context): AsyncGenerator<Figure> {
  const { options, postgres } = context;
  const world = await context.world(options.rows);
  await world.use('versioned');
  const seconds = options.quick ? QUICK_SECONDS : SECONDS;
  const log = join(postgres.dir, 'server.log');
  await withClient(world.url, (client) =>
    client.query(`alter database bench_${world.rows} set log_statement = 'all'`),
  );
  const worker = startWorker(world.config());
  try {
    await worker.line(/This process sweeps and sends now/);
    // A sweep that is due at the start finds nothing, and takes a second or two.
    await sleep(options.quick ? 5_000 : 20_000);
    const { before, after, statements } = await observe(worker.pid);
    const share = (of: 'worker' | 'postgres') => spread([(100 * (after[of] - before[of])) / seconds]);
    const common = { rows: world.rows, unit: '% of a core', reference: null, aside: '' };
    const target = { of: 'value', atMost: 0.5 } as const;
    yield* [
      { what: 'an idle `start`: the worker', ...common, value: share('worker'), target },
      { what: 'an idle `start`: Postgres', ...common, value: share('postgres'), target },
      {
        what: 'an idle `start`: statements',
        ...{ ...common, unit: 'a minute', target: null },
        value: spread([(60 * statements) / seconds]),
      },
    ];
  } finally {
    await worker.stop();
    await withClient(world.url, (client) =>
      client.query(`alter database bench_${world.rows} reset log_statement`),
    );
  }

  async function observe(pid: number) {
    const now = () => ({ worker: cpuTime(pid), postgres: childrenCpuTime(postgres.pid) });
    const file = openSync(log, 'r');
    const { size } = fstatSync(file);
    const before = now();
    await sleep(seconds * 1000);
    const after = now();
    const written = Buffer.alloc(fstatSync(file).size - size);
    readSync(file, written, 0, written.length, size);
    closeSync(file);
    const statements = written.toString('utf8').match(/LOG: {2}(statement|execute [^:]*):/g)?.length ?? 0;
    return { before, after, statements };
  }
}
