import { uuidText } from '../../core/domain/key.js';
import { isObject, readRefusal } from '../../core/domain/reply/refusal.js';
import {
  cachedFind,
  type Judgement,
  oneLine,
  type Reply,
  type ReplyLinks,
} from '../../core/domain/reply/reply.js';

/**
 * What a first contact has seen, when it ends early, and how a reply is read and described without values of the
 * record.
 */

/** A reply, and what a run would make of it: the partner's adapter first. */
export interface Seen {
  readonly reply: Reply;
  readonly judgement: Judgement;
}

/** The reply to a Find, compared with what had just been put. Fields have their names in the body that was sent. */
export interface FoundRecord extends Seen {
  /** The record in words: `company`. */
  readonly noun: string;
  /** Why nothing can be compared; null: something can. */
  readonly misfit: string | null;
  /** Fields that were sent and are shown; `as`: the type, where it is not the one that was sent. */
  readonly shown: readonly { readonly field: string; readonly as: string | null }[];
  /** Fields that were sent and are not shown, or as null. */
  readonly hidden: readonly string[];
  /** Fields that are shown with another value than was sent. */
  readonly differing: readonly string[];
}

/** Everything a first contact has seen. Null: that request was not sent. */
export interface ProbeSeen {
  readonly ratePerSecond: number | null;
  /** Find of an id that no record has. */
  readonly unknownFind: Seen | null;
  /** The same with a wrong signature. */
  readonly wrongSignature: Seen | null;
  readonly put: Seen | null;
  readonly found: FoundRecord | null;
  /** The same Put again. */
  readonly putAgain: Seen | null;
  /** Of the record that names the parent, and its field for that, such as `employer.id`; null: none was named. */
  readonly child: { readonly noun: string; readonly parentField: string } | null;
  /** The last one: where the parent was refused, it was sent again after a while. */
  readonly putChild: Seen | null;
  /** How long after the parent the child was sent for the last time, milliseconds; null: it was sent once. */
  readonly childAfterMs: number | null;
  readonly foundChild: FoundRecord | null;
  /** Why the rest was not tried; null: everything was. */
  readonly ended: string | null;
}

/** Before the first request. */
export function emptySeen(ratePerSecond: number | null, child: ProbeSeen['child']): ProbeSeen {
  return {
    ...{ ratePerSecond, child, unknownFind: null, wrongSignature: null, put: null, found: null },
    ...{ putAgain: null, putChild: null, childAfterMs: null, foundChild: null, ended: null },
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
export function endOf(seen: Seen, { put = false }: { readonly put?: boolean } = {}): ProbeEnd | null {
  const because = describeSeen(seen);
  const { reply, judgement } = seen;
  if (reply.kind !== 'answered') return { kind: 'silent', because };
  if (refusesSignature(seen))
    return { kind: 'refused', because: `the right signature was refused: ${because}` };
  if (judgement.kind === 'stopped' && judgement.code === 'redirected')
    return { kind: 'refused', because: `a redirect: ${because}` };
  if (isPage(seen))
    return { kind: 'refused', because: `something in front of the platform answers: ${because}` };
  if (asksToWait(seen)) return { kind: 'silent', because };
  // A 2xx that is not understood shows what the other checks ask for, all the same.
  const refused = judgement.kind !== 'accepted' && judgement.kind !== 'not-understood';
  return put && refused ? { kind: 'refused', because: `the Put was refused: ${because}` } : null;
}

/** A success that is a web page: something in front of the platform answers. */
export function isPage({ reply, judgement }: Seen): boolean {
  return reply.kind === 'answered' && reply.html && reply.status <= 299 && !judgement.adapter;
}

/** An outage, or a wish for fewer requests. */
function asksToWait({ reply, judgement }: Seen): boolean {
  if (reply.kind !== 'answered') return true;
  if (judgement.adapter) return judgement.kind === 'deferred' || judgement.kind === 'paused';
  return reply.status === 429 || reply.status >= 500;
}

/** Whether a reply says something about the request itself: no outage, no wish for fewer requests and no cache does. */
export function isConclusive(seen: Seen): boolean {
  return !asksToWait(seen) && !(seen.reply.kind === 'answered' && seen.reply.cache);
}

/** Whether a reply means that the platform does not accept the signature; an adapter stops the area then. */
export function refusesSignature({ reply, judgement }: Seen): boolean {
  if (reply.kind !== 'answered') return false;
  if (judgement.adapter) return judgement.kind === 'stopped';
  return reply.status === 401 || reply.status === 403;
}

/** Whether the Put of a child was refused for its parent, or for nothing that is named. */
export function refusesParent(seen: Seen | null, child: ProbeSeen['child']): boolean {
  if (seen === null || child === null || !isConclusive(seen) || seen.judgement.kind !== 'refused')
    return false;
  const [outer = child.parentField] = child.parentField.split('.');
  const { issues } = readRefusal(jsonOf(seen));
  return issues.length === 0 || issues.some(({ field }) => field === outer || field.startsWith(`${outer}.`));
}

/** The reference that a reply to a Put gives, as the worker reads it and children name it; null: none. */
export function referenceOf(seen: Seen | null): ReplyLinks['reference'] {
  return seen?.reply.kind === 'answered' ? (seen.reply.links?.reference ?? null) : null;
}

export function jsonOf({ reply }: Seen): unknown {
  return reply.kind === 'answered' ? reply.json : undefined;
}

/** Fields that are listed. */
const MOST_FIELDS = 12;

/** A reply in words: its status and the form of its body. The platform's own words may quote the record: without them. */
export function describeSeen({ reply, judgement }: Seen): string {
  if (reply.kind !== 'answered') {
    if (judgement.adapter && 'message' in judgement) return judgement.message;
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
  const decided = judgement.adapter ? `; the adapter decides: ${judgement.kind}` : '';
  return `HTTP ${status}, ${body}${fields}${cached}${decided}`;
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
  const listed = names
    .slice(0, MOST_NAMES)
    .map((name) => `${oneLine(name.slice(0, LONGEST_NAME))} ${describeShape(value[name], depth - 1)}`);
  const more = names.length > MOST_NAMES ? [`${names.length - MOST_NAMES} more`] : [];
  return `{${[...listed, ...more].join(', ')}}`;
}
