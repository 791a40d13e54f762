import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Signs requests and verifies those of the platform (interface §5). A profile makes the signature of an input; which
 * one is in use is a setting, because the interface leaves parts of it open.
 */

/** What a signature is made of. The same for requests to the platform and for webhooks from it (interface §5). */
export interface SigningInput {
  /** Upper case. */
  readonly method: string;
  readonly clientId: string;
  readonly requestId: string;
  /** `Request-Timestamp` as sent: see `requestTimestamp`. */
  readonly timestamp: string;
  /** Path without host: `/api/v1/...`. For a webhook the path of the receiver. */
  readonly requestTarget: string;
  /** The bytes of the body; null or empty: no body. */
  readonly body: Uint8Array | null;
  /** The body's digest when it is known already; computed from `body` otherwise. */
  readonly digest?: string | null;
}

/** The digest of a body that is computed while it arrives, so that nothing reads the body twice. */
interface BodyDigest {
  /** The next bytes, in the order of the body. */
  add(bytes: Uint8Array): void;
  /** As `SignatureProfile.digest` of all bytes. Called once, at the end. */
  end(): string | null;
}

/**
 * One way of making the `Signature` header. The interface leaves open what is signed and how it is encoded, so a
 * profile is replaceable. Pure: the same input and secret give the same signature.
 */
export interface SignatureProfile {
  readonly name: string;
  /** The body's digest as it stands in the string to sign; null when the body has no part in it. */
  digest(body: Uint8Array | null): string | null;
  /** The same of a body that comes in pieces. */
  startDigest(): BodyDigest;
  /** The text that is signed. It holds no secret. */
  stringToSign(input: SigningInput): string;
  /** The header's value. */
  signature(input: SigningInput, secret: string): string;
}

/** Profiles that the configuration can name. */
export const SIGNATURE_PROFILE_NAMES = ['digest-lines', 'method-path-hex'] as const;

export type SignatureProfileName = (typeof SIGNATURE_PROFILE_NAMES)[number];

const TEMPLATES: Readonly<Record<SignatureProfileName, SignatureTemplate>> = {
  /**
   * The default. Components, their order and the digest are publicly documented by the operator; the line form and the
   * `HMACSHA256=` prefix are assumed, after the published scheme that the operator's page follows. Method, host and
   * query are not signed.
   */
  'digest-lines': {
    string:
      'Client-Id:{clientId}\nRequest-Id:{requestId}\nRequest-Timestamp:{timestamp}\nRequest-Target:{path}\nDigest:{digest}',
    digest: 'base64',
    encoding: 'base64',
    prefix: 'HMACSHA256=',
  },
  /**
   * The scheme of a prototype that one person published, with no official statement about it: the same four headers over
   * another string, and a lower-case hex signature without prefix. Not specified for this platform.
   */
  'method-path-hex': {
    string: '{method}\n{path}\n{clientId}\n{requestId}\n{timestamp}\n{digest}',
    digest: 'hex',
    encoding: 'hex',
    prefix: '',
  },
};

interface SignatureTemplate {
  /** The text to sign; a name in braces stands for a part of the request, `digest` for the digest of its body. */
  readonly string: string;
  /** How the SHA-256 of the body's bytes is written. */
  readonly digest: 'base64' | 'hex';
  /** How the HMAC is written; hex is lower case. */
  readonly encoding: 'base64' | 'hex';
  /** Stands before the HMAC in the header, such as `HMACSHA256=`. */
  readonly prefix: string;
}

/**
 * Without a body (null or no bytes), a line that is a label of its own with {digest} behind it (`Digest:{digest}`) is
 * left out, because the labels show which component is missing. On a line of its own, {digest} is the digest of zero
 * bytes, because a reader knows the parts by their position only.
 */
function templateProfile(template: SignatureTemplate, name: SignatureProfileName): SignatureProfile {
  const lines = template.string.split('\n');
  const linesWithoutBody = lines.filter((line) => !isLabelledDigest(line));
  const emptyDigestUsed = linesWithoutBody.some((line) => line.includes('{digest}'));
  const digests = bodyDigest(template.digest, emptyDigestUsed);

  function stringToSign(input: SigningInput): string {
    const bodyDigest = input.digest ?? digests.digest(input.body);
    const absent = input.digest === undefined || input.digest === null;
    const used = absent && isEmpty(input.body) ? linesWithoutBody : lines;
    const values: Readonly<Record<string, string>> = {
      method: input.method,
      path: input.requestTarget,
      clientId: input.clientId,
      requestId: input.requestId,
      timestamp: input.timestamp,
      digest: bodyDigest ?? '',
    };
    return used.map((line) => fill(line, values)).join('\n');
  }

  return {
    name,
    ...digests,
    stringToSign,
    signature: (input, secret) =>
      `${template.prefix}${createHmac('sha256', secret).update(stringToSign(input)).digest(template.encoding)}`,
  };
}

const PROFILES: Readonly<Record<SignatureProfileName, SignatureProfile>> = {
  'digest-lines': templateProfile(TEMPLATES['digest-lines'], 'digest-lines'),
  'method-path-hex': templateProfile(TEMPLATES['method-path-hex'], 'method-path-hex'),
};

/** The named profile. */
export function signatureProfile(name: SignatureProfileName): SignatureProfile {
  return PROFILES[name];
}

/** A label and {digest}, no other placeholder. */
function isLabelledDigest(line: string): boolean {
  return /^[^{}]*\{digest\}[^{}]*$/.test(line) && line.replace('{digest}', '').trim() !== '';
}

function isEmpty(body: Uint8Array | null): boolean {
  return body === null || body.length === 0;
}

/** In one pass, so that a value with braces in it is not filled again. */
function fill(line: string, values: Readonly<Record<string, string>>): string {
  return line.replaceAll(/\{(\w+)\}/g, (_match, name: string) => values[name] ?? '');
}

/**
 * Both ways to a digest, of a whole body and of one in pieces, so that they cannot differ. `ofEmpty`: whether a body
 * without bytes has a digest: that of no bytes.
 */
function bodyDigest(
  encoding: SignatureTemplate['digest'],
  ofEmpty: boolean,
): Pick<SignatureProfile, 'digest' | 'startDigest'> {
  const startDigest = (): BodyDigest => {
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
