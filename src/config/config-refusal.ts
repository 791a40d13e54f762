import { SyncError } from '../domain/errors.js';
import { locate } from './locate.js';
import type { ParsedYaml } from './parse-yaml.js';
import { pathText, type Problem } from './problem.js';

/** A problem with its place, as `details.problems` of an error has it. */
export interface PlacedProblem {
  /** The file's name in messages. */
  readonly file: string;
  /** Counted from 1; 0: the file as a whole. */
  readonly line: number;
  /** The setting; empty: none. */
  readonly path: string;
  readonly message: string;
}

/** The problems of a file with their lines, in the order of the file. */
export function placeProblems(
  file: string,
  parsed: ParsedYaml,
  problems: readonly Problem[],
): PlacedProblem[] {
  return problems
    .map(({ path, message, line }) => ({
      file,
      line: line ?? locate(parsed.document, parsed.lines, path),
      path: pathText(path),
      message,
    }))
    .sort((left, right) => left.line - right.line);
}

/**
 * The error of a configuration with problems: one a line, as `file:line: setting: problem`.
 *
 * @param subject what has them: `the configuration`
 */
export function configRefusal(
  subject: string,
  problems: readonly PlacedProblem[],
  example: string,
): SyncError {
  const lines = problems.map(({ file, line, path, message }) =>
    [line === 0 ? file : `${file}:${line}`, ...(path === '' ? [] : [path]), message].join(': '),
  );
  const verb = subject.endsWith('s') ? 'have' : 'has';
  const count = lines.length === 1 ? 'one problem' : `${lines.length} problems`;
  return new SyncError('config-invalid', [`${subject} ${verb} ${count}:`, ...lines].join('\n'), {
    scope: 'usage',
    hint: `docs/reference/settings.md lists every setting; ${example} shows them in use.`,
    details: { problems },
  });
}
