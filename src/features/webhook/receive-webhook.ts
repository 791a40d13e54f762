import type { IncomingHttpHeaders } from 'node:http';
import type { AdapterWebhook } from '../../core/contract/adapter.js';
import { HEADER_NAMES } from '../../core/contract/request-headers.js';
import { type SignatureProfile, verifySignature } from '../../core/contract/signature.js';
import { readEvents } from './contract/read-application.js';
import { SyncError } from '../../core/domain/errors.js';
import type { WebhookOutcome } from '../../core/domain/events.js';
import { counted, largestUnit } from '../../core/domain/text.js';
import type { WebhookRefusal } from '../../core/domain/trouble/trouble.js';
import type { Clock } from '../../core/ports/clock.js';
import type { Inbox } from './state/inbox.js';
import { encodingOf, inflate, inflated } from '../http/inflate.js';
import type { Exchange, PlainAnswer } from '../http/listener.js';
import { type ByteBudget, readBody } from '../http/read-body.js';
import { askAdapter, type WebhookAdapter } from './adapted-webhook.js';
import type { ReceivedWebhook, StoredAs } from './state/store-application.js';

/**
 * One webhook, from its head to the inbox. Its headers are checked before its body takes memory (`checkHead`), the body is
 * read and its signature checked (`isAuthentic`), of a compressed one over the bytes as sent or over what they hold; only
 * then it is read as JSON and stored. The sender gets its answer in time, also when the inbox does not (`inboxInTime`). The
 * partner's adapter, if there is one, comes before every check but those of size.
 */

export interface ReceiveOptions extends SignatureRules {
  readonly inbox: Pick<Inbox, 'store'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Largest difference between Request-Timestamp and the clock at receipt, milliseconds. */
  readonly toleranceMs: number;
  readonly maxBodyBytes: number;
  /** For all bodies that are under way. */
  readonly budget: ByteBudget;
  readonly storeTimeoutMs: number;
  /** Null: as built in. */
  readonly adapter: WebhookAdapter | null;
}

interface SignatureRules {
  readonly profile: SignatureProfile;
  readonly secrets: readonly string[];
  /** The path that the platform signs. */
  readonly signedPath: string;
}

/** The answer and its report. Neither contains anything of the body. */
interface Receipt {
  readonly status: number;
  /** For the sender; null: accepted. */
  readonly message: string | null;
  readonly outcome: WebhookOutcome;
  /** For the operator: why; null: nothing to add. */
  readonly reason: string | null;
  /** Why it is refused for good; null: it is accepted, or may come again. */
  readonly refused: { readonly reason: WebhookRefusal; readonly offsetMs: number | null } | null;
  /** For an authentic request. */
  readonly requestId: string | null;
  readonly applicationId: string | null;
  /** What to answer instead of `{}`: what the adapter answers. */
  readonly answer?: PlainAnswer;
}

const NO_ROOM = refuse(503, 'refused-load', 'Too many requests at once; send it again', null);
const OTHER_ENCODING = refuse(
  415,
  'refused-encoding',
  'Content-Encoding must be gzip, or absent',
  'encoding',
);

/**
 * Further bytes counted for each byte of an authentic body: for its text, for what goes to the database, and
 * for what JSON.parse makes of it: small objects take many times their text.
 */
const COPIES = 12;

/**
 * Refused in this order: 413 announced as too large, 401 headers or time, 415 encoding (these two after the body where an
 * adapter may take what has another form), 413 too large, 503 no room, 413 too large when it is inflated, 401 signature, 400 no gzip or no JSON, 503 not stored. 200 only
 * when it is stored durably, now or before.
 * Null: the sender left before the end.
 */
