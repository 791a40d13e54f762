import { type SignatureProfile, verifySignature } from '../contract/signature.js';
import type { SignedHead } from './check-head.js';

export interface SignatureRules {
  readonly profile: SignatureProfile;
  /** Any of them is valid. */
  readonly secrets: readonly string[];
  /** The path that the platform signs. */
  readonly signedPath: string;
}

/**
 * Whether one of the secrets signed a request with this head and a body of this digest, as the profile's `startDigest`
 * gives it. Pure.
 */
export function isAuthentic(
  head: SignedHead,
  body: { readonly length: number; readonly digest: string | null },
  { profile, secrets, signedPath }: SignatureRules,
): boolean {
  const input = {
    method: 'POST',
    clientId: head.clientId,
    requestId: head.requestId,
    timestamp: head.timestamp,
    requestTarget: signedPath,
    // The digest of a body is enough. Without a digest the profile decides what is signed.
    body: null,
    digest: body.length === 0 ? null : body.digest,
  };
  // Tries every secret, so that the time does not reveal which one fits.
  return secrets.filter((secret) => verifySignature(profile, input, secret, head.signature)).length > 0;
}
