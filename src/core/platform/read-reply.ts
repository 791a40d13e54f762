import type { AdapterJudgement, AdapterReply } from '../contract/adapter.js';
import type { Operation } from '../contract/operation.js';
import { isObject, readRefusal, saysFailure, valueAt } from '../domain/reply/refusal.js';
import {
  type Answer,
  oneLine,
  oneLineUpTo,
  type ReplyGap,
  type ReplyLinks,
  webPage,
} from '../domain/reply/reply.js';
import type { JsonObject } from '../domain/row.js';
import { childrenOf, ENTITIES } from '../entities/index.js';

/**
 * What the rest of the program sees of a reply. Its bytes become a text, and the text JSON, whatever its content type
 * says. The links are read (`readLinks`). A success is checked for what is needed of it, and no more: `data`, and the
 * reference where children need it (`findGap`); what is missing is put into words (`describeGap`). Secrets that a server
 * repeats are hidden.
 */

/** A complete HTTP reply, as bytes. */
export interface HttpReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

type ReadOperation = Pick<Operation, 'name' | 'title' | 'entity' | 'kind'>;

interface ReadingOptions {
  readonly operation: ReadOperation;
  readonly platformId: string;
  /** Our clock when the reply was complete, milliseconds since the epoch. */
  readonly receivedAt: number;
  /** As of a reply. */
  readonly sentBytes?: number | undefined;
  readonly byProxy?: string | null;
  /** Texts that a server might repeat and nobody may see: the secret, the signature. */
  readonly secrets?: readonly string[];
}

/** What a 2xx lacks. */
type Gap =
  | { readonly part: 'page'; readonly shown: string }
  | { readonly part: 'body'; readonly status: number }
  /** `beyond`: it is JSON, but none that can be a record. */
  | { readonly part: 'json'; readonly status: number; readonly beyond: boolean }
  | { readonly part: 'failure' | 'data'; readonly status: number; readonly json: unknown }
  | { readonly part: 'reference'; readonly json: unknown };

/** So much of a body is kept as text, for rules of the configuration. */
const KEPT_CHARACTERS = 65_536;

export function readReply(reply: HttpReply, options: ReadingOptions): Answer {
  const { operation, platformId, receivedAt, secrets = [] } = options;
  const cache = operation.kind === 'GET' ? cacheOf(reply) : null;
  const { status } = reply;
  const success = status >= 200 && status <= 299;
  const text = readText(reply.body, header(reply, 'content-type'));
  const parsed = parseReply(text);
  const html = parsed === undefined && looksLikeHtml(text, header(reply, 'content-type'));
  const links = readLinks(parsed, operation);
  const needed = operation.kind === 'PUT' && childrenOf(operation.entity).length > 0;
  const unlinked: Gap | null =
    needed && links.reference === null ? { part: 'reference', json: parsed } : null;
  const gap = success ? findGap({ status, text, json: parsed, html, unlinked }, operation) : null;
  const clean = holdsNone(text, secrets);
  const hidden = <Value>(value: Value) => (clean ? value : (withoutSecrets(value, secrets) as Value));
  return {
    kind: 'answered',
    status,
    result: success && gap === null ? resultOf(parsed, links, operation) : null,
    ...(success && gap === null && operation.kind === 'GET' && isNothing(parsed) ? { nothing: true } : {}),
    malformed: status === 101 ? 'the server changed to another protocol' : null,
    ...(gap?.part === 'failure' ? { saysFailure: true } : {}),
    ...(gap === null ? {} : hidden(describeGap(gap, operation))),
    links: { ...links, gap: unlinked === null ? null : hidden(describeGap(unlinked, operation)) },
    json: hidden(parsed),
    text: hidden(text.slice(0, KEPT_CHARACTERS)),
    html,
    retryAfter: header(reply, 'retry-after'),
    ...(cache === null ? {} : { cache: withoutSecrets(cache, secrets) as string }),
    ...(options.sentBytes === undefined ? {} : { sentBytes: options.sentBytes }),
    ...(options.byProxy ? { byProxy: options.byProxy } : {}),
    date: header(reply, 'date'),
    location: header(reply, 'location')?.replaceAll(platformId, '{id}') ?? null,
    rateHeaders: rateHeaders(reply),
    receivedAt,
  };
}