export async function receiveWebhook(exchange: Exchange, options: ReceiveOptions): Promise<Receipt | null> {
  const { headers } = exchange.incoming;
  const { maxBodyBytes, budget, profile, toleranceMs, adapter } = options;
  const receivedAtMs = options.clock.now();
  const tooLarge = (): Receipt =>
    refuse(413, 'refused-size', `The body is larger than ${maxBodyBytes} bytes`, 'size');

  if (Number(headers['content-length'] ?? 0) > maxBodyBytes) return tooLarge();
  const head = checkHead(headers, receivedAtMs, toleranceMs);
  if ('status' in head && adapter === null) return head;
  const encoding = encodingOf(headers['content-encoding']);
  if (encoding === null && adapter === null) return OTHER_ENCODING;

  const digest = profile.startDigest();
  const onBytes = (bytes: Uint8Array): void => digest.add(bytes);
  const body = await readBody(exchange, { maxBytes: maxBodyBytes, budget, onBytes });
  if (body === 'broken') return null;
  if (body === 'too-large') return tooLarge();
  if (body === 'no-room') return NO_ROOM;
  let storing: Promise<unknown> = Promise.resolve();
  const store = (webhooks: readonly ReceivedWebhook[]): Promise<Receipt> => {
    const stored = options.inbox.store(...webhooks);
    storing = stored;
    return receiptOf(webhooks, inboxInTime(options.storeTimeoutMs, stored));
  };
  try {
    const arrived = { exchange, body, receivedAtMs };
    const adapted = adapter && (await throughAdapter(adapter, arrived, options, store));
    if (adapted !== null) return adapted;
    if ('status' in head) return head;
    if (encoding === null) return OTHER_ENCODING;
    const asSent = { length: body.length, digest: digest.end() };
    const isGzip = encoding === 'gzip';
    // Nothing of it is kept: nobody has signed it yet.
    const whole = isGzip ? await measure(body.pieces(), options) : asSent;
    if (whole === 'too-large') return tooLarge();
    const signed = whole === 'broken' || whole === asSent ? [asSent] : [asSent, whole];
    if (!signed.some((each) => isAuthentic(head, each, options)))
      return refuse(401, 'refused-signature', 'Signature is not valid', 'signature');
    const { requestId, timestampMs: requestTimestampMs } = head;
    const unread = (what: string): Receipt =>
      refuse(400, 'refused-not-json', `The body is not ${what}`, 'json', requestId);
    if (whole === 'broken') return unread('gzip');
    if (!body.keep(whole.length * COPIES)) return { ...NO_ROOM, requestId };
    exchange.begin();
    const bytes = isGzip ? await inflated(body.pieces(), whole.length) : body.bytes();
    const events = readEvents(bytes);
    if (events === null) return unread('JSON');
    const webhooks = events.map((event) => ({ ...event, requestId, requestTimestampMs }));
    return await store(webhooks);
  } finally {
    // The inbox may take longer than the sender waits.
    storing.then(body.release, body.release);
  }
}

interface Arrived {
  readonly exchange: Exchange;
  readonly body: Exclude<Awaited<ReturnType<typeof readBody>>, string>;
  readonly receivedAtMs: number;
}

/** Null: the built-in checks decide. */
async function throughAdapter(
  adapter: WebhookAdapter,
  { exchange, body, receivedAtMs: now }: Arrived,
  options: ReceiveOptions,
  store: (webhooks: readonly ReceivedWebhook[]) => Promise<Receipt>,
): Promise<Receipt | null> {
  const verify = (request: AdapterWebhook) => isVerified(request, options, now);
  const { secrets } = options;
  const adapted = await askAdapter(exchange, body.bytes(), adapter, { now, secrets, verify });
  switch (adapted.kind) {
    case 'failed':
      return { ...NOT_STORED, outcome: 'adapter-failed', reason: adapted.reason };
    case 'refused':
      return { ...refuse(401, 'refused-signature', 'Refused', 'signature'), reason: adapted.reason };
    case 'answer':
      return { ...ACCEPTED, outcome: 'answered', requestId: null, answer: adapted.answer };
    case 'events': {
      if (adapted.events.length === 0) return { ...ACCEPTED, outcome: 'answered', requestId: null };
      if (!body.keep(body.length * COPIES)) return NO_ROOM;
      exchange.begin();
      return store(adapted.events.map((event) => ({ ...event, requestTimestampMs: now })));
    }
    case 'usual':
      return null;
  }
}

/** Length and digest of what a compressed body holds. */
async function measure(
  pieces: readonly Uint8Array[],
  { profile, maxBodyBytes }: Pick<ReceiveOptions, 'profile' | 'maxBodyBytes'>,
): Promise<SignedBody | 'too-large' | 'broken'> {
  const digest = profile.startDigest();
  const length = await inflate(pieces, maxBodyBytes, (bytes) => digest.add(bytes));
  return typeof length === 'number' ? { length, digest: digest.end() } : length;
}

