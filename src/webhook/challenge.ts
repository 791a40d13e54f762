import type { SignatureProfile } from '../contract/signature.js';
import type { Exchange, PlainAnswer } from '../runtime/http/listener.js';
import { type ByteBudget, readBody } from '../runtime/http/read-body.js';

/**
 * A challenge: before the first event a platform asks whether the address belongs to somebody who expects it, and waits for
 * an answer made of a text that it chose. Nobody signs it, so anybody can ask.
 *
 * Therefore it is never stored, and the text is a word: letters, digits, hyphen and underscore (`WORD`). So it is nothing
 * that a browser would run, and its HMAC is the signature of nothing else: what a request or a webhook signs has a sign
 * that no word has. A configuration where that is not so is refused (`checkChallenge` in src/config/rules.ts).
 */

/** `webhook.challenge`. */
export interface ChallengeSettings {
  readonly method: 'GET' | 'POST';
  readonly field: string;
  readonly answer: 'text' | 'json' | 'hmac';
  readonly answerField: string | null;
}

export interface ChallengeRules {
  readonly challenge: ChallengeSettings | null;
  readonly profile: SignatureProfile;
  readonly secrets: readonly string[];
  readonly budget: ByteBudget;
}

const WORD = /^[A-Za-z0-9_-]{1,128}$/;

/** A posted challenge is one short text in JSON. */
const MOST_BYTES = 4_096;

/** In the address: one value of the field. Null: it has none, or several. */
function challengeInQuery(url: string, field: string): string | null {
  const [, query = ''] = url.split('?', 2);
  const values = new URLSearchParams(query).getAll(field);
  return values.length === 1 ? (values[0] ?? null) : null;
}

/** In JSON, a field of the outer object. Null: it has none, or it is no text. */
export function challengeInBody(body: Uint8Array, field: string): string | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) return null;
    const found = (value as Record<string, unknown>)[field];
    return typeof found === 'string' ? found : null;
  } catch {
    return null;
  }
}

/**
 * The challenge of a request without a signature; null: it is none. Reads the body of a POST without one in its address, and
 * no more of it than a challenge needs.
 */
export async function readChallenge(exchange: Exchange, rules: ChallengeRules): Promise<string | null> {
  const { url = '', method } = exchange.incoming;
  const { challenge, budget } = rules;
  if (challenge === null || method !== challenge.method) return null;
  const inQuery = challengeInQuery(url, challenge.field);
  if (inQuery !== null || method === 'GET') return inQuery;
  const body = await readBody(exchange, { maxBytes: MOST_BYTES, budget });
  if (typeof body === 'string') return null;
  try {
    return challengeInBody(body.bytes(), challenge.field);
  } finally {
    body.release();
  }
}

/** Null: the text is not one that is answered. */
export function challengeAnswer(
  text: string,
  settings: ChallengeSettings,
  { profile, secrets }: Pick<ChallengeRules, 'profile' | 'secrets'>,
): PlainAnswer | null {
  if (!WORD.test(text)) return null;
  const { field, answer, answerField } = settings;
  const answered = (type: string, body: string): PlainAnswer => ({
    status: 200,
    headers: { 'content-type': type, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' },
    body,
  });
  if (answer === 'text') return answered('text/plain; charset=utf-8', text);
  const fields =
    answer === 'json'
      ? { [answerField ?? field]: text }
      : { [field]: text, [answerField ?? 'challengeResponse']: profile.hmacHex(text, secrets[0] ?? '') };
  return answered('application/json', JSON.stringify(fields));
}

export const NO_WORD = 'A challenge has 1 to 128 letters, digits, hyphens and underscores';
