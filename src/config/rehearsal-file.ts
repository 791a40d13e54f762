import { resolve } from 'node:path';
import { isMap } from 'yaml';
import type { z } from 'zod';
import { SyncError } from '../domain/errors.js';
import { locateColumn } from './config-refusal.js';
import { explainIssue } from './explain-issue.js';
import { parseYaml } from './parse-yaml.js';
import { pathText, type Problem } from './problem.js';
import { describeFileError, readText } from './read-named-config.js';

/** Files that set how the sandbox behaves: read, checked, and refused with the line and column of each problem. */

/** What was found in the content of a file; a value, or problems. */
export interface Checked<T> {
  /** Null when there are problems. */
  readonly value: T | null;
  readonly problems: readonly Problem[];
}

/** What a schema found in the content of a file; `whole` says what is wrong when that is not a block at all. */
export function problemsOf(error: z.ZodError, schema: z.ZodType, data: unknown, whole: string): Problem[] {
  return error.issues.flatMap((issue) =>
    issue.path.length === 0 && issue.code === 'invalid_type'
      ? [{ path: [], message: whole }]
      : explainIssue(issue, schema, data),
  );
}

/** A kind of file that sets how the sandbox behaves. */
export interface RehearsalFile<Input, T> {
  /**
   * Reads and checks a file.
   * @returns its content, as it is written
   * @throws SyncError `usage` with all problems, one a line as `file:line:column: setting: problem`; `details.problems`
   *   has them as `{ line, column, path, message }`
   */
  read(file: string, cwd?: string): Input;
  /**
   * Reads and checks YAML, of which JSON is a part. A text without a setting is an empty block.
   * @param shown name of the text in messages
   * @throws SyncError `usage`, as `read`
   */
  parse(text: string, shown: string): Input;
  /** Checks what a program passes, and completes it. @throws SyncError `usage`, without line and column */
  checked(input: Input, shown?: string): T;
}

interface RehearsalFileOptions<Input, T> {
  /** In messages: `faults`. */
  readonly noun: string;
  readonly hint: string;
  /** Null and an empty block are valid. */
  readonly check: (data: unknown) => Checked<T>;
  readonly empty: Input;
}

export function rehearsalFile<Input extends object, T>({
  noun,
  hint,
  check,
  empty,
}: RehearsalFileOptions<Input, T>): RehearsalFile<Input, T> {
  const usage = (message: string, details = {}) =>
    new SyncError('usage', message, { scope: 'usage', hint, details });

  const refusal = (shown: string, problems: readonly Problem[]): SyncError => {
    const placed = problems
      .map(({ path, message, line, column }) => ({ line, column, path: pathText(path), message }))
      .sort(
        (left, right) => (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0),
      );
    const lines = placed.map(({ line, column, path, message }) =>
      [[shown, line, column].filter((part) => part !== undefined).join(':'), path, message]
        .filter((part) => part !== '')
        .join(': '),
    );
    const count = lines.length === 1 ? 'one problem' : `${lines.length} problems`;
    return usage([`the ${noun} have ${count}:`, ...lines].join('\n'), { problems: placed });
  };

  const parse = (text: string, shown: string): Input => {
    const { document, lines, data, problems } = parseYaml(text);
    const nothing =
      document.errors.length === 0 &&
      (document.contents === null || (isMap(document.contents) && document.contents.items.length === 0));
    if (nothing) return empty;
    const checked = data === null ? null : check(data);
    const found = [...problems, ...(checked?.problems ?? [])];
    if (checked?.value && found.length === 0) return data as Input;
    throw refusal(
      shown,
      found.map((problem) => {
        const place = locateColumn(document, lines, problem.path);
        const { line = place.line, column = problem.line === undefined ? place.column : undefined } = problem;
        return { ...problem, line, column };
      }),
    );
  };

  return {
    read(file, cwd = process.cwd()) {
      let text: string;
      try {
        text = readText(resolve(cwd, file));
      } catch (error) {
        throw usage(`the ${noun} file ${file} ${describeFileError(error)}`);
      }
      return parse(text, file);
    },
    parse,
    checked(input, shown = noun) {
      const { value, problems } = check(input);
      if (value === null) throw refusal(shown, problems);
      return value;
    },
  };
}
