import { z } from 'zod';
import { OPERATION_METHODS, type OperationName } from '../../contract/operation.js';
import { REQUEST_ENCODINGS } from '../../contract/signature.js';
import type { Area } from '../../domain/names.js';
import { PRECONDITIONS } from '../../domain/precondition.js';
import {
  CONFIGURED_MEANINGS,
  DEFAULT_ACCEPTED,
  DEFAULT_DATA,
  PLATFORM_ID,
  WHOLE_REPLY,
} from '../../domain/reply/reply.js';
import { ENTITIES, OPERATION_NAMES } from '../../entities/index.js';
import { isLoopback } from '../../runtime/loopback.js';
import {
  choice,
  duration,
  filePath,
  flag,
  headerText,
  secretText,
  text,
  timeZone,
  wholeNumber,
} from '../schema-walk.js';
import { headerName, signatureSettings } from './signature.js';

/** The block `platform`: where the areas are, and how the platform speaks where it may differ from the interface. */

const BASE_URL_FORM = 'an address such as https://sandbox.joss.kemnaker.go.id';

export function baseUrl() {
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
      ratePerSecond: wholeNumber({ min: 1 }).nullable().optional().meta({
        unit: 'requests per second',
        description:
          'Maximum number of requests in any second. Null: no limit. A platform that answers 429 is asked less often. Default: `10`; for an address on this machine, such as that of a rehearsal, no limit; set it if that is a tunnel to the platform.',
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
      lenientHttp: flag().default(false).meta({
        description:
          'Reads replies of this host that are not valid HTTP, such as those with a folded header, until its operator corrects them. Programs disagree about where such a reply ends, so the worker warns about it at every start.',
      }),
      ...areaDialect,
    })
    .transform(({ timeout, ratePerSecond, ...rest }) => ({
      ...rest,
      ratePerSecond: ratePerSecond === undefined ? usualRate(rest.baseUrl) : ratePerSecond,
      timeoutMs: timeout,
    }));
}

/** What no platform is known to refuse; a sandbox on this machine takes whatever comes. */
function usualRate(baseUrl: string): number | null {
  return isLoopback(new URL(baseUrl).hostname) ? null : 10;
}

function recordsOf(area: Area): string {
  const names = ENTITIES.filter((entity) => entity.area === area).map(({ noun }) => noun.many);
  return names.join(', ');
}

const STATUS = 'an HTTP status';

const judged = z
  .strictObject({
    status: wholeNumber({ min: 200, max: 599 }).meta({ type: STATUS }),
    field: text().optional(),
    match: text().optional(),
    as: choice(CONFIGURED_MEANINGS),
  })
  .meta({ type: 'a block { status, field, match, as }' });

const stateWords = () => z.array(text()).default([]).meta({ type: 'a list of words' });

/** Where a Find shows what became of a record after it was accepted. */
const stateSettings = z
  .strictObject({
    path: z
      .string()
      .regex(/^[^.\s]+(?:\.[^.\s]+)*$/, 'must be a field, or a dotted path such as vacancy.job.status')
      .meta({ type: 'a field, or a dotted path' }),
    live: stateWords(),
    pending: stateWords(),
    refused: stateWords(),
    removed: stateWords(),
  })
  .refine(({ path: _, ...lists }) => {
    const words = Object.values(lists).flatMap((list) => list.map((word) => word.trim().toLowerCase()));
    return words.length > 0 && new Set(words).size === words.length;
  }, 'must name at least one word, and none twice; upper and lower case are the same')
  .nullable()
  .default(null)
  .meta({
    type: 'a block { path, live, pending, refused, removed }',
    description:
      'What the platform makes of a record after it was accepted, as its Find shows it: the dotted `path` in `data` or in one of the record’s objects, such as `vacancy.job.status`, and the platform’s words for each state. `refused` and `removed`: `verify --repair` never sends the record again, only `retry --removed` or `resync --key`; a refused one also when it changes. Every record that is not known to be live is read back by each `verify`. Null: a status that was not sent is a difference that `--repair` leaves to a person.',
  });

