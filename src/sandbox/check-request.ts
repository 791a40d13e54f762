import {
  readRequestTimestamp,
  requestTimestamp,
  type RequestTimestampForm,
} from '../contract/request-timestamp.js';
import type { SignatureProfile } from '../contract/signature-profile.js';
import { verifySignature } from '../contract/verify-signature.js';
import { refusal, type Answer } from './answer.js';
import type { SandboxClient } from './sandbox-options.js';

/** Header names in lower case, as Node gives them. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

const REQUIRED = ['Client-Id', 'Request-Id', 'Request-Timestamp', 'Signature'] as const;
/** Without one of these the caller is unknown, so the answer is 401. */
const IDENTIFYING: ReadonlySet<string> = new Set(['Client-Id', 'Signature']);

/** A header's only value; null when it is missing, empty or repeated. */
export function headerOf(headers: Headers, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' && value !== '' ? value : null;
}

/**
 * The four headers of interface §5, and the media types that the operator's pages ask for.
 * @returns the refusal (400, 401, 406 or 415), or null when nothing is wrong
 */
export function checkHeaders(headers: Headers, hasBody: boolean): Answer | null {
  const missing = REQUIRED.find((name) => headerOf(headers, name) === null);
  if (missing !== undefined)
    return refusal(IDENTIFYING.has(missing) ? 401 : 400, `${missing} header is missing`);
  if (!headerOf(headers, 'Accept')?.toLowerCase().includes('application/json')) {
    return refusal(406, 'Accept must be application/json');
  }
  const contentType = headerOf(headers, 'Content-Type') ?? '';
  if (hasBody && !/^application\/json\s*(;|$)/i.test(contentType)) {
    return refusal(415, 'Content-Type must be application/json');
  }
  return null;
}

export interface Authentication {
  readonly method: string;
  /** Path that is signed, without host and query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: Uint8Array | null;
  readonly nowMs: number;
  /** Clients that may ask for this. */
  readonly clients: readonly SandboxClient[];
  readonly profile: SignatureProfile;
  readonly timestamp: RequestTimestampForm;
  readonly toleranceSeconds: number;
}

/**
 * Client, signature and time, in this order. Expects headers that passed `checkHeaders`.
 * @returns the refusal (401), its message says which, or null when the request is authentic
 */
export function checkAuthentication(request: Authentication): Answer | null {
  const { headers } = request;
  const clientId = headerOf(headers, 'Client-Id') ?? '';
  const timestamp = headerOf(headers, 'Request-Timestamp') ?? '';
  const client = request.clients.find((known) => known.clientId === clientId);
  if (client === undefined) return refusal(401, 'Client-Id is not known here');
  const input = {
    method: request.method,
    clientId,
    requestId: headerOf(headers, 'Request-Id') ?? '',
    timestamp,
    requestTarget: request.path,
    body: request.body,
  };
  if (!verifySignature(request.profile, input, client.secret, headerOf(headers, 'Signature') ?? '')) {
    return refusal(401, 'Signature is not valid');
  }
  const sentMs = readRequestTimestamp(timestamp, request.timestamp);
  if (sentMs === null) {
    const example = requestTimestamp(Date.UTC(2022, 8, 22, 1, 51), request.timestamp);
    return refusal(401, `Request-Timestamp must look like ${example}`);
  }
  if (Math.abs(request.nowMs - sentMs) > request.toleranceSeconds * 1000) {
    return refusal(401, 'Request-Timestamp is outside of the accepted window');
  }
  return null;
}
