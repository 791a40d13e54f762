import { type AnnouncedLimit, announcedLimit } from '../../core/domain/reply/rate-headers.js';
import { isObject, readRefusal, saysFailure, valueAt } from '../../core/domain/reply/refusal.js';
import {
  ADAPTER_FAILED,
  clockSkew,
  describeClockSkew,
  failureCause,
  type NoReply,
  oneLineUpTo,
} from '../../core/domain/reply/reply.js';
import { scrubText } from '../../core/domain/scrub-text.js';
import { counted } from '../../core/domain/text.js';
import {
  describeSeen,
  describeShape,
  endOf,
  type FoundRecord,
  isConclusive,
  isPage,
  jsonOf,
  listFields,
  type ProbeEnd,
  type ProbeSeen,
  referenceOf,
  refusesParent,
  refusesSignature,
  type Seen,
  typeWord,
} from './seen.js';

/**
 * The assumptions about the platform that a first contact tries, one row each: what is assumed, how the replies decide, what
 * changes it. Judges are pure.
 */

/**
 * - `confirmed`: the platform does what is assumed, or what the adapter makes of it.
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

interface Check {
  readonly assumption: string;
  /** What changes the assumption. */
  readonly setting: string;
  readonly judge: (seen: ProbeSeen) => Verdict;
}

/** A check that was made. */
export interface CheckedAssumption extends Required<Verdict> {
  readonly id: CheckId;
  readonly assumption: string;
}

/** Longest text of what was seen, characters. */
const LONGEST = 400;

/** Every check by what was seen. `secrets`: never shown, wherever the platform repeats them. */
export function judgeProbe(seen: ProbeSeen, secrets: readonly string[]): readonly CheckedAssumption[] {
  return PROBE_CHECKS.map(({ id, assumption, setting, judge }) => {
    const verdict = judge(seen);
    const text = oneLineUpTo(LONGEST, scrubText(verdict.seen, secrets));
    return { id, assumption, result: verdict.result, seen: text, setting: verdict.setting ?? setting };
  });
}

/** 5: the platform does not answer; 3: something differs, also refused credentials; 0: everything is as assumed. */
export function probeExitCode(checks: readonly CheckedAssumption[], end: ProbeEnd | null): number {
  if (end?.kind === 'silent') return 5;
  return checks.some(({ result }) => result === 'differs') ? 3 : 0;
}

const REPLY = 'platform.adapter: reply';
const REQUEST = 'platform.adapter: request';

const ADDRESS = 'platform.jobs.baseUrl, platform.proxy, platform.ca, platform.clientCertificate';
const OPERATIONS = 'platform.operations.findCompany and findVacancy (path, or enabled: false)';

