import { resolve } from 'node:path';
import { isMap } from 'yaml';
import { SyncError } from '../../core/domain/errors.js';
import { locateColumn } from '../../core/config/config-refusal.js';
import { checkFaults, type Faults, type FaultsInput } from './fault-rules.js';
import { parseYaml } from '../../core/config/parse-yaml.js';
import { pathText, type Problem } from '../../core/config/problem.js';
import { describeFileError, readText } from '../../core/config/read-named-config.js';

/** The faults of a rehearsal: read, checked, and refused with the line and column of each problem. */
export const FAULTS_FILE = {
  /**
   * Reads and checks a file.
   * @returns its content, as it is written
   * @throws SyncError `usage` with all problems, one a line as `file:line:column: setting: problem`; `details.problems`
   *   has them as `{ line, column, path, message }`
   */
  read(file: string, cwd = process.cwd()): FaultsInput {
    let text: string;
    try {
      text = readText(resolve(cwd, file));
    } catch (error) {
      throw usage(`the faults file ${file} ${describeFileError(error)}`);
    }
    return FAULTS_FILE.parse(text, file);
  },

  /**
   * Reads and checks YAML, of which JSON is a part. A text without a setting means no faults.
   * @param shown name of the text in messages
   * @throws SyncError `usage`, as `read`
   */
  parse(text: string, shown: string): FaultsInput {
    const { document, lines, data, problems } = parseYaml(text);
    const nothing =
      document.errors.length === 0 &&
      (document.contents === null || (isMap(document.contents) && document.contents.items.length === 0));
    if (nothing) return {};
    const checked = data === null ? null : checkFaults(data);
    const found = [...problems, ...(checked?.problems ?? [])];
    if (checked?.value && found.length === 0) return data as FaultsInput;
    throw refusal(
      shown,
      found.map((problem) => {
        const place = locateColumn(document, lines, problem.path);
        const { line = place.line, column = problem.line === undefined ? place.column : undefined } = problem;
        return { ...problem, line, column };
      }),
    );
  },

  /** Checks what a program passes, and completes it. @throws SyncError `usage`, without line and column */
  checked(input: FaultsInput): Faults {
    const { value, problems } = checkFaults(input);
    if (value === null) throw refusal('faults', problems);
    return value;
  },
};

function usage(message: string, details = {}): SyncError {
  const hint = 'docs/adapter.md lists every fault; config/faults.example.yaml shows them in use.';
  return new SyncError('usage', message, { scope: 'usage', hint, details });
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
  return usage([`the faults have ${count}:`, ...lines].join('\n'), { problems: placed });
}
