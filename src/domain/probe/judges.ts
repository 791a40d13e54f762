import { type AnnouncedLimit, announcedLimit } from '../reply/rate-headers.js';
import { isObject, readRefusal, saysFailure, valueAt } from '../reply/refusal.js';
import { aboutDigest } from '../reply/judge-reply.js';
import {
  type Answer,
  clockSkew,
  describeClockSkew,
  failureCause,
  PLATFORM_ID,
  type Reply,
} from '../reply/reply.js';
import { counted } from '../text.js';
import {
  configuredMeaning,
  describeSeen,
  describeShape,
  endOf,
  type FoundRecord,
  isAccepted,
  isConclusive,
  isRefusedAuthentication,
  listFields,
  type ProbeSeen,
  referenceOf,
  typeWord,
  refusesParent,
} from './seen.js';

/**
 * What each check of a first contact says about the replies: one pure function a check, in the order of the checks.
 */

/**
 * - `confirmed`: the platform does what is assumed, or what the settings in effect bear.
 * - `differs`: it does something else; the setting of the check changes what is assumed.
 * - `unknown`: it was not tried, or the reply does not show it.
 */
export type CheckResult = 'confirmed' | 'differs' | 'unknown';

export interface Verdict {
  readonly result: CheckResult;
  /** What was seen: statuses, names and types of fields. No values of a record, no secrets. */
  readonly seen: string;
  /** What changes it; absent: the setting of the check. */
  readonly setting?: string;
}

const verdictOf =
  (result: CheckResult) =>
  (seen: string): Verdict => ({ result, seen });
const confirmed = verdictOf('confirmed');
const differs = verdictOf('differs');
const undecided = verdictOf('unknown');

/** For a request that was not sent. */
function notTried({ ended }: Pick<ProbeSeen, 'ended'>): Verdict {
  return undecided(ended === null ? 'not tried' : `not tried: ${ended}`);
}

/** What a failed connection means, by its cause or its code. */
const FAILURES: Readonly<Record<string, string>> = {
  certificate: 'the certificate is not trusted',
  proxy: 'the proxy refused it, or cannot be reached',
  'client-certificate': 'it asks for a client certificate, or refuses ours',
  'tls-alert': 'the platform ended the TLS handshake; usually it asks for a client certificate',
  token: 'the token endpoint of platform.oauth does not answer',
  'token-refused': 'the token endpoint of platform.oauth refuses the request',
  'not-http': 'it answers, but not in valid HTTP',
  'headers-too-large':
    'it answers with more than 16 kB of headers; NODE_OPTIONS=--max-http-header-size=65536 lets the worker read them',
  'unknown-host': 'the name of the host is not known',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  'wrong-scheme': 'http:// and https:// are mixed up: this port speaks the other one',
  ECONNREFUSED: 'nothing listens at this address',
  EPROTO: 'no version of TLS that both know',
};

/** A web page with success comes from something in front of the platform, whichever request it answers. */
export function judgeReachable(seen: ProbeSeen): Verdict {
  const { unknownFind, put, putAgain, rules } = seen;
  const first = unknownFind ?? put;
  if (first === null) return notTried(seen);
  if (first.kind !== 'answered') {
    const cause = FAILURES[failureCause(first) ?? ''] ?? FAILURES[first.code];
    return differs(`${describeSeen(first)}${cause === undefined ? '' : `: ${cause}`}`);
  }
  const { status } = first;
  if (status >= 300 && status <= 399) return differs(`HTTP ${status}, a redirect, which is never followed`);
  const page = first.html ? first : [put, putAgain].find((reply) => isPage(reply));
  if (page?.kind === 'answered') {
    return differs(`HTTP ${page.status}, a web page: something in front of the platform answers`);
  }
  return confirmed(`it answers over ${rules.encrypted ? 'https' : 'http'} (HTTP ${status})`);
}

function isPage(reply: ProbeSeen['put']): boolean {
  return reply?.kind === 'answered' && reply.html && reply.status <= 299;
}

export function judgeClock(seen: ProbeSeen): Verdict {
  const replies = [seen.unknownFind, seen.wrongSignature, seen.put].filter((reply) => reply !== null);
  if (replies.length === 0) return notTried(seen);
  for (const reply of replies) {
    const skew = reply.kind === 'answered' && !reply.cache ? clockSkew(reply.date, reply.receivedAt) : null;
    if (skew === null) continue;
    const words = describeClockSkew(skew);
    return words === null ? confirmed('less than a minute of difference') : differs(words);
  }
  return undecided('no reply has a Date header');
}

