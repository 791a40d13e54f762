import type { JsonObject } from '../domain/json.js';
import { envelope, readData, readPutResult, type Read } from '../contract/envelope.js';
import type { Operation } from '../contract/operation.js';
import type { Answer, Reply } from '../domain/reply/reply.js';
import { rateHeaders } from './rate-headers.js';

/** A complete HTTP reply, as bytes. */
export interface HttpReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

type Result = NonNullable<Answer['result']>;

/**
 * What the rest of the program sees of a reply. The body is read as JSON whatever its content type says, and the
 * result of a 200 is checked against the contract: a 200 from a proxy must not count as an acknowledgement.
 *
 * @param operation the operation; `data` of a Find must match its `reply`
 * @param receivedAt our clock when the reply was complete, milliseconds since the epoch
 */
export function readReply(
  reply: HttpReply,
  operation: Pick<Operation, 'kind' | 'reply'>,
  platformId: string,
  receivedAt: number,
): Reply {
  const text = reply.body.toString('utf8').replace(/^\ufeff/, '');
  const json = parse(text);
  const html = json === undefined && looksLikeHtml(text, header(reply, 'content-type'));
  const read: Read<Result> | null =
    reply.status === 200 ? readResult(operation, platformId, json, html, text) : null;
  return {
    kind: 'answered',
    status: reply.status,
    result: read?.value ?? null,
    malformed: read?.malformed ?? (reply.status === 101 ? 'the server changed to another protocol' : null),
    json,
    html,
    retryAfter: header(reply, 'retry-after'),
    date: header(reply, 'date'),
    location: header(reply, 'location'),
    rateHeaders: rateHeaders(reply.headers),
    receivedAt,
  };
}

/**
 * A Put must name `id` and `reference` (interface §2). Of a Find the whole result must be as the contract
 * says. The other operations return no reference of their own: for them a valid envelope is enough, and `id` falls
 * back to the one in the path. The reply to a delete is not
 * shown anywhere, so every 200 counts unless it is a web page.
 */
function readResult(
  { kind, reply }: Pick<Operation, 'kind' | 'reply'>,
  platformId: string,
  json: unknown,
  html: boolean,
  text: string,
): Read<Result> {
  if (html) return { value: null, malformed: 'the body is a web page' };
  if (kind === 'DELETE') return { value: { id: platformId, reference: '' }, malformed: null };
  if (json === undefined) {
    return { value: null, malformed: text.trim() === '' ? 'the body is empty' : 'the body is not JSON' };
  }
  if (kind === 'PUT') return readPutResult(json);
  const read = readData(json, envelope.shape.data);
  if (read.value === null) return read;
  const { malformed } = kind === 'GET' ? readData(json, reply) : { malformed: null };
  if (malformed !== null) return { value: null, malformed };
  const { id, reference } = read.value;
  return {
    value: {
      id: typeof id === 'string' ? id : platformId,
      reference: typeof reference === 'string' ? reference : '',
      ...(kind === 'GET' ? { data: read.value as JsonObject } : {}),
    },
    malformed: null,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function looksLikeHtml(text: string, contentType: string | null): boolean {
  return /^\s*(text\/html|application\/xhtml)/i.test(contentType ?? '') || /^\s*<(!doctype|html)/i.test(text);
}

function header(reply: HttpReply, name: string): string | null {
  const value = reply.headers[name];
  const first = typeof value === 'string' ? value : value?.[0];
  return first ?? null;
}
