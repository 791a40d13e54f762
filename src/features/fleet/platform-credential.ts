import { createHmac } from 'node:crypto';

/**
 * Whose rate it is, and whom a pause of the platform concerns: a client id at one platform. The same client id at another
 * address, such as staging or a partner's own gateway, is another credential: what one platform says is not for the other.
 */
export interface PlatformCredential {
  /** `https://platform.example` */
  readonly origin: string;
  readonly clientId: string;
}

/** An area's settings, and the way to it: proxy and trusted certificates. */
interface Proof {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly way: unknown;
}

/**
 * The text by which all that have the same credential know each other. A file can claim any client id, so it has a fingerprint
 * of what only they have in common: the secret, which it does not show, and the way on which the answers come.
 */
export function credentialText({ baseUrl, clientId, clientSecret, way }: Proof): string {
  const { origin } = new URL(baseUrl);
  const shared = JSON.stringify([origin, clientId, way]);
  const fingerprint = createHmac('sha256', clientSecret).update(shared).digest('hex').slice(0, 16);
  return `${origin} #${fingerprint} ${clientId}`;
}

/** Null: it is none. Earlier versions stored it without fingerprint. */
export function credentialOf(text: string): PlatformCredential | null {
  const [, origin, clientId] = /^([a-z]+:\/\/\S+) (?:#[0-9a-f]{16} )?([\s\S]*)$/.exec(text) ?? [];
  return origin === undefined || clientId === undefined ? null : { origin, clientId };
}
