import { z } from 'zod';
import type { Area } from '../../domain/names.js';
import { ENTITIES } from '../../entities/index.js';
import { duration, flag, headerText, secretText, timeZone, wholeNumber } from '../setting-types.js';
import { areaDialect, commonDialect } from './dialect.js';

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
      ...areaDialect,
    })
    .transform(({ timeout, ...rest }) => ({ ...rest, timeoutMs: timeout }));
}

/** The registry's records of the area. */
function recordsOf(area: Area): string {
  const names = ENTITIES.filter((entity) => entity.area === area).map(({ noun }) => noun.many);
  return names.join(', ');
}

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
