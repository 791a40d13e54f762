import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { gzipSync } from 'node:zlib';

/**
 * Signs requests and verifies those of the platform (interface §5). A profile makes the signature of an input; which
 * one is in use is a setting, because the interface leaves parts of it open: a named profile, or a template of lines. At the
 * end: a body as bytes that may be compressed, and its digest as a header of its own, which some gateways ask for.
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
  /** The bytes that are digested: see `DIGESTED`; null or empty: no body. */
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
  /** The HMAC of a text of its own, which is no `stringToSign`, as hex. */
  hmacHex(text: string, secret: string): string;
  /** Why the text cannot be the secret, to follow its name; null: it can. */
  secretProblem(secret: string): string | null;
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

/** What the configuration says about signatures. */
export interface SignatureChoice {
  /** Counts where there is no template. */
  readonly profile: SignatureProfileName;
  readonly template?: SignatureTemplate | null | undefined;
  readonly hmac?: HmacHash | undefined;
  readonly secretEncoding?: SecretEncoding | undefined;
}

/** The hash of the HMAC. That of the body is always SHA-256. */
export const HMAC_HASHES = ['sha256', 'sha512'] as const;

type HmacHash = (typeof HMAC_HASHES)[number];

/** How the secret's bytes are written; `text`: they are those of the text itself. */
export const SECRET_ENCODINGS = ['text', 'hex', 'base64'] as const;

type SecretEncoding = (typeof SECRET_ENCODINGS)[number];

/** The template's profile where there is a template, else the named one. Errors: as `templateProfile`. */
export function chooseSignature(choice: SignatureChoice): SignatureProfile {
  const { profile, template, hmac = 'sha256', secretEncoding = 'text' } = choice;
  if (template) return templateProfile(template, 'template', { hmac, secretEncoding });
  if (hmac === 'sha256' && secretEncoding === 'text') return signatureProfile(profile);
  const { prefix, ...rest } = TEMPLATES[profile];
  const named = { ...rest, prefix: prefix.replace('SHA256', hmac.toUpperCase()) };
  return templateProfile(named, profile, { hmac, secretEncoding });
}

const SECRET_FORMS: Readonly<Record<SecretEncoding, RegExp>> = {
  text: /^/,
  hex: /^(?:[0-9a-f]{2})+$/i,
  // With or without its end, and in both alphabets.
  base64: /^(?:[\w+/-]{4})*(?:[\w+/-]{2}(?:==)?|[\w+/-]{3}=?)?$/,
};

/** Why a text is no secret in this encoding, to follow its name; null: it is one. The text is not repeated. */
export function secretProblem(secret: string, encoding: SecretEncoding): string | null {
  return SECRET_FORMS[encoding].test(secret) ? null : `is not ${encoding}`;
}

/** A signature described by the operator of the worker, for a platform that follows neither named profile. */
export interface SignatureTemplate {
  /**
   * The text to sign, with the placeholders of `SIGNATURE_PLACEHOLDERS` in braces. A line feed is written as such
   * or as the two characters `\n`.
   */
  readonly string: string;
  /** How the SHA-256 of the body's bytes is written; `none`: the body has no part in the signature. */
  readonly digest: 'base64' | 'hex' | 'none';
  /** How the HMAC is written; hex is lower case. */
  readonly encoding: 'base64' | 'hex';
  /** Stands before the HMAC in the header, such as `HMACSHA256=`. */
  readonly prefix: string;
}

/** What each placeholder stands for. */
export const SIGNATURE_PLACEHOLDERS = {
  method: 'the method in upper case',
  path: 'the path without host and query',
  clientId: 'the Client-Id header',
  requestId: 'the Request-Id header',
  timestamp: 'the Request-Timestamp header',
  digest: 'the digest of the body',
} as const;

type Placeholder = keyof typeof SIGNATURE_PLACEHOLDERS;

export const DIGEST_FORMS = ['base64', 'hex', 'none'] as const;
export const SIGNATURE_ENCODINGS = ['base64', 'hex'] as const;

/**
 * A profile made of a template.
 *
 * Without a body (null or no bytes), a line that is a label of its own with {digest} behind it (`Digest:{digest}`) is
 * left out, because the labels show which component is missing. Anywhere else, as on a line of its own, {digest} is
 * the digest of zero bytes, because a reader knows the parts by their position only.
 *
 * Errors: TypeError for a template in which `templateProblems` finds problems.
 */
