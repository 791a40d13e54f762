import type { z } from 'zod';
import { coerce } from './coerce.js';
import { explainIssue } from './explain-issue.js';
import { interpolate, type UnknownVariable, type Variable } from './interpolate.js';
import type { ParsedYaml } from './parse-yaml.js';
import { isWithin, type Problem } from './problem.js';

/** Data of a configuration file with the environment filled in, and what its schema says about it. */
export interface FilledIn<T> {
  /** In the form of the file. */
  readonly data: unknown;
  /** Null: the schema refuses the data. */
  readonly settings: T | null;
  /**
   * All problems: those of the text, of the variables, of the schema, and further ones that were found in the data.
   * A value that could not be filled in has no further problems.
   */
  problems(further: readonly Problem[]): readonly Problem[];
}

/**
 * Fills the environment into data and checks it.
 *
 * @param given the data of `parsed`, or made from it
 * @param read looks a variable up
 */
export function fillIn<S extends z.ZodType>(
  schema: S,
  parsed: ParsedYaml,
  given: unknown,
  read: (name: string) => Variable | UnknownVariable,
): FilledIn<z.output<S>> {
  const filled = interpolate(given, read);
  const data = coerce(schema, filled.data, filled.fromEnvironment);
  const checked = schema.safeParse(data);
  const issues = checked.success
    ? []
    : checked.error.issues.flatMap((issue) => explainIssue(issue, schema, data));
  const unreadable = [
    ...parsed.problems.map(({ path }) => path).filter((path) => path.length > 0),
    ...filled.problems.map(({ path }) => path),
    ...filled.unknown,
  ];
  return {
    data,
    settings: checked.success ? checked.data : null,
    problems: (further) => [
      ...parsed.problems,
      ...filled.problems,
      ...[...issues, ...further].filter(({ path }) => !unreadable.some((top) => isWithin(path, top))),
    ],
  };
}
