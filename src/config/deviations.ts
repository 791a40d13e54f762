import { z } from 'zod';
import { UUID_PATTERN } from '../contract/fields.js';
import { DIGESTED, HMAC_HASHES, SECRET_ENCODINGS } from '../contract/signature.js';
import { REQUEST_TIMESTAMP_FORMS } from '../contract/time.js';
import { type Area, AREAS } from '../domain/names.js';
import { OPERATION_NAMES } from '../entities/index.js';
import { type Checked, problemsOf, rehearsalFile } from './rehearsal-file.js';
import { choice, duration, flag, pathPrefix, text, wholeNumber } from './schema-walk.js';
import { operationRoute } from './sections/platform.js';
import { digestHeader, headerNames } from './sections/signature.js';

/**
 * The file that says how the platform of a rehearsal differs from the interface, in blocks; each has the interface as its
 * default. An area's own block replaces the common one (`areaDeviations`).
 */

/** How each area differs from the interface, with all defaults filled in. */
type Deviations = Readonly<Record<Area, AreaDeviations>>;

const done = () => wholeNumber({ min: 200, max: 299 });
const dottedPath = () =>
  z
    .string()
    .regex(/^[^.\s]+(\.[^.\s]+)*$/, 'must be a field, or a dotted path such as links.id')
    .meta({ type: 'a field, or a dotted path such as links.id' });

/** How a request that was processed is answered. */
const replies = z.strictObject({
  /** Status of a Put that created its record. */
  created: done().default(200),
  /** Status of every other Put and of a status update. */
  updated: done().default(200),
  deleted: done().default(200),
  /** Of a Put, a status update and a delete. A 204 or 205 never has a body. */
  body: choice(['whole', 'empty']).default('whole'),
  meta: flag().default(true),
  /** `meta.version`. */
  version: text().default('v1'),
  /** Where the result is, in place of `data`; `none`: it is the body itself. */
  envelope: dottedPath().default('data'),
  /** Whether the result of a Put has the platform's own `id`. */
  id: flag().default(true),
});

const REFERENCE_FORMS = ['uuid', 'number', 'text', 'changing', 'none'] as const;

/** What links a child to its parent. */
const reference = z.strictObject({
  field: dottedPath().default('reference'),
  /** `changing`: another one after each Put. `none`: the reply has none. */
  form: choice(REFERENCE_FORMS).default('uuid'),
  /** What children name: the parent's reference, its `id` in the reply, or the id in the path of its Put. */
  children: choice(['reference', 'id', 'platform-id']).optional(),
  /** Children may name a record only so long after its first Put, as where a copy of the data follows. */
  visibleAfter: duration({ min: '0s' }).prefault('0s'),
});

const moderated = z.strictObject({ match: text(), word: text() }).meta({ type: 'a block { match, word }' });

/** What the platform makes of a body. */
const bodies = z.strictObject({
  /** A Put keeps the fields that it does not name; null clears a field. */
  merge: flag().default(false),
});

/** What a Find shows. */
const find = z.strictObject({
  /** `echo`: the fields of the last Put, beside the links and times. */
  shape: choice(['interface', 'echo']).default('interface'),
  /** `reference`: as `{ type, id, country_code }`, as it was sent. */
  region: choice(['record', 'reference', 'none']).default('record'),
  /** Dotted paths of the result that are left out. */
  hidden: z.array(dottedPath()).default([]).meta({ type: 'a list of dotted paths' }),
  /** Texts are cut after so many characters; null: they are not. */
  shorten: wholeNumber({ min: 1 }).nullable().default(null),
  /** `objects`: an object without value is `{ id: null, name: null }`. */
  nulls: choice(['plain', 'objects']).default('plain'),
  /** What moderators made of records: one whose body has the text `match` is shown as `word`. The first that fits counts. */
  moderated: z.array(moderated).default([]).meta({ type: 'a list of { match, word }' }),
  /** Ids of cities that were deleted, as renamed or merged ones are. */
  deletedRegions: z.array(text()).default([]).meta({ type: 'a list of ids' }),
  /** Where that word is shown; null: in place of the status. */
  state: dottedPath().nullable().default(null),
});

export const ERROR_SHAPES = [
  'message',
  'error',
  'error.message',
  'errors',
  'problem',
  'nested',
  'text',
  'html',
] as const;

const refused = (status: number) =>
  z
    .strictObject({
      status: wholeNumber({ min: 200, max: 599 }).default(status),
      /** A word of the platform beside its sentence, such as INVALID_SIGNATURE. */
      code: text().optional(),
    })
    .prefault({})
    .meta({ type: 'a block { status, code }' });

/** How a request that was not processed is answered. A status from 200 to 299 looks like success. */
const errors = z.strictObject({
  shape: choice(ERROR_SHAPES).default('message'),
  authentication: refused(401),
  unknownId: refused(404),
  repeatedRequestId: refused(409),
  invalidFields: refused(422),
});