export function judgeWrongSignature(seen: ProbeSeen): Verdict {
  const { rules, unknownFind: right, wrongSignature: wrong } = seen;
  if (right !== null && isRefusedAuthentication(right, rules)) {
    return differs(`the right signature is refused: ${describeSeen(right)}${wordsOf(right)}`);
  }
  if (wrong?.kind !== 'answered') return notTried(seen);
  const text = `${describeSeen(wrong)}${codeOf(wrong)}`;
  if (wrong.cache) return undecided(text);
  if (isRefusedAuthentication(wrong, rules)) return confirmed(text);
  const taken = wrong.status === 404 || (wrong.status < 300 && !saysFailure(wrong.json));
  return differs(taken ? `it was accepted: ${text}` : text);
}

/** The platform's reason. Its words may be shown here, because this request names no record. */
function wordsOf(reply: Reply): string {
  const { message } = reply.kind === 'answered' ? readRefusal(reply.json) : { message: null };
  return message === null ? '' : `: “${message}”`;
}

/** A name of an error, as programs read it. Sentences may repeat parts of the request. */
const CODE = /^[A-Za-z][A-Za-z0-9]*([_.-][A-Za-z0-9]+)+$|^[A-Z]{4,}$/;

/** What `match` of a rule can look for; empty: nothing of this kind. */
function codeOf(reply: Reply): string {
  if (reply.kind !== 'answered' || !isObject(reply.json)) return '';
  const inner = [reply.json.error, reply.json.errors].filter(isObject);
  const texts = [reply.json, ...inner].flatMap((part) => [part.code, part.error, part.error_code, part.type]);
  const code = texts.find((text) => typeof text === 'string' && text.length <= 50 && CODE.test(text));
  return typeof code === 'string' ? `, code ${code}` : '';
}

export function judgeUnknownId(seen: ProbeSeen): Verdict {
  const { unknownFind: reply, rules } = seen;
  if (reply === null) return notTried(seen);
  const text = describeSeen(reply);
  if (reply.kind === 'answered' && reply.cache) return undecided(text);
  if (
    reply.kind === 'answered' &&
    (configuredMeaning(reply, rules) === 'missing' || reply.nothing === true)
  ) {
    return confirmed(text);
  }
  // What ends the probe says nothing about ids.
  if (endOf(reply, rules) !== null) return undecided(text);
  return reply.kind === 'answered' && reply.status === 404 && !reply.html ? confirmed(text) : differs(text);
}

export function judgePutStatus(seen: ProbeSeen): Verdict {
  const { put, putAgain, rules } = seen;
  if (put === null) return notTried(seen);
  if (put.kind !== 'answered') return undecided(describeSeen(put));
  // Of a record that is new, and of one that is there, the status may differ.
  const both = [put, putAgain].filter((reply) => reply?.kind === 'answered');
  const statuses = [...new Set(both.map(({ status }) => `HTTP ${status}`))].join(', then ');
  if (both.every((reply) => isAccepted(reply, rules))) return confirmed(statuses);
  const [other] = both.filter((reply) => !isAccepted(reply, rules));
  if (other === undefined) return differs(statuses);
  const setting = settingOfForm(other);
  return { ...differs(describeSeen(other)), ...(setting === null ? {} : { setting }) };
}

/** Where the form of the request is to blame, and not its record; null: nothing says so. */
function settingOfForm({ status, json }: Answer): string | null {
  if (status === 412 || status === 428)
    return 'platform.precondition (if-match sends the ETag of each record; if-match-or-none-match a condition for new ones too)';
  if (status === 415)
    return 'platform.requestEncoding (gzip compresses bodies; identity sends them as they are)';
  return status >= 400 && aboutDigest(readRefusal(json).message ?? '')
    ? 'platform.signature.digestHeader (the digest of the body as a header of its own)'
    : null;
}

/** `meta` is not needed. */
export function judgeEnvelope(seen: ProbeSeen): Verdict {
  const { put, rules } = seen;
  if (put === null) return notTried(seen);
  if (put.kind !== 'answered' || put.status > 299) return undecided(describeSeen(put));
  const { json, status, html } = put;
  if (isObject(json) && isObject(json.data)) {
    return confirmed(
      `${describeShape(json, 1)}${'meta' in json ? '' : ', without meta, which is not needed'}`,
    );
  }
  if (configuredMeaning(put, rules) === 'accepted') {
    return confirmed(`${describeSeen(put)}, which platform.replies.judge accepts`);
  }
  const bare = json === undefined && !html;
  return bare && rules.empty.includes(status)
    ? confirmed(`HTTP ${status} without a body`)
    : differs(describeSeen(put));
}