const NOT_STORED = {
  status: 503,
  message: 'Not stored; send it again',
  refused: null,
  requestId: null,
  applicationId: null,
} as const;

const ACCEPTED = { status: 200, message: null, reason: null, refused: null, applicationId: null } as const;

function refuse(
  status: Receipt['status'],
  outcome: WebhookOutcome,
  message: string,
  refusal: WebhookRefusal | null,
  requestId: string | null = null,
): Receipt {
  const refused = refusal === null ? null : { reason: refusal, offsetMs: null };
  return { status, outcome, message, reason: message, refused, requestId, applicationId: null };
}

/** The four headers of a request, as sent. */
interface SignedHead {
  readonly clientId: string;
  readonly requestId: string;
  readonly timestamp: string;
  /** The same, milliseconds since the Unix epoch. */
  readonly timestampMs: number;
  readonly signature: string;
}

/** In the order in which a missing one is named. */
const HEADER_PARTS = Object.keys(HEADER_NAMES) as HeaderPart[];

type HeaderPart = keyof typeof HEADER_NAMES;

/** The headers if the request can be authentic, else its refusal. */
function checkHead(
  headers: IncomingHttpHeaders,
  receivedAtMs: number,
  toleranceMs: number,
): SignedHead | Receipt {
  const valueOf = (part: HeaderPart): string => {
    const value = headers[HEADER_NAMES[part].toLowerCase()];
    return typeof value === 'string' ? value : '';
  };
  const missing = HEADER_PARTS.find((part) => valueOf(part) === '');
  if (missing)
    return refuse(401, 'refused-signature', `The header ${HEADER_NAMES[missing]} is missing`, 'header');

  const timestamp = valueOf('timestamp');
  const timestampMs = readWebhookTime(timestamp);
  if (timestampMs === null) {
    const form = 'ISO 8601, such as 2022-09-22T01:51:00Z, or Unix time';
    return refuse(401, 'refused-time', `${HEADER_NAMES.timestamp} must be ${form}`, 'time');
  }
  const offsetMs = timestampMs - receivedAtMs;
  if (Math.abs(offsetMs) > toleranceMs) {
    const refused = refuse(
      401,
      'refused-time',
      `${HEADER_NAMES.timestamp} is too far from the time here`,
      'time',
    );
    const reason = `${HEADER_NAMES.timestamp} is ${offsetText(offsetMs)} the clock here`;
    return { ...refused, reason, refused: { reason: 'time', offsetMs } };
  }
  const [clientId, requestId] = [valueOf('clientId'), valueOf('requestId')];
  return { clientId, requestId, timestamp, timestampMs, signature: valueOf('signature') };
}

/** `7 hours ahead of`, `40 minutes behind`: what a person needs to see a zone that was read wrong, or a wrong clock. */
function offsetText(ms: number): string {
  const [unit, length] = largestUnit(Math.abs(ms));
  return `${counted(Math.round((Math.abs(ms) / length) * 10) / 10, unit)} ${ms < 0 ? 'behind' : 'ahead of'}`;
}

/**
 * A day and a time of it, as ISO 8601 writes them: with hyphens and colons or without; a T between them, or a blank; to
 * the second, minute or hour, the last with a fraction; then the offset from UTC, which may be absent.
 */
const MOMENT =
  /^(?<year>\d{4})(?<hyphen>-?)(?<month>\d\d)\k<hyphen>(?<day>\d\d)[T ](?<hour>\d\d)(?:(?<colon>:?)(?<minute>\d\d)(?:\k<colon>(?<second>\d\d))?)?(?:[.,](?<fraction>\d{1,12}))?(?:Z|(?<sign>[+-])(?<offsetHours>\d\d)(?::?(?<offsetMinutes>\d\d))?)?$/i;

/** Unix time: ten digits are seconds until the year 2286, thirteen milliseconds. */
const UNIX_TIME = /^(?<seconds>\d{10})(?:(?<thousandths>\d{3})|\.\d{1,9})?$/;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * `Request-Timestamp` of a webhook, milliseconds since the Unix epoch; null when it is invalid. Accepts more forms than
 * our requests use. Interface §5 promises only ISO 8601 in UTC+0, so a time without an offset is UTC, and another offset
 * names a moment too. The signature covers the header as it was sent and the tolerance holds for each, so the form is no
 * risk.
 */
