import type { AdapterJudgement, AdapterState } from '../../contract/adapter.js';
import type { JsonObject } from '../row.js';
import { parseHttpDate } from './waits.js';

/**
 * A reply as it is read, and what it can mean once it is judged. Below them are the readings of single parts: one line of text, an HTTP date, how long to wait, the difference of two clocks.
 */

/** What a reply says about the links of a record. */
export interface ReplyLinks {
  /** The platform's own id of the record; null: the reply has none. */
  readonly id: string | null;
  /** As the platform gave it, because children name it so; null: the reply has none. */
  readonly reference: string | number | null;
}

/** A part that a reply lacks. */
export interface ReplyGap {
  readonly malformed: string;
  /** What says where the part is: our own text, without any of the platform. */
  readonly hint: string;
}

/**
 * The result of one request, as the platform adapter reports it; never an exception, never a header object.
 * - `answered`: a complete HTTP reply.
 * - `unreachable`: the connection was never established, so the platform did not see the request.
 * - `silent`: sent, or perhaps sent, and no complete reply: what the platform did is unknown.
 */
export type Reply =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** For a 2xx that is understood: the links, and of a Find the whole `data`; null otherwise. */
      readonly result: (ReplyLinks & { readonly data?: JsonObject }) | null;
      /** A Find was answered with success and an empty result: there is no such record. */
      readonly nothing?: true;
      /** A 2xx whose body says that it failed. */
      readonly saysFailure?: boolean;
      /** Which part of a 2xx is missing, or what a 101 is, for the message; null otherwise. */
      readonly malformed: string | null;
      /** For a 2xx that is not understood: as of a gap. */
      readonly hint?: string;
      /** What any reply may offer, for a rule that accepts it. */
      readonly links?: ReplyLinks & {
        /** The reference is missing although children need it; null: it is not. */
        readonly gap: ReplyGap | null;
      };
      /** The body as JSON; undefined when it is not JSON. */
      readonly json: unknown;
      /** The beginning of the body as text; absent: there is none. */
      readonly text?: string;
      /** Whether the body looks like HTML, as an edge or a proxy answers. */
      readonly html: boolean;
      /** Raw `Retry-After`, `Date` and `Location` headers; null when missing. */
      readonly retryAfter: string | null;
      readonly date: string | null;
      readonly location: string | null;
      /** Of the reply to a Find that a cache has given, which is no word of the platform: by which it can be found. Absent: none. */
      readonly cache?: string;
      /** The page of a proxy: which, and what that may mean. */
      readonly byProxy?: string;
      /** Bytes of the body that was sent; absent: none. */
      readonly sentBytes?: number;
      /** Headers that announce a rate, by name in lower case; absent: none. */
      readonly rateHeaders?: Readonly<Record<string, string>> | undefined;
      /** Our clock when the reply was complete, milliseconds since the epoch. */
      readonly receivedAt: number;
      /** What the partner's adapter makes of it; absent: nothing. It stands before every built-in rule. */
      readonly adapted?: AdapterJudgement;
    }
  | { readonly kind: 'unreachable'; readonly code: string; readonly message: string }
  | {
      readonly kind: 'silent';
      readonly code: string;
      readonly message: string;
      /**
       * An earlier request had used the connection, and it ended before any byte of a reply: as a rule the server had closed
       * it while it was idle, and has not seen the request.
       */
      readonly onIdleConnection?: true;
    };

export type Answer = Extract<Reply, { kind: 'answered' }>;

export type NoReply = Exclude<Reply, Answer>;

/** Why there is no reply, where its code shows that. */
export type FailureCause =
  | 'certificate'
  | 'client-certificate'
  | 'headers-too-large'
  | 'not-http'
  | 'proxy'
  | 'tls-alert'
  | 'too-large'
  | 'too-slow'
  | 'unknown-host'
  | 'unreachable'
  | 'wrong-scheme';

/**
 * Why an area does not take what is sent, also where it answers: `failing` with errors (5xx), `page` with a web page,
 * `edge` that refuses with one, `clock` that refuses our time. `put-off`: it asks to try again later. `no-reply`: the
 * connection ended before one was complete.
 */
export type StopCause =
  FailureCause | 'clock' | 'edge' | 'edge-certificate' | 'failing' | 'no-reply' | 'page' | 'put-off';

const LASTING: readonly (string | null)[] = [
  'certificate',
  'client-certificate',
  'headers-too-large',
  'not-http',
  'tls-alert',
  'unknown-host',
  'wrong-scheme',
] satisfies readonly FailureCause[];

