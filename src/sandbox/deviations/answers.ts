import { createHmac } from 'node:crypto';
import type { AreaDeviations } from '../../config/deviations.js';
import { type Answer, refusal } from '../answer.js';
import { headerOf, type Headers, putAt } from '../request.js';

/**
 * Answers in the shape that the platform of a rehearsal gives them: success, refusal, headers of a gateway and of a
 * rate limit.
 */

/** What was done, which decides the status. */
export type Done = 'created' | 'updated' | 'deleted' | 'found';

/**
 * The answer to a request that was processed: 200 with the envelope of interface §1, or as this platform has it.
 * @param data null: there is no such record, and the platform says so with a 200
 */
export function acceptedAnswer(
  data: object | null,
  done: Done,
  clientIp: string,
  replies: AreaDeviations['replies'],
): Answer {
  const status = done === 'found' ? 200 : replies[done];
  if (done !== 'found' && replies.body === 'empty') return { status, body: '', message: null };
  const body: Record<string, unknown> = {};
  if (replies.envelope === 'none') Object.assign(body, data);
  else putAt(body, replies.envelope, data);
  if (replies.meta) body.meta = { client_ip: clientIp, hostname: 'sandbox', version: replies.version };
  return { status, body, message: null };
}

/** A refusal as this platform writes it, with its status and code. Anything else stays as it is. */
export function refusalAnswer(answer: Answer, errors: ErrorSettings): Answer {
  const { body, reason } = answer;
  if (reason === undefined && answer.status < 400) return answer;
  if (typeof body === 'string' || !('message' in body) || typeof body.message !== 'string') return answer;
  const set = reason === undefined ? undefined : errors[reason];
  const status = set?.status ?? answer.status;
  const { errors: fields } = body as { readonly errors?: Words['fields'] };
  const words: Words = { status, code: set?.code, message: body.message, fields };
  return { ...answer, status, ...shaped(words, errors.shape) };
}

type ErrorSettings = AreaDeviations['errors'];

/** What a refusal says, apart from its shape. */
interface Words {
  readonly status: number;
  readonly code: string | undefined;
  readonly message: string;
  /** Sentences by field. */
  readonly fields: Readonly<Record<string, readonly string[]>> | undefined;
}

function shaped(words: Words, shape: ErrorSettings['shape']): Pick<Answer, 'body' | 'headers'> {
  const { code, message, fields, status } = words;
  const coded = code === undefined ? {} : { code };
  const fielded = fields === undefined ? {} : { errors: fields };
  switch (shape) {
    case 'message':
      return { body: { ...coded, message, ...fielded } };
    case 'error':
      return { body: { ...coded, error: sentence(words) } };
    case 'error.message':
      return { body: { error: { ...coded, message: sentence(words) } } };
    case 'errors':
      return { body: { errors: listOf(words).map((each) => ({ ...coded, ...each })) } };
    case 'problem':
      return {
        body: { type: 'about:blank', title: code ?? message, status, detail: sentence(words) },
        headers: { 'content-type': 'application/problem+json' },
      };
    case 'nested':
      return {
        body: { status: { ...coded, reason: { description: message } }, failures: listOf(words) },
      };
    case 'text':
      return { body: withCode(words) };
    case 'html':
      return {
        body: `<!doctype html>\n<html><head><title>Error</title></head><body><p>${escaped(withCode(words))}</p></body></html>\n`,
      };
  }
}

/** Everything that is wrong, in one text. */
function sentence({ message, fields }: Words): string {
  return fields === undefined ? message : Object.values(fields).flat().join(' ');
}

function withCode(words: Words): string {
  return words.code === undefined ? sentence(words) : `${words.code}: ${sentence(words)}`;
}

function listOf({ message, fields }: Words): readonly object[] {
  if (fields === undefined) return [{ message }];
  return Object.entries(fields).flatMap(([field, texts]) => texts.map((text) => ({ field, message: text })));
}

