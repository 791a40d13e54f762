import { APPLICATION_PARAMETER_NAMES } from '../domain/inbox/application-parameters.js';
import { namedParameters } from '../domain/sql/sql-text.js';
import { whyUnread, type NamedFiles } from './named-files.js';
import type { Problem, SettingPath } from './problem.js';
import { valueAt } from './value-at.js';

const PATH: SettingPath = ['webhook', 'sql'];

/** How a statement begins; any other text is the path of a file. */
const STATEMENT = /^\s*(--|\/\*|(insert|update|delete|merge|select|with)\s)/i;

/**
 * Reads and checks the statement of `webhook.sql`.
 *
 * @param data interpolated data, perhaps with mistakes: the schema reports values that are not text
 * @param files where its file is read from
 * @returns the statement (null: none) and its problems
 */
export function readWebhookStatement(
  data: unknown,
  files: NamedFiles,
): { readonly statement: string | null; readonly problems: readonly Problem[] } {
  const value = valueAt(data, PATH);
  if (typeof value !== 'string' || value.trim() === '') return { statement: null, problems: [] };
  const file = STATEMENT.test(value) ? null : files.shown(value);
  let statement = value;
  try {
    if (file !== null) statement = files.read(value, 'sql');
  } catch (error) {
    return { statement: null, problems: [{ path: PATH, message: whyUnread(files, value, error) }] };
  }
  const checked = namedParameters(statement, APPLICATION_PARAMETER_NAMES);
  if ('text' in checked) return { statement, problems: [] };
  const problems = checked.map(({ problem, line }) => ({
    path: PATH,
    message: `${file ?? 'the statement'} ${problem}${file === null ? '' : ` (line ${line})`}`,
  }));
  return { statement: null, problems };
}