export function templateProfile(
  template: SignatureTemplate,
  name = 'template',
  { hmac = 'sha256', secretEncoding = 'text' }: Pick<SignatureChoice, 'hmac' | 'secretEncoding'> = {},
): SignatureProfile {
  const problems = templateProblems(template);
  if (problems.length > 0) throw new TypeError(`the signature template ${problems.join('; it ')}`);
  const lines = template.string.replaceAll('\\n', '\n').split('\n');
  const linesWithoutBody = lines.filter((line) => !isLabelledDigest(line));
  const emptyDigestUsed = linesWithoutBody.some((line) => line.includes('{digest}'));

  const digests = bodyDigest(template.digest, emptyDigestUsed);

  function stringToSign(input: SigningInput): string {
    const bodyDigest = input.digest ?? digests.digest(input.body);
    const absent = input.digest === undefined || input.digest === null;
    const used = absent && isEmpty(input.body) ? linesWithoutBody : lines;
    const values: Readonly<Record<Placeholder, string>> = {
      method: input.method,
      path: input.requestTarget,
      clientId: input.clientId,
      requestId: input.requestId,
      timestamp: input.timestamp,
      digest: bodyDigest ?? '',
    };
    return used.map((line) => fill(line, values)).join('\n');
  }

  const hmacOf = (text: string, secret: string) =>
    createHmac(hmac, secretEncoding === 'text' ? secret : Buffer.from(secret, secretEncoding)).update(text);

  return {
    name,
    ...digests,
    stringToSign,
    signature: (input, secret) =>
      `${template.prefix}${hmacOf(stringToSign(input), secret).digest(template.encoding)}`,
    hmacHex: (text, secret) => hmacOf(text, secret).digest('hex'),
    secretProblem: (secret) => secretProblem(secret, secretEncoding),
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

/**
 * @returns what is wrong with the template, each as what follows its name ("has ..."); empty: nothing. The platform
 *   decides what a signature covers, so a template without the body is accepted.
 */
export function templateProblems({ string, digest }: SignatureTemplate): string[] {
  const known = Object.keys(SIGNATURE_PLACEHOLDERS);
  const list = known.map((name) => `{${name}}`).join(', ');
  const names = [...string.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  const unknown = [...new Set(names.filter((name) => !known.includes(name)))];
  const problems = unknown.map((name) => `has an unknown placeholder {${name}}; known are ${list}`);
  if (/[{}]/.test(string.replaceAll(/\{[^{}]*\}/g, '')))
    problems.push(`has a brace that belongs to no placeholder; known are ${list}`);
  if (problems.length === 0 && names.length === 0)
    problems.push(`has no placeholder: every request would have the same signature; known are ${list}`);
  if (digest === 'none' && names.includes('digest')) problems.push('has {digest} although digest is none');
  return problems;
}

/**
 * Whether what the template signs may be nothing but letters, digits, hyphens and underscores, as a challenge is. Then the
 * HMAC of a challenge would be the signature of something. A path begins with "/"; other values may be anything.
 */
export function maySignWord(string: string): boolean {
  const lines = string.replaceAll('\\n', '\n').split('\n');
  const always = lines.filter((line) => !isLabelledDigest(line)).join('\n');
  return !always.includes('{path}') && /^[\w-]*$/.test(always.replaceAll(/\{[^{}]*\}/g, ''));
}

/** A label and {digest}, no other placeholder. */
function isLabelledDigest(line: string): boolean {
  return /^[^{}]*\{digest\}[^{}]*$/.test(line) && line.replace('{digest}', '').trim() !== '';
}

function isEmpty(body: Uint8Array | null): boolean {
  return body === null || body.length === 0;
}

/** In one pass, so that a value with braces in it is not filled again. */
function fill(line: string, values: Readonly<Record<Placeholder, string>>): string {
  return line.replaceAll(/\{(\w+)\}/g, (_match, name: Placeholder) => values[name]);
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
    if (encoding === 'none') return { add: () => undefined, end: () => null };
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

/** How bodies travel: as they are, or compressed, which the header Content-Encoding says. */
export const REQUEST_ENCODINGS = ['identity', 'gzip'] as const;

export type RequestEncoding = (typeof REQUEST_ENCODINGS)[number];

/**
 * The bytes of which a digest is made: those of the JSON itself, or those that are sent. They are the same unless bodies are
 * compressed. The interface signs the body and knows no compression, so `body` is the default.
 */
export const DIGESTED = ['body', 'sent'] as const;

export type Digested = (typeof DIGESTED)[number];

/** One body, as JSON and as it travels. */
export type BodyBytes = Readonly<Record<Digested, Buffer>>;

/** Compressed at once and not in the background: the signature holds the time of sending. */
export function bodyBytes(body: Buffer, encoding: RequestEncoding): BodyBytes {
  return { body, sent: encoding === 'gzip' ? gzipSync(body) : body };
}

/** How the SHA-256 of a body is written in a header of its own: alone, or as RFC 3230 and RFC 9530 have it. */
export const DIGEST_HEADER_FORMS = ['base64', 'hex', 'rfc3230', 'rfc9530'] as const;

type DigestHeaderForm = (typeof DIGEST_HEADER_FORMS)[number];

/** `platform.signature.digestHeader`. */
export interface DigestHeader {
  readonly name: string;
  readonly form: DigestHeaderForm;
  readonly of: Digested;
}

/** The value of that header for these bytes. */
export function digestHeaderValue(bytes: Uint8Array, form: DigestHeaderForm): string {
  const digest = createHash('sha256')
    .update(bytes)
    .digest(form === 'hex' ? 'hex' : 'base64');
  if (form === 'rfc3230') return `SHA-256=${digest}`;
  return form === 'rfc9530' ? `sha-256=:${digest}:` : digest;
}
