import type { IncomingMessage } from 'node:http';
import { bodyText } from '../contract/webhook/body-text.js';
import { readApplication } from '../contract/webhook/read-application.js';
import { SyncError } from '../domain/errors.js';
import type { WebhookOutcome } from '../domain/events.js';
import type { Clock } from '../ports/clock.js';
import type { Inbox, ReceivedWebhook } from '../ports/inbox.js';
import { checkSignature, type SignatureRules } from './check-signature.js';
import { readBody } from './read-body.js';
import { within } from './within.js';

export interface ReceiveOptions extends SignatureRules {
  readonly inbox: Pick<Inbox, 'store'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly maxBodyBytes: number;
  /** Longest wait for the inbox, milliseconds. */
  readonly storeTimeoutMs: number;
}

/** What is answered, and what is told of it. Nothing of the body is in either. */
export interface Receipt {
  readonly status: 200 | 400 | 401 | 413 | 503;
  /** For the sender; null: accepted. */
  readonly message: string | null;
  readonly outcome: WebhookOutcome;
  /** For the operator: why; null: nothing to add. */
  readonly reason: string | null;
  /** Of an authentic request. */
  readonly requestId: string | null;
  readonly applicationId: string | null;
}

/**
 * One webhook from its bytes to the inbox. Refused in this order: 413 too large, 401 signature or time, 400 no JSON,
 * 503 not stored. 200 only when it is stored durably, now or before. Null: the sender left before its end.
 */
export async function receiveWebhook(
  incoming: IncomingMessage,
  options: ReceiveOptions,
): Promise<Receipt | null> {
  const receivedAtMs = options.clock.now();
  const refuse = (
    status: Receipt['status'],
    outcome: WebhookOutcome,
    message: string,
    requestId: string | null = null,
  ): Receipt => ({ status, outcome, message, reason: message, requestId, applicationId: null });

  const body = await readBody(incoming, options.maxBodyBytes);
  if (body === 'broken') return null;
  if (body === 'too-large')
    return refuse(413, 'refused-size', `The body is larger than ${options.maxBodyBytes} bytes`);

  const verdict = checkSignature({ headers: incoming.headers, body, receivedAtMs }, options);
  if (verdict.kind === 'refused') return refuse(401, verdict.outcome, verdict.message);

  const { requestId, requestTimestampMs } = verdict;
  const value = parseJson(body);
  if (value === undefined) return refuse(400, 'refused-not-json', 'The body is not JSON', requestId);

  const application = readApplication(value);
  return await keep({ application, body, requestId, requestTimestampMs }, options);
}

async function keep(webhook: ReceivedWebhook, options: ReceiveOptions): Promise<Receipt> {
  const { requestId, application } = webhook;
  const about = { requestId, applicationId: application.applicationId };
  try {
    const stored = await within(options.storeTimeoutMs, options.inbox.store(webhook));
    const outcome = stored === 'repeat' || application.layout !== 'unrecognised' ? stored : 'unrecognised';
    return { status: 200, outcome, message: null, reason: null, ...about };
  } catch (error) {
    // What other errors say may hold a part of the body.
    const reason = error instanceof SyncError ? error.message : 'unexpected error';
    return { status: 503, outcome: 'storage-failed', message: 'Not stored; send it again', reason, ...about };
  }
}

/** Undefined when it is no JSON. */
function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(bodyText(body));
  } catch {
    return undefined;
  }
}
