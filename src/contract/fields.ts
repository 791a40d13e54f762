import { z } from 'zod';
import { isPlatformTimestamp, PLATFORM_TIMESTAMP_PATTERN } from './time.js';

/**
 * Types of the fields that bodies and replies are made of: strict ones for what we send, lenient ones (`reply…`) for
 * what the platform answers, of which the documentation shows what the interface says.
 */

/**
 * Any 8-4-4-4-12 hexadecimal text. Version and variant bits are not judged: the interface says "UUID string" and
 * Postgres takes any. Both cases stand in the pattern itself, because a JSON schema has no flags.
 */
export const UUID_PATTERN = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/** Types of body fields as the interface names them (§2). No length or range: none is shown. */
export const text = z.string({ error: 'must be text' });
export const requiredText = text.regex(/\S/, { error: 'must not be blank' });
export const uuid = text.regex(UUID_PATTERN, { error: 'must be a UUID' }).meta({ format: 'uuid' });
export const url = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
export const wholeNumber = z.int({ error: 'must be a whole number' });
export const flag = z.boolean({ error: 'must be true or false' });
/** `YYYY-MM-DD`, a day that exists. */
export const day = z.iso.date({ error: 'must be a date written YYYY-MM-DD' });
/** "Decimal degrees written as text": no exponent. */
export const decimalText = text.regex(/^-?\d+(\.\d+)?$/, { error: 'must be decimal degrees as text' });
/** `YYYY-MM-DD HH:MM:SS`, a time of a day that exists; local time of the platform. */
export const localTime = z
  .stringFormat('local-time', isPlatformTimestamp, {
    error: (issue) =>
      typeof issue.input === 'string' ? 'must be a time written YYYY-MM-DD HH:MM:SS' : 'must be text',
  })
  .meta({ pattern: PLATFORM_TIMESTAMP_PATTERN.source });

/** Amount of money: both fields are needed when the object is there. */
export const money = z.strictObject(
  { currency: requiredText, amount: wholeNumber },
  { error: 'must be an object with currency and amount' },
);

/** JSON schema of draft 2020-12, which is the dialect of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What the interface says of a schema that reads more than that. */
const DOCUMENTED = new WeakMap<z.core.$ZodType, z.ZodType | 'not-null'>();

/**
 * A schema that reads leniently, and what the interface says: the OpenAPI document shows the latter.
 * Validation does not change.
 */
export function readAs<T extends z.ZodType>(lenient: T, documented: z.ZodType): T {
  DOCUMENTED.set(lenient, documented);
  return lenient;
}

/** An object of a reply: read also where it is null or missing, which the interface does not show. */
export function replyPart<T extends z.ZodType>(part: T): z.ZodOptional<z.ZodNullable<T>> {
  const lenient = part.nullish();
  DOCUMENTED.set(lenient, 'not-null');
  return lenient;
}

interface Overridden {
  readonly zodSchema: z.core.$ZodType;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}

/** For `z.toJSONSchema`: the interface's own types instead of the lenient ones. */
export function documentedTypes({ zodSchema, jsonSchema }: Overridden): void {
  // Not the interface's, but what JSON readers hold exactly.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  const as = DOCUMENTED.get(zodSchema);
  if (as === undefined) return;
  const documented = as === 'not-null' ? withoutNull(jsonSchema) : documentedSchema(as);
  for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
  Object.assign(jsonSchema, documented);
}

/** The JSON schema of what the interface says. */
export function documentedSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { override: documentedTypes });
  return json;
}

function withoutNull({ anyOf, ...rest }: z.core.JSONSchema.BaseSchema): JsonSchema {
  const [only, ...others] = (anyOf ?? []).filter(({ type }) => type !== 'null');
  if (only === undefined || others.length > 0) return { ...rest, ...(anyOf === undefined ? {} : { anyOf }) };
  return { ...only, ...rest };
}

