import type { AreaDeviations } from '../../config/deviations.js';
import { HEADER_NAMES, type HeaderNames } from '../../contract/request-headers.js';
import {
  chooseSignature,
  type Digested,
  type DigestHeader,
  type SignatureChoice,
  type SignatureProfile,
} from '../../contract/signature.js';
import type { RequestTimestampForm } from '../../contract/time.js';

/** How requests to an area are addressed and signed. */
export interface DialectOptions {
  readonly signature: SignatureChoice;
  /** Default `seconds`. */
  readonly timestamp?: RequestTimestampForm | undefined;
  /** Default: those of the interface. */
  readonly headerNames?: HeaderNames | undefined;
  /** Default: those of the JSON. */
  readonly digestOf?: Digested | undefined;
  /** Default null. */
  readonly digestHeader?: DigestHeader | null | undefined;
  /** As `platform.signature.signedPrefix`. Default null. */
  readonly signedPrefix?: string | null | undefined;
  /** Path of the area's base address; it is also served without it. Default "". */
  readonly basePath?: string | undefined;
}

/** The same with the deviations in force. */
export interface AreaDialect {
  readonly profile: SignatureProfile;
  readonly timestamp: RequestTimestampForm;
  readonly names: HeaderNames;
  /** Whether the case of these names counts. */
  readonly exactNames: boolean;
  /** Which bytes of a compressed body are signed. */
  readonly digestOf: Digested;
  /** Null: nobody asks for one. */
  readonly digestHeader: DigestHeader | null;
  /** Paths in front of every path of the area; "": none. */
  readonly prefixes: readonly string[];
  /** Stands in place of the prefix in what is signed; null: what was received is what is signed. */
  readonly signedPrefix: string | null;
}

/** A gateway's own prefix is needed, that of a configuration's base address is not. */
export function areaDialect(options: DialectOptions, requests: AreaDeviations['requests']): AreaDialect {
  const { prefix, signedPrefix, timestamp, hmac, secretEncoding, headerNames, exactNames } = requests;
  const { digestOf, digestHeader } = requests;
  const { basePath = '' } = options;
  return {
    profile: chooseSignature({
      ...options.signature,
      ...(hmac === undefined ? {} : { hmac }),
      ...(secretEncoding === undefined ? {} : { secretEncoding }),
    }),
    timestamp: timestamp ?? options.timestamp ?? 'seconds',
    names: headerNames ?? options.headerNames ?? HEADER_NAMES,
    exactNames,
    digestOf: digestOf ?? options.digestOf ?? 'body',
    digestHeader: digestHeader === undefined ? (options.digestHeader ?? null) : digestHeader,
    prefixes: prefix !== '' ? [prefix] : basePath === '' ? [''] : [basePath, ''],
    signedPrefix: signedPrefix === undefined ? (options.signedPrefix ?? null) : signedPrefix,
  };
}

/**
 * The path that a client of this area signs.
 * @param received as the request had it
 * @param bare the same without the prefix; null: it is no path of the area
 */
export function signedTarget(
  received: string,
  bare: string | null,
  { signedPrefix }: Pick<AreaDialect, 'signedPrefix'>,
): string {
  return signedPrefix === null || bare === null ? received : `${signedPrefix}${bare}`;
}
