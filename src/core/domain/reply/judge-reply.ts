import type { JsonObject } from '../row.js';
import { grouped } from '../text.js';
import { causeText } from '../trouble/stop-causes.js';
import { adapterFailed, judgeAdapted } from './adapted.js';
import { announcedWait } from './rate-headers.js';
import { isObject, readRefusal } from './refusal.js';
import { asksForCertificate, type JudgeContext, nameOwnBlocks, replyRule } from './reply-rules.js';
import {
  ADAPTER_FAILED,
  type Answer,
  clockSkew,
  describeClockSkew,
  failureCause,
  type Judgement,
  type NoReply,
  oneLine,
  type Reply,
  type StopCause,
  webPage,
} from './reply.js';
import { retryAfterDelay } from './waits.js';

/** What a reply means for the record and for its area: what the adapter says, else by the table of `reply-rules.ts`. */
export function judgeReply(reply: Reply, context: JudgeContext): Judgement {
  const judgement = judge(reply, context);
  return 'hint' in judgement ? { ...judgement, hint: nameOwnBlocks(judgement.hint, context.own) } : judgement;
}

function judge(reply: Reply, context: JudgeContext): Judgement {
  if (reply.kind === 'answered' && reply.adapted) return judgeAdapted(reply, reply.adapted, context);
  const { as } = replyRule(reply, context);
  if (reply.kind !== 'answered') {
    if (reply.code === ADAPTER_FAILED) return adapterFailed(reply);
    const known = as !== 'deferred-unknown';
    const reached = reply.kind !== 'unreachable';
    const cause = failureCause(reply) ?? 'no-reply';
    return { ...deferred(known, null, withoutAnswer(reply)), reached, cause };
  }
  switch (as) {
    case 'accepted':
      return accepted(reply, context);
    case 'not-understood':
      return notUnderstood(reply);
    case 'refused':
      return refused(reply, context);
    case 'missing':
      return context.method === 'DELETE' || context.takenDown === true
        ? accepted(reply, context)
        : missing(reply, context);
    case 'deferred':
    case 'deferred-unknown':
      return {
        ...deferred(as === 'deferred', reply.status, `${describe(reply)}${duplicate(reply)}`),
        ...causeOfDelay(reply),
      };
    case 'paused':
    case 'paused-unknown':
      return paused(reply, as === 'paused', namedWait(reply, context.now));
    case 'authentication-refused':
      return authenticationRefused(reply);
    case 'redirected':
      return redirected(reply);
    case 'request-refused':
      return requestRefused(reply, context);
  }
}

/** Why a reply that judges nothing does so, as far as it shows that. A 408 is a time-out of the platform's own. */
function causeOfDelay({ status, html }: Answer): { readonly cause?: StopCause } {
  if (html) return { cause: 'page' };
  if (status === 408) return { cause: 'too-slow' };
  if (status >= 500) return { cause: 'failing' };
  return status >= 400 ? { cause: 'put-off' } : {};
}

function withoutAnswer({ kind, message, code }: NoReply): string {
  return `${kind === 'unreachable' ? 'Not reached' : 'No complete reply'}: ${message} (${code})`;
}

function accepted({ result, json, status }: Answer, { method }: JudgeContext): Judgement {
  const { reference, id } = (method === 'PUT' ? result : null) ?? { reference: null, id: null };
  const details = detailsOf(json, reference);
  return { kind: 'accepted', reference, remoteId: id, details, statusCode: status };
}

function notUnderstood({ status, malformed, html, hint = ADAPTER_READS }: Answer) {
  const message = oneLine(`HTTP ${status} was not understood: ${malformed ?? 'it has no result'}`);
  return {
    kind: 'not-understood',
    statusCode: status,
    message,
    hint,
    ...(html ? { cause: 'page' as const } : {}),
  } as const;
}

const ADAPTER_READS = 'The function reply of platform.adapter says what such a reply means.';

/**
 * Of an application's result only its status and `hired_at`: nothing personal. A reference that is a number, because the
 * ledger has it as text, and children name it as the platform does.
 */
function detailsOf(json: unknown, reference: string | number | null): JsonObject | null {
  const data = isObject(json) && isObject(json.data) ? json.data : {};
  // One reply that the ledger cannot hold (U+0000) would lose all outcomes of its group.
  const kept = Object.entries(data).flatMap(([field, value]) =>
    ['status', 'hired_at'].includes(field) && typeof value === 'string'
      ? [[field, oneLine(value)] as const]
      : [],
  );
  const details: JsonObject = {
    ...Object.fromEntries(kept),
    ...(typeof reference === 'number' ? { reference } : {}),
  };
  return Object.keys(details).length === 0 ? null : details;
}

function deferred(known: boolean, statusCode: number | null, message: string) {
  return { kind: 'deferred', known, reached: true, statusCode, message: oneLine(message) } as const;
}

