import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { IncomingMessage } from 'node:http';
import type { DashboardEnv } from './dashboard-request.js';
import { SyncError } from '../core/domain/errors.js';
import type { Emit } from '../core/domain/events.js';
import { answer, type Exchange, openListener } from '../features/http/listener.js';
import { isOwnOrigin } from '../features/http/own-origin.js';
import { createByteBudget, readBody } from '../features/http/read-body.js';
import { hostInAddress } from '../core/runtime/loopback.js';

/**
 * The admin listener: probes and metrics without token, and the dashboard; or two, with the metrics on one of their own
 * (`startAdminListeners`). A request is read to its end (`handler`), refused if a page of another site embeds it
 * (`isForeignEmbed`), and answered by its path (`application`).
 */

export interface AdminOptions {
  readonly host: string;
  readonly port: number;
  /** Why the process cannot do its work; null: it can. */
  readonly notReady: () => Promise<string | null>;
  /** The metrics in Prometheus' text format; null: another listener has them. */
  readonly metrics: (() => Promise<{ readonly contentType: string; readonly text: string }>) | null;
  /** Null: there are no pages here. */
  readonly dashboard: Hono<DashboardEnv> | null;
  /** The block of its address, for messages. Default `http.admin`. */
  readonly setting?: string;
  /** Longest time for a request to arrive, milliseconds; its head has half of it. Default 30 s. */
  readonly requestTimeoutMs?: number;
  /** Default 100. */
  readonly maxConnections?: number;
}

export interface RunningAdmin {
  readonly url: string;
  close(): Promise<void>;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * The admin listener and, where `http.metrics` is set, the one of the metrics: both have the probes, only the first has
 * pages. Each says where it listens. The result has the address of the first. Errors: as of `startAdmin`; then none listens.
 */
export async function startAdminListeners(
  { admin, metrics: own }: { readonly admin: Address; readonly metrics: Address | null },
  serves: Pick<AdminOptions, 'notReady' | 'dashboard'> & { readonly metrics: Metrics },
  emit: Emit,
): Promise<RunningAdmin> {
  const { host, port } = admin;
  const pages = await startAdmin({ ...serves, host, port, metrics: own === null ? serves.metrics : null });
  emit({ type: 'listening', what: 'admin', url: pages.url });
  if (own === null) return pages;
  try {
    const metrics = await startAdmin({ ...serves, ...own, dashboard: null, setting: 'http.metrics' });
    emit({ type: 'listening', what: 'metrics', url: metrics.url });
    return { url: pages.url, close: async () => void (await Promise.all([pages.close(), metrics.close()])) };
  } catch (error) {
    await pages.close();
    throw error;
  }
}

type Metrics = NonNullable<AdminOptions['metrics']>;

/**
 * `/livez` reads nothing; it shows that the
 * process answers. `/readyz` shows whether the state database answers with this version's schema, or what to do; it does
 * not depend on the platform. Probes are answered even with many open connections: a newer connection takes the place
 * of a waiting one, and pages have their own limit. Errors: SyncError `config-invalid` if it cannot listen there.
 */
export async function startAdmin(options: AdminOptions): Promise<RunningAdmin> {
  const { host, port, requestTimeoutMs = 30_000, maxConnections = 100, setting = 'http.admin' } = options;
  const hostname = hostInAddress(host);
  const listener = await openListener({
    host,
    port,
    maxConnections,
    headTimeoutMs: requestTimeoutMs / 2,
    requestTimeoutMs,
    handle: handler(
      getRequestListener(application(options).fetch, { hostname, overrideGlobalObjects: false }),
    ),
  }).catch((error: unknown) => {
    throw new SyncError('config-invalid', `${setting}: ${hostname}:${port}: ${(error as Error).message}`, {
      scope: 'usage',
      hint: `Set ${setting}.host and ${setting}.port to an address of this machine that is free.`,
    });
  });
  return { url: listener.url, close: () => listener.close(0) };
}

/** Bytes of all forms at the same time. */
const BUDGET_BYTES = 16 * 1024 * 1024;

/** Longest form: a page of records is selected, each with a key of 500 bytes, percent-encoded. */
const MAX_FORM_BYTES = 128 * 1024;

/** `begin` of each exchange. Only pages call it, because waiting probes must not take all the connections. */
const begins = new WeakMap<IncomingMessage, () => void>();

/** Reads each request to its end before a handler gets it, so that no handler holds half of one. */
function handler(listener: ReturnType<typeof getRequestListener>): (exchange: Exchange) => Promise<void> {
  const budget = createByteBudget(BUDGET_BYTES);
  return async (exchange) => {
    const { incoming, outgoing } = exchange;
    const body = await readBody(exchange, { maxBytes: MAX_FORM_BYTES, budget });
    if (body === 'broken') return;
    if (body === 'too-large') return answer(exchange, plain(413, 'The body is too large.\n'));
    if (body === 'no-room')
      return answer(exchange, plain(503, 'Too much arrives at once.\n', { 'retry-after': '1' }));
    // The client has left already, so no further 'close' event will come.
    if (outgoing.destroyed) return body.release();
    outgoing.once('close', body.release);
    begins.set(incoming, exchange.begin);
    // @hono/node-server looks here for a body that was read already.
    Object.assign(incoming, { rawBody: body.bytes() });
    await listener(incoming, outgoing);
  };
}

function plain(status: number, body: string, headers: Readonly<Record<string, string>> = {}) {
  return { status, headers: { 'content-type': 'text/plain; charset=UTF-8', ...headers }, body };
}

/** Pages and forms at once; each may wait for a database and holds a page in memory. */
const MAX_PAGES = 20;

function application({ notReady, metrics: make, dashboard }: AdminOptions): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(refuseEmbeds);
  for (const path of ['/livez', '/readyz', '/metrics']) app.use(path, secureHeaders());
  app.get('/livez', (c) => c.text('ok\n'));
  app.get('/readyz', async (c) => {
    const reason = await notReady();
    return reason === null ? c.text('ok\n') : c.text(`${reason}\n`, 503);
  });
  let metrics: ReturnType<Metrics> | null = null;
  app.get('/metrics', async (c) => {
    if (make === null) return c.text('The metrics are on a port of their own: http.metrics.\n', 404);
    // Requests at the same time share one result.
    metrics ??= make().finally(() => {
      metrics = null;
    });
    const { contentType, text } = await metrics;
    return c.body(text, 200, { 'Content-Type': contentType });
  });
  let pages = 0;
  app.all('*', (c) => {
    if (dashboard === null) return c.text('Only metrics and probes are here.\n', 404);
    if (pages >= MAX_PAGES) return c.text('Too many requests at once.\n', 503, { 'Retry-After': '1' });
    pages += 1;
    begins.get(c.env.incoming)?.();
    c.env.outgoing.once('close', () => (pages -= 1));
    return dashboard.fetch(c.req.raw, c.env);
  });
  // No details: anybody may read it.
  app.onError((_error, c) => c.text('failed\n', 503));
  return app;
}

