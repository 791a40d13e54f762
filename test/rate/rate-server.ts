/**
 * A platform in a process of its own, so that its clock and its load are not the client's. It stands behind a line that
 * delays both ways, and answers at once. For each request it notes when its first byte arrives: when the line read it, and
 * the delay. This process may stand still, too, where others have the core. Then bytes wait in the socket, and it reads
 * several requests in one moment that came one after the other. So of each it also notes since when it may have waited.
 *
 * Where the machine lets it, it goes before others. Argument: LineOptions as JSON. Sends its port when it listens. Messages: a number, to answer the next request with 429
 * and so many seconds of Retry-After, and to send the moment of that answer; any other, to send the arrivals of each area
 * and end.
 */
import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setPriority } from 'node:os';

export interface LineOptions {
  /** There and back together, milliseconds. */
  readonly latencyMs: number;
  /** Up to this much more on each way, milliseconds, at random. */
  readonly jitterMs: number;
  /** Answer some requests with 503 or not at all, and every five seconds one with 429 and Retry-After. */
  readonly faults: boolean;
  /** Most requests in any sliding second; what comes above is answered with 429 without Retry-After. Default: no limit. */
  readonly limit?: number;
  /** Port of a platform that is behind the line instead, whose requests all count as of the area `all`. */
  readonly to?: number;
}

/** Of one area, each ascending: the request with the same index arrived from `since` to `at`. */
export interface AreaArrivals {
  readonly at: number[];
  readonly since: number[];
}
export type Arrivals = Readonly<Record<string, AreaArrivals>>;

const REPLY = JSON.stringify({ data: { id: randomUUID(), reference: randomUUID() }, meta: {} });

const options = JSON.parse(process.argv[2] ?? '') as LineOptions;
const arrivals: Record<string, AreaArrivals> = {};
/** Seconds of the Retry-After that the next answer has; null: it is no 429. */
let refuseFor: number | null = null;

/**
 * What is read now came after the first of these moments: between two rounds of timers all that had come was read.
 */
let rounds: readonly [number, number] = [performance.now(), performance.now()];
setInterval(() => (rounds = [rounds[1], performance.now()]), 2);

const platform = createHttpServer((request, response) => {
  request.resume();
  request.on('end', () => {
    if (isTooMany()) response.writeHead(429, { 'Content-Type': 'application/json' }).end('{}');
    else answer(response);
  });
});
platform.keepAliveTimeout = 30_000;
platform.on('connection', (socket: Socket) => socket.setNoDelay(true));

try {
  setPriority(-10);
} catch {
  // Only root may.
}
await listen(platform);
const line = createServer({ noDelay: true }, (near) => {
  const far = connect({ port: options.to ?? portOf(platform), host: '127.0.0.1', noDelay: true });
  // No second request begins before the first is answered.
  let isBusy = false;
  carry(near, far, (bytes, delay) => {
    if (!isBusy) note(bytes, delay);
    isBusy = true;
  });
  carry(far, near, () => (isBusy = false));
});
await listen(line);
process.on('message', (message) => {
  if (typeof message === 'number') refuseFor = message;
  else {
    // Two connections may overtake each other.
    for (const { at, since } of Object.values(arrivals))
      [at, since].forEach((all) => all.sort((a, b) => a - b));
    process.send?.(arrivals, () => process.exit());
  }
});
process.once('disconnect', () => process.exit());
process.send?.(portOf(line));

/** The first part of the path names the area. */
function note(bytes: Buffer, delay: number): void {
  const area = options.to ? 'all' : /^[A-Z]+ \/(\w+)\//.exec(bytes.toString('latin1', 0, 80))?.[1];
  if (area === undefined) throw new Error(`No request begins with ${bytes.toString('latin1', 0, 80)}`);
  const { at, since } = (arrivals[area] ??= { at: [], since: [] });
  at.push(performance.now() + delay);
  since.push(rounds[0] + delay);
}

let taken: number[] = [];

function isTooMany(): boolean {
  const now = performance.now();
  taken = taken.filter((at) => now - at < 1_000);
  if (options.limit === undefined) return false;
  if (taken.length >= options.limit) return true;
  taken.push(now);
  return false;
}

let answered = 0;
let refuseAt = 5_000;

function answer(response: ServerResponse): void {
  answered++;
  response.setHeader('Content-Type', 'application/json');
  if (refuseFor !== null) {
    response.writeHead(429, { 'Retry-After': refuseFor }).end('{}');
    refuseFor = null;
    process.send?.(performance.now());
  } else if (options.faults && performance.now() > refuseAt) {
    refuseAt = performance.now() + 5_000;
    response.writeHead(429, { 'Retry-After': '1' }).end('{}');
  } else if (options.faults && answered % 41 === 0) response.destroy();
  else if (options.faults && answered % 17 === 0) response.writeHead(503).end('{}');
  else response.end(REPLY);
}

/** Brings bytes from one socket to the other after a delay, in order, which `seen` is told with them. */
function carry(from: Socket, to: Socket, seen: (bytes: Buffer, delay: number) => void): void {
  let last = 0;
  const later = (then: () => void): number => {
    const now = performance.now();
    last = Math.max(last, now + options.latencyMs / 2 + options.jitterMs * Math.random());
    setTimeout(then, Math.round(last - now));
    return last - now;
  };
  from.on('data', (bytes: Buffer) =>
    seen(
      bytes,
      later(() => to.write(bytes)),
    ),
  );
  from.on('error', () => undefined);
  from.on('close', () => later(() => to.destroy()));
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