/** By id, which is public interface. In the order in which they are tried. */
const CHECKS = {
  reachable: {
    assumption: 'The base URL answers directly, over a connection that this machine trusts.',
    setting: ADDRESS,
    /** A web page with success comes from something in front of the platform, whichever request it answers. */
    judge: (seen) => {
      const { unknownFind, put, putAgain } = seen;
      const first = unknownFind ?? put;
      if (first === null) return notTried(seen);
      const { reply } = first;
      if (reply.kind !== 'answered') {
        if (reply.code === ADAPTER_FAILED)
          return { ...differs(describeSeen(first)), setting: 'platform.adapter' };
        return differs(`${describeSeen(first)}${causeOf(reply)}`);
      }
      const { status } = reply;
      if (status >= 300 && status <= 399)
        return differs(`HTTP ${status}, a redirect, which is never followed`);
      const page = reply.html ? first : [put, putAgain].find((each) => each !== null && isPage(each));
      if (page?.reply.kind === 'answered')
        return differs(`HTTP ${page.reply.status}, a web page: something in front of the platform answers`);
      return confirmed(`it answers (HTTP ${status})`);
    },
  },
  clock: {
    assumption: 'The clocks of this machine and of the platform differ by less than a minute.',
    setting: 'the clock of this machine (NTP)',
    judge: (seen) => {
      const replies = [seen.unknownFind, seen.wrongSignature, seen.put].filter((each) => each !== null);
      if (replies.length === 0) return notTried(seen);
      for (const { reply } of replies) {
        const skew =
          reply.kind === 'answered' && !reply.cache ? clockSkew(reply.date, reply.receivedAt) : null;
        if (skew === null) continue;
        const words = describeClockSkew(skew);
        return words === null ? confirmed('less than a minute of difference') : differs(words);
      }
      return undecided('no reply has a Date header');
    },
  },
  'wrong-signature': {
    assumption: 'The right signature is accepted, and a wrong one is answered with 401 or 403.',
    setting: REPLY,
    judge: (seen) => {
      const { unknownFind: right, wrongSignature: wrong } = seen;
      if (right !== null && refusesSignature(right))
        return {
          ...differs(`the right signature is refused: ${describeSeen(right)}${wordsOf(right)}`),
          setting: `platform.jobs.clientId, platform.jobs.clientSecret, platform.signature.profile, platform.headers; for another form ${REQUEST}`,
        };
      if (wrong?.reply.kind !== 'answered') return notTried(seen);
      const text = `${describeSeen(wrong)}${codeOf(wrong)}`;
      if (wrong.reply.cache) return undecided(text);
      if (refusesSignature(wrong)) return confirmed(text);
      const { status, json } = wrong.reply;
      const taken = status === 404 || (status < 300 && !saysFailure(json));
      return differs(taken ? `it was accepted: ${text}` : text);
    },
  },
  'unknown-id': {
    assumption: 'A Find of an id that no record has is answered with 404, or with an empty result.',
    setting: `${REPLY}; platform.operations.findCompany (path, or enabled: false)`,
    judge: (seen) => {
      const { unknownFind: find } = seen;
      if (find === null) return notTried(seen);
      const text = describeSeen(find);
      const { reply, judgement } = find;
      if (reply.kind === 'answered' && reply.cache) return undecided(text);
      const isUnknown = reply.kind === 'answered' && reply.status === 404 && !reply.html;
      if (judgement.kind === 'refused' && (judgement.missing || isUnknown)) return confirmed(text);
      // What ends the probe says nothing about ids.
      if (endOf(find) !== null) return undecided(text);
      return differs(text);
    },
  },
  'put-status': {
    assumption: 'A Put that is done is answered with 200 or 201.',
    setting: REPLY,
    judge: (seen) => {
      const { put, putAgain } = seen;
      if (put === null) return notTried(seen);
      if (put.reply.kind !== 'answered') return undecided(describeSeen(put));
      // Of a record that is new, and of one that is there, the status may differ.
      const both = [put, putAgain].filter((each) => each !== null);
      const other = both.find((each) => !isDone(each));
      if (other === undefined) return confirmed([...new Set(both.map(describeStatus))].join(', then '));
      return { ...differs(describeSeen(other)), setting: settingOfRefusal(other) };
    },
  },
  envelope: {
    assumption: 'The result of a Put is an object, in data.',
    setting: REPLY,
    judge: (seen) => {
      const { put } = seen;
      if (put === null) return notTried(seen);
      const { reply, judgement } = put;
      if (reply.kind !== 'answered' || reply.status > 299) return undecided(describeSeen(put));
      if (judgement.adapter && judgement.kind === 'accepted') return confirmed(describeSeen(put));
      const { json } = reply;
      if (!isObject(json) || !isObject(json.data)) return differs(describeSeen(put));
      return confirmed(
        `${describeShape(json, 1)}${'meta' in json ? '' : ', without meta, which is not needed'}`,
      );
    },
  },
  reference: {
    assumption: 'The reply to a Put gives the company’s reference, as text or as a whole number.',
    setting: REPLY,
    judge: (seen) => {
      const { put } = seen;
      if (put === null) return notTried(seen);
      if (put.reply.kind !== 'answered' || put.reply.status > 299) return undecided(describeSeen(put));
      const reference = referenceOf(put);
      if (reference !== null) return confirmed(`it is ${typeWord(reference)}`);
      const data = isObject(put.reply.json) ? put.reply.json.data : undefined;
      if (!isObject(data)) return undecided('the reply has no data object');
      return differs(`data.reference is ${typeWord(data.reference)}; data is ${describeShape(data)}`);
    },
  },
  'find-shape': {
    assumption: 'A Find shows what was put, in the fields that the contract names.',
    setting: REPLY,
    /** Fields that are not shown are never compared, so they change nothing. */
    judge: (seen) => {
      const found = [seen.found, seen.foundChild].filter((each) => each !== null);
      if (found.length === 0) return notTried(seen);
      const verdicts = found.map((each) => ({ noun: each.noun, ...judgeFound(each) }));
      const worst =
        verdicts.find(({ result }) => result === 'differs') ??
        verdicts.find(({ result }) => result === 'unknown');
      const shown = worst ? [worst] : verdicts;
      const { result, setting = REPLY } = worst ?? confirmed('');
      return { result, setting, seen: shown.map((each) => `${each.noun}: ${each.seen}`).join('. ') };
    },
  },
  'same-reference': {
    assumption: 'Every Put of a company gives the same reference.',
    setting: REPLY,
    /** A reference that changes makes the worker send all children again. */
    judge: (seen) => {
      const { put, putAgain } = seen;
      if (put === null || putAgain === null) return notTried(seen);
      const [first, second] = [referenceOf(put), referenceOf(putAgain)];
      if (first === null || second === null) return undecided('the replies give no reference to compare');
      if (first === second) return confirmed('the same in 2 replies');
      const [id, idAgain] = [put, putAgain].map((each) => valueAt(jsonOf(each), 'data.id'));
      const stable = id !== undefined && id === idAgain ? '; data.id stays the same' : '';
      return differs(`another reference at every Put${stable}`);
    },
  },
  'parent-reference': {
    assumption: 'A vacancy is accepted with the company’s reference as employer.id.',
    setting: REPLY,
    judge: (seen) => {
      const { put, child, putChild, foundChild, childAfterMs } = seen;
      if (child === null) return undecided('not tried: no vacancy was named (--vacancy)');
      if (putChild === null)
        return put !== null && seen.ended === null
          ? undecided('not tried: no reference is known')
          : notTried(seen);
      const text = describeSeen(putChild);
      const as = `with the reference as ${child.parentField}`;
      if (!isConclusive(putChild)) return undecided(text);
      if (refusesParent(putChild, child)) {
        const long = childAfterMs === null ? '' : `, also ${secondsOf(childAfterMs)} s after the company`;
        return differs(`refused ${as}${long}: ${text}`);
      }
      const { kind } = putChild.judgement;
      if (kind !== 'accepted' && kind !== 'not-understood')
        return undecided(`refused for something else: ${text}`);
      if (childAfterMs !== null) return lateParent(text, childAfterMs);
      return foundChild?.differing.includes(child.parentField) === true
        ? differs(`${child.parentField}: the Find shows another one than the reference that was sent`)
        : confirmed(`${describeStatus(putChild)} ${as}`);
    },
  },
  'rate-headers': {
    assumption: 'The platform takes as many requests as ratePerSecond allows, and announces no lower limit.',
    setting: 'platform.jobs.ratePerSecond',
    /** Without such headers only a 429 says that a rate is too high. */
    judge: (seen) => {
      const replies = [
        ...[seen.unknownFind, seen.wrongSignature, seen.put, seen.found, seen.putAgain],
        ...[seen.putChild, seen.foundChild],
      ].flatMap((each) => (each?.reply.kind === 'answered' ? [each.reply] : []));
      if (replies.length === 0) return notTried(seen);
      if (replies.some(({ status }) => status === 429))
        return differs('HTTP 429 at the rate of the settings');
      const names = replies.flatMap(({ rateHeaders = {} }) => Object.keys(rateHeaders));
      if (names.length === 0)
        return confirmed(`no such header in ${counted(replies.length, 'reply', 'replies')}`);
      const limits = replies.flatMap(({ rateHeaders = {} }) => announcedLimit(rateHeaders) ?? []);
      // The narrowest one counts.
      const [limit] = limits.sort((a, b) => a.requests / a.seconds - b.requests / b.seconds);
      if (limit === undefined) return undecided(`not understood: ${listFields(names)}`);
      return judgeLimit(limit, seen.ratePerSecond);
    },
  },
} satisfies Readonly<Record<string, Check>>;