/** Every page costs database time, so embedded requests are refused. The dashboard itself checks forms. */
const refuseEmbeds: MiddlewareHandler = async ({ req, text }, next) => {
  const foreign = isForeignEmbed({
    site: req.header('sec-fetch-site'),
    mode: req.header('sec-fetch-mode'),
    dest: req.header('sec-fetch-dest'),
    purpose: req.header('sec-purpose') ?? req.header('purpose'),
    origin: req.header('origin'),
    host: req.header('host'),
  });
  if (req.method !== 'POST' && foreign)
    return text('Pages of other sites cannot embed this one. Open it by itself.\n', 403);
  return next();
};

/** Headers in which a browser describes a request; undefined: not sent. */
export interface FetchMetadata {
  readonly site: string | undefined;
  readonly mode: string | undefined;
  readonly dest: string | undefined;
  /** `Sec-Purpose`, or `Purpose` of older browsers. */
  readonly purpose: string | undefined;
  readonly origin: string | undefined;
  /** `Host`: the listener's name in the request. */
  readonly host: string | undefined;
}

/**
 * Whether a page of another site makes the browser request this without a visit: an image, a frame, a script, a fetch, a
 * prefetch. Any web page can send such requests to localhost on the browser's machine. It cannot read the answers, but
 * each would keep the databases busy.
 *
 * A link, a bookmark or a window that leads here is allowed (`navigate` to a `document`): mails and chats link to
 * records. A page may open such windows by script; each is one request, which ends when the window goes elsewhere.
 * Programs send none of these headers, nor do browsers to another machine without TLS. They are allowed: such an address
 * needs a token, and other sites cannot send its cookie.
 */
export function isForeignEmbed({ site, mode, dest, purpose, origin, host }: FetchMetadata): boolean {
  // Browsers from before 2023 send only Origin, and only for a fetch that wants to read the answer.
  if (site === undefined) return !isOwnOrigin({ host, origin, secFetchSite: undefined });
  if (site === 'same-origin' || site === 'none') return false;
  const goesThere = mode === 'navigate' && (dest === undefined || dest === 'document');
  return !goesThere || purpose?.includes('prefetch') === true;
}
