import { normalize } from 'node:path';
import { SyncError } from '../../../core/domain/errors.js';
import { AREAS } from '../../../core/domain/names.js';
import type { TenantDefinition } from '../state/types.js';
import { interpolate } from '../../../core/config/interpolate.js';
import { type LoadedConfig, loadText } from '../../../core/config/load.js';
import { parseYaml } from '../../../core/config/parse-yaml.js';
import { valueAt } from '../../../core/config/problem.js';
import { type NamedFiles, unusable } from '../../../core/config/read-entity-files.js';
import {
  environmentReader,
  type EnvironmentVariables,
  processEnvironment,
} from '../../../core/config/read-named-config.js';
import { postgresUrl } from '../../../core/config/schema-walk.js';
import { ADAPTER_OF_TENANT } from './check-tenant.js';
import { addressProblems, wrongForTenant } from './tenant-addresses.js';
import { type FleetVariables, NOTHING_SHARED, onlyOwnVariables } from './tenant-variables.js';

interface LoadTenantOptions {
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
export function loadTenant(definition: TenantDefinition, options: LoadTenantOptions): LoadedConfig {
  const { fleetUrl, variables = NOTHING_SHARED, env = processEnvironment(), cwd = process.cwd() } = options;
  const { name, configuration, files } = definition;
  const file = `tenant ${name}`;
  const config = loadText(configuration, {
    file,
    shown: file,
    files: storedFiles(files),
    variable: onlyOwnVariables(name, variables, environmentReader(env, cwd)),
    env,
    moreRules: (data) => addressProblems(data, variables.reach),
  });
  const { settings } = config;
  const url = tenantLedger(definition, { variables, env, cwd }).url ?? fleetUrl;
  return {
    ...config,
    reach: variables.reach,
    transport: adaptedTransport(config, variables),
    settings: { ...settings, state: { ...settings.state, url } },
  };
}

/** With the adapter that the fleet has for the address of each area. */
function adaptedTransport(
  { transport, settings }: LoadedConfig,
  { adapterAt = () => null }: FleetVariables,
): LoadedConfig['transport'] {
  const areas = AREAS.flatMap((area) => {
    const [its, baseUrl] = [transport[area], settings.platform[area]?.baseUrl];
    return its && baseUrl !== undefined ? [[area, { ...its, adapter: adapterAt(baseUrl) }] as const] : [];
  });
  return Object.fromEntries(areas);
}

/** The files that are stored with a tenant, by path as its configuration names them. */
function storedFiles(files: Readonly<Record<string, string>>): NamedFiles {
  return {
    shown: normalize,
    read(name, kind) {
      if (kind === 'adapter') throw unusable(ADAPTER_OF_TENANT);
      const text = Object.hasOwn(files, name) ? files[name] : undefined;
      if (text !== undefined) return text;
      throw unusable(`${name} is not stored with the tenant; apply the tenant's file again`);
    },
  };
}

/**
 * Where a tenant's ledger is (`url` null: in the fleet's database), read without its other settings, so that ledgers can be
 * migrated without the tenants' secrets. Errors: SyncError `config-invalid` when `state.url` names a variable that is not set
 * or not the tenant's, or with the variables filled in is empty (elsewhere that means the source database) or is no address;
 * never with its value.
 */
export function tenantLedger(
  { name, configuration, schema, ledgerHere }: TenantDefinition,
  {
    variables = NOTHING_SHARED,
    env,
    cwd = '.',
  }: {
    readonly variables?: FleetVariables;
    readonly env: EnvironmentVariables;
    readonly cwd?: string;
  },
): { readonly url: string | null; readonly schema: string } {
  if (ledgerHere) return { url: null, schema };
  const given = valueAt(parseYaml(configuration).data, ['state', 'url']);
  const variable = onlyOwnVariables(name, variables, environmentReader(env, cwd));
  const { data, problems } = interpolate({ url: String(given) }, variable);
  const { url } = data as { url: string };
  const problem = problems[0]?.message ?? (url.trim() === '' ? `${String(given)} is empty` : null);
  // Of an address in another form nobody knows where its password is, so whatever fails later would show it.
  const form =
    problem === null
      ? (postgresUrl().safeParse(url).error?.issues[0]?.message ?? wrongForTenant(url, variables.reach))
      : null;
  if (problem !== null || form !== null) {
    throw new SyncError('config-invalid', `tenant ${name}: state.url: ${problem ?? form}`, {
      scope: 'usage',
      hint:
        problem === null
          ? `Correct the value of ${String(given)} in the environment of this command.`
          : 'Set the variable in the environment of this command, or correct the file of the tenant and apply it again.',
    });
  }
  return { url, schema };
}