export function judgeReference(seen: ProbeSeen): Verdict {
  const { put, rules } = seen;
  if (put === null) return notTried(seen);
  if (rules.reference === PLATFORM_ID) return confirmed('not needed: children name the id of the path');
  if (put.kind !== 'answered' || put.status > 299) return undecided(describeSeen(put));
  const data = isObject(put.json) ? put.json.data : undefined;
  const reference = referenceOf(put);
  if (reference !== null) {
    // A platform that wraps its results in another way has it outside of data.
    const inData = valueAt(data, rules.reference) === reference;
    return confirmed(`${inData ? 'data.' : ''}${rules.reference} is ${typeWord(reference)}`);
  }
  if (!isObject(data)) return undecided('the reply has no data object');
  const value = valueAt(data, rules.reference);
  return differs(`data.${rules.reference} is ${typeWord(value)}; data is ${describeShape(data)}`);
}

/** Fields that are not shown are never compared, so they change nothing. */
export function judgeFindShape(seen: ProbeSeen): Verdict {
  const found = [seen.found, seen.foundChild].filter((each) => each !== null);
  if (found.length === 0) return notTried(seen);
  const verdicts = found.map((each) => ({ each, ...judgeFound(each) }));
  const worst =
    verdicts.find(({ result }) => result === 'differs') ??
    verdicts.find(({ result }) => result === 'unknown');
  const shown = worst ? [worst] : verdicts;
  const text = shown.map(({ each, seen: words }) => `${each.noun}: ${words}`).join('. ');
  return { result: worst?.result ?? 'confirmed', seen: text };
}

function judgeFound({ reply, misfit, shown, hidden, differing }: FoundRecord): Verdict {
  if (!isConclusive(reply)) return undecided(describeSeen(reply));
  if (reply.status > 299) return differs(`${describeSeen(reply)}, right after the Put`);
  if (misfit !== null) return differs(misfit);
  if (differing.length > 0) return differs(`another value than was sent: ${listFields(differing)}`);
  const typed = shown.flatMap(({ field, as }) => (as === null ? [] : [`${field} as ${as}`]));
  const parts = [
    `${shown.length} of ${shown.length + hidden.length} fields come back`,
    ...(typed.length === 0 ? [] : [`other types: ${listFields(typed)}`]),
    ...(hidden.length === 0 ? [] : [`not shown, so not compared: ${listFields(hidden)}`]),
  ];
  return confirmed(parts.join('; '));
}

/** A reference that changes makes the worker send all children again. */
export function judgeSameReference(seen: ProbeSeen): Verdict {
  const { put, putAgain, restored, rules } = seen;
  if (put === null || putAgain === null) return notTried(seen);
  if (rules.reference === PLATFORM_ID) return confirmed('not needed: children name the id of the path');
  const replies = [put, putAgain, restored].filter((reply) => reply !== null);
  const references = replies.map(referenceOf).filter((reference) => reference !== null);
  if (references.length < 2) return undecided('the replies give no reference to compare');
  if (new Set(references).size === 1) return confirmed(`the same in ${references.length} replies`);
  const ids = replies.map((reply) =>
    reply.kind === 'answered' ? valueAt(reply.json, 'data.id') : undefined,
  );
  const stable = rules.reference !== 'id' && ids[0] !== undefined && new Set(ids).size === 1;
  return differs(`another reference at every Put${stable ? '; data.id stays the same' : ''}`);
}

export function judgeAbsentField(seen: ProbeSeen): Verdict {
  const { leftOut, found } = seen;
  if (leftOut === null) {
    return found === null || seen.ended !== null
      ? notTried(seen)
      : undecided('not tried: the record has no optional text that the Find shows');
  }
  const { field, asNull, put, find, after } = leftOut;
  const what = `${field} ${asNull ? 'as null' : 'left out'}`;
  if (put === null) return notTried(seen);
  if (!isConclusive(put)) return undecided(`${what}: ${describeSeen(put)}`);
  if (put.status > 299) return differs(`${what} is refused: ${describeSeen(put)}`);
  if (find === null) return notTried(seen);
  if (after === 'cleared') return confirmed(`${what}: the platform cleared it`);
  if (after === 'kept') return differs(`${what}: the platform kept the former value`);
  if (after === 'changed') return undecided(`${what}: the Find shows a third value`);
  return undecided(`${what}: ${describeSeen(find)}`);
}