/** A field's name comes from the client. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** The refusal of a gateway that asks for headers of its own; null: all are there. */
export function missingHeader(headers: Headers, asked: Readonly<Record<string, string>>): Answer | null {
  const wrong = Object.entries(asked).find(([name, value]) => headerOf(headers, name) !== value);
  return wrong === undefined ? null : refusal(401, `The gateway needs the header ${wrong[0]}`);
}

type TokenSettings = NonNullable<AreaDeviations['requests']['oauth']>;

/** A token that bears its end, so that the sandbox keeps none. */
function tokenUntil(endMs: number, { clientSecret }: TokenSettings): string {
  return `${endMs}.${createHmac('sha256', clientSecret).update(String(endMs)).digest('base64url')}`;
}

/** The answer of the token endpoint. `form`: the body; `basic`: the header Authorization. */
export function tokenAnswer(
  { form, basic }: { readonly form: string; readonly basic: string | undefined },
  settings: TokenSettings,
  nowMs: number,
): { readonly status: 200 | 400 | 401; readonly body: object } {
  const { clientId, clientSecret, seconds } = settings;
  const fields = new URLSearchParams(form);
  if (fields.get('grant_type') !== 'client_credentials')
    return { status: 400, body: { error: 'unsupported_grant_type' } };
  const given = Buffer.from(/^Basic (.*)$/i.exec(basic ?? '')?.[1] ?? '', 'base64').toString('utf8');
  const inHeader = given.split(':').map((part) => new URLSearchParams(`x=${part}`).get('x'));
  const inBody = [fields.get('client_id'), fields.get('client_secret')];
  if (![inHeader, inBody].some(([id, secret]) => id === clientId && secret === clientSecret))
    return { status: 401, body: { error: 'invalid_client', error_description: 'Client is not known here' } };
  const token = tokenUntil(nowMs + seconds * 1000, settings);
  return { status: 200, body: { access_token: token, token_type: 'Bearer', expires_in: seconds } };
}

/** The refusal of a gateway that asks for a token; null: it is there, and good. */
export function missingToken(headers: Headers, asked: TokenSettings | null, nowMs: number): Answer | null {
  if (asked === null) return null;
  const token = /^Bearer (\d+)\.\S+$/.exec(headerOf(headers, 'Authorization') ?? '');
  const isGood = token !== null && token[0] === `Bearer ${tokenUntil(Number(token[1]), asked)}`;
  if (!isGood) return refusal(401, 'The gateway needs a token of POST /_sandbox/token');
  return Number(token[1]) > nowMs ? null : refusal(401, 'The token has expired');
}

/** Counts the requests of an area in each minute, for headers that say how many are left. */
export function createRateCounter(): (
  settings: AreaDeviations['rate'],
  nowMs: number,
) => Record<string, string> {
  let window = 0;
  let count = 0;
  return ({ limit, names }, nowMs) => {
    if (limit === null) return {};
    const current = Math.floor(nowMs / WINDOW_MS);
    if (current !== window) count = 0;
    window = current;
    count += 1;
    return {
      [`${names}-limit`]: String(limit),
      [`${names}-remaining`]: String(Math.max(0, limit - count)),
      ...(names === 'ratelimit'
        ? { 'ratelimit-reset': String(Math.ceil(((window + 1) * WINDOW_MS - nowMs) / 1000)) }
        : {}),
    };
  };
}

const WINDOW_MS = 60_000;
type Body = Readonly<Record<string, unknown>>;

/** The body that a platform holds which merges: a field that was not sent stays, null clears one. */
export function mergedBody(held: Body | null, sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  // No prototype: a client may name a field __proto__.
  const merged = Object.assign(Object.create(null), held, sent) as Record<string, unknown>;
  for (const [field, value] of Object.entries(merged)) if (value === null) delete merged[field];
  return merged;
}
