import { z } from 'zod';
import { REQUEST_TIMESTAMP_FORMS } from '../../contract/time.js';
import {
  DIGEST_FORMS,
  SIGNATURE_ENCODINGS,
  SIGNATURE_PLACEHOLDERS,
  SIGNATURE_PROFILE_NAMES,
  templateProblems,
} from '../../contract/signature.js';
import { choice, pathPrefix } from '../setting-types.js';

const PLACEHOLDERS = Object.keys(SIGNATURE_PLACEHOLDERS)
  .map((name) => `{${name}}`)
  .join(' ');

const templateString = z.string().transform((string, context) => {
  for (const problem of templateProblems({ string, digest: 'base64', encoding: 'base64', prefix: '' })) {
    context.issues.push({ code: 'custom', message: problem, input: string });
  }
  return string;
});

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
      '`encoding`: how the HMAC-SHA-256 is written: base64 (default) or hex in lower case.',
      '`prefix`: the text before it in the header (default: none).',
    ].join(' '),
  });

/** How requests are signed, and webhooks checked. */
export const signatureSettings = z.strictObject({
  profile: choice(SIGNATURE_PROFILE_NAMES).default('digest-lines').meta({
    description:
      'How requests are signed. The operator of the platform documents `digest-lines`. Set this or a template, not both.',
  }),
  template: signatureTemplate.nullable().default(null),
  timestamp: choice(REQUEST_TIMESTAMP_FORMS).default('seconds').meta({
    description:
      'The form of `Request-Timestamp`: `seconds` (2026-01-31T01:00:00Z), `milliseconds` (2026-01-31T01:00:00.000Z), `epoch-seconds` (1769821200) or `epoch-milliseconds` (1769821200000).',
  }),
  signedPrefix: pathPrefix().nullable().default(null).meta({
    description:
      'Replaces the path of the base URL in what is signed; "" when a gateway cuts that path off. Null: what is sent is what is signed.',
  }),
});