/** The reply as the partner's adapter sees it. */
export function adapterReply(reply: HttpReply): AdapterReply {
  const text = readText(reply.body, header(reply, 'content-type'));
  const headers = Object.entries(reply.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] as const],
  );
  return { status: reply.status, headers: Object.fromEntries(headers), text, json: parseReply(text) };
}

/** The same reply with what the adapter makes of it: links and data are the adapter's, where it names them. */
export function adapted(answer: Answer, verdict: AdapterJudgement, operation: ReadOperation): Answer {
  const { saysFailure: _, nothing: __, hint: ___, ...rest } = answer;
  const read = 'found' in verdict ? readLinks({ data: verdict.found }, operation) : answer.links;
  const named = 'accepted' in verdict ? verdict.accepted : {};
  const id = named.id ?? read?.id ?? null;
  const links = {
    id: id === null ? null : String(id),
    reference: named.reference ?? read?.reference ?? null,
  };
  const { kind, entity } = operation;
  const unlinked = kind === 'PUT' && childrenOf(entity).length > 0 && links.reference === null;
  const gap = unlinked ? (answer.links?.gap ?? null) : null;
  const data = 'found' in verdict ? { data: verdict.found as JsonObject } : {};
  const result = 'accepted' in verdict || 'found' in verdict ? { ...links, ...data } : null;
  return { ...rest, result, malformed: null, links: { ...links, gap }, adapted: verdict };
}

/** `charset` of a content type. */
const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]+)"?/i;

