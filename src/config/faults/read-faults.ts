import { resolve } from 'node:path';
import { isMap } from 'yaml';
import { SyncError } from '../../domain/errors.js';
import { describeFileError } from '../describe-file-error.js';
import { locateColumn } from '../locate.js';
import { parseYaml } from '../parse-yaml.js';
import { pathText, type Problem } from '../problem.js';
import { readText } from '../read-text.js';
import { checkFaults } from './check-faults.js';
import type { Faults, FaultsInput } from './fault-schema.js';

export const FAULTS_HINT = 'docs/sandbox.md lists every fault; config/faults.example.yaml shows them in use.';

/**
 * Reads and checks a faults file.
 * @returns its content
 * @throws SyncError `usage` with all problems, one a line as `file:line:column: setting: problem`; `details.problems`
 *   has them as `{ line, column, path, message }`
 */
export function readFaultsFile(file: string, cwd = process.cwd()): FaultsInput {
  let text: string;
  try {
    text = readText(resolve(cwd, file));
  } catch (error) {
    throw new SyncError('usage', `the faults file ${file} ${describeFileError(error)}`, {
      scope: 'usage',
      hint: FAULTS_HINT,
    });
  }
  return parseFaults(text, file);
}

/**
 * Reads and checks faults in YAML, of which JSON is a part. A text without a setting means no faults.
 * @param shown name of the text in messages
 * @throws SyncError `usage`, as `readFaultsFile`
 */
export function parseFaults(text: string, shown: string): FaultsInput {
  const { document, lines, data, problems } = parseYaml(text);
  const empty =
    document.errors.length === 0 &&
    (document.contents === null || (isMap(document.contents) && document.contents.items.length === 0));
  if (empty) return {};
  const checked = data === null ? null : checkFaults(data);
  const found = [...problems, ...(checked?.problems ?? [])];
  if (checked?.faults && found.length === 0) return data as FaultsInput;
  throw refusal(
    shown,
    found.map((problem) => {
      const place = locateColumn(document, lines, problem.path);
      const { line = place.line, column = problem.line === undefined ? place.column : undefined } = problem;
      return { ...problem, line, column };
    }),
  );
}

/** Checks faults that a program passes. @throws SyncError `usage`, without line and column */
export function checkedFaults(input: FaultsInput, shown = 'faults'): Faults {
  const { faults, problems } = checkFaults(input);
  if (faults === null) throw refusal(shown, problems);
  return faults;
}

function refusal(shown: string, problems: readonly Problem[]): SyncError {
  const placed = problems
    .map(({ path, message, line, column }) => ({ line, column, path: pathText(path), message }))
    .sort((left, right) => (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0));
  const lines = placed.map(({ line, column, path, message }) =>
    [[shown, line, column].filter((part) => part !== undefined).join(':'), path, message]
      .filter((part) => part !== '')
      .join(': '),
  );
  const count = lines.length === 1 ? 'one problem' : `${lines.length} problems`;
  return new SyncError('usage', [`the faults have ${count}:`, ...lines].join('\n'), {
    scope: 'usage',
    hint: FAULTS_HINT,
    details: { problems: placed },
  });
}
