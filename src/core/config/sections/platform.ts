import { z } from 'zod';
import { OPERATION_METHODS, type OperationName } from '../../contract/operation.js';
import { SIGNATURE_PROFILE_NAMES } from '../../contract/signature.js';
import type { Area } from '../../domain/names.js';
import { ENTITIES, OPERATION_NAMES } from '../../entities/index.js';
import { isLoopback } from '../../runtime/loopback.js';
import {
  choice,
  duration,
  filePath,
  flag,
  headerText,
  secretText,
  timeZone,
  wholeNumber,
} from '../schema-walk.js';

/** The block `platform`: where the areas are. Where the platform differs otherwise, `adapter` says it in code. */

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

/** Headers that belong to the signature, to the body or to the connection. */
const OWN_HEADERS =
  /^(client-id|request-id|request-timestamp|signature|content-\w+|host|connection|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*)$/i;

const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~\w-]+$/, { error: 'is not a name of a header', abort: true })
  .refine((name) => !OWN_HEADERS.test(name), 'is set by the worker itself');

const signatureSettings = z.strictObject({
  profile: choice(SIGNATURE_PROFILE_NAMES).default('digest-lines').meta({
    description:
      'How requests are signed, and webhooks checked. The operator of the platform documents `digest-lines`.',
  }),
});

const TYPES = {
  operations: 'a block of operations, each { method, path, enabled }',
  signature: 'a block { profile }',
  headers: 'a block of name: value',
  clientCertificate: 'a block { cert, key, passphrase }',
} as const;

const instead = (name: keyof typeof commonDialect) => ({
  description: `Replaces platform.${name} as a whole, for this area.`,
});

/** Where an operation is. */
const operationSettings = z.strictObject({
  method: choice(OPERATION_METHODS).optional(),
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

const operationOverrides = z.strictObject(OVERRIDES);

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
  absent: absentChoice().optional().meta(instead('absent')),
  operations: operationOverrides.optional().meta({ type: TYPES.operations, ...instead('operations') }),
  signature: signatureSettings.optional().meta({ type: TYPES.signature, ...instead('signature') }),
  proxy: proxyAddress.nullable().optional().meta(instead('proxy')),
  ca: filePath().nullable().optional().meta(instead('ca')),
  clientCertificate: clientCertificate
    .nullable()
    .optional()
    .meta({ type: TYPES.clientCertificate, ...instead('clientCertificate') }),
  headers: fixedHeaders.optional().meta({ type: TYPES.headers, ...instead('headers') }),
};

/** How an area's platform speaks where it may differ from the interface: the settings for both areas. */
const commonDialect = {
  adapter: filePath().nullable().default(null).meta({
    description:
      'A module of your own where the platform differs from the interface: docs/adapter.md. Null: none.',
  }),
  absent: absentChoice().default('omit').meta({
    description:
      'What becomes of a field for which your query has no value. `omit`: the body leaves it out. Null: the body has it as null, which clears it at a platform that merges what it gets with what it holds. Also per entity and per column.',
  }),
  operations: operationOverrides.prefault({}).meta({
    type: TYPES.operations,
    description:
      'Overrides, enables or disables an operation, such as deleteVacancy: { enabled: true }. An operation that is named here is enabled, unless `enabled` is false. Deletes are off by default. The worker warns at every start about an operation that the platform specifies in full.',
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
  headers: fixedHeaders.prefault({}).meta({
    type: TYPES.headers,
    description:
      'Further headers of every request, which are not signed, such as a key of a gateway. They may replace Accept and User-Agent.',
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

function isProxyAddress(value: string): boolean {
  if (/\s/.test(value) || !URL.canParse(value)) return false;
  const { protocol, pathname, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && pathname === '/' && search === '' && hash === '';
}

/** Null and `omit`: YAML's own null, so that `absent: null` reads as it is meant. */
export function absentChoice() {
  return z.literal('omit').nullable().meta({ type: 'omit' });
}
