import { z } from 'zod';
import { OPERATION_NAMES, type OperationName } from '../../contract/operations.js';
import { choice, duration, flag, secretText, text, timeZone, wholeNumber } from '../setting-types.js';

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
  if (!URL.canParse(value)) return false;
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
      clientId: text().meta({
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
        description: 'Never more requests than this in any second. Null: no limit.',
      }),
      concurrency: wholeNumber({ min: 1, max: 1000 })
        .default(4)
        .meta({ unit: 'requests', description: 'Most requests under way at a time.' }),
      timeout: duration({ max: '1h' }).prefault('30s').meta({
        description: 'A request without a reply for this long counts as unanswered and is repeated.',
      }),
      allowHttp: flag().default(false).meta({
        description:
          'Permits an http:// address off this machine; warned about at every start. Never for kemnaker.go.id.',
      }),
    })
    .transform(({ timeout, ...rest }) => ({ ...rest, timeoutMs: timeout }));
}

const operationSettings = z.strictObject({
  method: choice(['GET', 'PUT', 'PATCH', 'DELETE']).optional(),
  path: z
    .string()
    .regex(
      /^\/[^?#\s]*\{id\}[^?#\s]*$/,
      'must begin with "/" and contain "{id}", such as /api/v1/things/{id}',
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
    'Overrides, enables or disables an operation that the platform lists without detail, such as deleteVacancy: { enabled: true }. Naming one enables it, unless `enabled` is false; the deletes are off until then.',
});

export const platformSettings = z.strictObject({
  jobs: areaSettings('JOSS')
    .optional()
    .meta({ description: 'The job-placement area: companies, vacancies, application statuses.' }),
  training: areaSettings('TOSS')
    .optional()
    .meta({ description: 'The training area: institutions and trainings.' }),
  signature: z
    .strictObject({
      profile: choice(['digest-lines', 'method-path-hex']).default('digest-lines').meta({
        description:
          'How requests are signed. `digest-lines` is what the operator of the platform documents.',
      }),
      template: z.unknown().optional().meta({
        type: 'a block',
        description: 'A signature of your own description. Not available in this version.',
      }),
    })
    .prefault({}),
  timeZone: timeZone().default('Asia/Jakarta').meta({
    description: 'Zone of the platform’s local times (`YYYY-MM-DD HH:MM:SS`), and of dates.',
  }),
  operations: operationOverrides,
});
