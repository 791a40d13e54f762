import { HEADER_NAMES } from '../../core/contract/request-headers.js';
import { type SignatureProfile, verifySignature } from '../../core/contract/signature.js';
import { readRequestTimestamp } from '../../core/contract/time.js';
import { type Answer, refusal } from './answer.js';
import { headerOf, type Headers } from './request.js';
import type { SandboxClient } from './sandbox-options.js';

/** Without one of these the caller is unknown, so the answer is 401. */
const IDENTIFYING: ReadonlySet<string> = new Set(['clientId', 'signature']);

/**
 * The four headers of interface §5, and the media types that the operator's pages ask for.
 * @returns the refusal (400, 401, 406 or 415), or null when nothing is wrong
 */
export function checkHeaders(headers: Headers, hasBody: boolean): Answer | null {
  const missing = Object.entries(HEADER_NAMES).find(([, name]) => headerOf(headers, name) === null);
  if (missing !== undefined) {
    const [part, name] = missing;
    return refusal(IDENTIFYING.has(part) ? 401 : 400, `${name} header is missing`);
  }
  if (!acceptsJson(headerOf(headers, 'Accept'))) return refusal(406, 'Accept must be application/json');
  const contentType = headerOf(headers, 'Content-Type') ?? '';
  if (hasBody && !/^application\/json\s*(;|$)/i.test(contentType)) {
    return refusal(415, 'Content-Type must be application/json');
  }
  return null;
}

/** Largest difference between Request-Timestamp and the sandbox's clock, as is assumed of the platform. */
const TOLERANCE_MS = 300_000;

interface Authentication {
  readonly method: string;
  /** Without host and query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: Uint8Array | null;
  readonly nowMs: number;
  /** Clients that may ask for this. */
  readonly clients: readonly SandboxClient[];
  readonly profile: SignatureProfile;
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
    // Its secret is public, and the text holds nothing but this request: whoever compares finds the wrong line.
    const signed = request.profile.stringToSign(input);
    return refusal(401, `Signature is not valid. The sandbox signed:\n${signed}`);
  }
  const sentMs = readRequestTimestamp(timestamp);
  if (sentMs === null) return refusal(401, 'Request-Timestamp must look like 2022-09-22T01:51:00Z');
  if (Math.abs(request.nowMs - sentMs) > TOLERANCE_MS) {
    return refusal(401, 'Request-Timestamp is outside of the accepted window');
  }
  return null;
}

/** Media ranges that JSON is in, the closest first (RFC 9110 §12.5.1). */
const RANGES = ['application/json', 'application/*', '*/*'];

/**
 * Whether an Accept header takes `application/json`. The closest range decides, and `q=0` refuses. Null, a missing
 * header, does not: the operator's pages ask for the header.
 */
function acceptsJson(accept: string | null): boolean {
  const quality = new Map<string, number>();
  for (const part of (accept ?? '').toLowerCase().split(',')) {
    const [range = '', ...parameters] = part.split(';').map((each) => each.trim());
    const q = parameters.find((each) => each.startsWith('q='));
    quality.set(range, q === undefined ? 1 : Number(q.slice(2)));
  }
  const closest = RANGES.find((range) => quality.has(range));
  return closest !== undefined && (quality.get(closest) ?? 0) > 0;
}
