import { resolve } from 'node:path';
import { describeFileError } from './describe-file-error.js';
import type { Variable } from './interpolate.js';
import { readText } from './read-text.js';

/** The environment as `process.env` has it. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** The process's environment, for callers that pass it on. Nothing else reads it. */
export function processEnvironment(): EnvironmentVariables {
  return process.env;
}

/**
 * Looks variables up, and reads the file that `NAME_FILE` names when `NAME` is unset (the way container platforms
 * hand over secrets). One line feed at the file's end is cut. Both set is a problem, because it is not clear which
 * one is meant. An empty variable counts as unset here.
 *
 * @param env the environment
 * @param folder where a relative `NAME_FILE` starts: the folder of the configuration
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