/** What a request must look like. */
const requests = z.strictObject({
  timestamp: choice(REQUEST_TIMESTAMP_FORMS).optional(),
  hmac: choice(HMAC_HASHES).optional(),
  /** How its own client secret is written. */
  secretEncoding: choice(SECRET_ENCODINGS).optional(),
  /** Compressed bodies: `refused` and `required` with 415. */
  gzip: choice(['accepted', 'required', 'refused']).default('accepted'),
  /** Which bytes of a compressed body are signed. */
  digestOf: choice(DIGESTED).optional(),
  /** The digest of the body in a header; null: nobody asks for it. */
  digestHeader: digestHeader.nullable().optional().meta({ type: 'a block { name, form, of }' }),
  /**
   * `kept`: replies have the record's ETag, and conditions are checked (412). `required`: a Put or delete of a record that is
   * there needs If-Match (428). `all`: a new one needs `If-None-Match: *` too.
   */
  etags: choice(['none', 'kept', 'required', 'all']).default('none'),
  /** Further headers, with their values, as a gateway asks for its key. */
  headers: z
    .record(z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/, 'is not a name of a header'), text())
    .default({})
    .meta({ type: 'a block of name: value' }),
  /** Names of the four headers. */
  headerNames: headerNames.optional().meta({ type: 'a block { clientId, requestId, timestamp, signature }' }),
  /** A gateway that knows the four only in the very letters of their names. */
  exactNames: flag().default(false),
  /** A gateway that asks for a token, which POST /_sandbox/token gives for this client; null: none. */
  oauth: z
    .strictObject({ clientId: text(), clientSecret: text(), seconds: wholeNumber({ min: 1 }).default(300) })
    .nullable()
    .default(null)
    .meta({ type: 'a block { clientId, clientSecret, seconds }' }),
  /** Path of a gateway in front of every path of the area. */
  prefix: pathPrefix().default(''),
  /** What stands in place of that path in what is signed; null: the path itself. */
  signedPrefix: pathPrefix().nullable().optional(),
});

/** Methods and paths of single operations. */
const operations = z.strictObject(
  Object.fromEntries(OPERATION_NAMES.map((name) => [name, operationRoute.optional()])),
);

const applicationId = z.string().regex(UUID_PATTERN, 'must be an application’s id, a UUID');

/** Status updates of applications that are not known here. */
const applications = z.strictObject({
  /** `sent`: only those in `known`, and those that this sandbox sent by webhook. */
  accept: choice(['any', 'sent']).default('any'),
  known: z.array(applicationId).default([]).meta({ type: 'a list of ids (UUID)' }),
});

/** What job applications sent by webhook look like; of the job-placement area. */
const webhooks = z.strictObject({
  /** Names of the four headers. */
  headerNames: headerNames.optional().meta({ type: 'a block { clientId, requestId, timestamp, signature }' }),
  encoding: choice(['identity', 'gzip']).default('identity'),
  /** What the signature of a compressed body covers: the bytes as `sent`, or what they hold (`inflated`). */
  signed: choice(['sent', 'inflated']).default('sent'),
  /** `number`: ids are whole numbers, most of them larger than what a JSON parser keeps. */
  ids: choice(['uuid', 'number']).default('uuid'),
});

/** Headers that say how many requests are left. They only say it: a fault answers 429. */
const rate = z.strictObject({
  /** Null: no such headers. */
  limit: wholeNumber({ min: 1 }).nullable().default(null),
  names: choice(['x-ratelimit', 'ratelimit']).default('x-ratelimit'),
});

/** The settings of an area by block; a block that an area has replaces the common one as a whole. */
const BLOCKS = {
  replies,
  reference,
  bodies,
  find,
  errors,
  requests,
  operations,
  applications,
  webhooks,
  rate,
};

const optional = Object.fromEntries(
  Object.entries(BLOCKS).map(([name, block]) => [name, block.optional()]),
) as unknown as { [K in keyof typeof BLOCKS]: z.ZodOptional<(typeof BLOCKS)[K]> };

const areaBlock = z.strictObject(optional);

/** A deviations file. */
export const deviationFile = z.strictObject({
  ...optional,
  jobs: areaBlock.optional(),
  training: areaBlock.optional(),
});

export const DEVIATIONS_FILE = rehearsalFile<DeviationsInput, Deviations>({
  noun: 'deviations',
  hint: 'docs/sandbox.md lists every deviation; config/deviations.example.yaml shows them in use.',
  check,
  empty: {},
});

function check(data: unknown): Checked<Deviations> {
  const written = withoutEmpty(data) ?? {};
  const result = deviationFile.safeParse(written);
  if (!result.success) {
    const whole = `must be a block with ${Object.keys(deviationFile.shape).join(', ')}`;
    return { value: null, problems: problemsOf(result.error, deviationFile, written, whole) };
  }
  const value = Object.fromEntries(AREAS.map((area) => [area, areaDeviations(result.data, area)]));
  return { value: value as Deviations, problems: [] };
}

/** A block whose lines are all commented out is null in YAML and says nothing. */
function withoutEmpty(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return data;
  const written = Object.entries(data).filter(([, value]) => value !== null);
  return Object.fromEntries(
    written.map(([name, value]) => [
      name,
      (AREAS as readonly string[]).includes(name) ? withoutEmpty(value) : (value as unknown),
    ]),
  );
}

/** The content of a deviations file. */
export type DeviationsInput = z.input<typeof deviationFile>;

/** The same, with the defaults of each block that is there. */
type DeviationBlocks = z.output<typeof deviationFile>;

/** Everything in which an area may differ. */
export type AreaDeviations = { readonly [K in keyof typeof BLOCKS]: Readonly<z.output<(typeof BLOCKS)[K]>> };

/** The settings of an area: its own blocks, else the common ones, else the interface's. */
function areaDeviations(file: DeviationBlocks, area: 'jobs' | 'training'): AreaDeviations {
  const names = Object.keys(BLOCKS) as (keyof typeof BLOCKS)[];
  const blocks = names.map((name): [string, unknown] => [
    name,
    file[area]?.[name] ?? file[name] ?? BLOCKS[name].parse({}),
  ]);
  return Object.fromEntries(blocks) as AreaDeviations;
}
