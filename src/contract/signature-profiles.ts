import { digestLines } from './digest-lines.js';
import { methodPathHex } from './method-path-hex.js';
import type { SignatureProfile } from './signature-profile.js';
import { templateProfile, type SignatureTemplate } from './signature-template.js';

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

/** What the configuration says about signatures. */
export interface SignatureChoice {
  /** Counts where there is no template. */
  readonly profile: SignatureProfileName;
  readonly template?: SignatureTemplate | null | undefined;
}

/** The template's profile where there is a template, else the named one. Errors: as `templateProfile`. */
export function chooseSignature({ profile, template }: SignatureChoice): SignatureProfile {
  return template ? templateProfile(template) : signatureProfile(profile);
}
