import { createServer } from 'node:https';
import { afterEach, describe, expect, it } from 'vitest';
import type { PlatformRequest } from '../../../src/core/ports/platform.js';
import { NOT_SENT } from '../../../src/core/ports/platform.js';
import { listen } from '../../loopback.js';
import { makeAuthority } from '../../postgres/make-certificates.js';
import { clientOf } from './raw-server.js';
import { startLoopbackServer } from './servers.js';

const PUT: PlatformRequest = {
  operation: 'putCompany',
  platformId: '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0',
  requestId: 'req-1',
  body: { name: 'A' },
};

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** A server that notes the ids of requests of which anything arrived, and a client of it. */
async function world(over: 'http' | 'https') {
  const arrived: string[] = [];
  if (over === 'http') {
    const server = await startLoopbackServer((response, _, { headers }) => {
      arrived.push(String(headers['request-id']));
      response.setHeader('content-type', 'application/json').end('{}');
    });
    const platform = clientOf(server.port, {});
    open.push(platform, server);
    return { arrived, platform };
  }
  const authority = makeAuthority('platform');
  const { certificate: cert, key } = authority.issue();
  const server = createServer({ cert, key }, (request, response) => {
    arrived.push(String(request.headers['request-id']));
    request.resume();
    response.setHeader('content-type', 'application/json').end('{}');
  });
  const listening = await listen(server);
  const platform = clientOf(listening.port, {
    baseUrl: `https://127.0.0.1:${String(listening.port)}`,
    certificates: [authority.certificate],
  });
  open.push(platform, listening);
  return { arrived, platform };
}

/** The event loop stands still, as in a process that was stopped: timers and connections come together afterwards. */
const standStill = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end;);
};

describe.each(['http', 'https'] as const)('a request over %s whose time is over', (over) => {
  it('is not written to a new connection, and what says so is certain', async () => {
    const { arrived, platform } = await world(over);
    const reply = await platform.send({ ...PUT, mayLeave: () => false });
    expect(reply).toMatchObject({ kind: 'unreachable', code: NOT_SENT });
    expect(await platform.send({ ...PUT, requestId: 'req-2', mayLeave: () => true })).toMatchObject({
      status: 200,
    });
    expect(arrived).toEqual(['req-2']);
  });

  it('is not written to a connection that an earlier request has used', async () => {
    const { arrived, platform } = await world(over);
    expect(await platform.send({ ...PUT, mayLeave: () => true })).toMatchObject({ status: 200 });
    const reply = await platform.send({ ...PUT, requestId: 'req-2', mayLeave: () => false });
    expect(reply).toMatchObject({ kind: 'unreachable', code: NOT_SENT });
    // Nor is one that nobody asks about.
    expect(await platform.send({ ...PUT, requestId: 'req-3' })).toMatchObject({ status: 200 });
    expect(arrived).toEqual(['req-1', 'req-3']);
  });

  it.each(['a new connection', 'a connection that is open'])(
    'because the process stood still just after the request was made is not written to %s',
    async (which) => {
      const { arrived, platform } = await world(over);
      if (which !== 'a new connection') await platform.send({ ...PUT, requestId: 'first' });
      else await platform.prepare();
      for (const delayMs of [0, 0, 1, 2, 3]) {
        const over = performance.now() + 100;
        const asked: boolean[] = [];
        const mayLeave = () => {
          asked.push(performance.now() <= over);
          return asked.at(-1) === true;
        };
        const sent = platform.send({
          ...PUT,
          requestId: 'late',
          newConnection: which === 'a new connection',
          mayLeave,
        });
        if (delayMs === 0) standStill(200);
        else setTimeout(standStill, delayMs, 200);
        const reply = await sent;
        // A request that left in time is answered, late or not.
        if (reply.kind === 'answered') expect(asked).not.toContain(false);
        else {
          expect(reply).toMatchObject({ kind: 'unreachable', code: NOT_SENT });
          expect(arrived.filter((id) => id === 'late')).toEqual([]);
        }
        if (delayMs === 0) expect(reply).toMatchObject({ code: NOT_SENT });
        arrived.splice(0);
      }
    },
  );
});
