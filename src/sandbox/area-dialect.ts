import type { RequestTimestampForm } from '../contract/time.js';
import { chooseSignature, type SignatureChoice, type SignatureProfile } from '../contract/signature.js';
import type { AreaDeviations } from '../config/deviations/deviation-schema.js';
import type { PathSettings } from './deviations/signed-target.js';

/** How requests to an area are addressed and signed. */
export interface DialectOptions {
  readonly signature: SignatureChoice;
  /** Default `seconds`. */
  readonly timestamp?: RequestTimestampForm | undefined;
  /** As `platform.signature.signedPrefix`. Default null. */
  readonly signedPrefix?: string | null | undefined;
  /** Path of the area's base address; it is also served without it. Default "". */
  readonly basePath?: string | undefined;
}

/** The same with the deviations in force. */
export interface AreaDialect extends PathSettings {
  readonly profile: SignatureProfile;
  readonly timestamp: RequestTimestampForm;
}

/** A gateway's own prefix is needed, that of a configuration's base address is not. Pure. */
export function areaDialect(
  options: DialectOptions,
  { prefix, signedPrefix, timestamp }: AreaDeviations['requests'],
): AreaDialect {
  const { basePath = '' } = options;
  return {
    profile: chooseSignature(options.signature),
    timestamp: timestamp ?? options.timestamp ?? 'seconds',
    prefixes: prefix !== '' ? [prefix] : basePath === '' ? [''] : [basePath, ''],
    signedPrefix: signedPrefix === undefined ? (options.signedPrefix ?? null) : signedPrefix,
  };
}
