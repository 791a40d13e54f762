import { z } from 'zod';
import * as field from './fields.js';

/**
 * Types of fields in replies. A reply is read leniently: a field may be missing or null wherever the interface does
 * not need it, and its text is not checked: a wrong telephone number does not mean that the platform refused the
 * request. The OpenAPI document has the interface's own types.
 */

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
export function part<T extends z.ZodType>(schema: T): z.ZodOptional<z.ZodNullable<T>> {
  const lenient = schema.nullish();
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

const lenientText = () => z.string().nullish();
const lenientNumber = () => z.number().nullish();

export const text = readAs(lenientText(), field.text);
/** Text that the interface shows as null too. */
export const textOrNull = readAs(lenientText(), field.text.nullable());
export const uuid = readAs(lenientText(), field.uuid);
export const wholeNumber = readAs(lenientNumber(), field.wholeNumber);
export const flag = readAs(z.boolean().nullish(), field.flag);
/** `YYYY-MM-DD` */
export const day = readAs(lenientText(), field.day);
/** `YYYY-MM-DD HH:MM:SS` */
export const time = readAs(lenientText(), field.localTime.meta({ examples: ['2026-01-31 08:00:00'] }));
/** ISO 8601 with numeric UTC offset. */
export const moment = readAs(
  lenientText(),
  z.string().meta({
    format: 'date-time',
    description: 'ISO 8601 with numeric UTC offset.',
    examples: ['2026-01-31T08:00:00+07:00'],
  }),
);
/** Decimal degrees: the interface shows text in one place and a number in another, so both are read everywhere. */
const lenientDegrees = () => z.union([z.string(), z.number()]).nullish();
export const degreesText = readAs(lenientDegrees(), field.decimalText);
export const degrees = readAs(lenientDegrees(), z.number());
/** An amount with a fraction, read as text too. */
export const amount = readAs(z.union([z.number(), z.string()]).nullish(), z.number());

/** What the interface says about the `meta` of a reply. Documentation only. */
export const serverInformation = z.looseObject({
  client_ip: z.string().optional().describe('Address of the caller as seen by the server.'),
  hostname: z.string().optional().describe('Name of the serving host.'),
  version: z.string().optional().describe('API version, v1.'),
});

/** `data` of a delete: the interface does not show it, so anything fits, also nothing. */
export const deleted = z.unknown();

/** `data` of every Put (interface §2); `name` or `title` and `created_at` come beside. */
export const putResult = z.looseObject({ id: field.uuid, reference: field.uuid });