/** What a refusal is that may come from a box before the platform. */
function unprovenOf(
  reply: Answer,
  { own }: JudgeContext,
): Pick<Extract<Judgement, { kind: 'refused' }>, 'unproven'> {
  if (reply.status !== 403 && !reply.html) return {};
  if (reply.status !== 403) return { unproven: { page: true, stop: null } };
  const stop = authenticationRefused(reply);
  return { unproven: { page: reply.html, stop: { ...stop, hint: nameOwnBlocks(stop.hint, own) } } };
}

function missing(reply: Answer, context: JudgeContext): Judgement {
  return { ...refused(reply, context), missing: true };
}

function refused(reply: Answer, context: JudgeContext): Extract<Judgement, { kind: 'refused' }> {
  const { message, issues } = readRefusal(reply.json);
  const { status, sentBytes } = reply;
  const size = status === 413 && sentBytes !== undefined ? ` (the body had ${grouped(sentBytes)} bytes)` : '';
  const said = `${message ?? describe(reply)}${size}`;
  const setting = reply.html
    ? null
    : (lateParent(context, said) ?? settingOfRefusal(reply.status, context, said));
  const full = setting === null ? said : oneLine(`${said} (${nameOwnBlocks(setting, context.own)})`);
  const failure = reply.saysFailure ? { failure: notUnderstood(reply) } : {};
  const namesFields = issues.length > 0 ? { namesFields: true as const } : {};
  return {
    kind: 'refused',
    statusCode: status,
    message: full,
    ...failure,
    ...namesFields,
    ...unprovenOf(reply, context),
  };
}

/** Words of a refusal because something is not there. */
const NOT_THERE =
  /not (be )?(found|known|exist)|unknown|no such|invalid|(tidak|belum) (di)?(temukan|kenal|ada|valid|terdaftar)/i;

/** The setting to look at when a child may be refused because its parent is new; null: it is not. */
function lateParent({ parent }: JudgeContext, words: string): string | null {
  // `compan` of companies and company.
  const named =
    parent && [parent.field, parent.entity.slice(0, 6)].some((name) => words.toLowerCase().includes(name));
  if (!named || !NOT_THERE.test(words)) return null;
  return `if the platform knows new ${parent.entity} only after some seconds, set settleAfter: 10s in entities.${parent.entity}, ${RETRY}`;
}

/** Of a 409 to a Put: the status alone is the same for a duplicate and for a Request-Id that was used. */
function duplicate({ status }: Answer): string {
  return status === 409
    ? ' (the platform has another record with the same reference, or took the Request-Id for used; it is tried again with a new one. If its words say duplicate, look for two keys for one record, here and at the platform; the function reply of platform.adapter can make it a rejection)'
    : '';
}

/** How long a reply asks to wait: in Retry-After, or until its rate is free again. */
function namedWait({ retryAfter, rateHeaders = {}, date }: Answer, now: number): number | null {
  return retryAfterDelay(retryAfter, date, now) ?? announcedWait(rateHeaders, date, now);
}

function paused(reply: Answer, known: boolean, delayMs: number | null): Judgement {
  return { kind: 'paused', known, delayMs, statusCode: reply.status, message: describe(reply) };
}

function authenticationRefused(reply: Answer): Extract<Judgement, { kind: 'stopped' }> {
  return {
    kind: 'stopped',
    code: 'authentication-refused',
    statusCode: reply.status,
    message: describe(reply),
    ...causeOfRefusal(reply),
  };
}

function causeOfRefusal(reply: Answer): { readonly cause?: StopCause; readonly hint: string } {
  const skew = describeClockSkew(clockSkew(reply.date, reply.receivedAt));
  if (skew !== null) {
    const hint = `The signature carries the time, and ${skew}: correct this machine's clock (NTP).`;
    return { cause: 'clock', hint };
  }
  if (reply.byProxy) return { cause: 'proxy', hint: `${reply.byProxy}.` };
  if (!reply.html) return { hint: CHECK_CREDENTIALS };
  const cause = asksForCertificate(reply) ? 'edge-certificate' : 'edge';
  const { says = '', hint = '' } = causeText(cause, 'en') ?? {};
  return { cause, hint: `${says} ${hint}` };
}

const CHECK_CREDENTIALS =
  'Check client id and secret: do they belong to the environment of the base URL (sandbox and production ' +
  'have separate ones)? `placement-sync sign` shows what is signed; platform.signature.profile has another form, and the function request of platform.adapter any other. ' +
  'A gateway’s own key belongs into platform.headers.';

/**
 * What to look at when a status is about the way of asking. The interface shows none of them, so each names where this
 * platform differs, or what stands in between.
 */
const WAYS_OF_ASKING: Readonly<Record<number, string>> = {
  405: 'It has another method or path for this operation: set both in platform.operations.OPERATION.',
  406: 'It needs another Accept: set it in platform.headers.',
  411: 'It misses the length of the body, which a proxy may have removed: check platform.proxy and what stands in between.',
  412: 'It wants another condition: one for all records belongs into platform.headers, for example { If-Match: "*" }; the function request of platform.adapter can send one for each.',
  415: 'It takes no JSON as it is sent: the function request of platform.adapter can send another form.',
  417: 'It refuses an Expect, which something in between has added: check platform.proxy.',
  421: 'The address belongs to another host: check baseUrl and platform.proxy.',
  426: 'It wants another version of HTTP or TLS: check that baseUrl begins with https, and ask its operator.',
  428: 'It wants a condition: one for all records belongs into platform.headers, for example { If-Match: "*" }; the function request of platform.adapter can send one for each.',
  431: 'The headers are too large: look at platform.headers, and at what a proxy adds.',
};

