import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { peakPerSecond, sustainedPerSecond } from '../../test/rate/arrivals.js';
import type { Arrivals, LineOptions } from '../../test/rate/rate-server.js';
import type { Context } from '../context.js';
import { sampleCpu } from '../measure/sample-cpu.js';
import type { Figure } from '../results/figure.js';
import { spread } from '../results/spread.js';
import { openPushWorld } from '../world/open-push-world.js';
import { startChild } from '../world/start-child.js';

const LINE: LineOptions = { latencyMs: 30, jitterMs: 0, faults: false };
const SECONDS = 60;
const QUICK_SECONDS = 6;

/** How much of a rate limit is used over a line of 30 ms, and whether it is ever exceeded at the server. */
export async function* rateUse(context: Context): AsyncGenerator<Figure> {
  for (const rate of [50, 500]) yield* await measure(context, rate);
}

async function measure({ options, postgres, folder }: Context, rate: number): Promise<Figure[]> {
  const count = rate * (options.quick ? QUICK_SECONDS : SECONDS);
  const server = startChild('../test/rate/rate-server.ts', LINE);
  try {
    const [port] = (await once(server, 'message')) as [number];
    const world = await openPushWorld({
      ...{ name: `bench_rate_${rate}`, count, postgres, folder, baseUrl: `http://127.0.0.1:${port}/jobs` },
      // Requests under way at once = rate × round trip; twice that, because they come in bursts.
      ...{ ratePerSecond: rate, concurrency: Math.max(8, Math.ceil((2 * rate * LINE.latencyMs) / 1_000)) },
    });
    let cores = (): number => NaN;
    await world.run({ onStart: (child: ChildProcess) => (cores = sampleCpu(child.pid ?? NaN)) });
    const used = cores();
    server.send('report');
    const [{ jobs = { at: [], since: [] } }] = (await once(server, 'message')) as [Arrivals];
    const common = { rows: count, unit: 'requests/s', aside: '' };
    const name = `limit of ${rate} a second, 30 ms of latency`;
    return [
      {
        what: `${name}: mean`,
        ...{ ...common, value: spread([sustainedPerSecond(jobs.at, rate)]) },
        ...{ reference: { what: 'limit', value: spread([rate]) }, target: { of: 'ratio', atLeast: 0.98 } },
      },
      {
        what: `${name}: most in any sliding second`,
        ...{ ...common, value: spread([peakPerSecond(jobs.at, jobs.since)]) },
        ...{ reference: { what: 'limit', value: spread([rate]) }, target: { of: 'ratio', atMost: 1 } },
      },
      {
        what: `${name}: CPU of the worker`,
        ...{ ...common, unit: 'cores', value: spread([used]), reference: null },
        target: { of: 'value', atMost: 0.5 },
      },
    ];
  } finally {
    server.kill();
  }
}
