import { uuidText } from '../key.js';
import { isObject, readRefusal } from '../reply/refusal.js';
import { fitsJudgement, type OwnBlocks } from '../reply/reply-rules.js';
import {
  type Answer,
  cachedFind,
  type ConfiguredJudgement,
  oneLine,
  type Reply,
  type ReplyLinks,
} from '../reply/reply.js';

/**
 * What a first contact has seen, when it ends early, and how a reply is read and described without values of the
 * record.
 */

/** What the settings in effect bear. */
export interface ProbeRules {
  /** Requests go over TLS. */
  readonly encrypted: boolean;
  /** Statuses that mean that a Put was done. */
  readonly accepted: { readonly parent: readonly number[]; readonly child: readonly number[] };
  /** Statuses with which a Put may come without a body. */
  readonly empty: readonly number[];
  /** Dotted path in the reply's `data`, or `platform-id`. */
  readonly reference: string;
  readonly judge: readonly ConfiguredJudgement[];
  readonly ratePerSecond: number | null;
  /** Blocks that the area has of its own. */
  readonly own?: OwnBlocks | undefined;
}

/** The reply to a Find, compared with what had just been put. Fields have their names in the body that was sent. */
export interface FoundRecord {
  /** The record in words: `company`. */
  readonly noun: string;
  readonly reply: Reply;
  /** Why nothing can be compared; null: something can. */
  readonly misfit: string | null;
  /** Fields that were sent and are shown; `as`: the type, where it is not the one that was sent. */
  readonly shown: readonly { readonly field: string; readonly as: string | null }[];
  /** Fields that were sent and are not shown, or as null. */
  readonly hidden: readonly string[];
  /** Fields that are shown with another value than was sent. */
  readonly differing: readonly string[];
}

/** The Put without one optional field, and what the Find shows of it then. */
export interface LeftOutField {
  readonly field: string;
  /** It was sent as null, because the settings say so; else it was left out. */
  readonly asNull: boolean;
  readonly put: Reply | null;
  readonly find: Reply | null;
  /** Null: not known. */
  readonly after: 'cleared' | 'kept' | 'changed' | null;
}

/** Everything a first contact has seen. Null: that request was not sent. */
export interface ProbeSeen {
  readonly rules: ProbeRules;
  /** Find of an id that no record has. */
  readonly unknownFind: Reply | null;
  /** The same with a wrong signature. */
  readonly wrongSignature: Reply | null;
  /** The parent, whole, the first time. */
  readonly put: Reply | null;
  readonly found: FoundRecord | null;
  /** The same Put again. */
  readonly putAgain: Reply | null;
  readonly leftOut: LeftOutField | null;
  /** The parent, whole, after the Put without a field. */
  readonly restored: Reply | null;
  /** The record in words that names the parent: `vacancy`; null: none was named. */
  readonly childNoun: string | null;
  /** The last one: where the parent was refused, it was sent again after a while. */
  readonly putChild: Reply | null;
  /** How long after the parent the child was sent for the last time, milliseconds; null: it was sent once. */
  readonly childAfterMs: number | null;
  readonly foundChild: FoundRecord | null;
  /** The body's field in which the child names its parent: `employer.id`. */
  readonly parentField: string;
  /** A Put with a Request-Id that was used before. */
  readonly repeated: Reply | null;
  /** Why the rest was not tried; null: everything was. */
  readonly ended: string | null;
}

/** Before the first request. `child`: of the record that names the parent; null: none was named. */
export function emptySeen(
  rules: ProbeRules,
  child: { readonly noun: string; readonly parentField: string } | null,
): ProbeSeen {
  return {
    rules,
    unknownFind: null,
    wrongSignature: null,
    put: null,
    found: null,
    putAgain: null,
    leftOut: null,
    restored: null,
    putChild: null,
    childAfterMs: null,
    foundChild: null,
    repeated: null,
    ended: null,
    childNoun: child?.noun ?? null,
    parentField: child?.parentField ?? '',
  };
}

/**
 * Why a first contact ends before its last check.
 * - `silent`: the platform does not answer, or asks to wait.
 * - `refused`: it answers, but not as the rest needs it.
 */
export interface ProbeEnd {
  readonly kind: 'silent' | 'refused';
  readonly because: string;
}

/**
 * Whether the rest can be tried after a reply; null: yes. A lost platform, refused credentials, a redirect and a web
 * page that says success concern every request; more requests after a 429 would be rude. `put`: the rest builds on what
 * this request put.
 */
export function endOf(
  reply: Reply,
  rules: Pick<ProbeRules, 'judge'>,
  { put = false }: { readonly put?: boolean } = {},
): ProbeEnd | null {
  const because = describeSeen(reply);
  if (reply.kind !== 'answered') return { kind: 'silent', because };
  if (isRefusedAuthentication(reply, rules)) {
    return { kind: 'refused', because: `the right signature was refused: ${because}` };
  }
  const { status, html } = reply;
  if (status >= 300 && status <= 399) return { kind: 'refused', because: `a redirect: ${because}` };
  if (html && status <= 299) {
    return { kind: 'refused', because: `something in front of the platform answers: ${because}` };
  }
  if (status === 429 || status >= 500) return { kind: 'silent', because };
  // A 2xx that the settings do not accept shows what the other checks ask for, all the same.
  return put && status >= 400 ? { kind: 'refused', because: `the Put was refused: ${because}` } : null;
}

