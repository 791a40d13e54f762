import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type LineCounter } from 'yaml';
import { SyncError } from '../domain/errors.js';
import type { ParsedYaml } from './parse-yaml.js';
import { pathText, type Problem, type SettingPath } from './problem.js';

/** From problems of settings to one error: each problem gets the line of its setting in the file. */

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

/** One problem a line, as `file:line: setting: problem`. `subject` has them: `the configuration`. */
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
 * The line of a setting, counted from 1: of its key, or of the list's item. For a missing setting, the line of the block that
 * lacks it.
 */
export function locate(document: Document, lines: LineCounter, path: SettingPath): number {
  return locateColumn(document, lines, path).line;
}

/** The same with the column, both counted from 1. */
export function locateColumn(
  document: Document,
  lines: LineCounter,
  path: SettingPath,
): { readonly line: number; readonly column: number } {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (pair === undefined || !isScalar(pair.key)) break;
      offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof part === 'number') {
      node = node.items[part];
      if (!isNode(node)) break;
      offset = node.range?.[0] ?? offset;
    } else break;
  }
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}