/** How replies are read. */
const replySettings = z.strictObject({
  accepted: acceptedStatuses()
    .default([...DEFAULT_ACCEPTED])
    .meta({
      description:
        'Statuses that mean that the platform took a record. One of them may come without a body only if `platform.operations.<name>.accepted` names it.',
    }),
  data: z
    .string()
    .regex(/^(?:\.|[^.\s]+(?:\.[^.\s]+)*)$/, 'must be a field, a dotted path such as payload.record, or "."')
    .default(DEFAULT_DATA)
    .meta({
      type: 'a field, a dotted path, or "."',
      description: `Where the result is in a reply, as a dotted path; a number counts in a list, such as \`data.0\`. \`${WHOLE_REPLY}\`: the reply itself is the result. It counts for Puts and for Finds; what it names is then called \`data\` in all messages.`,
    }),
  reference: text('a field')
    .default('reference')
    .meta({
      description: `The field of the reply’s \`data\` that links children to a company or an institution, as a dotted path; \`${PLATFORM_ID}\`: children name the id of the path instead.`,
    }),
  judge: z.array(judged).default([]).meta({
    type: 'a list of { status, field, match, as }',
    description:
      'What a reply means, before the built-in rules: its `status`, a text that its body must contain (`match`; without it every body fits), or that the value at a dotted path of it must contain (`field`, as `error.code`), and `as`: authentication-refused, rejected, deferred, accepted or missing (the platform has no such record). The first that fits counts.',
  }),
  state: stateSettings,
});

const TYPES = {
  replies: 'a block { accepted, data, reference, judge, state }',
  operations: 'a block of operations, each { method, path, accepted, enabled }',
  signature:
    'a block { profile, template, hmac, secretEncoding, digestOf, digestHeader, timestamp, headerNames, signedPrefix }',
  headers: 'a block of name: value',
  clientCertificate: 'a block { cert, key, passphrase }',
  oauth: 'a block { tokenUrl, clientId, clientSecret, scope, credentials }',
} as const;

const instead = (name: keyof typeof commonDialect) => ({
  description: `Replaces platform.${name} as a whole, for this area.`,
});

