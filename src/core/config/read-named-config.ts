import { readFileSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { SyncError } from '../domain/errors.js';
import type { Variable } from './interpolate.js';

/** How files and variables are read: the configuration that was named, other files of text, and the environment. */

/** The environment as `process.env` has it. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

interface NamedConfig {
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

/**
 * A file's text without its byte order mark. Errors: those of the file system, and
 * `ERR_ENCODING_INVALID_ENCODED_DATA` for bytes that are not UTF-8: decoding would silently turn them into `\uFFFD`.
 * `describeFileError` describes all of them.
 */
export function readText(file: string): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
}

const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'cannot be read by this user',
  EPERM: 'cannot be read by this user',
  EISDIR: 'is a folder',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'is not UTF-8; save it as UTF-8 (Excel: CSV UTF-8)',
  ELOOP: 'is a symbolic link that leads to itself',
};

/** Why a file could not be read, to follow its name in a sentence. */
export function describeFileError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unknown error';
  return SENTENCES[code] ?? `cannot be read (${code})`;
}

/** The process's environment, for callers that pass it on. Nothing else reads it. */
export function processEnvironment(): EnvironmentVariables {
  return process.env;
}

/**
 * Looks variables up, and reads the file that `NAME_FILE` names when `NAME` is unset (the way container platforms
 * hand over secrets). One line feed at the file's end is cut. Both set is a problem, because it is not clear which
 * one is meant. An empty variable counts as unset here. `folder`: where a relative `NAME_FILE` starts, the configuration's.
 */
export function environmentReader(env: EnvironmentVariables, folder: string): (name: string) => Variable {
  return (name) => {
    const value = env[name] ?? null;
    const file = env[`${name}_FILE`] ?? '';
    if (file === '') return { value };
    if (value !== null && value !== '')
      return { problem: `both ${name} and ${name}_FILE are set; unset one of them` };
    try {
      return { value: readText(resolve(folder, file)).replace(/\r?\n$/, '') };
    } catch (error) {
      return { problem: `${name}_FILE names ${file}, which ${describeFileError(error)}` };
    }
  };
}
