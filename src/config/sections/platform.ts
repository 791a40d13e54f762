import { z } from 'zod';
import type { OperationName } from '../../contract/operation.js';
import type { Area } from '../../domain/area.js';
import { ENTITIES } from '../../entities/index.js';
import { OPERATION_NAMES } from '../../entities/operations.js';
import { SIGNATURE_PROFILE_NAMES } from '../../contract/signature-profiles.js';
import {
  DIGEST_FORMS,
  SIGNATURE_ENCODINGS,
  SIGNATURE_PLACEHOLDERS,
  templateProblems,
} from '../../contract/signature-template.js';
import { choice, duration, flag, headerText, secretText, timeZone, wholeNumber } from '../setting-types.js';

const BASE_URL_FORM = 'an address such as https://sandbox.joss.kemnaker.go.id';

function baseUrl() {
  const refuse = `must be ${BASE_URL_FORM}, without user, password, "?" or "#"`;
  return z
    .string()
    .refine(isPlainAddress, refuse)
    .transform((value) => new URL(value).href.replace(/\/+$/, ''))
    .meta({ type: BASE_URL_FORM });
}

function isPlainAddress(value: string): boolean {
  // URL would silently cut or encode blanks.
  if (/\s/.test(value) || !URL.canParse(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  const web = protocol === 'https:' || protocol === 'http:';
  return web && [username, password, search, hash].every((part) => part === '');
}

/** One area. `prefix`: of its environment variables; `host`: the operator's name of the service. */
function areaSettings(prefix: 'JOSS' | 'TOSS') {
  return z
    .strictObject({
      baseUrl: baseUrl().meta({
        description:
          'Base address of the area. Staging and production have separate credentials and ledgers.',
        env: `${prefix}_BASE_URL`,
        example: `https://sandbox.${prefix.toLowerCase()}.kemnaker.go.id`,
      }),
      clientId: headerText().meta({
        description: 'Client id that the operator of the platform gave you.',
        env: `${prefix}_CLIENT_ID`,
        example: '',
      }),
      clientSecret: secretText().meta({
        description:
          'Secret key that belongs to the client id; signs every request and is never sent or printed.',
        env: `${prefix}_CLIENT_SECRET`,
        example: '',
      }),
      ratePerSecond: wholeNumber({ min: 1 }).nullable().default(10).meta({
        unit: 'requests per second',
        description: 'Maximum number of requests in any second. Null: no limit.',
      }),
      concurrency: wholeNumber({ min: 1, max: 1000 })
        .default(4)
        .meta({ unit: 'requests', description: 'Maximum number of requests under way at a time.' }),
      timeout: duration({ max: '1h' }).prefault('30s').meta({
        description: 'A request without a reply for this long counts as unanswered and is repeated.',
      }),
      allowHttp: flag().default(false).meta({
        description:
          'Allows an http:// address outside this machine. The worker warns about it at every start. Never for kemnaker.go.id.',
      }),
    })
    .transform(({ timeout, ...rest }) => ({ ...rest, timeoutMs: timeout }));
}

/** The registry's records of the area. */
function recordsOf(area: Area): string {
  const names = ENTITIES.filter((entity) => entity.area === area).map(({ noun }) => noun.many);
  return names.join(', ');
}

const PLACEHOLDERS = Object.keys(SIGNATURE_PLACEHOLDERS)
  .map((name) => `{${name}}`)
  .join(' ');

const operationSettings = z.strictObject({
  method: choice(['GET', 'PUT', 'PATCH', 'DELETE']).optional(),
  path: z
    .string()
    .regex(
      /^(?!.*\{id\}.*\{id\})\/[^?#\s]*\{id\}[^?#\s]*$/,
      'must begin with "/" and contain "{id}" once, such as /api/v1/things/{id}',
    )
    .meta({ type: 'a path with {id} in it' })
    .optional(),
  enabled: flag().optional(),
});

const OVERRIDES = Object.fromEntries(
  OPERATION_NAMES.map((name) => [name, operationSettings.optional()]),
) as Record<OperationName, z.ZodOptional<typeof operationSettings>>;

const operationOverrides = z.strictObject(OVERRIDES).prefault({}).meta({
  type: 'a block of operations, each { method, path, enabled }',
  description:
    'Overrides, enables or disables an operation that the platform lists without detail, such as deleteVacancy: { enabled: true }. An operation that is named here is enabled, unless `enabled` is false. Deletes are off by default.',
});

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

export const platformSettings = z.strictObject({
  jobs: areaSettings('JOSS')
    .optional()
    .meta({ description: `The job-placement area: ${recordsOf('jobs')}.` }),
  training: areaSettings('TOSS')
    .optional()
    .meta({ description: `The training area: ${recordsOf('training')}.` }),
  signature: z
    .strictObject({
      profile: choice(SIGNATURE_PROFILE_NAMES).default('digest-lines').meta({
        description:
          'How requests are signed. The operator of the platform documents `digest-lines`. Set this or a template, not both.',
      }),
      template: signatureTemplate.nullable().default(null),
    })
    .prefault({}),
  timeZone: timeZone().default('Asia/Jakarta').meta({
    description: 'Zone of the platform’s local times (`YYYY-MM-DD HH:MM:SS`), and of dates.',
  }),
  operations: operationOverrides,
});
