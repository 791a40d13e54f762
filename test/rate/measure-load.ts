import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { peakPerSecond, sustainedPerSecond, usualPerSecond } from './arrivals.js';
import type { Load } from './drive-load.js';
import type { Arrivals, LineOptions } from './rate-server.js';

export interface Measured {
  readonly area: string;
  readonly arrived: number;
  /** Most arrivals in any sliding second at the server. */
  readonly peak: number;
  /** Arrivals per second while nothing but the limit holds them back; with faults this includes their pauses. */
  readonly sustained: number;
  /** The median of the same. */
  readonly usual: number;
}

/** Server and client as processes of their own, for the length of the load. */
export async function measureLoad(line: LineOptions, load: Omit<Load, 'port'>): Promise<Measured[]> {
  const server = start('rate-server.ts', line);
  try {
    const [port] = (await once(server, 'message')) as [number];
    const client = start('rate-client.ts', { ...load, port });
    const [code] = (await once(client, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`The client ended with ${code}.`);
    server.send('report');
    const [arrivals] = (await once(server, 'message')) as [Arrivals];
    return load.areas.map((area) => figures(area, arrivals[area] ?? [], load.ratePerSecond));
  } finally {
    server.kill();
  }
}

function figures(area: string, arrivals: readonly number[], rate: number): Measured {
  return {
    area,
    arrived: arrivals.length,
    peak: peakPerSecond(arrivals),
    sustained: sustainedPerSecond(arrivals, rate),
    usual: usualPerSecond(arrivals, rate),
  };
}

function start(file: string, options: unknown): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return fork(path, [JSON.stringify(options)], { execArgv: ['--import', 'tsx'] });
}