function requestRefused(reply: Answer, { operation }: JudgeContext): Judgement {
  const hint = WAYS_OF_ASKING[reply.status] ?? '';
  return {
    kind: 'stopped',
    code: 'request-refused',
    statusCode: reply.status,
    message: describe(reply),
    hint: `This cannot be about one record, so none is rejected. ${hint.replace('OPERATION', operation ?? 'OPERATION')}`,
  };
}

function redirected(reply: Answer): Judgement {
  const target = targetOf(reply.location);
  return {
    kind: 'stopped',
    code: 'redirected',
    statusCode: reply.status,
    message: describe(reply),
    hint: oneLine(
      `Signed requests never follow a redirect${target === null ? '' : ` (to ${target})`}: set the base URL to ` +
        'the address that answers directly, or the path in platform.operations if only that is another.',
    ),
  };
}

/**
 * Scheme and host, and a path only if it is the record's own: path and query of another redirect, such as one to a login
 * page, may carry tokens.
 */
function targetOf(location: string | null): string | null {
  if (location === null) return null;
  const absolute = location.startsWith('//') ? `https:${location}` : location;
  const path = (pathname: string) => (/%7Bid%7D/i.test(pathname) ? decodeId(pathname) : null);
  if (location.startsWith('/') && !location.startsWith('//'))
    return path(new URL(location, 'https://host.invalid').pathname) ?? 'another path of the same host';
  if (!URL.canParse(absolute)) return null;
  const { protocol, host, pathname } = new URL(absolute);
  return host === '' ? null : `${protocol}//${host}${path(pathname) ?? ''}`;
}

/** The record's id stands as `{id}` in a Location. */
function decodeId(pathname: string): string {
  return pathname.replace(/%7Bid%7D/gi, '{id}');
}

function describe(reply: Answer): string {
  const { status, malformed } = reply;
  const { message } = readRefusal(reply.json);
  const said = message ?? (reply.html ? webPage(reply.text) : (plainText(reply) ?? malformed));
  return oneLine(said === null ? `HTTP ${status}` : `HTTP ${status}: ${said}`);
}

/** Words that are not JSON. */
function plainText({ json, text = '' }: Answer): string | null {
  return json === undefined && text.trim() !== '' ? text : null;
}

/** Words of a refusal that may be about the signature or the credentials. */
const AUTHENTICATION = /signature|timestamp|client[-_ ]?id|unauthori[sz]ed|unauthenticated|credential/i;

/** Whether the words of a refusal are about the digest of the body. */
export function aboutDigest(words: string): boolean {
  return /\bdigest\b/i.test(words);
}

/** What the operator does once the setting is changed: what was refused stays refused. */
const RETRY = 'then `placement-sync retry`';

/**
 * The setting to look at when a refusal may be about the way of asking, not about the record; null: none. A Put creates
 * what does not exist, so a 404 to it may be about the path. `words`: those of the platform.
 */
export function settingOfRefusal(
  status: number,
  { method, operation }: Pick<JudgeContext, 'method' | 'operation'>,
  words: string,
): string | null {
  const at = `platform.operations${operation === undefined ? '' : `.${operation}`}`;
  if (status === 405 || status === 501)
    return `if the platform has another method, set it in ${at}, ${RETRY}`;
  if (status === 404 && method === 'PUT')
    return `if every record is answered like this, the platform may have another path: set it in ${at}, ${RETRY}`;
  if (status === 406) return `if the platform needs another Accept, set it in platform.headers, ${RETRY}`;
  if (method === 'GET') return null;
  if (aboutDigest(words))
    return `if the platform wants the digest of the body as a header, let the function request of platform.adapter add it, ${RETRY}`;
  if (AUTHENTICATION.test(words))
    return `if every record is answered like this, the function reply of platform.adapter can make it stop the area, ${RETRY}; placement-sync sign shows how requests are signed`;
  if (/\bnull\b/i.test(words))
    return `if the platform takes no null: \`absent: { COLUMN: omit }\` of the entity leaves the field out, ${RETRY}`;
  return null;
}

/**
 * How long a record waits after a transient failure, in milliseconds: between half and all of
 * min(`maxDelayMs`, `baseDelayMs` × 2ⁿ), n being the retries made before. The spread prevents that records that failed
 * together return together.
 *
 * @param attempts failed attempts so far, this one included (at least 1)
 * @param random a number from 0 up to, not including, 1
 */
export function backoffDelay(
  attempts: number,
  baseDelayMs: number,
  maxDelayMs: number,
  random: number,
): number {
  const longest = Math.min(maxDelayMs, baseDelayMs * 2 ** (Math.max(attempts, 1) - 1));
  return Math.round((longest / 2) * (1 + random));
}
