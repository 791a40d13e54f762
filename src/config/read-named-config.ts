import { isAbsolute, relative, resolve } from 'node:path';
import { SyncError } from '../domain/errors.js';
import { describeFileError } from './describe-file-error.js';
import type { EnvironmentVariables } from './environment-variables.js';
import { readText } from './read-text.js';

/** A configuration file as it was found. */
export interface NamedConfig {
  /** Absolute. */
  readonly path: string;
  /** Its name in messages. */
  readonly shown: string;
  readonly text: string;
}

/**
 * Reads the configuration that `--config` names, else `PLACEMENT_SYNC_CONFIG`, else the default.
 *
 * @param defaults path from the working directory, and the example to begin with
 * @throws SyncError `config-invalid` (scope `usage`) when it cannot be read
 */
export function readNamedConfig(
  { file, env, cwd }: { file: string | undefined; env: EnvironmentVariables; cwd: string },
  defaults: { readonly file: string; readonly example: string },
): NamedConfig {
  const path = resolve(cwd, file ?? named(env.PLACEMENT_SYNC_CONFIG) ?? defaults.file);
  const shown = shownPath(path, cwd);
  try {
    return { path, shown, text: readText(path) };
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const copy = `Copy ${defaults.example} to ${shown} and fill it in, or name`;
    throw new SyncError('config-invalid', `the configuration ${shown} ${describeFileError(error)}`, {
      scope: 'usage',
      hint: `${missing ? copy : 'Name'} yours with --config FILE or PLACEMENT_SYNC_CONFIG.`,
      details: { file: path },
    });
  }
}

/** An empty variable, which container platforms often set, counts as unset. */
function named(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

/** Short where it can be: relative inside the working directory, absolute elsewhere. */
export function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short.startsWith('..') || isAbsolute(short) ? path : short;
}
