import { z } from 'zod';

/** Reads the schema of a body: which fields it has, which may be null, and what is wrong with one body. */

/** The names of a body's own fields; none for a schema that names none. */
export function bodyFields(body: z.ZodType | null): readonly string[] {
  return body instanceof z.ZodObject ? Object.keys(body.shape) : [];
}

/** The same body without one of its own fields; a schema that names none is given back. */
export function withoutField(body: z.ZodType, field: string): z.ZodType {
  const left: Record<never, true> = { [field]: true };
  return body instanceof z.ZodObject ? body.omit(left) : body;
}

const made = new WeakMap<z.ZodType, z.ZodType>();

/**
 * The same body with null for every field that may be missing, at every depth. That is how `absent: null` writes a
 * field without a value, so that a platform clears it that merges what it gets with what it holds. Required fields stay
 * as they are.
 */
export function allowNulls(schema: z.ZodType): z.ZodType {
  const known = made.get(schema);
  if (known !== undefined) return known;
  const allowing = schema instanceof z.ZodObject ? withNulls(schema) : schema;
  made.set(schema, allowing);
  return allowing;
}

function withNulls(schema: z.ZodObject): z.ZodType {
  const fields = Object.entries(schema.shape).map(([name, field]) => [
    name,
    field instanceof z.ZodOptional
      ? allowNulls(field.unwrap() as z.ZodType).nullish()
      : allowNulls(field as z.ZodType),
  ]);
  return schema.safeExtend(Object.fromEntries(fields) as Record<string, z.ZodType>);
}

/** One thing that is wrong with a request body. `field` is the dotted path; empty for the body itself. */
export interface BodyProblem {
  readonly field: string;
  /** `unknown`: a field that the interface does not list. */
  readonly code: 'required' | 'type' | 'format' | 'range' | 'unknown';
  readonly message: string;
}

/**
 * @param schema one of the request bodies (`companyBody`, `vacancyBody`, ...)
 * @param body any JSON value
 * @returns everything that is wrong, in the order of the schema; empty when the body is valid
 */
export function bodyProblems(schema: z.ZodType, body: unknown): readonly BodyProblem[] {
  const parsed = schema.safeParse(body);
  if (parsed.success) return [];
  return parsed.error.issues.flatMap((issue) => problemsOf(issue, body));
}

function problemsOf(issue: z.core.$ZodIssue, body: unknown): BodyProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: dotted([...issue.path, key]),
      code: 'unknown' as const,
      message: 'is not a field of the interface',
    }));
  }
  const field = dotted(issue.path);
  if (valueAt(body, issue.path) === undefined) return [{ field, code: 'required', message: 'is required' }];
  return [{ field, code: codeOf(issue), message: issue.message }];
}

function codeOf(issue: z.core.$ZodIssue): BodyProblem['code'] {
  if (issue.code === 'invalid_format') return 'format';
  // A whole number beyond what JSON readers hold exactly.
  if (issue.code === 'too_big' || issue.code === 'too_small') return 'range';
  return 'type';
}

function dotted(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const step of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Record<PropertyKey, unknown>)[step];
  }
  return current;
}
