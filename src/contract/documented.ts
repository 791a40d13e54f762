import { z } from 'zod';

/** JSON schema of draft 2020-12, which is the dialect of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What the interface says of a schema that reads more than that. */
const DOCUMENTED = new WeakMap<z.core.$ZodType, z.ZodType | 'not-null'>();

/**
 * A schema that reads leniently, and what the interface says: the OpenAPI document and docs/coverage.md show the latter.
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
