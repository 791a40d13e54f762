import { createHash } from 'node:crypto';
import type { BodyDigest, SignatureProfile } from './signature-profile.js';

export interface DigestForm {
  /** How the SHA-256 is written; null: the body has no part in the signature. */
  readonly encoding: 'base64' | 'hex' | null;
  /** Whether a body without bytes has a digest: that of no bytes. */
  readonly ofEmpty: boolean;
}

/** Both ways to a digest, of a whole body and of one in pieces, so that they cannot differ. */
export function bodyDigest({
  encoding,
  ofEmpty,
}: DigestForm): Pick<SignatureProfile, 'digest' | 'startDigest'> {
  const startDigest = (): BodyDigest => {
    if (encoding === null) return { add: () => undefined, end: () => null };
    const hash = createHash('sha256');
    let empty = true;
    return {
      add(bytes) {
        empty &&= bytes.length === 0;
        hash.update(bytes);
      },
      end: () => (empty && !ofEmpty ? null : hash.digest(encoding)),
    };
  };
  return {
    startDigest,
    digest(body) {
      const digest = startDigest();
      if (body !== null) digest.add(body);
      return digest.end();
    },
  };
}