export function readWebhookTime(text: string): number | null {
  const unix = UNIX_TIME.exec(text)?.groups;
  if (unix !== undefined)
    return unix.thousandths === undefined ? Math.floor(Number(text) * SECOND_MS) : Number(text);
  const parts = MOMENT.exec(text)?.groups;
  if (parts === undefined) return null;
  const number = (name: string): number => Number(parts[name] ?? 0);
  const dayMs = startOfDay(number('year'), number('month'), number('day'));
  const [hour, minute, second] = [number('hour'), number('minute'), number('second')];
  // ISO 8601 calls the end of a day 24:00; a leap second is the 61st of its minute.
  const isTime = hour < 24 ? minute < 60 && second <= 60 : hour === 24 && minute + second === 0;
  if (dayMs === null || !isTime || number('offsetHours') > 23 || number('offsetMinutes') > 59) return null;

  const smallestMs =
    parts.second !== undefined ? SECOND_MS : parts.minute !== undefined ? MINUTE_MS : HOUR_MS;
  const fractionMs = Math.floor(Number(`0.${parts.fraction ?? '0'}`) * smallestMs);
  const offsetMs = number('offsetHours') * HOUR_MS + number('offsetMinutes') * MINUTE_MS;
  const localMs = dayMs + hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS + fractionMs;
  return parts.sign === '-' ? localMs + offsetMs : localMs - offsetMs;
}

function startOfDay(year: number, month: number, day: number): number | null {
  // Not Date.UTC(year, …), which reads 26 as 1926.
  const ms = new Date(0).setUTCFullYear(year, month - 1, day);
  const made = new Date(ms);
  return made.getUTCMonth() === month - 1 && made.getUTCDate() === day ? ms : null;
}

/** What a signature may cover: of a compressed body the bytes as sent, or what they hold. */
interface SignedBody {
  readonly length: number;
  readonly digest: string | null;
}

/**
 * Whether one of the secrets signed a request with this head and a body of this digest, as the profile's `startDigest`
 * gives it.
 */
export function isAuthentic(
  head: SignedHead,
  body: SignedBody,
  { profile, secrets, signedPath }: SignatureRules,
): boolean {
  const { clientId, requestId, timestamp } = head;
  const input = {
    method: 'POST',
    clientId,
    requestId,
    timestamp,
    requestTarget: signedPath,
    // The digest of a body is enough. Without a digest the profile decides what is signed.
    body: null,
    digest: body.length === 0 ? null : body.digest,
  };
  // Tries every secret, so that the time does not reveal which one fits.
  return secrets.filter((secret) => verifySignature(profile, input, secret, head.signature)).length > 0;
}

/** The same of a whole request with its time: what an adapter may ask. */
function isVerified({ headers, body }: AdapterWebhook, options: ReceiveOptions, now: number): boolean {
  const head = checkHead(headers, now, options.toleranceMs);
  const { digest } = options.profile;
  return !('status' in head) && isAuthentic(head, { length: body.length, digest: digest(body) }, options);
}

async function receiptOf(webhooks: readonly ReceivedWebhook[], storing: Promise<StoredAs>): Promise<Receipt> {
  const [first, ...others] = webhooks;
  const about = {
    refused: null,
    requestId: first?.requestId ?? null,
    applicationId: others.length > 0 ? null : (first?.application.applicationId ?? null),
  };
  try {
    const stored = await storing;
    const odd = webhooks.some(({ application }) => application.layout === 'unrecognised');
    const outcome = stored !== 'repeat' && odd ? 'unrecognised' : stored;
    return { status: 200, outcome, message: null, reason: null, ...about };
  } catch (error) {
    // Messages of other errors may contain a part of the body.
    const reason = error instanceof SyncError ? error.message : 'unexpected error';
    return { ...NOT_STORED, outcome: 'storage-failed', reason, ...about };
  }
}

/** The result of `work`, or SyncError `state-unavailable` after so many milliseconds; the work itself goes on. */
async function inboxInTime<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const message = `The inbox did not answer within ${ms / 1000} s.`;
      reject(new SyncError('state-unavailable', message, { scope: 'run' }));
    }, ms);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
