import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostInAddress } from '../config/host-in-address.js';
import { SyncError } from '../domain/errors.js';
import type { DashboardEnv } from './dashboard/dashboard-request.js';

export interface AdminOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Why the process cannot do its work; null: it can. */
  readonly notReady: () => Promise<string | null>;
  /** The metrics in Prometheus' text format. */
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
  /** Every other path. */
  readonly dashboard: Hono<DashboardEnv>;
  /** Longest time a request may take to arrive, milliseconds; its head may take half of it. */
  readonly requestTimeoutMs?: number;
}

export interface RunningAdmin {
  readonly url: string;
  close(): Promise<void>;
}

/** Largest head of a request: an address may hold a long key, and name the page it comes from. */
const MAX_HEADER_BYTES = 64 * 1024;

/**
 * The admin listener: probes and metrics, without token, and the dashboard. `/livez` touches nothing: it says that the process answers.
 * `/readyz` says whether the state database answers and its schema is this version's, and otherwise what to do; a
 * platform that is down makes nobody unready.
 * Errors: SyncError `config-invalid` when the address cannot be listened on.
 */
export async function startAdmin(options: AdminOptions): Promise<RunningAdmin> {
  const { requestTimeoutMs = 30_000 } = options;
  const app = new Hono<{ Bindings: HttpBindings }>();
  for (const path of ['/livez', '/readyz', '/metrics']) app.use(path, secureHeaders());
  app.get('/livez', (c) => c.text('ok\n'));
  app.get('/readyz', async (c) => {
    const reason = await options.notReady();
    return reason === null ? c.text('ok\n') : c.text(`${reason}\n`, 503);
  });
  app.get('/metrics', async (c) => {
    const { contentType, text } = await options.metrics();
    return c.body(text, 200, { 'Content-Type': contentType });
  });
  app.all('*', (c) => options.dashboard.fetch(c.req.raw, c.env));
  // In general words: anybody may ask.
  app.onError((_error, c) => c.text('failed\n', 503));

  const server = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    serverOptions: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: requestTimeoutMs / 2,
      requestTimeout: requestTimeoutMs,
      // Node looks every 30 s by itself.
      connectionsCheckingInterval: Math.min(1_000, requestTimeoutMs),
    },
  }) as Server;
  const host = hostInAddress(options.host);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        new SyncError('config-invalid', `http.admin: ${host}:${options.port}: ${error.message}`, {
          scope: 'usage',
          hint: 'Set http.admin.host and http.admin.port to an address of this machine that is free.',
        }),
      );
    });
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
