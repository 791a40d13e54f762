import { timingSafeEqual } from 'node:crypto';
import type { SignatureProfile, SigningInput } from './signature-profile.js';

/**
 * Whether `received` is the signature of `input` under `secret`. Takes the same time wherever the two first
 * differ, so that a signature cannot be guessed byte by byte.
 */
export function verifySignature(
  profile: SignatureProfile,
  input: SigningInput,
  secret: string,
  received: string,
): boolean {
  const expected = Buffer.from(profile.signature(input, secret), 'utf8');
  const actual = Buffer.from(received, 'utf8');
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
