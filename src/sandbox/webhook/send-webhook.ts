import { requestTimestamp } from '../../contract/time.js';
import type { SignatureProfile } from '../../contract/signature.js';
import type { SandboxClient } from '../sandbox-options.js';

export interface WebhookToSend {
  /** Address of the receiver. */
  readonly to: string;
  /** The bytes to sign and send. */
  readonly body: Uint8Array;
  readonly client: SandboxClient;
  readonly profile: SignatureProfile;
  readonly requestId: string;
  /** Time of sending, milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** The path that is signed; null: that of the address. */
  readonly signedPath: string | null;
}

export interface WebhookReply {
  readonly status: number;
  readonly text: string;
}

/** Longest wait for the receiver's answer. */
const TIMEOUT_MS = 30_000;

/** Sends one webhook as the platform does (interface §5, §6). Rejects with fetch's own error without an answer. */
export async function sendWebhook(webhook: WebhookToSend): Promise<WebhookReply> {
  const { to, body, client, profile, requestId } = webhook;
  const timestamp = requestTimestamp(webhook.nowMs);
  const signature = profile.signature(
    {
      method: 'POST',
      clientId: client.clientId,
      requestId,
      timestamp,
      requestTarget: webhook.signedPath ?? new URL(to).pathname,
      body,
    },
    client.secret,
  );
  const response = await fetch(to, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Client-Id': client.clientId,
      'Request-Id': requestId,
      'Request-Timestamp': timestamp,
      Signature: signature,
    },
    body: new Uint8Array(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: response.status, text: await response.text() };
}