/** Where an operation is. */
export const operationRoute = z.strictObject({
  method: choice(OPERATION_METHODS).optional(),
  path: z
    .string()
    .regex(
      /^(?!.*\{id\}.*\{id\})\/[^?#\s]*\{id\}[^?#\s]*$/,
      'must begin with "/" and contain "{id}" once, such as /api/v1/things/{id}',
    )
    .meta({ type: 'a path with {id} in it' })
    .optional(),
});

const operationSettings = operationRoute.extend({
  accepted: acceptedStatuses().optional(),
  enabled: flag().optional(),
});

const OVERRIDES = Object.fromEntries(
  OPERATION_NAMES.map((name) => [name, operationSettings.optional()]),
) as Record<OperationName, z.ZodOptional<typeof operationSettings>>;

const operationOverrides = z.strictObject(OVERRIDES);

const TOKEN_URL_FORM = 'an address such as https://gateway.example/oauth/token';

const oauth = z.strictObject({
  tokenUrl: z
    .string()
    .refine(isTokenUrl, `must be ${TOKEN_URL_FORM} (https, or http on this machine), without user and "#"`)
    .meta({ type: TOKEN_URL_FORM }),
  clientId: text(),
  clientSecret: secretText(),
  scope: text().nullable().default(null),
  credentials: choice(['header', 'body']).default('header'),
});

const PROXY_FORM = 'an address such as http://proxy.example:3128';

const proxyAddress = z
  .string()
  .refine(isProxyAddress, `must be ${PROXY_FORM} (http or https), without a path`)
  .meta({ type: PROXY_FORM, secret: 'address' });

const clientCertificate = z.strictObject({
  cert: filePath(),
  key: filePath(),
  passphrase: secretText().nullable().default(null),
});

const fixedHeaders = z
  .record(
    headerName,
    secretText().regex(/^[\x20-\x7e]*$/, 'must be plain characters, because it is part of a header'),
  )
  .refine(namedOnce, 'names the same header twice; upper and lower case are the same');

/** The same settings in an area's block; undefined: the common one counts. */
const areaDialect = {
  adapter: filePath().nullable().optional().meta(instead('adapter')),
  replies: replySettings.optional().meta({ type: TYPES.replies, ...instead('replies') }),
  absent: absentChoice().optional().meta(instead('absent')),
  operations: operationOverrides.optional().meta({ type: TYPES.operations, ...instead('operations') }),
  signature: signatureSettings.optional().meta({ type: TYPES.signature, ...instead('signature') }),
  proxy: proxyAddress.nullable().optional().meta(instead('proxy')),
  ca: filePath().nullable().optional().meta(instead('ca')),
  clientCertificate: clientCertificate
    .nullable()
    .optional()
    .meta({ type: TYPES.clientCertificate, ...instead('clientCertificate') }),
  oauth: oauth
    .nullable()
    .optional()
    .meta({ type: TYPES.oauth, ...instead('oauth') }),
  headers: fixedHeaders.optional().meta({ type: TYPES.headers, ...instead('headers') }),
  requestEncoding: choice(REQUEST_ENCODINGS).optional().meta(instead('requestEncoding')),
  precondition: choice(PRECONDITIONS).optional().meta(instead('precondition')),
};

/** How an area's platform speaks where it may differ from the interface: the settings for both areas. */
const commonDialect = {
  adapter: filePath().nullable().default(null).meta({
    description:
      'A module of your own where the platform differs from the interface: docs/adapter.md. Null: none.',
  }),
  replies: replySettings.prefault({}),
  absent: absentChoice().default('omit').meta({
    description:
      'What becomes of a field for which your query has no value. `omit`: the body leaves it out. Null: the body has it as null, which clears it at a platform that merges what it gets with what it holds. Also per entity and per column.',
  }),
  operations: operationOverrides.prefault({}).meta({
    type: TYPES.operations,
    description:
      'Overrides, enables or disables an operation, such as deleteVacancy: { enabled: true }. An operation that is named here is enabled, unless `enabled` is false. Deletes are off by default. `accepted`: its statuses, instead of `platform.replies.accepted`. The worker warns at every start about an operation that the platform specifies in full.',
  }),
  signature: signatureSettings.prefault({}),
  proxy: proxyAddress.nullable().default(null).meta({
    description:
      'Proxy for requests to the platform. Null: the variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY decide, except for this machine.',
  }),
  ca: filePath().nullable().default(null).meta({
    description:
      'File with further certificates to trust, in PEM form, for a platform or a gateway with an authority of its own.',
  }),
  clientCertificate: clientCertificate.nullable().default(null).meta({
    type: TYPES.clientCertificate,
    description:
      'The certificate that is shown to a platform or a gateway that asks for one (mTLS), never to a proxy. `cert` and `key`: files in PEM form, perhaps the same; the certificate comes first, those of its authorities after it. `passphrase`: of an encrypted key. Renewed files are read without a restart. Null: none.',
  }),
  oauth: oauth.nullable().default(null).meta({
    type: TYPES.oauth,
    description:
      'Tokens for a gateway that asks for OAuth 2 (client credentials) beside the signature. They are kept in memory and renewed before their end, and go into the header Authorization. `credentials`: where client id and secret are, in the `header` (Basic) or in the `body`. Requests for tokens travel as those to the platform do, and do not count in the rate. Null: none.',
  }),
  headers: fixedHeaders.prefault({}).meta({
    type: TYPES.headers,
    description:
      'Further headers of every request, which are not signed, such as a key of a gateway. They may replace Accept and User-Agent.',
  }),
  requestEncoding: choice(REQUEST_ENCODINGS).default('identity').meta({
    description:
      'How bodies are sent: as they are (`identity`), or compressed (`gzip`), which Content-Encoding says. `platform.signature.digestOf` says which bytes are signed.',
  }),
  precondition: choice(PRECONDITIONS).default('none').meta({
    description:
      'What a Put or a delete asks the platform to check first. `if-match`: the ETag that the record had last. `if-match-or-none-match`: also that a new record is not there yet (`If-None-Match: *`). What somebody else has changed is then rejected, until `retry` or `verify --repair` overwrites it.',
  }),
};

export const platformSettings = z.strictObject({
  jobs: areaSettings('JOSS')
    .optional()
    .meta({ description: `The job-placement area: ${recordsOf('jobs')}.` }),
  training: areaSettings('TOSS')
    .optional()
    .meta({ description: `The training area: ${recordsOf('training')}.` }),
  ...commonDialect,
  timeZone: timeZone().default('Asia/Jakarta').meta({
    description: 'Zone of the platform’s local times (`YYYY-MM-DD HH:MM:SS`), and of dates.',
  }),
});

function namedOnce(headers: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(headers);
  return new Set(names.map((name) => name.toLowerCase())).size === names.length;
}

function isTokenUrl(value: string): boolean {
  if (/\s/.test(value) || !URL.canParse(value)) return false;
  const { protocol, hostname, username, password, hash } = new URL(value);
  const safe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  return safe && [username, password, hash].every((part) => part === '');
}

function isProxyAddress(value: string): boolean {
  if (/\s/.test(value) || !URL.canParse(value)) return false;
  const { protocol, pathname, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && pathname === '/' && search === '' && hash === '';
}

/** Null and `omit`: YAML's own null, so that `absent: null` reads as it is meant. */
export function absentChoice() {
  return z.literal('omit').nullable().meta({ type: 'omit' });
}

/** Statuses that say: done. Only of the 2xx, because others have a meaning that nothing may hide. */
function acceptedStatuses() {
  return z
    .array(wholeNumber({ min: 200, max: 299 }))
    .min(1, 'must name at least one status')
    .meta({ type: 'a list of HTTP statuses from 200 to 299' });
}