/** A body as text: as its byte order mark or its content type says, else UTF-8. Without a byte order mark. */
function readText(body: Buffer, contentType: string | null): string {
  const marked = body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : null;
  const name = marked ?? CHARSET.exec(contentType ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(name).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

function header({ headers }: HttpReply, name: string): string | null {
  const value = headers[name];
  return (typeof value === 'string' ? value : value?.[0]) ?? null;
}

/** `X-Cache`, `CF-Cache-Status` and the like, and the word in them. Squid also says what it had and did not use. */
const CACHE_HEADER = /^(?!x-cache-lookup)(\w+-)*cache(-status)?$/;
const HIT = /(^|[^a-z])hit([^a-z]|$)/i;

/** By what a cache can be found that has answered itself: it names an age, or a hit. Null: none has. */
function cacheOf(reply: HttpReply): string | null {
  const value = (name: string) => header(reply, name) ?? '';
  const hits = Object.keys(reply.headers).filter((name) => CACHE_HEADER.test(name) && HIT.test(value(name)));
  if (hits.length === 0 && !(parseFloat(value('age')) > 0)) return null;
  const names = ['via', 'server', 'x-served-by', 'x-varnish', ...hits, 'age'].filter(
    (name) => value(name) !== '',
  );
  return oneLineUpTo(LONGEST, names.map((name) => `${name}: ${value(name)}`).join('; '));
}

/** A text, which stays as it is, or a number. */
const TEXTS_AND_NUMBERS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** A whole number of more digits than a number of this language is sure to hold. */
const LONG = /^-?\d{16,}$/;

/**
 * A body as JSON; undefined when it is not JSON, or nothing that can be compared and stored: nested too deep, or with a
 * number beyond all that this language has (`1e400`). A whole number that would lose digits becomes a text: an id must
 * come back to the platform as it was.
 */
function parseReply(text: string): unknown {
  try {
    const json = JSON.parse(text) as unknown;
    if (!isReadable(json)) return undefined;
    if (!/\d{16}/.test(text)) return json;
    const exact = text.replace(TEXTS_AND_NUMBERS, (token) =>
      LONG.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
    );
    return JSON.parse(exact) as unknown;
  } catch {
    return undefined;
  }
}

/** Objects and lists within each other. Replies of the interface have four; whoever reads one goes down by calling itself. */
const DEEPEST = 50;

function isReadable(value: unknown, deepest = DEEPEST): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return deepest > 0 && Object.values(value).every((inner) => isReadable(inner, deepest - 1));
}

function looksLikeHtml(text: string, contentType: string | null): boolean {
  return /^\s*(text\/html|application\/xhtml)/i.test(contentType ?? '') || /^\s*<(!doctype|html)/i.test(text);
}

/**
 * The links in the reply's `data`. A Find shows a record in another shape than a Put, so there they may stand in
 * any object that bears the record.
 */
export function readLinks(json: unknown, { name, kind }: Pick<Operation, 'name' | 'kind'>): ReplyLinks {
  const data = isObject(json) && isObject(json.data) ? json.data : null;
  const readBack = ENTITIES.find((entity) => entity.readBack?.find === name)?.readBack;
  const containers = (kind === 'GET' ? readBack?.containers : null) ?? [''];
  const inData = (field: string) =>
    containers
      .map((path) => linkAt(data, path === '' ? field : `${path}.${field}`))
      .find((link) => link !== null) ?? null;
  const id = inData('id');
  return { id: id === null ? null : String(id), reference: inData('reference') };
}

const LONGEST = 200;

/** The value at a dotted path, if it can be a link: text of usual characters, or a whole number; null otherwise. */
function linkAt(value: unknown, path: string): string | number | null {
  const found = valueAt(value, path);
  if (typeof found === 'number') return Number.isSafeInteger(found) ? found : null;
  if (typeof found !== 'string' || found.trim() === '' || found.length > LONGEST) return null;
  // What the ledger cannot hold would lose all outcomes of a group.
  return /[\p{Cc}\p{Cs}]/u.test(found) ? null : found;
}

interface Body {
  readonly status: number;
  readonly text: string;
  readonly json: unknown;
  readonly html: boolean;
  /** The reference is missing although children need it. */
  readonly unlinked: Gap | null;
}

/**
 * What a 2xx lacks, so that nobody can say what the platform did; null: nothing. A web page is from a proxy. The reply to a
 * delete is not shown anywhere, so it may have any body, or none.
 */
function findGap({ status, text, json, html, unlinked }: Body, { kind }: ReadOperation): Gap | null {
  const empty = text.trim() === '';
  if (html) return { part: 'page', shown: webPage(text) };
  if (saysFailure(json)) return { part: 'failure', status, json };
  if (kind === 'DELETE') return null;
  if (empty) return { part: 'body', status };
  if (json === undefined) return { part: 'json', status, beyond: isBeyondReading(text) };
  if (kind === 'GET' && isNothing(json)) return null;
  if (!isObject(json) || !isObject(json.data)) return { part: 'data', status, json };
  return unlinked;
}

/** Whether a body that `parseReply` does not take is JSON nevertheless: too deep, or with a number too large. */
function isBeyondReading(text: string): boolean {
  try {
    return !isReadable(JSON.parse(text));
  } catch {
    return false;
  }
}

/** A Find's reply whose result is there and is null or empty. */
function isNothing(json: unknown): boolean {
  if (!isObject(json) || !Object.hasOwn(json, 'data')) return false;
  return json.data === null || (typeof json.data === 'object' && Object.keys(json.data).length === 0);
}

/** The reply to a Put has a few hundred. */
const USUAL_CHARACTERS = 2_048;

/**
 * Whether a usual body surely has no secret, so that nobody needs to look at each of its values. An escape may hide one, and
 * a long body may be nested deeper than what follows can read.
 */
function holdsNone(text: string, secrets: readonly string[]): boolean {
  return (
    text.length <= USUAL_CHARACTERS &&
    !text.includes('\\') &&
    !secrets.some((secret) => text.includes(secret))
  );
}

/** A shorter text is no secret, but stands in many words. */
const SHORTEST = 8;

/** A text or JSON value in which `***` stands for each of `secrets`, also where a slash is escaped. */
function withoutSecrets(value: unknown, secrets: readonly string[]): unknown {
  const known = secrets
    .filter((secret) => secret.length >= SHORTEST)
    .flatMap((secret) => [secret, secret.replaceAll('/', '\\/')])
    .sort((a, b) => b.length - a.length);
  return known.length === 0 ? value : hide(value, known, DEEPEST);
}

function hide(value: unknown, known: readonly string[], depth: number): unknown {
  if (typeof value === 'string') return known.reduce((rest, secret) => rest.replaceAll(secret, '***'), value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  const within = (inner: unknown) => hide(inner, known, depth - 1);
  if (Array.isArray(value)) return value.map(within);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [within(name) as string, within(inner)]),
  );
}

