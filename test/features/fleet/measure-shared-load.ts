import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { peakPerSecond, sustainedPerSecond, usualPerSecond } from '../../rate/arrivals.js';
import type { AreaArrivals, Arrivals, LineOptions } from '../../rate/rate-server.js';
import type { SharedLoad } from './shared-load-client.js';

export interface MeasuredShared {
  /** Moments of the server's clock, milliseconds. */
  readonly arrivals: readonly number[];
  /** Most arrivals in any sliding second at the server. */
  readonly peak: number;
  /** Arrivals per second in the usual second, as a share of the rate. */
  readonly used: number;
  /** For people: what was measured, in one line. */
  readonly line: string;
}

/** A platform, or the line to one, that notes arrivals, in a process of its own. It ends with the test. */
interface RateServer {
  readonly url: string;
  /** Answers the next request with 429 and so many seconds of Retry-After. Gives the moment of that answer. */
  refuse(seconds: number): Promise<number>;
  /** All arrivals, moments of the server's clock in milliseconds. It ends then. */
  report(): Promise<AreaArrivals>;
}

/** `to`: the port of a platform behind the line; default: one that accepts everything. */
export async function openRateServer(to?: number): Promise<RateServer> {
  const server = start('../../rate/rate-server.ts', { latencyMs: 10, jitterMs: 2, faults: false, to });
  onTestFinished(() => void server.kill());
  const told = async <T>(): Promise<T> => ((await once(server, 'message')) as [T])[0];
  const port = await told<number>();
  return {
    url: `http://127.0.0.1:${port}${to === undefined ? '/jobs' : ''}`,
    async refuse(seconds) {
      const answered = told<number>();
      server.send(seconds);
      return answered;
    },
    async report() {
      const reported = told<Arrivals>();
      server.send('report');
      return (await reported)[to === undefined ? 'jobs' : 'all'] ?? { at: [], since: [] };
    },
  };
}

/** As many processes as replicas, and a server that notes arrivals, for the length of the load. */
export async function measureSharedLoad(
  processes: number,
  load: Omit<SharedLoad, 'port'>,
): Promise<MeasuredShared> {
  const line: LineOptions = { latencyMs: 10, jitterMs: 2, faults: false };
  const server = start('../../rate/rate-server.ts', line);
  try {
    const [port] = (await once(server, 'message')) as [number];
    const clients = Array.from({ length: processes }, () =>
      start('shared-load-client.ts', { ...load, port }),
    );
    const codes = await Promise.all(clients.map(async (client) => (await once(client, 'exit'))[0] as number));
    if (codes.some((code) => code !== 0)) throw new Error(`The clients ended with ${codes.join(', ')}.`);
    server.send('report');
    const [{ jobs = { at: [], since: [] } }] = (await once(server, 'message')) as [Arrivals];
    return figures(jobs, processes, load);
  } finally {
    server.kill();
  }
}

function figures(
  { at: arrivals, since }: AreaArrivals,
  processes: number,
  { limits, ratePerSecond: rate, seconds, stallMs, longestStallMs = stallMs }: Omit<SharedLoad, 'port'>,
): MeasuredShared {
  const peak = peakPerSecond(arrivals, since);
  const used = usualPerSecond(arrivals, rate) / rate;
  const share = (value: number) => `${(100 * value).toFixed(1)} %`;
  const line = [
    `${processes} processes x ${limits} limits at ${rate}/s for ${seconds} s, stalls of ${stallMs} to ${longestStallMs} ms:`,
    `${arrivals.length} arrived, peak ${peak}, usual ${share(used)},`,
    `sustained ${share(sustainedPerSecond(arrivals, rate) / rate)}`,
  ].join(' ');
  return { arrivals, peak, used, line };
}

function start(file: string, options: unknown): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return fork(path, [JSON.stringify(options)], { execArgv: ['--import', 'tsx'] });
}