export function judgeParentReference(seen: ProbeSeen): Verdict {
  const { putChild, childNoun, foundChild, parentField, childAfterMs, rules } = seen;
  if (childNoun === null) return undecided('not tried: no vacancy was named (--vacancy)');
  if (putChild === null) {
    return seen.put !== null && seen.ended === null
      ? undecided('not tried: no reference is known')
      : notTried(seen);
  }
  const text = describeSeen(putChild);
  if (!isConclusive(putChild)) return undecided(text);
  const as = rules.reference === PLATFORM_ID ? 'the id of the path' : 'the reference';
  if (isAccepted(putChild, rules, 'child')) {
    if (childAfterMs !== null) return lateParent(text, childAfterMs);
    return foundChild?.differing.includes(parentField) === true
      ? differs(`${parentField}: the Find shows another one than ${as} that was sent`)
      : confirmed(`HTTP ${putChild.status} with ${as} as ${parentField}`);
  }
  if (putChild.status <= 299) return confirmed(`${text}, with ${as} as ${parentField}`);
  if (!refusesParent(putChild, seen)) return undecided(`refused for something else: ${text}`);
  const long = childAfterMs === null ? '' : `, also ${secondsOf(childAfterMs)} s after the company`;
  return differs(`refused with ${as} as ${parentField}${long}: ${text}`);
}

/** The reference is right: the platform needs time before it knows a new parent. */
function lateParent(text: string, afterMs: number): Verdict {
  return {
    ...differs(`late by ${secondsOf(afterMs)} s: refused before that, then ${text}`),
    setting: `settleAfter: ${2 * secondsOf(afterMs)}s in the block of the companies, so that vacancies of a new company are sent later; those that were rejected: placement-sync retry`,
  };
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.round(ms / 1000));
}

/** Only a change of an application's status is repeated under its own Request-Id, and only after no reply. */
export function judgeRequestIdReuse(seen: ProbeSeen): Verdict {
  const { put, repeated, rules } = seen;
  if (repeated === null) return notTried(seen);
  const text = describeSeen(repeated);
  if (!isConclusive(repeated)) return undecided(text);
  const alike = put?.kind === 'answered' && put.status === repeated.status;
  if (alike || isAccepted(repeated, rules)) {
    return confirmed(`HTTP ${repeated.status}: answered like the first one`);
  }
  return repeated.status === 409 ? confirmed('HTTP 409: it was used before') : differs(text);
}

/** Without such headers only a 429 says that a rate is too high. */
export function judgeRateHeaders(seen: ProbeSeen): Verdict {
  const answers = repliesOf(seen).filter((reply) => reply.kind === 'answered');
  if (answers.length === 0) return notTried(seen);
  if (answers.some(({ status }) => status === 429)) return differs('HTTP 429 at the rate of the settings');
  const names = answers.flatMap(({ rateHeaders = {} }) => Object.keys(rateHeaders));
  if (names.length === 0)
    return confirmed(`no such header in ${counted(answers.length, 'reply', 'replies')}`);
  const limits = answers.flatMap(({ rateHeaders = {} }) => announcedLimit(rateHeaders) ?? []);
  // The narrowest one counts.
  const [limit] = limits.sort((a, b) => a.requests / a.seconds - b.requests / b.seconds);
  if (limit === undefined) return undecided(`not understood: ${listFields(names)}`);
  return judgeLimit(limit, seen.rules.ratePerSecond);
}

function judgeLimit(limit: AnnouncedLimit, ratePerSecond: number | null): Verdict {
  const { header, requests, seconds, assumedMinute } = limit;
  const window = assumedMinute ? 'a minute, if it means what it usually does' : `${seconds} s`;
  const text = `${header}: ${requests} requests in ${window}`;
  const ours = ratePerSecond === null ? 'no limit' : `${ratePerSecond} a second`;
  const kept = ratePerSecond !== null && ratePerSecond * seconds <= requests;
  return kept ? confirmed(`${text}; ratePerSecond is ${ours}`) : differs(`${text}; ratePerSecond is ${ours}`);
}

function repliesOf(seen: ProbeSeen): readonly Reply[] {
  const { unknownFind, wrongSignature, put, found, putAgain, leftOut, restored, putChild, foundChild } = seen;
  const first = [unknownFind, wrongSignature, put, found?.reply, putAgain, leftOut?.put, leftOut?.find];
  const last = [restored, putChild, foundChild?.reply, seen.repeated];
  return [...first, ...last].filter((reply) => reply !== null && reply !== undefined);
}
