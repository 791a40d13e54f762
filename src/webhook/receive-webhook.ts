import { bodyText, readApplication, type ReceivedApplication } from '../contract/webhook/read-application.js';
import { SyncError } from '../domain/errors.js';
import type { WebhookOutcome } from '../domain/events.js';
import type { Clock } from '../ports/clock.js';
import type { Inbox, ReceivedWebhook } from '../ports/inbox.js';
import type { ByteBudget } from '../runtime/http/byte-budget.js';
import type { Exchange } from '../runtime/http/exchange.js';
import { readBody } from '../runtime/http/read-body.js';
import { checkHead } from './check-head.js';
import { isAuthentic, type SignatureRules } from './is-authentic.js';
import { inboxInTime } from './inbox-in-time.js';

export interface ReceiveOptions extends SignatureRules {
  readonly inbox: Pick<Inbox, 'store'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Largest difference between Request-Timestamp and the clock at receipt, milliseconds. */
  readonly toleranceMs: number;
  readonly maxBodyBytes: number;
  /** For all bodies that are under way. */
  readonly budget: ByteBudget;
  /** Longest wait for the inbox, milliseconds. */
  readonly storeTimeoutMs: number;
}

/** The answer and its report. Neither contains anything of the body. */
export interface Receipt {
  readonly status: 200 | 400 | 401 | 413 | 503;
  /** For the sender; null: accepted. */
  readonly message: string | null;
  readonly outcome: WebhookOutcome;
  /** For the operator: why; null: nothing to add. */
  readonly reason: string | null;
  /** For an authentic request. */
  readonly requestId: string | null;
  readonly applicationId: string | null;
}

/**
 * Further bytes counted for each byte of an authentic body: for its text, for what goes to the database, and
 * for what JSON.parse makes of it: small objects take many times their text.
 */
const COPIES = 12;

const BUSY = 'Too many requests at once; send it again';

/**
 * One webhook from its head to the inbox. Refused in this order: 413 announced as too large, 401 headers or time, 413
 * too large, 503 no room, 401 signature, 400 no JSON, 503 not stored. 200 only when it is stored durably, now or before.
 * Null: the sender left before the end.
 */
export async function receiveWebhook(exchange: Exchange, options: ReceiveOptions): Promise<Receipt | null> {
  const { headers } = exchange.incoming;
  const { maxBodyBytes, budget, profile, toleranceMs } = options;
  const receivedAtMs = options.clock.now();
  const tooLarge = (): Receipt =>
    refuse(413, 'refused-size', `The body is larger than ${maxBodyBytes} bytes`);

  if (Number(headers['content-length'] ?? 0) > maxBodyBytes) return tooLarge();
  const verdict = checkHead(headers, { receivedAtMs, toleranceMs });
  if (verdict.kind === 'refused') return refuse(401, verdict.outcome, verdict.message);

  const digest = profile.startDigest();
  const body = await readBody(exchange, {
    maxBytes: maxBodyBytes,
    budget,
    onBytes: (bytes) => digest.add(bytes),
  });
  if (body === 'broken') return null;
  if (body === 'too-large') return tooLarge();
  if (body === 'no-room') return refuse(503, 'refused-load', BUSY);
  let storing: Promise<unknown> = Promise.resolve();
  try {
    const signed = { length: body.length, digest: digest.end() };
    if (!isAuthentic(verdict.head, signed, options))
      return refuse(401, 'refused-signature', 'Signature is not valid');
    const { requestId, timestampMs: requestTimestampMs } = verdict.head;
    if (!body.keep(body.length * COPIES)) return refuse(503, 'refused-load', BUSY, requestId);
    exchange.begin();
    const bytes = body.bytes();
    const application = applicationIn(bytes);
    if (application === null) return refuse(400, 'refused-not-json', 'The body is not JSON', requestId);
    const webhook = { application, body: bytes, requestId, requestTimestampMs };
    const stored = options.inbox.store(webhook);
    storing = stored;
    return await receiptOf(webhook, inboxInTime(options.storeTimeoutMs, stored));
  } finally {
    // The inbox may take longer than the sender waits.
    storing.then(body.release, body.release);
  }
}

async function receiptOf(
  { requestId, application }: ReceivedWebhook,
  storing: Promise<'stored' | 'repeat'>,
): Promise<Receipt> {
  const about = { requestId, applicationId: application.applicationId };
  try {
    const stored = await storing;
    const outcome = stored === 'repeat' || application.layout !== 'unrecognised' ? stored : 'unrecognised';
    return { status: 200, outcome, message: null, reason: null, ...about };
  } catch (error) {
    // Messages of other errors may contain a part of the body.
    const reason = error instanceof SyncError ? error.message : 'unexpected error';
    return { status: 503, outcome: 'storage-failed', message: 'Not stored; send it again', reason, ...about };
  }
}

function refuse(
  status: Receipt['status'],
  outcome: WebhookOutcome,
  message: string,
  requestId: string | null = null,
): Receipt {
  return { status, outcome, message, reason: message, requestId, applicationId: null };
}

/** Null when it is not JSON. */
function applicationIn(body: Uint8Array): ReceivedApplication | null {
  let value: unknown;
  try {
    value = JSON.parse(bodyText(body));
  } catch {
    return null;
  }
  return readApplication(value);
}
