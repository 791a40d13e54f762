import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { rateNews } from '../../src/core/domain/learned-rate.js';
import { OPERATIONS } from '../../src/core/entities/index.js';
import { createHttpPlatform } from '../../src/core/platform/http-platform.js';
import { createRateLimit } from '../../src/core/platform/rate-limit.js';
import type { Place } from '../../src/core/ports/platform.js';
import { peakPerSecond, sustainedPerSecond, usualPerSecond } from './arrivals.js';
import type { AreaArrivals, Arrivals, LineOptions } from './rate-server.js';

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
    return load.areas.map((area) =>
      figures(area, arrivals[area] ?? { at: [], since: [] }, load.ratePerSecond),
    );
  } finally {
    server.kill();
  }
}

function figures(area: string, { at, since }: AreaArrivals, rate: number): Measured {
  return {
    area,
    arrived: at.length,
    peak: peakPerSecond(at, since),
    sustained: sustainedPerSecond(at, rate),
    usual: usualPerSecond(at, rate),
  };
}

function start(file: string, options: unknown): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return fork(path, [JSON.stringify(options)], { execArgv: ['--import', 'tsx'] });
}

export interface Load {
  readonly port: number;
  /** Each with a limit of its own, all of them at full load at once. */
  readonly areas: readonly string[];
  readonly ratePerSecond: number;
  readonly concurrency: number;
  /** To be accepted in each area. */
  readonly requests: number;
  /** Blocks the event loop for this long again and again, milliseconds. */
  readonly stallMs: number;
  /** From one stall to the next, milliseconds. Default: a second. */
  readonly stallEveryMs?: number;
  /** Each stall lasts a random time from `stallMs` to this. Default: `stallMs`. */
  readonly longestStallMs?: number;
  /** Whether the limit learns from replies. Default: no. */
  readonly learns?: boolean;
}

const clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async (ms: number): Promise<void> => void (await wait(ms)),
};

/** Sends as fast as the rate limit lets it, until so many requests were accepted in each area. */
export async function driveLoad(load: Load): Promise<void> {
  const { stallMs, stallEveryMs = 1_000 } = load;
  const stalls = stallMs === 0 ? undefined : setInterval(() => block(stallOf(load)), stallEveryMs);
  await Promise.all(load.areas.map((area) => driveArea(area, load)));
  clearInterval(stalls);
}

/** What is refused, fails or stays without reply is sent again; Retry-After pauses the area. */
async function driveArea(area: string, load: Load): Promise<void> {
  const { ratePerSecond, concurrency } = load;
  const limit = createRateLimit({ ratePerSecond, concurrency, clock });
  const platform = createHttpPlatform({
    baseUrl: `http://127.0.0.1:${load.port}/${area}`,
    clientId: 'load',
    clientSecret: 'load',
    signatureProfile: 'digest-lines',
    timeoutMs: 30_000,
    concurrency,
    clock,
    operations: OPERATIONS,
    version: 'load',
  });
  const body = { name: 'A company of usual size'.repeat(40) };
  let left = load.requests;
  let pausedUntil = 0;

  const attempt = async (platformId: string, place: Place): Promise<boolean> => {
    const requestId = randomUUID();
    const reply = await platform.send({
      ...{ operation: 'putCompany', platformId, requestId, body },
      onWritten: place.written,
    });
    if (load.learns === true) place.answered(rateNews(reply, clock.now()));
    if (reply.kind === 'answered' && reply.status === 429)
      // Without Retry-After a second, as the area pauses.
      pausedUntil = clock.monotonic() + 1_000 * Number(reply.retryAfter ?? 1);
    return reply.kind === 'answered' && reply.status === 200;
  };
  const sendOne = async (): Promise<void> => {
    const platformId = randomUUID();
    for (let done = false; !done;) {
      await clock.sleep(pausedUntil - clock.monotonic());
      done = await limit.schedule((place) => {
        if (clock.monotonic() >= pausedUntil) return attempt(platformId, place);
        place.release();
        return Promise.resolve(false);
      });
    }
  };
  const sendOnAndOn = async (): Promise<void> => {
    while (left-- > 0) await sendOne();
  };
  // So many that somebody always waits for a place.
  await Promise.all(Array.from({ length: ratePerSecond + concurrency }, sendOnAndOn));
  await platform.close();
}

function stallOf({ stallMs, longestStallMs = stallMs }: Load): number {
  return stallMs + (longestStallMs - stallMs) * Math.random();
}

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
