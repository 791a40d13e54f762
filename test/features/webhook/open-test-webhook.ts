import { createHash, createHmac, randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { signatureProfile } from '../../../src/core/contract/signature.js';
import type { SyncEvent } from '../../../src/core/domain/events.js';
import type { Inbox } from '../../../src/features/webhook/state/inbox.js';
import {
  startWebhook,
  type RunningWebhook,
  type WebhookOptions,
} from '../../../src/features/webhook/start-webhook.js';
import { planted } from '../../security/planted.js';
import { openTestInbox, type TestInbox } from './state/open-test-inbox.js';

export const PATH = '/webhooks/job-applications';
export const SECRET = planted('webhook');

export type WebhookEvent = Extract<SyncEvent, { type: 'webhook-event' }>;

export interface TestWebhook extends TestInbox {
  readonly webhook: RunningWebhook;
  readonly events: readonly WebhookEvent[];
  outcomes(): string[];
}

/** What was refused is noted only where the test looks at it. */
type ListeningInbox = Pick<Inbox, 'store'> & Partial<Pick<Inbox, 'noteReceipts'>>;

/** A listener on any free port with an inbox in a database of its own. */
export async function openTestWebhook(
  options: Partial<Omit<WebhookOptions, 'inbox'>> = {},
): Promise<TestWebhook> {
  const test = await openTestInbox();
  const started = await listenWith({ inbox: test.inbox, ...options });
  return { ...test, ...started };
}

export async function listenWith(
  options: Partial<Omit<WebhookOptions, 'inbox'>> & { inbox: ListeningInbox },
): Promise<Pick<TestWebhook, 'webhook' | 'events' | 'outcomes'>> {
  const events: WebhookEvent[] = [];
  const webhook = await startWebhook({
    host: '127.0.0.1',
    port: 0,
    path: PATH,
    signedPath: null,
    secrets: [SECRET],
    profile: signatureProfile('digest-lines'),
    toleranceMs: 300_000,
    clock: { now: () => Date.now() },
    emit: (event) => {
      if (event.type === 'webhook-event') events.push(event);
    },
    ...options,
    inbox: {
      store: (...webhooks) => options.inbox.store(...webhooks),
      noteReceipts: (receipts) => options.inbox.noteReceipts?.(receipts) ?? Promise.resolve(),
    },
  });
  onTestFinished(() => webhook.close());
  return { webhook, events, outcomes: () => events.map(({ outcome }) => outcome) };
}

/** What is signed and sent; the signature is written by hand from the operator's description. */
export interface Delivery {
  readonly secret?: string;
  readonly clientId?: string;
  readonly requestId?: string;
  readonly timestamp?: string;
  readonly signedPath?: string;
  /** Replaces or (undefined) takes away. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly method?: string;
}

export function signedHeaders(body: string | Uint8Array, delivery: Delivery = {}): Record<string, string> {
  const {
    secret = SECRET,
    clientId = 'partner',
    requestId = randomUUID(),
    timestamp = `${new Date().toISOString().slice(0, 19)}Z`,
    signedPath = PATH,
  } = delivery;
  let toSign = `Client-Id:${clientId}\nRequest-Id:${requestId}\nRequest-Timestamp:${timestamp}\nRequest-Target:${signedPath}`;
  if (body.length > 0) toSign += `\nDigest:${createHash('sha256').update(body).digest('base64')}`;
  const headers: Record<string, string | undefined> = {
    'Content-Type': 'application/json',
    'Client-Id': clientId,
    'Request-Id': requestId,
    'Request-Timestamp': timestamp,
    Signature: `HMACSHA256=${createHmac('sha256', secret).update(toSign).digest('base64')}`,
    ...delivery.headers,
  };
  return Object.fromEntries(
    Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

export async function deliver(
  url: string,
  payload: object | string | Uint8Array,
  delivery: Delivery = {},
): Promise<Answered> {
  const body =
    typeof payload === 'string' || payload instanceof Uint8Array ? payload : JSON.stringify(payload);
  const response = await fetch(url, {
    method: delivery.method ?? 'POST',
    headers: signedHeaders(body, delivery),
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}
