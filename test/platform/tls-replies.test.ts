import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { exchange } from '../../src/platform/exchange.js';
import { makeAuthority } from '../postgres/make-certificates.js';

/** A server with an event loop of its own, so that it answers while this one is busy. */
const SERVER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const server = require('node:https').createServer(workerData, (request, response) => {
    request.resume().on('end', () => response.end('{}'));
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

const busy = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end;);
};

it('a reply over TLS that is there before Node notes the end of the request is no early one', async () => {
  const authority = makeAuthority('platform');
  const { certificate: cert, key } = authority.issue();
  const server = new Worker(SERVER, { eval: true, workerData: { cert, key } });
  onTestFinished(() => void server.terminate());
  const [port] = (await once(server, 'message')) as [number];
  const agent = {
    http: new HttpAgent(),
    https: new HttpsAgent({ keepAlive: true, ca: authority.certificate }),
  };
  onTestFinished(() => agent.https.destroy());
  for (let i = 0; i < 50; i += 1) {
    const outcome = await new Promise((resolve) => {
      setTimeout(() => {
        const url = new URL(`https://127.0.0.1:${port}/`);
        resolve(
          exchange({ url, method: 'PUT', headers: {}, body: Buffer.alloc(70_000), timeoutMs: 10_000, agent }),
        );
        setTimeout(busy, 0, 5);
        setTimeout(busy, 1, 5);
      }, 1);
    });
    expect(outcome).toMatchObject({ status: 200 });
  }
});
