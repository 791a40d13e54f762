/**
 * A platform in a process of its own, so that its clock and its load are not the client's. Behind a line that delays
 * both ways it notes when the first byte of each request reached its socket, and answers at once.
 *
 * Argument: LineOptions as JSON. Sends its port when it listens. Messages: a number, to answer the next request with 429
 * and so many seconds of Retry-After, and to send the moment of that answer; any other, to send the arrivals of each area
 * and end.
 */
import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface LineOptions {
  /** There and back together, milliseconds. */
  readonly latencyMs: number;
  /** Up to this much more on each way, milliseconds, at random. */
  readonly jitterMs: number;
  /** Answer some requests with 503 or not at all, and every five seconds one with 429 and Retry-After. */
  readonly faults: boolean;
  /** Most requests in any sliding second; what comes above is answered with 429 without Retry-After. Default: no limit. */
  readonly limit?: number;
}

export type Arrivals = Readonly<Record<string, readonly number[]>>;

const REPLY = JSON.stringify({ data: { id: randomUUID(), reference: randomUUID() }, meta: {} });

const options = JSON.parse(process.argv[2] ?? '') as LineOptions;
const arrivals: Record<string, number[]> = {};
/** Seconds of the Retry-After that the next answer has; null: it is no 429. */
let refuseFor: number | null = null;

/** Sockets on which a request has begun to arrive that is not answered yet; no second one begins before that. */
const busy = new WeakSet<Socket>();
const platform = createHttpServer((request, response) => {
  request.resume();
  request.on('end', () => {
    busy.delete(request.socket);
    if (isTooMany()) response.writeHead(429, { 'Content-Type': 'application/json' }).end('{}');
    else answer(response);
  });
});
platform.keepAliveTimeout = 30_000;
platform.on('connection', (socket: Socket) => {
  socket.setNoDelay(true);
  socket.on('data', (bytes: Buffer) => {
    if (!busy.has(socket)) note(bytes);
    busy.add(socket);
  });
});

await listen(platform);
const line = createServer({ noDelay: true }, (near) => {
  const far = connect({ port: portOf(platform), host: '127.0.0.1', noDelay: true });
  carry(near, far);
  carry(far, near);
});
await listen(line);
process.on('message', (message) => {
  if (typeof message === 'number') refuseFor = message;
  else process.send?.(arrivals, () => process.exit());
});
process.once('disconnect', () => process.exit());
process.send?.(portOf(line));

/** The first part of the path names the area. */
function note(bytes: Buffer): void {
  const at = performance.now();
  const area = /^[A-Z]+ \/(\w+)\//.exec(bytes.toString('latin1', 0, 80))?.[1];
  if (area === undefined) throw new Error(`No request begins with ${bytes.toString('latin1', 0, 80)}`);
  (arrivals[area] ??= []).push(at);
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

/** Brings bytes from one socket to the other after a delay, in order. */
function carry(from: Socket, to: Socket): void {
  let last = 0;
  const later = (then: () => void): void => {
    const now = performance.now();
    last = Math.max(last, now + options.latencyMs / 2 + options.jitterMs * Math.random());
    setTimeout(then, Math.round(last - now));
  };
  from.on('data', (bytes: Buffer) => later(() => to.write(bytes)));
  from.on('error', () => undefined);
  from.on('close', () => later(() => to.destroy()));
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