export type CheckId = keyof typeof CHECKS;

/** Everything that a first contact finds out. */
export const PROBE_CHECKS = (Object.entries(CHECKS) as [CheckId, Check][]).map(([id, check]) => ({
  id,
  ...check,
}));

function confirmed(seen: string): Verdict {
  return { result: 'confirmed', seen };
}

function differs(seen: string): Verdict {
  return { result: 'differs', seen };
}

function undecided(seen: string): Verdict {
  return { result: 'unknown', seen };
}

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
  'not-http': 'it answers, but not in valid HTTP',
  'headers-too-large':
    'it answers with more than 16 kB of headers; NODE_OPTIONS=--max-http-header-size=65536 lets the worker read them',
  'unknown-host': 'the name of the host is not known',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  'wrong-scheme': 'http:// and https:// are mixed up: this port speaks the other one',
  ECONNREFUSED: 'nothing listens at this address',
  EPROTO: 'no version of TLS that both know',
};

function causeOf(reply: NoReply): string {
  const cause = FAILURES[failureCause(reply) ?? ''] ?? FAILURES[reply.code];
  return cause === undefined ? '' : `: ${cause}`;
}

/** The platform's reason. Its words may be shown here, because this request names no record. */
function wordsOf(seen: Seen): string {
  const { message } = readRefusal(jsonOf(seen));
  return message === null ? '' : `: “${message}”`;
}

