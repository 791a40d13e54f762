import { childrenOf } from '../entities/index.js';
import type { Operation } from '../contract/operation.js';
import type { JsonObject } from '../domain/row.js';
import { isObject, saysFailure } from '../domain/reply/refusal.js';
import {
  type Answer,
  DEFAULT_REPLY_SETTINGS,
  type Reply,
  type ReplyLinks,
  type ReplySettings,
} from '../domain/reply/reply.js';
import { describeGap, describeGaps, type Gap } from './describe-gap.js';
import { isBeyondReading, parseReply } from './parse-reply.js';
import { rateHeaders } from './rate-headers.js';
import { readText } from './read-text.js';
import { readLinks } from './read-links.js';
import { unwrapReply } from './unwrap-reply.js';
import { withoutSecrets } from './without-secrets.js';

/** A complete HTTP reply, as bytes. */
export interface HttpReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** What a reply is read with. */
export interface ReadingOptions {
  readonly operation: Pick<Operation, 'name' | 'title' | 'entity' | 'kind' | 'accepted'>;
  /** The id of the path. */
  readonly platformId: string;
  /** Our clock when the reply was complete, milliseconds since the epoch. */
  readonly receivedAt: number;
  /** `platform.replies` of the area; left out: its defaults. */
  readonly settings?: ReplySettings | undefined;
  /** Texts that a server might repeat and nobody may see: the secret, the signature. */
  readonly secrets?: readonly string[];
}

/** So much of a body is kept as text, for rules of the configuration. */
const KEPT_CHARACTERS = 65_536;

/** The reply to a Put has a few hundred. */
const USUAL_CHARACTERS = 2_048;

/**
 * What the rest of the program sees of a reply. The body is read as JSON whatever its content type says. A status that
 * means success is checked for what is needed of it, and no more: `data`, and the reference where children need it.
 */
export function readReply(reply: HttpReply, options: ReadingOptions): Reply {
  const { operation, platformId, receivedAt, settings = DEFAULT_REPLY_SETTINGS, secrets = [] } = options;
  const { status } = reply;
  const success = status >= 200 && status <= 299;
  const text = readText(reply.body, header(reply, 'content-type'));
  const received = parseReply(text);
  const parsed = success ? unwrapReply(received, settings.data) : received;
  const html = received === undefined && looksLikeHtml(text, header(reply, 'content-type'));
  const links = readLinks(parsed, { operation, platformId, settings });
  const needed = operation.kind === 'PUT' && childrenOf(operation.entity).length > 0;
  const unlinked: Gap | null =
    needed && links.reference === null ? { part: 'reference', json: parsed } : null;
  const gap = success ? findGap({ status, text, json: parsed, html, unlinked }, operation, settings) : null;
  const clean = holdsNone(text, secrets);
  const hidden = <Value>(value: Value) => (clean ? value : (withoutSecrets(value, secrets) as Value));
  return {
    kind: 'answered',
    status,
    result: success && gap === null ? resultOf(parsed, links, operation) : null,
    ...(success && gap === null && operation.kind === 'GET' && isNothing(parsed) ? { nothing: true } : {}),
    malformed: status === 101 ? 'the server changed to another protocol' : null,
    ...(gap === null ? {} : hidden(describeGaps(gap, unlinked, operation, settings))),
    links: { ...links, gap: unlinked === null ? null : hidden(describeGap(unlinked, operation, settings)) },
    json: hidden(parsed),
    text: hidden(text.slice(0, KEPT_CHARACTERS)),
    html,
    retryAfter: header(reply, 'retry-after'),
    date: header(reply, 'date'),
    location: header(reply, 'location')?.replaceAll(platformId, '{id}') ?? null,
    rateHeaders: rateHeaders(reply.headers),
    receivedAt,
  };
}

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

interface Body {
  readonly status: number;
  readonly text: string;
  readonly json: unknown;
  readonly html: boolean;
  /** The reference is missing although children need it. */
  readonly unlinked: Gap | null;
}

/**
 * What a 2xx lacks, so that nobody can say what the platform did; null: nothing. A web page is from a proxy. An empty body
 * counts where the operation names the status. The reply to a delete is not shown anywhere, so it may have any body.
 */
function findGap(
  { status, text, json, html, unlinked }: Body,
  { kind, accepted }: Pick<Operation, 'kind' | 'accepted'>,
  settings: ReplySettings,
): Gap | null {
  const empty = text.trim() === '';
  const own = accepted?.includes(status) ?? false;
  // A Find is not a Put: whatever says that a record was taken, its 200 shows it and its 204 shows none.
  const common = kind === 'GET' ? [...settings.accepted, OK, NO_CONTENT] : settings.accepted;
  if (!(accepted ?? common).includes(status)) return { part: 'status', status, empty };
  if (html) return { part: 'page' };
  if (saysFailure(json)) return { part: 'failure', status, json };
  if (empty && (own || (kind === 'GET' && status === NO_CONTENT))) return kind === 'GET' ? null : unlinked;
  if (kind === 'DELETE') return null;
  if (empty) return { part: 'body', status };
  if (json === undefined) return { part: 'json', status, beyond: isBeyondReading(text) };
  if (kind === 'GET' && isNothing(json)) return null;
  if (!isObject(json) || !isObject(json.data)) return { part: 'data', status, json };
  return unlinked;
}

const OK = 200;
const NO_CONTENT = 204;

/** A Find's reply without body, or whose result is there and is null or empty. */
function isNothing(json: unknown): boolean {
  if (json === undefined) return true;
  if (!isObject(json) || !Object.hasOwn(json, 'data')) return false;
  return json.data === null || (typeof json.data === 'object' && Object.keys(json.data).length === 0);
}

function resultOf(
  json: unknown,
  { id, reference }: ReplyLinks,
  { kind }: Pick<Operation, 'kind'>,
): Answer['result'] {
  const data =
    kind === 'GET' && isObject(json) && isObject(json.data) ? { data: json.data as JsonObject } : {};
  return { id, reference, ...data };
}

function looksLikeHtml(text: string, contentType: string | null): boolean {
  return /^\s*(text\/html|application\/xhtml)/i.test(contentType ?? '') || /^\s*<(!doctype|html)/i.test(text);
}

function header(reply: HttpReply, name: string): string | null {
  const value = reply.headers[name];
  const first = typeof value === 'string' ? value : value?.[0];
  return first ?? null;
}