/** About the reply to a Find that a cache has given: `cache` of the reply. */
export const cachedFind = (cache: string) => `a cache answered in place of the platform (${cache})`;

export const CACHE_HINT =
  'Ask the operator of this cache to pass these requests on, or that of the platform to reply with Cache-Control: no-store.';

/** What no later attempt changes: somebody has to. */
export function isLasting(cause: string | null): boolean {
  return LASTING.includes(cause);
}

/** The code of a request that ended with the partner's adapter: before it left, or with its reply. */
export const ADAPTER_FAILED = 'ADAPTER_FAILED';

/** Codes with which Node refuses a certificate; nothing was sent then. */
const CERTIFICATE = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

/** The other side ended the TLS handshake with an alert, such as `protocol_version`. */
const TLS_ALERT = /^(ERR_SSL_\w+_ALERT|TLS_ALERT)_/;

export function failureCause({ kind, code }: NoReply): FailureCause | null {
  if (code.startsWith('PROXY_')) return 'proxy';
  if (CERTIFICATE.test(code)) return 'certificate';
  if (code.startsWith('CLIENT_CERTIFICATE_')) return 'client-certificate';
  if (code === 'TLS_EXPECTED' || code === 'TLS_MISSING') return 'wrong-scheme';
  if (TLS_ALERT.test(code)) return 'tls-alert';
  if (code === 'ENOTFOUND') return 'unknown-host';
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers-too-large';
  // Node's parser of HTTP.
  if (code.startsWith('HPE_')) return 'not-http';
  if (kind === 'unreachable') return 'unreachable';
  if (code === 'ERR_REPLY_TOO_LARGE') return 'too-large';
  return code === 'ETIMEDOUT' ? 'too-slow' : null;
}

interface Decided {
  /** The partner's adapter decided, not the built-in rules. */
  readonly adapter?: true;
}

/**
 * What a reply means for the record and for its area.
 * - `accepted`: the platform holds the payload that was sent.
 * - `refused`: the platform never takes this payload; it is sent again when it changes, or by `retry`.
 * - `deferred`: try again later. `known`: whether we still know what the platform holds; false without a reply, which
 *   then needs a confirmation.
 * - `not-understood`: a 2xx that lacks a part. What the platform holds is unknown, and no outage is to blame.
 * - `paused`: handed back; the whole area waits `delayMs` (null: the reply did not say how long).
 * - `stopped`: handed back; the whole area stops, every record stays pending.
 */
export type Judgement = Decided &
  (
    | {
        readonly kind: 'accepted';
        /** Null: the operation gives none. */
        readonly reference: string | number | null;
        readonly remoteId: string | null;
        /** What to keep of the reply; null: nothing. */
        readonly details: JsonObject | null;
        /** What the platform makes of the record, where the adapter says so. */
        readonly state?: AdapterState;
        readonly statusCode: number;
      }
    | {
        readonly kind: 'refused';
        readonly statusCode: number;
        readonly message: string;
        /** The platform has no such record, whatever the status. */
        readonly missing?: true;
        /** Its words name fields of the record. */
        readonly namesFields?: true;
        /** A web page or a 403: about this record only while others pass. `stop`: what else it is; null: nothing known. */
        readonly unproven?: {
          readonly page: boolean;
          readonly stop: Extract<Judgement, { kind: 'stopped' }> | null;
        };
        /** It was a 2xx that says failure, which is about this record only while others pass. */
        readonly failure?: { readonly message: string; readonly hint: string };
      }
    | {
        readonly kind: 'deferred';
        readonly known: boolean;
        /** False: no connection came about, so the failure says nothing about the record. */
        readonly reached: boolean;
        readonly statusCode: number | null;
        readonly message: string;
        readonly cause?: StopCause | null;
      }
    | {
        readonly kind: 'not-understood';
        readonly statusCode: number;
        /** Which part is missing. */
        readonly message: string;
        /** What says where it is: our own text, without any of the platform. */
        readonly hint: string;
        readonly cause?: StopCause | null;
      }
    | {
        readonly kind: 'paused';
        /** False: a gateway answered, perhaps after the platform had processed the request. */
        readonly known: boolean;
        readonly delayMs: number | null;
        /** Null: the request did not pass the gateway. */
        readonly statusCode: number | null;
        readonly message: string;
      }
    | {
        readonly kind: 'stopped';
        readonly code: 'authentication-refused' | 'redirected' | 'request-refused' | 'adapter-failed';
        /** False: the platform may have processed it. Absent: it has not. */
        readonly known?: false;
        /** Null: the platform was not asked. */
        readonly statusCode: number | null;
        readonly message: string;
        /** The likely cause and what to do. */
        readonly hint: string;
        readonly cause?: StopCause | null;
      }
  );

