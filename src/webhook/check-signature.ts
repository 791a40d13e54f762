import type { IncomingHttpHeaders } from 'node:http';
import type { SignatureProfile } from '../contract/signature-profile.js';
import { verifySignature } from '../contract/verify-signature.js';
import { readWebhookTime } from './read-webhook-time.js';

export interface SignedRequest {
  readonly headers: IncomingHttpHeaders;
  /** As sent. */
  readonly body: Uint8Array;
  /** Milliseconds since the Unix epoch, when the request arrived: not when its body was read. */
  readonly receivedAtMs: number;
}

export interface SignatureRules {
  readonly profile: SignatureProfile;
  /** Any of them may have signed. */
  readonly secrets: readonly string[];
  /** The path that the platform signs. */
  readonly signedPath: string;
  readonly toleranceMs: number;
}

export type SignatureVerdict =
  | { readonly kind: 'authentic'; readonly requestId: string; readonly requestTimestampMs: number }
  | {
      readonly kind: 'refused';
      readonly outcome: 'refused-signature' | 'refused-time';
      readonly message: string;
    };

/** Signature first, so that only who can sign learns something about the clock. Pure. */
export function checkSignature(request: SignedRequest, rules: SignatureRules): SignatureVerdict {
  const header = (name: string): string => {
    const value = request.headers[name];
    return typeof value === 'string' ? value : '';
  };
  const [requestId, timestamp] = [header('request-id'), header('request-timestamp')];
  const { profile, toleranceMs } = rules;
  const input = {
    method: 'POST',
    clientId: header('client-id'),
    requestId,
    timestamp,
    requestTarget: rules.signedPath,
    body: request.body,
    // Once, not once per secret. Without a body it is the profile's to say what is signed.
    digest: request.body.length === 0 ? null : profile.digest(request.body),
  };
  // Each is tried, so that the time taken does not tell which one it was.
  const matches = rules.secrets.filter((secret) =>
    verifySignature(profile, input, secret, header('signature')),
  );
  if (matches.length === 0 || input.clientId === '' || requestId === '')
    return { kind: 'refused', outcome: 'refused-signature', message: 'Signature is not valid' };

  const sentMs = readWebhookTime(timestamp);
  if (sentMs === null) {
    const message = 'Request-Timestamp must look like 2022-09-22T01:51:00Z';
    return { kind: 'refused', outcome: 'refused-time', message };
  }
  if (Math.abs(request.receivedAtMs - sentMs) > toleranceMs) {
    const message = 'Request-Timestamp is too far from the time here';
    return { kind: 'refused', outcome: 'refused-time', message };
  }
  return { kind: 'authentic', requestId, requestTimestampMs: sentMs };
}
