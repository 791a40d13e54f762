import type { TenantDefinition } from '../../ports/tenants.js';
import {
  environmentReader,
  processEnvironment,
  type EnvironmentVariables,
} from '../environment-variables.js';
import { loadText } from '../load-text.js';
import type { LoadedConfig } from '../loaded-config.js';
import { storedFiles } from './stored-files.js';
import { tenantLedger } from './tenant-ledger.js';
import { NOTHING_SHARED, withinWall, type FleetVariables } from './tenant-variables.js';

export interface LoadTenantOptions {
  /** URL of the fleet's database, for a tenant whose ledger is there. */
  readonly fleetUrl: string;
  /** Default: the fleet's file uses none, and shares none. */
  readonly variables?: FleetVariables;
  /** Of the replica. */
  readonly env?: EnvironmentVariables;
  /** Where a relative `NAME_FILE` of the environment starts. */
  readonly cwd?: string;
}

/**
 * A stored tenant's configuration, filled in and checked, as `loadConfig` gives that of a file. It needs no file on disk.
 * Without `state.url` its ledger is in the fleet's database.
 *
 * A replica uses all of it but four parts, which belong to the process that runs the tenant: `schedule.sync` (the fleet
 * decides when a tenant runs), `http` and `logging` (those of fleet.yaml count), and the block `tenant` (stored beside
 * the configuration). They may stand in the file, so that it is a complete configuration for other commands too.
 *
 * @throws SyncError `config-invalid` as `loadConfig`, with `tenant NAME:line` before each problem
 */
export function loadTenant(
  definition: TenantDefinition,
  {
    fleetUrl,
    variables = NOTHING_SHARED,
    env = processEnvironment(),
    cwd = process.cwd(),
  }: LoadTenantOptions,
): LoadedConfig {
  const { name, configuration, files } = definition;
  const file = `tenant ${name}`;
  const config = loadText(configuration, {
    file,
    shown: file,
    files: storedFiles(files),
    variable: withinWall(name, variables, environmentReader(env, cwd)),
    env,
  });
  const { settings } = config;
  const url = tenantLedger(definition, { variables, env, cwd }).url ?? fleetUrl;
  return { ...config, settings: { ...settings, state: { ...settings.state, url } } };
}
