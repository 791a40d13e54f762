import type { IncomingMessage } from 'node:http';
import { HEADER_NAMES, type HeaderNames } from '../contract/request-headers.js';
import { type SignatureProfile, verifySignature } from '../contract/signature.js';
import { readRequestTimestamp, type RequestTimestampForm } from '../contract/time.js';
import { type Answer, refusal } from './answer.js';
import type { AreaDialect } from './deviations/area-dialect.js';
import { headerOf, type Headers } from './request.js';
import type { SandboxClient } from './sandbox-options.js';

/** Without one of these the caller is unknown, so the answer is 401. */
const IDENTIFYING: ReadonlySet<string> = new Set(['clientId', 'signature']);

/**
 * The headers of a request under the names of the interface, whatever this platform calls the four. One whose name has
 * other letters is missing where the case counts.
 */
export function interfaceHeaders(
  { headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>,
  { names, exactNames }: NamedHeaders,
): Headers {
  const isSent = (name: string) =>
    !exactNames || rawHeaders.some((sent, index) => index % 2 === 0 && sent === name);
  const four = Object.entries(HEADER_NAMES).map(([part, name]) => {
    const here = names[part as keyof HeaderNames];
    return [name.toLowerCase(), isSent(here) ? headers[here.toLowerCase()] : undefined];
  });
  return { ...headers, ...(Object.fromEntries(four) as Headers) };
}

type NamedHeaders = Pick<AreaDialect, 'names' | 'exactNames'>;

/**
 * The four headers of interface §5, and the media types that the operator's pages ask for.
 * @param headers as `interfaceHeaders` gives them
 * @returns the refusal (400, 401, 406 or 415), or null when nothing is wrong
 */
export function checkHeaders(
  headers: Headers,
  hasBody: boolean,
  { names, exactNames }: NamedHeaders,
): Answer | null {
  const missing = Object.entries(HEADER_NAMES).find(([, name]) => headerOf(headers, name) === null)?.[0];
  if (missing !== undefined) {
    const name = names[missing as keyof HeaderNames];
    const message = `${name} header is missing${exactNames ? ', in these letters' : ''}`;
    return IDENTIFYING.has(missing) ? unauthentic(message) : refusal(400, message);
  }
  if (!acceptsJson(headerOf(headers, 'Accept'))) return refusal(406, 'Accept must be application/json');
  const contentType = headerOf(headers, 'Content-Type') ?? '';
  if (hasBody && !/^application\/json\s*(;|$)/i.test(contentType)) {
    return refusal(415, 'Content-Type must be application/json');
  }
  return null;
}

interface Authentication {
  readonly method: string;
  /** What is signed of the path, without host and query. */
  readonly target: string;
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
  if (client === undefined) return unauthentic('Client-Id is not known here');
  const input = {
    method: request.method,
    clientId,
    requestId: headerOf(headers, 'Request-Id') ?? '',
    timestamp,
    requestTarget: request.target,
    body: request.body,
  };
  const unusable = request.profile.secretProblem(client.secret);
  if (unusable !== null)
    return unauthentic(`The sandbox’s own client secret ${unusable}: start it with another --client-secret`);
  if (!verifySignature(request.profile, input, client.secret, headerOf(headers, 'Signature') ?? '')) {
    // Its secret is public, and the text holds nothing but this request: whoever compares finds the wrong line.
    const signed = request.profile.stringToSign(input);
    return unauthentic(`Signature is not valid. The sandbox signed:\n${signed}`);
  }
  // In this form and no other: a rehearsal shows the wrong form.
  const sentMs = readRequestTimestamp(timestamp, request.timestamp);
  if (sentMs === null)
    return unauthentic(`Request-Timestamp must look like ${SENT_TIME_EXAMPLES[request.timestamp]}`);
  if (Math.abs(request.nowMs - sentMs) > request.toleranceSeconds * 1000) {
    return unauthentic('Request-Timestamp is outside of the accepted window');
  }
  return null;
}

function unauthentic(message: string): Answer {
  return refusal(401, message, 'authentication');
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

const SENT_TIME_EXAMPLES: Readonly<Record<RequestTimestampForm, string>> = {
  seconds: '2022-09-22T01:51:00Z',
  milliseconds: '2022-09-22T01:51:00.123Z',
  'epoch-seconds': '1663811460',
  'epoch-milliseconds': '1663811460123',
  'offset-seconds': '2022-09-22T08:51:00+07:00',
  'offset-milliseconds': '2022-09-22T08:51:00.123+07:00',
};
