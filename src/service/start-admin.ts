import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SyncError } from '../domain/errors.js';
import type { DashboardEnv } from './dashboard/dashboard-request.js';
import { isForeignEmbed } from './is-foreign-embed.js';

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
  app.use(refuseEmbeds);
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
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        new SyncError('config-invalid', `http.admin: ${options.host}:${options.port}: ${error.message}`, {
          scope: 'usage',
          hint: 'Set http.admin.host and http.admin.port to an address of this machine that is free.',
        }),
      );
    });
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Looking costs the databases something, whoever does it. Forms are judged by the dashboard, with a page of its own. */
const refuseEmbeds: MiddlewareHandler = async ({ req, text }, next) => {
  const foreign = isForeignEmbed({
    site: req.header('sec-fetch-site'),
    mode: req.header('sec-fetch-mode'),
    dest: req.header('sec-fetch-dest'),
    purpose: req.header('sec-purpose') ?? req.header('purpose'),
    origin: req.header('origin'),
    host: req.header('host'),
  });
  if (req.method !== 'POST' && foreign) return text('Not for pages of elsewhere: open it by itself.\n', 403);
  return next();
};
