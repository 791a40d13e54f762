/**
 * Measures what the rate limit does at the server: the peak of any sliding second and the share of the rate that
 * is used. The server is a process of its own, so that its clock and its load are not the client's.
 *
 *   npx tsx benchmarks/rate-limit.ts --rate 50 --seconds 20 --latency 30 --concurrency 8
 *
 * `--latency` (ms) is the whole round trip; half of it passes before a request counts as arrived, with `--jitter`
 * (ms, default 0) more or less of that half at random. `--stall` (ms) blocks the client's event loop that long
 * once a second.
 */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { OPERATIONS } from '../src/contract/operations.js';
import { createHttpPlatform } from '../src/platform/http-platform.js';
import { createRateLimit } from '../src/platform/create-rate-limit.js';

const BODY = '{"data":{"id":"%","reference":"%"},"meta":{}}'.replaceAll('%', randomUUID());

const settings = readSettings();
if (process.send === undefined) await measure();
else serve(settings.latency / 2, settings.jitter);

function readSettings() {
  const option = (value: string) => ({ type: 'string', default: value }) as const;
  const { values } = parseArgs({
    options: {
      rate: option('50'),
      seconds: option('20'),
      latency: option('30'),
      concurrency: option('8'),
      jitter: option('0'),
      stall: option('0'),
    },
  });
  return {
    rate: Number(values.rate),
    seconds: Number(values.seconds),
    latency: Number(values.latency),
    concurrency: Number(values.concurrency),
    jitter: Number(values.jitter),
    stall: Number(values.stall),
  };
}

function serve(oneWayMs: number, jitterMs: number): void {
  const arrivals: number[] = [];
  const server = createServer((request, response) => {
    request.resume();
    const forward = Math.max(0, oneWayMs + jitterMs * (2 * Math.random() - 1));
    setTimeout(() => {
      arrivals.push(performance.timeOrigin + performance.now());
      setTimeout(() => response.end(BODY), oneWayMs);
    }, forward);
  });
  server.keepAliveTimeout = 30_000;
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.once('message', () => {
    process.send?.(arrivals, () => process.exit());
  });
}

async function measure(): Promise<void> {
  const { rate, seconds, latency, concurrency, stall } = settings;
  const server = fork(fileURLToPath(import.meta.url), process.argv.slice(2));
  const [port] = (await once(server, 'message')) as [number];
  const clock = {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: () => Promise.resolve(),
  };
  const limit = createRateLimit({ ratePerSecond: rate, concurrency, clock });
  const platform = createHttpPlatform({
    baseUrl: `http://127.0.0.1:${port}`,
    clientId: 'benchmark',
    clientSecret: 'benchmark',
    signatureProfile: 'digest-lines',
    timeoutMs: 30_000,
    concurrency,
    clock,
    operations: OPERATIONS,
    version: 'benchmark',
  });
  const stalls = stall === 0 ? undefined : setInterval(() => block(stall), 1_000);
  const cpuBefore = process.cpuUsage();
  const kinds = await Promise.all(
    Array.from({ length: rate * seconds }, () =>
      limit.schedule(async () => {
        const requestId = randomUUID();
        const body = { name: 'A company of usual size'.repeat(40) };
        return (await platform.send({ operation: 'putCompany', platformId: requestId, requestId, body }))
          .kind;
      }),
    ),
  );
  const cpu = process.cpuUsage(cpuBefore);
  clearInterval(stalls);
  server.send('report');
  const [arrivals] = (await once(server, 'message')) as [number[]];
  await platform.close();

  arrivals.sort((a, b) => a - b);
  const used = sustainedPerSecond(arrivals, rate);
  console.log(
    [
      `rate ${rate}/s, round trip ${latency} ms, concurrency ${concurrency}, jitter ${settings.jitter} ms, stalls ${stall} ms:`,
      `peak ${peakPerSecond(arrivals)} in a sliding second,`,
      `${used.toFixed(1)}/s sustained = ${((100 * used) / rate).toFixed(1)} %,`,
      `${arrivals.length} arrived, ${kinds.filter((kind) => kind !== 'answered').length} without reply,`,
      `${((cpu.user + cpu.system) / 1_000 / arrivals.length).toFixed(2)} ms CPU a request`,
    ].join(' '),
  );
}

/** Most arrivals in [t, t + 1 s) for any t; `arrivals` ascending, in milliseconds. */
function peakPerSecond(arrivals: readonly number[]): number {
  let peak = 0;
  let oldest = 0;
  arrivals.forEach((at, index) => {
    while (at - (arrivals[oldest] ?? at) >= 1_000) oldest++;
    peak = Math.max(peak, index - oldest + 1);
  });
  return peak;
}

/**
 * Requests per second after the first two rounds, in which no round trips are known yet. Measured as the mean
 * time from one arrival to the one `rate` later: requests may come in bursts, and dividing a count by the time
 * from first to last would then count one burst too many.
 */
function sustainedPerSecond(arrivals: readonly number[], rate: number): number {
  const settled = arrivals.slice(2 * rate);
  const periods = settled.slice(rate).map((at, index) => at - (settled[index] ?? at));
  return (1_000 * rate * periods.length) / periods.reduce((sum, period) => sum + period, 0);
}

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
