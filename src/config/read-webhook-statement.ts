import { resolve } from 'node:path';
import { APPLICATION_PARAMETER_NAMES } from '../domain/inbox/application-parameters.js';
import { namedParameters } from '../domain/sql/named-parameters.js';
import { describeFileError } from './describe-file-error.js';
import type { Problem, SettingPath } from './problem.js';
import { valueAt } from './value-at.js';
import { readText } from './read-text.js';

const PATH: SettingPath = ['webhook', 'sql'];

/** How a statement begins; any other text is the path of a file. */
const STATEMENT = /^\s*(--|\/\*|(insert|update|delete|merge|select|with)\s)/i;

/**
 * Reads and checks the statement of `webhook.sql`.
 *
 * @param data interpolated data, perhaps with mistakes: the schema reports values that are not text
 * @param folder the configuration's folder, where a relative path starts
 * @returns the statement (null: none) and its problems
 */
export function readWebhookStatement(
  data: unknown,
  folder: string,
): { readonly statement: string | null; readonly problems: readonly Problem[] } {
  const value = valueAt(data, PATH);
  if (typeof value !== 'string' || value.trim() === '') return { statement: null, problems: [] };
  const file = STATEMENT.test(value) ? null : resolve(folder, value);
  let statement = value;
  try {
    if (file !== null) statement = readText(file);
  } catch (error) {
    return { statement: null, problems: [{ path: PATH, message: `${file} ${describeFileError(error)}` }] };
  }
  const checked = namedParameters(statement, APPLICATION_PARAMETER_NAMES);
  if ('text' in checked) return { statement, problems: [] };
  const problems = checked.map(({ problem, line }) => ({
    path: PATH,
    message: `${file ?? 'the statement'} ${problem}${file === null ? '' : ` (line ${line})`}`,
  }));
  return { statement: null, problems };
}
