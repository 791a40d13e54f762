import type { Area } from '../names.js';
import { isObject } from './refusal.js';
import type { Answer, Reply } from './reply.js';
import { retryAfterDelay } from './waits.js';

/**
 * The table that says what every reply means where no adapter says so. The first row that fits decides. `judgeReply` makes a judgement of it.
 */

export interface JudgeContext {
  readonly method: 'PUT' | 'PATCH' | 'GET' | 'DELETE';
  /** Our clock, milliseconds since the epoch. */
  readonly now: number;
  /** An earlier attempt under the same Request-Id got no reply. */
  readonly reused?: boolean;
  /** The record vanished after the platform took it down: its end there is what is desired. */
  readonly takenDown?: boolean;
  /** Other records pass, so that a 2xx that says failure is about this one. */
  readonly othersPass?: boolean;
  /** Others passed a moment ago, so that a 503 asks to slow down. */
  readonly slowsDown?: boolean;
  /** Under which parent the record is sent; absent or null: none. */
  readonly parent?: { readonly field: string; readonly entity: string } | null;
  /** Name of the operation, for texts. */
  readonly operation?: string;
  /** Blocks that the area has of its own, for texts. */
  readonly own?: OwnBlocks | undefined;
}

/** What a reply may mean. `-unknown`: we no longer know what the platform holds. */
type ReplyMeaning =
  | 'accepted'
  | 'refused'
  | 'deferred'
  | 'deferred-unknown'
  | 'not-understood'
  | 'paused'
  | 'paused-unknown'
  | 'authentication-refused'
  | 'redirected'
  | 'request-refused'
  | 'missing';

/** A condition on an answer beside its status; `text` is for documentation. */
interface ReplyCondition {
  readonly text: string;
  readonly holds: (answer: Answer, context: JudgeContext) => boolean;
}

/** One row of the table. A part that is left out is not checked. */
export interface ReplyRule {
  /** Lowest and highest status of an answer, or why there is none. */
  readonly on: readonly [number, number] | 'unreachable' | 'silent';
  readonly methods?: readonly JudgeContext['method'][];
  readonly when?: ReplyCondition;
  readonly as: ReplyMeaning;
  /** Where the rule comes from. */
  readonly source: string;
}

const RESULT: ReplyCondition = {
  text: 'a result that is understood',
  holds: ({ result }) => result !== null,
};
const NOTHING: ReplyCondition = {
  text: '`data` is null or empty',
  holds: ({ nothing }) => nothing === true,
};
const FAILURE_AMONG_OTHERS: ReplyCondition = {
  text: 'says failure, while others pass',
  holds: ({ saysFailure }, { othersPass }) => saysFailure === true && othersPass === true,
};
/** A page of an edge that knows who connects by a certificate: nginx answers so, after a handshake without fault. */
export function asksForCertificate({ html, text = '' }: Pick<Answer, 'html' | 'text'>): boolean {
  return html && /\b(ssl|tls|client) certificate\b/i.test(text);
}

const CERTIFICATE_PAGE: ReplyCondition = {
  text: 'a web page about a client certificate',
  holds: asksForCertificate,
};
const NO_PAGE: ReplyCondition = { text: 'no web page', holds: ({ html }) => !html };
const OF_APPLICATION: ReplyCondition = { text: 'a JSON object', holds: ({ json }) => isObject(json) };
const REUSED: ReplyCondition = {
  text: 'an earlier attempt with this Request-Id had no reply',
  holds: (_, { reused }) => reused === true,
};
const GONE: ReplyCondition = {
  text: 'the end of a record that the platform took down, and no web page',
  holds: ({ html }, { takenDown }) => takenDown === true && !html,
};
const RETRY_AFTER: ReplyCondition = {
  text: 'Retry-After',
  holds: ({ retryAfter, date }, { now }) => retryAfterDelay(retryAfter, date, now) !== null,
};
const RETRY_AFTER_OF_APPLICATION: ReplyCondition = {
  text: 'Retry-After, and a JSON object',
  holds: (answer, context) => RETRY_AFTER.holds(answer, context) && OF_APPLICATION.holds(answer, context),
};

const SLOWS_DOWN: ReplyCondition = {
  text: 'others passed a moment ago',
  holds: (_, { slowsDown }) => slowsDown === true,
};
const SLOWS_DOWN_OF_APPLICATION: ReplyCondition = {
  text: 'others passed a moment ago, and a JSON object',
  holds: (answer, context) => SLOWS_DOWN.holds(answer, context) && OF_APPLICATION.holds(answer, context),
};

/** Statuses that cannot be about one record. */
const WAY_OF_ASKING: readonly (readonly [number, number])[] = [
  ...([
    [405, 406],
    [411, 412],
    [415, 415],
    [417, 417],
  ] as const),
  ...([
    [421, 421],
    [426, 426],
    [428, 428],
    [431, 431],
  ] as const),
];

const OTHERWISE: ReplyRule = {
  on: [0, Infinity],
  as: 'deferred-unknown',
  source: 'its effect is unknown',
};

/**
 * What each reply means; the first row that fits counts. The interface shows only 200 (interface §7), so the rest is the
 * meaning of HTTP, read with one question in mind: is it still known what the platform holds? Only a reply of the
 * application itself says so; a gateway's error page, a time-out or a lost connection may have come after the write.
 */
