/**
 * A platform that does as little as it can, in a process of its own. It reads each request and answers at once. It sends
 * its port when it listens. Messages to it: a status sets how it answers from now on; `begin` forgets what it counted;
 * `report` asks for it; `follow` makes it send the path and time of every request that it answered.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Order = { readonly status: number } | 'begin' | 'report' | 'follow';

export interface Received {
  readonly count: number;
  /** From the first request to the last answer, seconds. */
  readonly seconds: number;
}

export interface Followed {
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const REPLY = Buffer.from(
  JSON.stringify({
    data: {
      id: '5f9c1f0e-4a53-4d09-8f5e-6d7a1f0b2c3d',
      reference: '0b7a3c52-2f68-4c55-9a0b-6a8a2f1d7e90',
    },
    meta: {},
  }),
);

let status = 200;
let count = 0;
let first = 0;
let last = 0;
let follows = false;

const server = createServer({ noDelay: true }, (request, response) => {
  if (count === 0) first = performance.now();
  count += 1;
  request.resume();
  request.on('end', () => {
    response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': REPLY.length });
    response.end(REPLY);
    last = performance.now();
    if (follows) process.send?.({ path: request.url ?? '', at: Date.now() } satisfies Followed);
  });
});
server.keepAliveTimeout = 60_000;

process.on('message', (order: Order) => {
  if (typeof order === 'object') status = order.status;
  else if (order === 'begin') count = 0;
  else if (order === 'follow') follows = true;
  else process.send?.({ count, seconds: (last - first) / 1000 } satisfies Received);
});
process.once('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
