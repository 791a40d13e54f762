import { dirname } from 'node:path';
import { environmentReader, processEnvironment, type EnvironmentVariables } from './environment-variables.js';
import { EXAMPLE } from './examples.js';
import { loadText } from './load-text.js';
import type { LoadedConfig } from './loaded-config.js';
import { filesOnDisk } from './named-files.js';
import { readNamedConfig } from './read-named-config.js';
import { tenantAloneProblems } from './tenant-alone-problems.js';

export type { LoadedConfig, LoadedEntity } from './loaded-config.js';

/** Default path of the configuration, relative to the working directory. */
export const DEFAULT_FILE = 'config/placement-sync.yaml';

export interface LoadOptions {
  /** From `--config`; else `PLACEMENT_SYNC_CONFIG`, else `config/placement-sync.yaml`. */
  readonly file?: string | undefined;
  readonly env?: EnvironmentVariables;
  /** Where a relative `file` starts. Paths inside the configuration start at its own folder. */
  readonly cwd?: string;
  /** Takes a configuration whose platform credentials are not there yet; nothing can be sent with it. */
  readonly withoutCredentials?: boolean;
}

/**
 * Reads, checks and completes the configuration, with the queries and lookups that it names.
 *
 * @returns settings with every default, durations in milliseconds
 * @throws SyncError `config-invalid` (scope `usage`) with all problems, one a line as `file:line: setting:
 *   problem`; `details.problems` has them as `{ file, line, path, message }`
 */
export function loadConfig({
  file,
  env = processEnvironment(),
  cwd = process.cwd(),
  withoutCredentials = false,
}: LoadOptions = {}): LoadedConfig {
  const defaults = { file: DEFAULT_FILE, example: EXAMPLE };
  const { path, shown, text } = readNamedConfig({ file, env, cwd }, defaults);
  const folder = dirname(path);
  return loadText(text, {
    file: path,
    shown,
    files: filesOnDisk(folder),
    variable: environmentReader(env, folder),
    env,
    withoutCredentials,
    moreRules: tenantAloneProblems,
  });
}
