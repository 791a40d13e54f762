import type { TenantDefinition } from '../../ports/tenants.js';
import {
  environmentReader,
  processEnvironment,
  type EnvironmentVariables,
} from '../environment-variables.js';
import { loadText } from '../load-text.js';
import type { LoadedConfig } from '../loaded-config.js';
import { storedFiles } from './stored-files.js';

export interface LoadTenantOptions {
  /** Of the replica. */
  readonly env?: EnvironmentVariables;
  /** Where a relative `NAME_FILE` of the environment starts. */
  readonly cwd?: string;
}

/**
 * A stored tenant's configuration, filled in and checked, as `loadConfig` gives that of a file. It needs no file on disk.
 *
 * A replica uses all of it but four parts, which belong to the process that runs the tenant: `schedule.sync` (the fleet
 * decides when a tenant runs), `http` and `logging` (those of fleet.yaml count), and the block `tenant` (stored beside
 * the configuration). They may stand in the file, so that it is a complete configuration for other commands too.
 *
 * @throws SyncError `config-invalid` as `loadConfig`, with `tenant NAME:line` before each problem
 */
export function loadTenant(
  { name, configuration, files }: TenantDefinition,
  { env = processEnvironment(), cwd = process.cwd() }: LoadTenantOptions = {},
): LoadedConfig {
  const file = `tenant ${name}`;
  return loadText(configuration, {
    file,
    shown: file,
    files: storedFiles(files),
    variable: environmentReader(env, cwd),
    env,
  });
}