/**
 * What the platform itself makes of a record that it accepted, as a Find shows it. `pending`: it still has to decide, or
 * it was not read since it accepted the record. `refused`: not published. `removed`: taken down. `other`: a word that
 * was not sent.
 */
export const PLATFORM_STATES = ['live', 'pending', 'refused', 'removed', 'other'] as const;
export type PlatformState = (typeof PLATFORM_STATES)[number];

/** The state with the platform's word for it; null: not read since the record was accepted. */
export interface ShownState {
  readonly state: PlatformState;
  readonly word: string | null;
}

/** For people: `shows it as "rejected" (refused)`. */
export function stateText({ state, word }: ShownState): string {
  if (word === null) return 'has accepted it and was not asked since whether it is live';
  return `shows it as "${word}"${state === 'other' ? '' : ` (${state})`}`;
}

/** Records by what the platform shows of them; `live` is counted nowhere. */
export type StateCounts = Partial<Readonly<Record<Exclude<PlatformState, 'live'>, number>>>;

/** A person has to decide whether such a record is sent again. */
export function isTakenDown(state: PlatformState | null): boolean {
  return state === 'refused' || state === 'removed';
}

/** How many of the rejected ones were accepted first. */
export function takenDown({ atPlatform = {} }: { readonly atPlatform?: StateCounts }): number {
  return (atPlatform.refused ?? 0) + (atPlatform.removed ?? 0);
}

/** Long enough for a platform's message with its field errors, short enough for a log line and a table cell. */
const LONGEST_MESSAGE = 500;

/**
 * Text from outside, fit for a log line, a terminal and a text column: control characters, line separators,
 * direction marks and unpaired surrogates become blanks, runs of blanks one, and text beyond 500 characters is cut.
 */
export function oneLine(text: string): string {
  return oneLineUpTo(LONGEST_MESSAGE, text);
}

/** The same, cut beyond `longest` characters: its last one is then `…`. */
export function oneLineUpTo(longest: number, text: string): string {
  const flat = text
    .slice(0, 20 * longest)
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  const characters = [...flat];
  return characters.length <= longest ? flat : `${characters.slice(0, longest - 1).join('')}…`;
}

/** `a web page titled "Maintenance"`, from the beginning of its text. */
export function webPage(text = ''): string {
  const title = oneLineUpTo(LONGEST_TITLE, /<title[^>]*>([^<]*)/i.exec(text)?.[1] ?? '');
  return title === '' ? 'a web page' : `a web page titled "${title}"`;
}

const LONGEST_TITLE = 80;

/** Below this a difference says nothing: the `Date` header has whole seconds and a reply takes its time. */
const NOTABLE_SKEW_MS = 60_000;

/**
 * How far our clock is ahead of the platform's, in milliseconds (negative: behind), from a reply's `Date` header
 * and our time when the reply was complete. Null when the header is missing or unreadable.
 */
export function clockSkew(date: string | null, receivedAtMs: number): number | null {
  const platformTime = date === null ? null : parseHttpDate(date);
  return platformTime === null ? null : receivedAtMs - platformTime;
}

/** A sentence about a skew that may explain refused signatures, or null when it is small or unknown. */
export function describeClockSkew(skewMs: number | null): string | null {
  if (skewMs === null || Math.abs(skewMs) <= NOTABLE_SKEW_MS) return null;
  return `your clock is ${span(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'} the platform's`;
}

function span(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes < 2) return `${Math.round(ms / 1000)} s`;
  if (minutes < 120) return `${Math.round(minutes)} min`;
  const hours = minutes / 60;
  return hours < 48 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} days`;
}

/**
 * What the platform said, without the status that stands beside it: `Server Error` of `HTTP 500: Server Error` with the
 * status 500. Null: it said nothing else.
 */
export function withoutStatus(reason: string | null, statusCode: number | null): string | null {
  if (reason === null || statusCode === null) return reason;
  const status = `HTTP ${statusCode}`;
  if (reason === status) return null;
  // `HTTP 200 was not understood: data is missing` stays a sentence.
  if (reason.startsWith(`${status} was `)) return reason.slice(`${status} was `.length);
  return reason.startsWith(`${status}: `) ? reason.slice(status.length + 2) : reason;
}
