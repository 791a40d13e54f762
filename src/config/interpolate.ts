import type { Problem, SettingPath } from './problem.js';
import { pathText } from './problem.js';

/** A variable of the environment: its value, null when unset, or why it cannot be read. */
export type Variable = { readonly value: string | null } | { readonly problem: string };

/** A variable that only another machine knows. */
export interface UnknownVariable {
  readonly unknown: true;
}

/** One `${NAME}` in a text. */
export interface Mention {
  readonly name: string;
  /** Text after `:-`; null: none. */
  readonly fallback: string | null;
}

export interface Interpolated {
  readonly data: unknown;
  /** Paths (as `pathText`) of the scalars that came from the environment, whole or in part. */
  readonly fromEnvironment: ReadonlySet<string>;
  readonly problems: readonly Problem[];
  /** Where a variable is unknown and has no default: such a text stays as it is. */
  readonly unknown: readonly SettingPath[];
}

const MENTION = /\$\$|\$\{([^}]*)(\}?)/g;
/** The message omits the text in the brackets: it may be part of a password. */
const NOT_A_MENTION =
  'the text between "${" and "}" is not a name; write ${NAME} or ${NAME:-default}, and $${ for a literal "${"';
const NAME = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;

/**
 * Fills `${NAME}` and `${NAME:-default}` into the texts of parsed data, and makes `$$` a `$`. It works on the
 * values and never on the file's text, so a password cannot change the structure; keys are left alone. As in
 * a shell, the default also stands in for an empty variable.
 *
 * @param data parsed YAML
 * @param read looks a variable up
 * @returns the data, with a problem (and the text left as it was) for each value that cannot be filled in. The default
 *   stands in for a variable that is unknown.
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

function parseMention(inner: string): Mention | null {
  const match = NAME.exec(inner);
  return match?.[1] === undefined ? null : { name: match[1], fallback: match[2] ?? null };
}

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
