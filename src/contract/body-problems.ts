import type { z } from 'zod';

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
