import { createHmac } from 'node:crypto';
import { bodyDigest } from './body-digest.js';
import type { SignatureProfile, SigningInput } from './signature-profile.js';

/** A signature described by the operator of the worker, for a platform that follows neither named profile. */
export interface SignatureTemplate {
  /**
   * The text to sign, with the placeholders of `SIGNATURE_PLACEHOLDERS` in braces. A line feed is written as such
   * or as the two characters `\n`.
   */
  readonly string: string;
  /** How the SHA-256 of the body's bytes is written; `none`: the body has no part in the signature. */
  readonly digest: 'base64' | 'hex' | 'none';
  /** How the HMAC-SHA-256 is written; hex is lower case. */
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
export function templateProfile(template: SignatureTemplate): SignatureProfile {
  const problems = templateProblems(template);
  if (problems.length > 0) throw new TypeError(`the signature template ${problems.join('; it ')}`);
  const lines = template.string.replaceAll('\\n', '\n').split('\n');
  const linesWithoutBody = lines.filter((line) => !isLabelledDigest(line));
  const emptyDigestUsed = linesWithoutBody.some((line) => line.includes('{digest}'));

  const digests = bodyDigest({
    encoding: template.digest === 'none' ? null : template.digest,
    ofEmpty: emptyDigestUsed,
  });

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

  return {
    name: 'template',
    ...digests,
    stringToSign,
    signature(input, secret) {
      const hmac = createHmac('sha256', secret).update(stringToSign(input)).digest(template.encoding);
      return `${template.prefix}${hmac}`;
    },
  };
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