/**
 * The platform's words where the interface and its public answers show a closed choice: `male` and `pkwtt` (interface
 * §2 and §6), `female`, `single` and `open` in public answers; `married`, `pkwt` and `closed` are their counterparts
 * (assumed). Other words are sent, with a warning; a strict platform may refuse them.
 */
export const KNOWN_WORDS = {
  gender: ['male', 'female'],
  marital: ['single', 'married'],
  employment_type: ['pkwtt', 'pkwt'],
  vacancyStatus: ['open', 'closed'],
} as const;

/**
 * Types of fields in replies. A reply is read leniently: a field may be missing or null wherever the interface does
 * not need it, and its text is not checked: a wrong telephone number does not mean that the platform refused the
 * request. The OpenAPI document has the interface's own types.
 */
const lenientText = () => z.string().nullish();
const lenientNumber = () => z.number().nullish();

export const replyText = readAs(lenientText(), text);
/** Text that the interface shows as null too. */
export const replyTextOrNull = readAs(lenientText(), text.nullable());
export const replyUuid = readAs(lenientText(), uuid);
export const replyWholeNumber = readAs(lenientNumber(), wholeNumber);
export const replyFlag = readAs(z.boolean().nullish(), flag);
/** `YYYY-MM-DD` */
export const replyDay = readAs(lenientText(), day);
/** `YYYY-MM-DD HH:MM:SS` */
export const replyTime = readAs(lenientText(), localTime.meta({ examples: ['2026-01-31 08:00:00'] }));
/** ISO 8601 with numeric UTC offset. */
export const replyMoment = readAs(
  lenientText(),
  z.string().meta({
    format: 'date-time',
    description: 'ISO 8601 with numeric UTC offset.',
    examples: ['2026-01-31T08:00:00+07:00'],
  }),
);
/** Decimal degrees: the interface shows text in one place and a number in another, so both are read everywhere. */
const lenientDegrees = () => z.union([z.string(), z.number()]).nullish();
export const replyDegreesText = readAs(lenientDegrees(), decimalText);
export const replyDegrees = readAs(lenientDegrees(), z.number());
/** An amount with a fraction, read as text too. */
export const replyAmount = readAs(z.union([z.number(), z.string()]).nullish(), z.number());

/**
 * Every JSON response, as the interface shows it: the result in `data`, server information in `meta` (§1). The worker
 * itself reads replies more leniently (`platform/read-reply.ts`).
 */
export const envelope = z.looseObject({ data: z.looseObject({}), meta: z.looseObject({}) });

/** What the interface says about `meta`. Documentation only: `envelope` ignores it. */
export const serverInformation = z.looseObject({
  client_ip: z.string().optional().describe('Address of the caller as seen by the server.'),
  hostname: z.string().optional().describe('Name of the serving host.'),
  version: z.string().optional().describe('API version, v1.'),
});

/** `data` of a delete: the interface does not show it, so anything fits, also nothing. */
export const deleteResult = z.unknown();

/** `data` of every Put (interface §2); `name` or `title` and `created_at` come beside. */
export const putResult = z.looseObject({ id: uuid, reference: uuid });

type Read<T> =
  { readonly value: T; readonly malformed: null } | { readonly value: null; readonly malformed: string };

/**
 * @param json the body of a 200
 * @param schema what `data` must be
 * @returns `data`, or why the reply is malformed: one sentence that names the field and not its value
 */
export function readData<T>(json: unknown, schema: z.ZodType<T>): Read<T> {
  const outer = envelope.safeParse(json);
  if (!outer.success) return { value: null, malformed: describe(outer.error, []) };
  const inner = schema.safeParse(outer.data.data);
  if (!inner.success) return { value: null, malformed: describe(inner.error, ['data']) };
  return { value: inner.data, malformed: null };
}

function describe(error: z.ZodError, prefix: readonly string[]): string {
  const first = error.issues[0];
  const field = [...prefix, ...(first?.path ?? []).map(String)].join('.');
  return `${field === '' ? 'the body' : field}: ${first?.message ?? 'not as documented'}`;
}
