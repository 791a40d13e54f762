/**
 * Whose rate it is, and whom a pause of the platform concerns: a client id at one platform. The same client id at another
 * address, such as staging or a partner's own gateway, is another credential: what one platform says is not for the other.
 */
export interface PlatformCredential {
  /** `https://platform.example` */
  readonly origin: string;
  readonly clientId: string;
}

export function platformCredential(area: {
  readonly baseUrl: string;
  readonly clientId: string;
}): PlatformCredential {
  return { origin: new URL(area.baseUrl).origin, clientId: area.clientId };
}

/** One text for both, as it is stored. An origin has no blank, a client id may have some. */
export function credentialText({ origin, clientId }: PlatformCredential): string {
  return `${origin} ${clientId}`;
}

/** Null: it is none. */
export function credentialOf(text: string): PlatformCredential | null {
  const [, origin, clientId] = /^([a-z]+:\/\/\S+) ([\s\S]*)$/.exec(text) ?? [];
  return origin === undefined || clientId === undefined ? null : { origin, clientId };
}
