import { z } from 'zod';
import { readDatabaseAddress } from '../runtime/database-address.js';
import { DURATION_FORM, parseDuration } from './duration.js';

/**
 * What the sections of the schema are made of: what a schema is below its wrappers (`unwrap`, `partOf`), and the kinds of
 * settings that several sections have, each with its sentence for the operator.
 */

/** A schema without its wrappers: default, null allowed, transform. */
interface Unwrapped {
  readonly schema: z.core.$ZodType;
  /** Of all layers, the outer ones last. */
  readonly meta: SettingMeta;
  readonly nullable: boolean;
  /** Absent is an error. */
  readonly required: boolean;
  /** As it would be written in the file; undefined: none. */
  readonly fallback: unknown;
}

/** Looks through the wrappers of a schema. */
export function unwrap(outer: z.core.$ZodType): Unwrapped {
  let schema = outer;
  let nullable = false;
  let required = true;
  let fallback: unknown;
  const metas = [metaOf(schema)];
  for (;;) {
    if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault) {
      required = false;
      fallback ??= schema.def.defaultValue;
      schema = schema.def.innerType;
    } else if (schema instanceof z.ZodOptional) {
      required = false;
      schema = schema.def.innerType;
    } else if (schema instanceof z.ZodNullable) {
      nullable = true;
      schema = schema.def.innerType;
    } else if (schema instanceof z.ZodPipe) {
      schema = schema.def.in;
    } else {
      const meta = Object.assign({}, ...metas.reverse()) as SettingMeta;
      return { schema, meta, nullable, required, fallback };
    }
    metas.push(metaOf(schema));
  }
}

function metaOf(schema: z.core.$ZodType): SettingMeta {
  return z.globalRegistry.get(schema) ?? {};
}

