import type { SignatureProfile } from '../contract/signature-profile.js';
import { verifySignature } from '../contract/verify-signature.js';
import type { SignedHead } from './check-head.js';

export interface SignatureRules {
  readonly profile: SignatureProfile;
  /** Any of them may have signed. */
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
    // Of a body its digest is enough. Without one the profile decides what is signed.
    body: null,
    digest: body.length === 0 ? null : body.digest,
  };
  // Each is tried, so that the time taken does not tell which one it was.
  return secrets.filter((secret) => verifySignature(profile, input, secret, head.signature)).length > 0;
}
