import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Arrivals, LineOptions } from '../../rate/rate-server.js';

/** A platform that accepts everything and notes arrivals, in a process of its own. It ends with the test. */
export interface RateServer {
  /** Of the area jobs. */
  readonly url: string;
  /** Answers the next request with 429 and so many seconds of Retry-After. Gives the moment of that answer. */
  refuse(seconds: number): Promise<number>;
  /** All arrivals, moments of the server's clock in milliseconds. It ends then. */
  report(): Promise<readonly number[]>;
}

export async function openRateServer(): Promise<RateServer> {
  const line: LineOptions = { latencyMs: 10, jitterMs: 2, faults: false };
  const path = fileURLToPath(new URL('../../rate/rate-server.ts', import.meta.url));
  const server = fork(path, [JSON.stringify(line)], { execArgv: ['--import', 'tsx'] });
  onTestFinished(() => void server.kill());
  const told = async <T>(): Promise<T> => ((await once(server, 'message')) as [T])[0];
  const port = await told<number>();
  return {
    url: `http://127.0.0.1:${port}/jobs`,
    async refuse(seconds) {
      const answered = told<number>();
      server.send(seconds);
      return answered;
    },
    async report() {
      const reported = told<Arrivals>();
      server.send('report');
      return (await reported).jobs ?? [];
    },
  };
}