/** Whether a reply says something about the request itself: no outage, no wish for fewer requests and no cache does. */
export function isConclusive(reply: Reply): reply is Answer {
  return reply.kind === 'answered' && reply.status !== 429 && reply.status < 500 && !reply.cache;
}

/** Whether the status of a reply means, under the settings in effect, that it was done. */
export function isAccepted(
  reply: Reply | null,
  rules: Pick<ProbeRules, 'judge' | 'accepted'>,
  of: 'parent' | 'child' = 'parent',
): boolean {
  if (reply?.kind !== 'answered') return false;
  const configured = configuredMeaning(reply, rules);
  return configured === null ? rules.accepted[of].includes(reply.status) : configured === 'accepted';
}

/** Whether the Put of a child was refused for its parent, or for nothing that is named. */
export function refusesParent(
  reply: Reply | null,
  { rules, parentField }: Pick<ProbeSeen, 'rules' | 'parentField'>,
): boolean {
  if (reply === null || !isConclusive(reply) || reply.status <= 299) return false;
  if (isAccepted(reply, rules, 'child')) return false;
  const [outer = parentField] = parentField.split('.');
  const { issues } = readRefusal(reply.json);
  return issues.length === 0 || issues.some(({ field }) => field === outer || field.startsWith(`${outer}.`));
}

/** Whether a reply means, under the settings in effect, that the platform does not accept the signature. */
export function isRefusedAuthentication(reply: Reply, rules: Pick<ProbeRules, 'judge'>): boolean {
  if (reply.kind !== 'answered') return false;
  const configured = configuredMeaning(reply, rules);
  if (configured !== null) return configured === 'authentication-refused';
  return reply.status === 401 || reply.status === 403;
}

type Meaning = ProbeRules['judge'][number]['as'];

/** What `platform.replies.judge` makes of a reply; null: no row of it fits. */
export function configuredMeaning(answer: Answer, { judge }: Pick<ProbeRules, 'judge'>): Meaning | null {
  return judge.find((row) => fitsJudgement(row, answer))?.as ?? null;
}

/** The reference that a reply to a Put gives, as the worker reads it and children name it; null: none. */
export function referenceOf(reply: Reply | null): ReplyLinks['reference'] {
  return reply?.kind === 'answered' ? (reply.links?.reference ?? null) : null;
}

/** Fields that are listed. */
const MOST_FIELDS = 12;

/** A reply in words: its status and the form of its body. The platform's own words may quote the record: without them. */
export function describeSeen(reply: Reply): string {
  if (reply.kind !== 'answered') {
    return `${reply.kind === 'unreachable' ? 'no connection' : 'no complete reply'} (${oneLine(reply.code)})`;
  }
  const { status, json, html } = reply;
  const body = html
    ? 'a web page'
    : json === undefined
      ? 'no JSON'
      : isObject(json)
        ? describeShape(json, 2)
        : `JSON, but a ${describeShape(json)}`;
  const { issues } = status >= 400 ? readRefusal(json) : { issues: [] };
  const fields = issues.length === 0 ? '' : `; about ${listFields(issues.map(({ field }) => field))}`;
  const cached = reply.cache ? `; ${cachedFind(reply.cache)}` : '';
  return `HTTP ${status}, ${body}${fields}${cached}`;
}

/** Names of fields, the first of them. */
export function listFields(names: readonly string[]): string {
  const unique = [...new Set(names)].map((name) => oneLine(name.slice(0, 60)));
  const more = unique.length > MOST_FIELDS ? [`${unique.length - MOST_FIELDS} more`] : [];
  return [...unique.slice(0, MOST_FIELDS), ...more].join(', ');
}

/** Names that are listed of one object. */
const MOST_NAMES = 12;
/** Longest name of a field, characters. */
const LONGEST_NAME = 40;

/** The type of a JSON value in one word. */
export function typeWord(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (value === undefined) return 'missing';
  if (typeof value === 'string') return uuidText(value) === null ? 'text' : 'uuid';
  if (typeof value === 'number') return Number.isInteger(value) ? 'whole number' : 'number';
  return typeof value === 'boolean' ? 'true or false' : 'object';
}

/** Names and types of a JSON value, without its values: `{data {id uuid, name text}, meta {}}`. Bounded. */
export function describeShape(value: unknown, depth = 2): string {
  if (!isObject(value)) return typeWord(value);
  if (depth === 0) return 'object';
  const names = Object.keys(value);
  const listed = names.slice(0, MOST_NAMES).map((name) => {
    const part = value[name];
    return `${fieldName(name)} ${describeShape(part, depth - 1)}`;
  });
  const more = names.length > MOST_NAMES ? [`${names.length - MOST_NAMES} more`] : [];
  return `{${[...listed, ...more].join(', ')}}`;
}

function fieldName(name: string): string {
  return oneLine(name.slice(0, LONGEST_NAME));
}
