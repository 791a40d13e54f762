import { z } from 'zod';
import { HEADER_NAMES } from '../../contract/request-headers.js';
import {
  DIGEST_FORMS,
  DIGEST_HEADER_FORMS,
  DIGESTED,
  HMAC_HASHES,
  SECRET_ENCODINGS,
  SIGNATURE_ENCODINGS,
  SIGNATURE_PLACEHOLDERS,
  SIGNATURE_PROFILE_NAMES,
  templateProblems,
} from '../../contract/signature.js';
import { REQUEST_TIMESTAMP_FORMS } from '../../contract/time.js';
import { choice, pathPrefix } from '../schema-walk.js';

/** The block `platform.signature`: how requests are signed and webhooks checked, and the names of headers. */

const templateString = z.string().transform((string, context) => {
  for (const problem of templateProblems({ string, digest: 'base64', encoding: 'base64', prefix: '' })) {
    context.issues.push({ code: 'custom', message: problem, input: string });
  }
  return string;
});

const PLACEHOLDERS = Object.keys(SIGNATURE_PLACEHOLDERS)
  .map((name) => `{${name}}`)
  .join(' ');

const signatureTemplate = z
  .strictObject({
    string: templateString.meta({
      type: 'text with placeholders',
      description: 'the text to sign, with the placeholders ' + PLACEHOLDERS,
    }),
    digest: choice(DIGEST_FORMS).default('base64'),
    encoding: choice(SIGNATURE_ENCODINGS).default('base64'),
    prefix: z
      .string()
      .regex(/^[\x20-\x7e]*$/, 'must be plain characters, because it is part of a header')
      .default('')
      .meta({ type: 'text' }),
  })
  .meta({
    type: 'a block { string, digest, encoding, prefix }',
    description: [
      'Your own description of the signature, instead of a profile.',
      `\`string\`: the text to sign, with ${PLACEHOLDERS}; \\n is a line feed.`,
      '`digest`: how the SHA-256 of the body is written: base64 (default), hex, or none.',
      'Without a body, a line that is a label with {digest} is left out; elsewhere {digest} is the digest of zero bytes.',
      '`encoding`: how the HMAC is written: base64 (default) or hex in lower case.',
      '`prefix`: the text before it in the header (default: none).',
    ].join(' '),
  });

/** Headers that belong to the signature, to the body or to the connection. */
const OWN_HEADERS =
  /^(client-id|request-id|request-timestamp|signature|content-\w+|host|connection|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*)$/i;

const anyHeaderName = () =>
  z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/, { error: 'is not a name of a header', abort: true });

export const headerName = anyHeaderName().refine(
  (name) => !OWN_HEADERS.test(name),
  'is set by the worker itself',
);

/** Its own name, or one that nothing else has. */
const signedName = (name: string) =>
  anyHeaderName()
    .refine((other) => other === name || !OWN_HEADERS.test(other), 'has another meaning')
    .default(name)
    .meta({ type: 'a name of a header' });

export const headerNames = z.strictObject({
  clientId: signedName(HEADER_NAMES.clientId),
  requestId: signedName(HEADER_NAMES.requestId),
  timestamp: signedName(HEADER_NAMES.timestamp),
  signature: signedName(HEADER_NAMES.signature),
});

/** Not one of those that say something else of the request. */
const digestHeaderName = () =>
  anyHeaderName().refine(
    (name) => /^content-digest$/i.test(name) || !OWN_HEADERS.test(name),
    'has another meaning',
  );

/** A digest beside the signature. */
export const digestHeader = z.strictObject({
  name: digestHeaderName().meta({ type: 'a name of a header' }),
  form: choice(DIGEST_HEADER_FORMS).default('base64'),
  of: choice(DIGESTED).default('body'),
});

/** How requests are signed, and webhooks checked. */
export const signatureSettings = z.strictObject({
  profile: choice(SIGNATURE_PROFILE_NAMES).default('digest-lines').meta({
    description:
      'How requests are signed. The operator of the platform documents `digest-lines`. Set this or a template, not both.',
  }),
  template: signatureTemplate.nullable().default(null),
  hmac: choice(HMAC_HASHES).default('sha256').meta({
    description:
      'The hash of the HMAC; that of the body stays SHA-256. With `sha512` the prefix of `digest-lines` is `HMACSHA512=`.',
  }),
  secretEncoding: choice(SECRET_ENCODINGS).default('text').meta({
    description:
      'How `clientSecret` and `webhook.secrets` are written: as `text`, whose bytes are the key, or as `hex` or `base64`, which is decoded first.',
  }),
  digestOf: choice(DIGESTED).default('body').meta({
    description:
      'Which bytes the digest in the signature is made of where `platform.requestEncoding` compresses: those of the JSON (`body`), or those that are `sent`.',
  }),
  digestHeader: digestHeader.nullable().default(null).meta({
    type: 'a block { name, form, of }',
    description:
      'The SHA-256 of the body in a header of its own too, such as { name: Content-Digest, form: rfc9530, of: sent }. `form`: `base64`, `hex`, `rfc3230` (SHA-256=…) or `rfc9530` (sha-256=:…:). `of`: as `digestOf`; both standards mean the bytes that are `sent`. Null: none.',
  }),
  timestamp: choice(REQUEST_TIMESTAMP_FORMS).default('seconds').meta({
    description:
      'The form of `Request-Timestamp`: `seconds` (2026-01-31T01:00:00Z), `milliseconds` (2026-01-31T01:00:00.000Z), `epoch-seconds` (1769821200), `epoch-milliseconds` (1769821200000), or in `platform.timeZone` `offset-seconds` (2026-01-31T08:00:00+07:00) and `offset-milliseconds` (2026-01-31T08:00:00.000+07:00).',
  }),
  headerNames: headerNames.prefault({}).meta({
    type: 'a block { clientId, requestId, timestamp, signature }',
    description:
      'Other names of the four headers of a request, such as { clientId: X-Client-Id }. All headers are sent in the letters in which they are written. Webhooks have the names of the interface.',
  }),
  signedPrefix: pathPrefix().nullable().default(null).meta({
    description:
      'Replaces the path of the base URL in what is signed; "" when a gateway cuts that path off. Null: what is sent is what is signed.',
  }),
});
