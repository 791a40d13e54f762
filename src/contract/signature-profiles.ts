import { digestLines } from './digest-lines.js';
import { methodPathHex } from './method-path-hex.js';
import type { SignatureProfile } from './signature-profile.js';

/** Profiles that the configuration can name. */
export const SIGNATURE_PROFILE_NAMES = ['digest-lines', 'method-path-hex'] as const;

export type SignatureProfileName = (typeof SIGNATURE_PROFILE_NAMES)[number];

const PROFILES: Readonly<Record<SignatureProfileName, SignatureProfile>> = {
  'digest-lines': digestLines,
  'method-path-hex': methodPathHex,
};

/** The named profile. */
export function signatureProfile(name: SignatureProfileName): SignatureProfile {
  return PROFILES[name];
}