/** The named parts of a block, in the order of the schema; null for anything else, also for a record. */
export function shapeOf(outer: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> | null {
  const { schema } = unwrap(outer);
  return schema instanceof z.ZodObject ? schema.def.shape : null;
}

/** The schema of one part of a block, record or list; null when it can have no such part. */
export function partOf(outer: z.core.$ZodType, key: string | number): z.core.$ZodType | null {
  const { schema } = unwrap(outer);
  if (schema instanceof z.ZodArray) return schema.def.element;
  if (schema instanceof z.ZodRecord) return schema.def.valueType;
  if (schema instanceof z.ZodObject) {
    const shape: Readonly<Record<string, z.core.$ZodType>> = schema.def.shape;
    return Object.hasOwn(shape, key) ? (shape[key] ?? null) : null;
  }
  return null;
}

/** The schema at a path; null when there is no such setting. */
export function schemaAt(root: z.core.$ZodType, path: readonly (string | number)[]): z.core.$ZodType | null {
  let found: z.core.$ZodType | null = root;
  for (const part of path) found = found === null ? null : partOf(found, part);
  return found;
}

/** What the documentation and the messages say about a setting beside its schema. */
export interface SettingMeta {
  /** One or two sentences for the operator. */
  readonly description?: string;
  /** What a value looks like, to follow "must be". An object with it is shown as one setting. */
  readonly type?: string;
  readonly unit?: string;
  /** `whole`: never shown. `address`: an address whose password is never shown. */
  readonly secret?: 'whole' | 'address';
  /** Names a file, or holds a statement that may stand in one. */
  readonly file?: true;
  /** The environment variable that the example configuration reads it from. */
  readonly env?: string;
  /** A value for `.env.example`. */
  readonly example?: string;
}

/** Text that is not blank. */
export function text(type = 'text') {
  return z.string().regex(/\S/, 'must not be empty').meta({ type });
}

const LINE_FEED = 'look for a line feed at the end of its file or variable';

/** Text that every request sends unchanged in a header. */
export function headerText() {
  return z
    .string()
    .regex(/\S/, { error: 'must not be empty', abort: true })
    .regex(/^[\x21-\x7e]+$/, `must be plain characters without blanks; ${LINE_FEED}`)
    .meta({ type: 'text' });
}

/** Text that is never shown in messages, `config print` or logs. Blanks inside are part of it. */
export function secretText() {
  return z
    .string()
    .regex(/\S/, { error: 'must not be empty', abort: true })
    .regex(/^[^\x00-\x1f\x7f]*$/, `must not contain control characters; ${LINE_FEED}`)
    .meta({ type: 'text', secret: 'whole' });
}

export function flag() {
  return z.boolean().meta({ type: 'true or false' });
}

export function wholeNumber({ min, max }: { min: number; max?: number }) {
  const type = max === undefined ? `a whole number, ${min} or more` : `a whole number from ${min} to ${max}`;
  return z
    .int()
    .min(min)
    .max(max ?? Number.MAX_SAFE_INTEGER)
    .meta({ type });
}

export function percent() {
  return z.number().min(0).max(100).meta({ type: 'a number from 0 to 100', unit: '%' });
}

export function choice<const T extends readonly string[]>(values: T) {
  return z.enum(values).meta({ type: `one of ${values.join(', ')}` });
}

/** A timer that is set for longer fires at once. */
export const LONGEST_TIMER = '24d';

/** Text such as `30s`; becomes milliseconds, so the name in the loaded settings ends in `Ms`. */
export function duration({ min = '1ms', max }: { min?: string; max?: string } = {}) {
  const minMs = parseDuration(min) ?? 1;
  const maxMs = max === undefined ? Infinity : (parseDuration(max) ?? Infinity);
  return z
    .string()
    .transform((value, context) => {
      const ms = parseDuration(value);
      const message =
        ms === null
          ? `must be ${DURATION_FORM}`
          : ms < minMs
            ? `must be at least ${min}`
            : ms > maxMs
              ? `must be at most ${max}`
              : null;
      if (ms !== null && message === null) return ms;
      context.issues.push({ code: 'custom', message: message ?? '', input: value });
      return z.NEVER;
    })
    .meta({ type: DURATION_FORM });
}

/** Path of a file. A relative one starts at the configuration's folder. */
export function filePath() {
  return text().meta({ type: 'a path', file: true });
}

/** Name of a schema that needs no quotes in SQL. `max`: characters; default: as many as Postgres takes. */
export function schemaName({ max }: { max?: number } = {}) {
  const length = max === undefined ? '' : ` at most ${max} characters,`;
  return text()
    .regex(
      new RegExp(`^(?!pg_)[a-z_][a-z0-9_]{0,${(max ?? 63) - 1}}$`),
      `must be a plain schema name: small letters, digits and _,${length} not beginning with a digit or pg_`,
    )
    .meta({ type: 'a schema name' });
}

/**
 * A named zone that both JavaScript and Postgres understand. Offsets such as `+07:00` are refused: Postgres
 * reads their sign the other way round.
 */
export function timeZone() {
  const message = 'is not a known time zone; write a name such as Asia/Jakarta or UTC';
  return z.string().refine(isNamedZone, message).meta({ type: 'a time zone such as Asia/Jakarta' });
}

function isNamedZone(value: string): boolean {
  if (!/^[A-Za-z]/.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

/** Address of a Postgres database, in the form that pg understands. */
export function postgresUrl() {
  return z
    .string()
    .refine((value) => addressProblem(value) === null, {
      error: ({ input }) => addressProblem(String(input)) ?? '',
    })
    .meta({ type: 'a Postgres address', secret: 'address' });
}

const USUAL_ADDRESS = 'postgres://user:password@host:5432/database';
const ENCODED =
  'in the password, write special characters percent-encoded (@ is %40, / is %2F, # is %23, ? is %3F, % is %25, a blank is %20)';

/** What is wrong with the address of a Postgres database, without a piece of it; null: nothing. */
export function addressProblem(text: string): string | null {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return `is not an address such as ${USUAL_ADDRESS}`;
  if (scheme !== 'postgres' && scheme !== 'postgresql')
    return `is an address of another kind: it begins with ${scheme}://, and one of Postgres is ${USUAL_ADDRESS}`;
  const address = readDatabaseAddress(text);
  if (address === null)
    return `is not an address such as ${USUAL_ADDRESS}${signInPassword(text)}; ${ENCODED}`;
  return 'problem' in address ? address.problem : null;
}

function signInPassword(text: string): string {
  const login = text.slice(text.indexOf('://') + 3, Math.max(0, text.lastIndexOf('@')));
  const sign = /[#/?@\s]/.exec(login)?.[0];
  return sign === undefined
    ? ''
    : `: its password has a character (${sign.trim() || 'a blank'}) that ends it too early`;
}