/** A name of an error, as programs read it. Sentences may repeat parts of the request. */
const CODE = /^[A-Za-z][A-Za-z0-9]*([_.-][A-Za-z0-9]+)+$|^[A-Z]{4,}$/;

/** What an adapter can look for; empty: nothing of this kind. */
function codeOf(seen: Seen): string {
  const json = jsonOf(seen);
  if (!isObject(json)) return '';
  const inner = [json.error, json.errors].filter(isObject);
  const texts = [json, ...inner].flatMap((part) => [part.code, part.error, part.error_code, part.type]);
  const code = texts.find((text) => typeof text === 'string' && text.length <= 50 && CODE.test(text));
  return typeof code === 'string' ? `, code ${code}` : '';
}

/** Whether a Put has the status of one that was done, whatever its body says. */
function isDone({ reply, judgement }: Seen): boolean {
  if (reply.kind !== 'answered') return true;
  if (judgement.adapter) return judgement.kind === 'accepted';
  return reply.status === 200 || reply.status === 201;
}

function describeStatus({ reply }: Seen): string {
  return reply.kind === 'answered' ? `HTTP ${reply.status}` : 'no reply';
}

/** What changes a Put that was not done: its address, its form, its record, or how the reply is read. */
function settingOfRefusal({ reply, judgement }: Seen): string {
  const { status, json } = reply.kind === 'answered' ? reply : { status: 0, json: undefined };
  if (judgement.adapter || status < 400) return REPLY;
  if ([404, 405].includes(status))
    return 'platform.operations.putCompany (method, path), platform.jobs.baseUrl';
  if (judgement.kind === 'deferred') return REPLY;
  return readRefusal(json).issues.length === 0
    ? REQUEST
    : 'the row of the company; entities.companies.absent (omit) where null is refused';
}

function judgeFound(found: FoundRecord): Verdict {
  const { reply, misfit, shown, hidden, differing } = found;
  if (reply.kind !== 'answered' || !isConclusive(found)) return undecided(describeSeen(found));
  if (reply.status > 299)
    return { ...differs(`${describeSeen(found)}, right after the Put`), setting: OPERATIONS };
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

function judgeLimit(limit: AnnouncedLimit, ratePerSecond: number | null): Verdict {
  const { header, requests, seconds, assumedMinute } = limit;
  const window = assumedMinute ? 'a minute, if it means what it usually does' : `${seconds} s`;
  const ours = ratePerSecond === null ? 'no limit' : `${ratePerSecond} a second`;
  const text = `${header}: ${requests} requests in ${window}; ratePerSecond is ${ours}`;
  return ratePerSecond !== null && ratePerSecond * seconds <= requests ? confirmed(text) : differs(text);
}
