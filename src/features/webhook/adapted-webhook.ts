import { randomUUID } from 'node:crypto';
import type {
  AdapterWebhook,
  AdapterWebhookResult,
  AdapterWebhookTools,
} from '../../core/contract/adapter.js';
import { readEvents } from './contract/read-application.js';
import { type AdapterDoor, digest, hmac } from '../../core/platform/adapter.js';
import type { Exchange, PlainAnswer } from '../http/listener.js';

/**
 * The webhook as the partner's adapter sees it, and what it made of it in the words of the receiver. What it gives as events
 * counts as verified.
 */

type TakenEvent = NonNullable<ReturnType<typeof readEvents>>[number] & { readonly requestId: string };

type AdaptedWebhook =
  /** As built in. */
  | { readonly kind: 'usual' }
  | { readonly kind: 'events'; readonly events: readonly TakenEvent[] }
  | { readonly kind: 'answer'; readonly answer: PlainAnswer }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** The door to the adapter's function, and what its tools are made of. */
export interface WebhookAdapter {
  readonly door: Pick<AdapterDoor, 'webhook'>;
  readonly clientId: string;
  readonly timeoutMs: number;
}

export async function askAdapter(
  { incoming }: Pick<Exchange, 'incoming'>,
  body: Uint8Array,
  { door, clientId, timeoutMs }: WebhookAdapter,
  {
    now,
    secrets,
    verify,
  }: Pick<AdapterWebhookTools, 'secrets' | 'verify'> & {
    /** Milliseconds since the Unix epoch. */
    readonly now: number;
  },
): Promise<AdaptedWebhook> {
  const { url = '', method = 'POST', headers } = incoming;
  const [path = '', ...query] = url.split('?');
  const request: AdapterWebhook = {
    method,
    path,
    query: query.join('?'),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
    ),
    body,
  };
  const [secret = ''] = secrets;
  const tools = { clientId, secret, secrets, now: new Date(now), verify, hmac, digest };
  const result = await door.webhook(request, tools, timeoutMs);
  if (result === undefined) return { kind: 'usual' };
  if ('failure' in result) return { kind: 'failed', reason: result.failure };
  return inOwnWords(result);
}

/** A text that a stranger chose must not run in a browser. */
const PLAIN = {
  'content-type': 'text/plain; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

function inOwnWords(result: AdapterWebhookResult): AdaptedWebhook {
  if ('refuse' in result) return { kind: 'refused', reason: result.refuse };
  if ('answer' in result) {
    const { status, headers: given = {}, body = '' } = result.answer;
    const own = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]);
    const headers = { ...PLAIN, ...(Object.fromEntries(own) as Record<string, string>) };
    const bytes = typeof body === 'string' ? body : Buffer.from(body);
    return { kind: 'answer', answer: { status, headers, body: bytes } };
  }
  const events: TakenEvent[] = [];
  for (const [index, event] of result.events.entries()) {
    const text = jsonOf(event);
    if (text === null)
      return { kind: 'failed', reason: `The adapter failed: event ${index + 1} cannot be written as JSON` };
    for (const one of readEvents(Buffer.from(text)) ?? []) events.push({ ...one, requestId: randomUUID() });
  }
  return { kind: 'events', events };
}

/** Null: it has a circle, a function, or a number that JSON cannot write. */
function jsonOf(event: unknown): string | null {
  try {
    return JSON.stringify(event) ?? null;
  } catch {
    return null;
  }
}
