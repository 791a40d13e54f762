/**
 * One process of a fleet under full load: several limits on one credential. Argument: SharedLoad as JSON. Ends by itself.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { OPERATIONS } from '../../../src/core/entities/index.js';
import { createSharedClock, SharedRate, learnClock } from '../../../src/features/fleet/shared-rate-limit.js';
import { systemClock as clock } from '../../../src/cli/compose/package-info.js';
import { createHttpPlatform } from '../../../src/core/platform/http-platform.js';
import type { Place, Platform } from '../../../src/core/ports/platform.js';
import { createStateDatabase } from '../../../src/core/ledger/database/state-database.js';
import { createSharedRates } from '../../../src/features/fleet/state/shared-rates.js';

export interface SharedLoad {
  readonly port: number;
  /** Of the database with the schema `fleet`. */
  readonly url: string;
  /** Tenants of this process that send at the same time. */
  readonly limits: number;
  readonly ratePerSecond: number;
  readonly seconds: number;
  /** Blocks the event loop for this long again and again, milliseconds. */
  readonly stallMs: number;
  /** Each stall lasts a random time from `stallMs` to this. Default: `stallMs`. */
  readonly longestStallMs?: number;
  /** From one stall to the next, milliseconds, at random by a half more or less. Default: a second. */
  readonly stallEveryMs?: number;
}

const CONCURRENCY = 8;

function openPlatform(port: number, area: string) {
  return createHttpPlatform({
    baseUrl: `http://127.0.0.1:${port}/${area}`,
    clientId: 'load',
    clientSecret: 'load',
    signatureProfile: 'digest-lines',
    timeoutMs: 30_000,
    concurrency: CONCURRENCY,
    clock,
    operations: OPERATIONS,
    version: 'load',
  });
}

const body = { name: 'A company of usual size'.repeat(40) };
const send = (platform: Platform, onWritten?: () => void) =>
  platform.send({
    ...{ operation: 'putCompany', platformId: randomUUID(), requestId: randomUUID(), body },
    onWritten,
  });

/** The first request of a process takes a quarter of a second before it leaves: modules are loaded and compiled. */
async function warmUp(port: number): Promise<void> {
  const platform = openPlatform(port, 'warm');
  for (let sent = 0; sent < 3; sent += 1) await send(platform);
  await platform.close();
}

async function sendUntil(signal: AbortSignal, rate: SharedRate, port: number): Promise<void> {
  const limit = rate.limit(CONCURRENCY);
  const platform = openPlatform(port, 'jobs');
  const sendOnAndOn = async (): Promise<void> => {
    const attempt = (place: Place) => send(platform, place.written);
    while (!signal.aborted) await limit.schedule(attempt, false, signal).catch(() => undefined);
  };
  await Promise.all(Array.from({ length: 2 * CONCURRENCY }, sendOnAndOn));
  await platform.close();
}

async function standStill(load: SharedLoad, signal: AbortSignal): Promise<void> {
  const { stallMs, longestStallMs = stallMs, stallEveryMs = 1_000 } = load;
  while (!signal.aborted) {
    await wait((0.5 + Math.random()) * stallEveryMs, undefined, { signal }).catch(() => undefined);
    const until = performance.now() + stallMs + (longestStallMs - stallMs) * Math.random();
    while (performance.now() < until);
  }
}

// Nobody waits for it any more: a test that ran out of time.
process.once('disconnect', () => process.exit());
const load = JSON.parse(process.argv[2] ?? '') as SharedLoad;
const state = createStateDatabase({ url: load.url, poolMax: 4, schema: 'fleet' });
const rates = createSharedRates(state);
await warmUp(load.port);
const databaseClock = createSharedClock();
await learnClock(databaseClock, rates, clock, new AbortController().signal);
const { ratePerSecond } = load;
const rate = new SharedRate({ rates, credential: 'load', ratePerSecond, clock, databaseClock });
const stop = new AbortController();
setTimeout(() => stop.abort(), 1_000 * load.seconds);
const stalls = new AbortController();
if (load.stallMs > 0) void standStill(load, stalls.signal);
await Promise.all(Array.from({ length: load.limits }, () => sendUntil(stop.signal, rate, load.port)));
stalls.abort();
await state.close();
process.disconnect();
