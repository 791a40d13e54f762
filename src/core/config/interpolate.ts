import { z } from 'zod';
import { explainIssue } from './explain-issue.js';
import type { ParsedYaml } from './parse-yaml.js';
import { isWithin, pathText, type Problem, type SettingPath } from './problem.js';
import { partOf, unwrap } from './schema-walk.js';

/**
 * Fills the environment into a configuration. `interpolate` puts variables in place of `${NAME}` in the texts of the data;
 * `fillIn` also converts them to the types of the schema (`coerce`), has the schema check everything, and puts all problems
 * together.
 */

/** A variable of the environment: its value, null when unset, or why it cannot be read. */
export type Variable = { readonly value: string | null } | { readonly problem: string };

/** A variable that only another machine knows. */
interface UnknownVariable {
  readonly unknown: true;
}

interface Interpolated {
  readonly data: unknown;
  /** Paths (as `pathText`) of the scalars that came from the environment, whole or in part. */
  readonly fromEnvironment: ReadonlySet<string>;
  readonly problems: readonly Problem[];
  /** Where a variable is unknown and has no default: such a text stays as it is. */
  readonly unknown: readonly SettingPath[];
}

const MENTION = /\$\$|\$\{([^}]*)(\}?)/g;

/**
 * Fills `${NAME}` and `${NAME:-default}` into the texts of parsed data, and makes `$$` a `$`. It works on the
 * values and never on the file's text, so a password cannot change the structure; keys are left alone. As in
 * a shell, the default also stands in for an empty variable, and for one that is unknown. Each value that cannot be filled in
 * is a problem, and its text stays as it was.
 */
export function interpolate(data: unknown, read: (name: string) => Variable | UnknownVariable): Interpolated {
  const fromEnvironment = new Set<string>();
  const problems: Problem[] = [];
  const unknown: SettingPath[] = [];
  const filled = mapTexts(data, [], (text, path) => {
    const found: string[] = [];
    let known = true;
    const result = text.replace(MENTION, (whole, inner: string | undefined, end: string | undefined) => {
      if (inner === undefined) return '$';
      fromEnvironment.add(pathText(path));
      const answer = resolve(inner, end === '}', read);
      if ('problem' in answer) found.push(answer.problem);
      if ('unknown' in answer) known = false;
      return 'value' in answer ? (answer.value ?? whole) : whole;
    });
    problems.push(...found.map((message) => ({ path, message })));
    if (!known) unknown.push(path);
    return known && found.length === 0 ? result : text;
  });
  return { data: filled, fromEnvironment, problems, unknown };
}

function mapTexts(
  data: unknown,
  path: SettingPath,
  change: (text: string, path: SettingPath) => string,
): unknown {
  if (typeof data === 'string') return change(data, path);
  if (Array.isArray(data)) return data.map((item, index) => mapTexts(item, [...path, index], change));
  if (data === null || typeof data !== 'object') return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, mapTexts(value, [...path, key], change)]),
  );
}

/** The message omits the text in the brackets: it may be part of a password. */
const NOT_A_MENTION =
  'the text between "${" and "}" is not a name; write ${NAME} or ${NAME:-default}, and $${ for a literal "${"';

function resolve(
  inner: string,
  closed: boolean,
  read: (name: string) => Variable | UnknownVariable,
): Variable | UnknownVariable {
  if (!closed) return { problem: '"${" without its "}"; write $${ for a literal "${"' };
  const mention = parseMention(inner);
  if (mention === null) return { problem: NOT_A_MENTION };
  const variable = read(mention.name);
  if ('problem' in variable) return variable;
  if ('unknown' in variable) return mention.fallback ? { value: mention.fallback } : variable;
  if (mention.fallback !== null && (variable.value ?? '') === '') return { value: mention.fallback };
  if (variable.value !== null) return variable;
  return { problem: `the environment variable ${mention.name} is not set (nor ${mention.name}_FILE)` };
}

/** One `${NAME}` in a text. */
interface Mention {
  readonly name: string;
  /** Text after `:-`; null: none. */
  readonly fallback: string | null;
}

const NAME = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;

function parseMention(inner: string): Mention | null {
  const match = NAME.exec(inner);
  return match?.[1] === undefined ? null : { name: match[1], fallback: match[2] ?? null };
}

/** The variables that a text mentions, in order. */
export function mentions(text: string): Mention[] {
  return [...text.matchAll(MENTION)].flatMap(([, inner]) => {
    const mention = inner === undefined ? null : parseMention(inner);
    return mention === null ? [] : [mention];
  });
}

/** A text with something in place of each mention, and `$` for `$$`. What only looks like a mention stays. */
export function replaceMentions(text: string, replace: (mention: Mention) => string): string {
  return text.replace(MENTION, (whole, inner: string | undefined) => {
    const mention = inner === undefined ? null : parseMention(inner);
    if (mention !== null) return replace(mention);
    return inner === undefined ? '$' : whole;
  });
}

/** Data of a configuration file with the environment filled in, and what its schema says about it. */
interface FilledIn<T> {
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

/** @param given the data of `parsed`, or made from it */
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

/**
 * Converts data to the types of the schema where the file cannot express them. A value from the environment is always
 * text: `8` becomes a number, `true` a boolean, and empty text or `null` becomes null where null is allowed. Empty
 * text means unset where a setting may be left out. A block whose lines are all commented out is null in YAML and
 * means its defaults. The schema judges everything else.
 */
function coerce(root: z.core.$ZodType, data: unknown, fromEnvironment: ReadonlySet<string>): unknown {
  return walk(root, data, []);

  function walk(schema: z.core.$ZodType | null, value: unknown, path: SettingPath): unknown {
    if (schema === null) return value;
    if (typeof value === 'string') {
      return fromEnvironment.has(pathText(path)) ? coerceText(schema, value) : value;
    }
    if (value === null) return isBlockWithDefaults(schema) ? {} : null;
    if (Array.isArray(value)) {
      return value.map((item, index) => walk(partOf(schema, index), item, [...path, index]));
    }
    if (typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, walk(partOf(schema, key), part, [...path, key])]),
    );
  }
}

function coerceText(outer: z.core.$ZodType, text: string): unknown {
  const { schema, nullable, required } = unwrap(outer);
  const trimmed = text.trim();
  if (trimmed === '' && !required && !nullable) return undefined;
  if (nullable && (trimmed === '' || trimmed === 'null')) return null;
  if (schema instanceof z.ZodNumber && /^[+-]?\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed);
  if (schema instanceof z.ZodBoolean && (trimmed === 'true' || trimmed === 'false'))
    return trimmed === 'true';
  return text;
}

function isBlockWithDefaults(outer: z.core.$ZodType): boolean {
  const { schema, nullable, fallback } = unwrap(outer);
  const block = schema instanceof z.ZodObject || schema instanceof z.ZodRecord;
  return block && !nullable && fallback !== undefined;
}
