import type { IncomingHttpHeaders } from 'node:http';
import { REQUEST_HEADERS } from '../contract/request-headers.js';
import { readWebhookTime } from './read-webhook-time.js';

/** The four headers of a request, as sent. */
export interface SignedHead {
  readonly clientId: string;
  readonly requestId: string;
  readonly timestamp: string;
  /** The same, milliseconds since the Unix epoch. */
  readonly timestampMs: number;
  readonly signature: string;
}

export type HeadVerdict =
  | { readonly kind: 'plausible'; readonly head: SignedHead }
  | {
      readonly kind: 'refused';
      readonly outcome: 'refused-signature' | 'refused-time';
      readonly message: string;
    };

export interface HeadRules {
  /** Milliseconds since the Unix epoch, when the head of the request arrived. */
  readonly receivedAtMs: number;
  readonly toleranceMs: number;
}

/**
 * Whether a request can be authentic, judged by its headers, before its body takes memory.
 * Pure.
 */
export function checkHead(
  headers: IncomingHttpHeaders,
  { receivedAtMs, toleranceMs }: HeadRules,
): HeadVerdict {
  const valueOf = (name: string): string => {
    const value = headers[name.toLowerCase()];
    return typeof value === 'string' ? value : '';
  };
  const missing = REQUEST_HEADERS.find(({ name }) => valueOf(name) === '');
  if (missing)
    return {
      kind: 'refused',
      outcome: 'refused-signature',
      message: `The header ${missing.name} is missing`,
    };

  const timestamp = valueOf('Request-Timestamp');
  const timestampMs = readWebhookTime(timestamp);
  if (timestampMs === null) {
    const message =
      'Request-Timestamp must be ISO 8601 with its offset from UTC, such as 2022-09-22T01:51:00Z';
    return { kind: 'refused', outcome: 'refused-time', message };
  }
  if (Math.abs(receivedAtMs - timestampMs) > toleranceMs) {
    const message = 'Request-Timestamp is too far from the time here';
    return { kind: 'refused', outcome: 'refused-time', message };
  }
  const head = {
    clientId: valueOf('Client-Id'),
    requestId: valueOf('Request-Id'),
    timestamp,
    timestampMs,
    signature: valueOf('Signature'),
  };
  return { kind: 'plausible', head };
}