function resultOf(json: unknown, links: ReplyLinks, { kind }: ReadOperation): Answer['result'] {
  const { id, reference } = links;
  if (kind !== 'GET' || !isObject(json) || !isObject(json.data)) return { id, reference };
  return { id, reference, data: json.data as JsonObject };
}

/**
 * The missing part, and what says where it is. The hint is our own text, because notices show it; the names of
 * the fields that the platform sent are in `malformed`.
 */
function describeGap(gap: Gap, { title }: ReadOperation): ReplyGap {
  switch (gap.part) {
    case 'page':
      return {
        malformed: `the body is ${gap.shown}`,
        hint: `The reply to ${title} is a web page, so a proxy or the edge answers in place of the platform. It may be in maintenance: the title of the page says so, if it has one. If it lasts, check baseUrl and platform.proxy.`,
      };
    case 'body':
      return {
        malformed: 'the body is empty',
        hint: `The reply to ${title} has no body. If that means success: ${saysSo(gap.status, 'accepted: { reference }')}`,
      };
    case 'json':
      return {
        malformed: gap.beyond
          ? 'the body is JSON that is nested too deep, or has a number that is too large'
          : 'the body is not JSON',
        hint: `The reply to ${title} is ${gap.beyond ? 'nested too deep, or has a number that is too large' : 'not JSON'}. What it means: ${saysSo(gap.status, 'accepted: { reference }')}`,
      };
    case 'failure':
      return {
        malformed: `the reply says that it failed: ${readRefusal(gap.json).message ?? 'without a word'}`,
        hint: `A reply to ${title} with HTTP ${gap.status} says that it failed. What it means: ${saysSo(gap.status, 'rejected: { message }')} It may also give stop, retry, missing or accepted.`,
      };
    case 'data':
      return {
        // It may be there, as a list, a text or null.
        malformed: `data is ${isObject(gap.json) && gap.json.data !== undefined ? 'no object' : 'missing'}${shown('the reply', gap.json)}`,
        hint: `The reply to ${title} has no object where the result should be. Where it stands: ${saysSo(gap.status, 'accepted: { id, reference }')}`,
      };
    case 'reference':
      return {
        malformed: `data.reference is missing${isObject(gap.json) ? shown('data', gap.json.data) : ''}`,
        hint: `Children name the record by the reference in the reply to ${title}. Where it stands: ${saysSo(200, 'accepted: { reference }')}`,
      };
  }
}

/** The line of the adapter that says it. */
const saysSo = (status: number, judgement: string) =>
  `let the function reply of platform.adapter say it: reply(reply) { if (reply.status === ${status}) return { ${judgement} }; } (docs/adapter.md).`;

const MOST_NAMES = 8;

/** `; data has id, name`: what there is instead. */
function shown(where: string, value: unknown): string {
  if (!isObject(value)) return value === undefined || value === null ? '' : `; ${where} is no object`;
  const names = Object.keys(value).map(oneLine);
  const more = names.length > MOST_NAMES ? ', …' : '';
  return names.length === 0
    ? `; ${where} is empty`
    : `; ${where} has ${names.slice(0, MOST_NAMES).join(', ')}${more}`;
}

/** Headers in which services announce their rate: `RateLimit-Policy`, `X-RateLimit-Limit` and the like. */
const RATE_HEADER = /^(x-)?rate-?limit/;

function rateHeaders(reply: HttpReply): Record<string, string> | undefined {
  const found = Object.keys(reply.headers).flatMap((name) => {
    const value = RATE_HEADER.test(name) ? header(reply, name) : null;
    return value === null ? [] : [[name, value.slice(0, LONGEST)] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
