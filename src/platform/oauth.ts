import { type NoReply, oneLine } from '../domain/reply/reply.js';
import { isObject } from '../domain/reply/refusal.js';
import { scrubText } from '../domain/scrub-text.js';
import type { Clock } from '../ports/clock.js';
import type { HttpReply } from './read-reply.js';

/**
 * The token of a gateway that asks for OAuth 2 (client credentials, RFC 6749 §4.4) beside the signature.
 *
 * A request takes the token that is known (`take`). One is asked for when there is none or its end is near, once for all
 * requests that wait. While the earlier one is good, a request for a new one may fail. A token that the gateway refuses,
 * although it took it before, is dropped (`renewable`), so that the next request asks for another. None is sent again at
 * once: every request to the platform keeps its place in the rate. Those for tokens go to another place, and have none.
 */

/** Where tokens come from: `platform.oauth`. */
export interface OAuthSettings {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string | null;
  /** Where the two are: in the header Authorization (Basic), or in the body. */
  readonly credentials: 'header' | 'body';
}

/** A request for a token, to be carried out as those to the platform are. */
export interface TokenRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface Tokens {
  /** A token, or why there is none: then nothing is sent. */
  take(): Promise<string | NoReply>;
  /** The gateway took it. */
  accepted(token: string): void;
  /** The gateway refused it. Whether another may do: only when it took this one before. */
  renewable(token: string): boolean;
}

/** Before its end, but not for more than a quarter of its time. */
const RENEWED_BEFORE_MS = 60_000;

/** Of a token whose reply does not say how long it is good. */
const UNKNOWN_LIFE_MS = 300_000;

/** After a request for a new token that failed while the earlier one is good. */
const AGAIN_AFTER_MS = 10_000;

interface Known {
  readonly token: string;
  readonly goodUntil: number;
  readonly renewAt: number;
}

/** @param exchange carries the request out; it never rejects for a fault of network or server */
export function createTokens(
  settings: OAuthSettings,
  clock: Pick<Clock, 'monotonic'>,
  exchange: (request: TokenRequest) => Promise<HttpReply | NoReply>,
): Tokens {
  let known: Known | null = null;
  let asking: Promise<Known | NoReply> | null = null;
  /** The last token that the gateway took. */
  let good: string | null = null;

  const ask = async (): Promise<Known | NoReply> => {
    const askedAt = clock.monotonic();
    const found = readToken(await exchange(tokenRequest(settings)), settings);
    if (!('token' in found)) return found;
    const { token, lifeMs } = found;
    const early = Math.min(RENEWED_BEFORE_MS, lifeMs / 4);
    return { token, goodUntil: askedAt + lifeMs, renewAt: askedAt + lifeMs - early };
  };
  return {
    async take() {
      if (known !== null && clock.monotonic() < known.renewAt) return known.token;
      const answer = await (asking ??= ask().finally(() => (asking = null)));
      if ('token' in answer) return (known = answer).token;
      const now = clock.monotonic();
      if (known === null || now >= known.goodUntil) return answer;
      known = { ...known, renewAt: Math.min(known.goodUntil, now + AGAIN_AFTER_MS) };
      return known.token;
    },
    accepted(token) {
      if (known?.token === token) good = token;
    },
    renewable(token) {
      // Another request has renewed it meanwhile.
      if (known !== null && known.token !== token) return true;
      if (good !== token) return false;
      known = null;
      return true;
    },
  };
}

function tokenRequest({ tokenUrl, clientId, clientSecret, scope, credentials }: OAuthSettings): TokenRequest {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope !== null) form.set('scope', scope);
  const headers: Record<string, string> = {
    Accept: 'application/json',
    'Content-Type': 'application/x-www-form-urlencoded',
  };
  if (credentials === 'body') {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
  } else {
    // RFC 6749 §2.3.1: each is encoded as a form before they are joined.
    const [user, password] = [clientId, clientSecret].map((text) =>
      new URLSearchParams({ text }).toString().slice('text='.length),
    );
    headers.Authorization = `Basic ${Buffer.from(`${user ?? ''}:${password ?? ''}`).toString('base64')}`;
  }
  return { url: new URL(tokenUrl), headers, body: Buffer.from(form.toString()) };
}

/** The token of a reply with its time, or the reason why there is none, without any secret. */
function readToken(
  reply: HttpReply | NoReply,
  { tokenUrl, clientSecret }: OAuthSettings,
): { readonly token: string; readonly lifeMs: number } | NoReply {
  const { origin, pathname } = new URL(tokenUrl);
  const none = (code: 'OAUTH_REFUSED' | 'OAUTH_UNREACHABLE', what: string): NoReply => {
    const message = oneLine(scrubText(`the token endpoint ${origin}${pathname} ${what}`, [clientSecret]));
    return { kind: 'unreachable', code, message };
  };
  if ('kind' in reply) return none('OAUTH_UNREACHABLE', `gives no token: ${reply.message} (${reply.code})`);
  const { status } = reply;
  const json = parsed(reply.body);
  const { error, error_description: said, access_token: token, token_type: type, expires_in: life } = json;
  if (status < 200 || status > 299) {
    const words = [error, said].filter((each) => typeof each === 'string').join(', ');
    const isRefusal = status < 500 && status !== 408 && status !== 429;
    const what = `answers HTTP ${status}${words === '' ? '' : `: ${words}`}`;
    return none(isRefusal ? 'OAUTH_REFUSED' : 'OAUTH_UNREACHABLE', what);
  }
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
    return none('OAUTH_REFUSED', `answers HTTP ${status} without an access_token that a header can carry`);
  if (typeof type === 'string' && type.toLowerCase() !== 'bearer')
    return none('OAUTH_REFUSED', `gives a token of the type ${type}, and only Bearer is known`);
  const seconds = Number(life);
  return { token, lifeMs: seconds > 0 ? seconds * 1000 : UNKNOWN_LIFE_MS };
}

function parsed(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(body.toString('utf8'));
    return isObject(json) ? json : {};
  } catch {
    return {};
  }
}