export const REPLY_RULES: readonly ReplyRule[] = [
  { on: 'unreachable', as: 'deferred', source: 'no connection, so nothing was sent' },
  { on: 'silent', as: 'deferred-unknown', source: 'sent, or perhaps sent, without a complete reply' },
  {
    on: [200, 299],
    methods: ['GET'],
    when: NOTHING,
    as: 'missing',
    source: 'assumed: a Find of an unknown id may be answered so',
  },
  {
    on: [200, 299],
    when: RESULT,
    as: 'accepted',
    source: 'interface §1 and §2',
  },
  {
    on: [200, 299],
    methods: ['PUT', 'PATCH', 'DELETE'],
    when: FAILURE_AMONG_OTHERS,
    as: 'refused',
    source: 'assumed: some services say so in a body under 200',
  },
  {
    on: [200, 299],
    as: 'not-understood',
    source: 'it may come from a proxy, or `reply` of `platform.adapter` says how to read it',
  },
  { on: [300, 399], as: 'redirected', source: 'a signed request never follows a redirect' },
  {
    on: [400, 499],
    when: CERTIFICATE_PAGE,
    as: 'authentication-refused',
    source: 'an edge such as nginx: no client certificate, or one that it refuses',
  },
  { on: [401, 401], as: 'authentication-refused', source: 'publicly documented' },
  {
    on: [403, 403],
    methods: ['PUT', 'PATCH', 'DELETE'],
    as: 'refused',
    source: 'HTTP: forbidden; a firewall also refuses single texts so',
  },
  { on: [403, 403], as: 'authentication-refused', source: 'HTTP: forbidden, also by an edge' },
  { on: [429, 429], as: 'paused', source: 'RFC 6585: not processed' },
  { on: [503, 503], when: RETRY_AFTER_OF_APPLICATION, as: 'paused', source: 'HTTP: the application is down' },
  { on: [503, 503], when: RETRY_AFTER, as: 'paused-unknown', source: 'HTTP: a gateway answered' },
  {
    on: [503, 503],
    when: SLOWS_DOWN_OF_APPLICATION,
    as: 'paused',
    source: 'a limit of requests, as a 429: the rate is lowered',
  },
  {
    on: [503, 503],
    when: SLOWS_DOWN,
    as: 'paused-unknown',
    source: 'so say nginx and HAProxy “slower”, as a 429: the rate is lowered',
  },
  {
    on: [404, 404],
    methods: ['DELETE'],
    when: NO_PAGE,
    as: 'accepted',
    source: 'the record to delete does not exist; a web page does not prove that',
  },
  {
    on: [404, 404],
    methods: ['PUT'],
    when: GONE,
    as: 'accepted',
    source: 'it is gone, as the source wants it',
  },
  {
    on: [410, 410],
    methods: ['PUT', 'DELETE'],
    when: GONE,
    as: 'accepted',
    source: 'HTTP: it was there, and is gone for good',
  },
  {
    on: [409, 409],
    methods: ['PATCH'],
    when: REUSED,
    as: 'accepted',
    source: 'assumed: the Request-Id was used, so that attempt was processed',
  },
  { on: [425, 425], as: 'deferred', source: 'RFC 8470: not processed' },
  {
    on: [409, 409],
    methods: ['PUT', 'PATCH'],
    as: 'deferred',
    source: 'assumed: the Request-Id was used; the next attempt has a new one',
  },
  { on: [408, 408], as: 'deferred-unknown', source: 'HTTP: the server gave up waiting, or a gateway did' },
  ...WAY_OF_ASKING.map((on): ReplyRule => ({
    on,
    methods: ['PUT', 'PATCH', 'DELETE'],
    as: 'request-refused',
    source: 'HTTP: about the way of asking, so every record would be refused',
  })),
  { on: [400, 499], as: 'refused', source: 'HTTP: the request is at fault' },
  { on: [501, 501], as: 'refused', source: 'HTTP: the platform does not have this method' },
  { on: [500, 500], when: OF_APPLICATION, as: 'deferred', source: 'HTTP: the application failed' },
  { on: [503, 503], when: OF_APPLICATION, as: 'deferred', source: 'HTTP: the application is down' },
  OTHERWISE,
];

/** The first rule that fits. Total: every status and every body has one. */
export function replyRule(reply: Reply, context: JudgeContext): ReplyRule {
  const fits = ({ on, methods, when }: ReplyRule): boolean => {
    if (reply.kind !== 'answered') return on === reply.kind;
    if (typeof on === 'string' || reply.status < on[0] || reply.status > on[1]) return false;
    return (methods?.includes(context.method) ?? true) && (when?.holds(reply, context) ?? true);
  };
  return REPLY_RULES.find(fits) ?? OTHERWISE;
}

/** Whether a payload is sent again after a reply of this status; null: there was none. */
export function isDeferred(status: number | null): boolean {
  if (status === null) return true;
  const bare = { result: null, malformed: null, json: undefined, html: false };
  const headers = { retryAfter: null, date: null, location: null, receivedAt: 0 };
  const { as } = replyRule({ kind: 'answered', status, ...bare, ...headers }, { method: 'PUT', now: 0 });
  return as === 'deferred' || as === 'deferred-unknown' || as === 'not-understood';
}

/** Blocks of `platform` that an area has of its own; each replaces the common one as a whole. */
export interface OwnBlocks {
  readonly area: Area;
  readonly blocks: readonly string[];
}

/** Our own text with the settings as they have to be written: in the area's block where that is what counts. */
export function nameOwnBlocks(text: string, own: OwnBlocks | undefined): string {
  if (own === undefined || own.blocks.length === 0) return text;
  return text.replace(/\bplatform\.(\w+)/g, (whole, block: string) =>
    own.blocks.includes(block) ? `platform.${own.area}.${block}` : whole,
  );
}
