import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { OPERATIONS } from '../../../entities/index.js';
import { createHttpPlatform } from '../../../platform/http-platform.js';
import { listen } from '../../../runtime/http/listener.js';
import { VERSION } from '../package-info.js';
import { systemClock } from '../system-clock.js';

/** The first loads and compiles what sends; the second takes the connection of the first. */
const REQUESTS = 3;
const TIMEOUT_MS = 500;

/**
 * Sends some requests to a server of its own on this machine. Without it the first request to the platform leaves up to a
 * quarter of a second after its time in the shared rate, and so arrives together with later ones. Never rejects: a
 * replica that cannot do it is late once, and no worse.
 */
export async function warmUp(): Promise<void> {
  const server = createServer((request, response) => {
    request.resume();
    response.end('{}');
  });
  try {
    await listen(server, 0, '127.0.0.1');
    const { port } = server.address() as AddressInfo;
    const platform = createHttpPlatform({
      ...{ baseUrl: `http://127.0.0.1:${port}`, clientId: 'warm-up', clientSecret: 'warm-up' },
      ...{ signatureProfile: 'digest-lines', timeoutMs: TIMEOUT_MS, concurrency: 1 },
      ...{ clock: systemClock, operations: OPERATIONS, version: VERSION },
    });
    for (let sent = 0; sent < REQUESTS; sent += 1)
      await platform.send({
        ...{ operation: 'putCompany', platformId: randomUUID(), requestId: randomUUID(), body: {} },
      });
    await platform.close();
    // Reads the certificates that are trusted, which the first connection over TLS would do.
    createSecureContext();
  } catch {
    // It shows in nothing but the first request.
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
