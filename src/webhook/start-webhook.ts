import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SignatureProfile } from '../contract/signature-profile.js';
import { hostInAddress } from '../config/host-in-address.js';
import { SyncError } from '../domain/errors.js';
import type { Emit } from '../domain/events.js';
import type { Clock } from '../ports/clock.js';
import type { Inbox } from '../ports/inbox.js';
import { receiveWebhook, type Receipt, type ReceiveOptions } from './receive-webhook.js';

/** Largest body that is taken: 1 MiB. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Seconds after which the platform may send again what could not be stored. */
const RETRY_AFTER_SECONDS = '30';

export interface WebhookOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** `webhook.path`: the only one that is served. */
  readonly path: string;
  /** `webhook.signedPath`: what the platform signs where a proxy changes the path. Null: the path itself. */
  readonly signedPath: string | null;
  /** At least one; any of them may have signed. */
  readonly secrets: readonly string[];
  readonly profile: SignatureProfile;
  /** Largest difference between Request-Timestamp and the clock at receipt, milliseconds. */
  readonly toleranceMs: number;
  readonly inbox: Pick<Inbox, 'store'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly emit: Emit;
  /** Default 1 MiB. */
  readonly maxBodyBytes?: number;
  /** Longest wait for the inbox. Default 20 s. */
  readonly storeTimeoutMs?: number;
  /** Longest time for the headers, and 1.5 times this for a whole request. Default 10 s. */
  readonly headersTimeoutMs?: number;
  /** Default 200: a body of each of them may be in memory. */
  readonly maxConnections?: number;
}

export interface RunningWebhook {
  /** Address of the listener with the path. */
  readonly url: string;
  readonly port: number;
  /** Takes no more connections, lets what arrived be stored and answered for at most 10 s, then ends everything. */
  close(): Promise<void>;
}

/**
 * The public listener: takes job applications and nothing else. Errors: SyncError `config-invalid` without a secret or
 * when the address cannot be listened on.
 */
export async function startWebhook(options: WebhookOptions): Promise<RunningWebhook> {
  if (options.secrets.length === 0 || options.secrets.includes('')) {
    throw new SyncError(
      'config-invalid',
      'webhook.secrets names no secret, so that no webhook can be verified.',
      {
        scope: 'usage',
        hint: 'Set webhook.secrets to the secret that the platform signs webhooks with.',
      },
    );
  }
  const { headersTimeoutMs = 10_000 } = options;
  const server = createAdaptorServer({
    fetch: application(options).fetch,
    overrideGlobalObjects: false,
    serverOptions: {
      headersTimeout: headersTimeoutMs,
      requestTimeout: headersTimeoutMs * 1.5,
      keepAliveTimeout: 5_000,
      // Node looks for slow senders only this often.
      connectionsCheckingInterval: Math.min(1_000, headersTimeoutMs),
    },
  }) as Server;
  server.maxConnections = options.maxConnections ?? 200;
  await listen(server, options.port, options.host);
  const { port } = server.address() as AddressInfo;
  const host = hostInAddress(options.host);
  let closed: Promise<void> | null = null;

  return {
    url: `http://${host}:${port}${options.path}`,
    port,
    close: () => (closed ??= closeServer(server)),
  };
}

function application(options: WebhookOptions): Hono<{ Bindings: HttpBindings }> {
  const rules: ReceiveOptions = {
    ...options,
    signedPath: options.signedPath ?? options.path,
    maxBodyBytes: options.maxBodyBytes ?? MAX_BODY_BYTES,
    storeTimeoutMs: options.storeTimeoutMs ?? 20_000,
  };
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.all('*', async ({ env: { incoming } }) => {
    // As sent: a path that is written in another way is another path.
    if ((incoming.url ?? '').split('?', 1)[0] !== options.path) return answer(404, 'Not found');
    if (incoming.method !== 'POST') return answer(405, 'Method not allowed', { allow: 'POST' });
    const receipt = await receiveWebhook(incoming, rules);
    if (receipt === null) return answer(400, 'The body is incomplete');
    tell(options.emit, receipt);
    return answer(receipt.status, receipt.message, headersOf(receipt));
  });
  app.onError((error) =>
    error instanceof HTTPException ? error.getResponse() : answer(500, 'Unexpected error'),
  );
  return app;
}

function tell(emit: Emit, { outcome, reason, requestId, applicationId }: Receipt): void {
  emit({ type: 'webhook-event', outcome, message: reason, requestId, applicationId });
}

function headersOf({ status }: Receipt): Record<string, string> {
  return status === 503 ? { 'retry-after': RETRY_AFTER_SECONDS } : {};
}

/** `{}` when there is nothing to say, as the interface wants it (§6). */
function answer(status: number, message: string | null, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(message === null ? {} : { message }), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => {
      reject(
        new SyncError(
          'config-invalid',
          `The webhook cannot listen on ${hostInAddress(host)}:${port}: ${error.code ?? 'unknown error'}.`,
          {
            scope: 'usage',
            hint: 'Change http.public.host or http.public.port, or end what listens there.',
            cause: error,
          },
        ),
      );
    };
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      resolve();
    });
  });
}

async function closeServer(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), 10_000);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(timer);
}
