import { dirname } from 'node:path';
import { configRefusal, placeProblems } from '../../../core/config/config-refusal.js';
import { effective } from '../../../core/config/load.js';
import {
  environmentReader,
  type EnvironmentVariables,
  processEnvironment,
  readNamedConfig,
} from '../../../core/config/read-named-config.js';
import { FLEET_EXAMPLE, parseYaml } from '../../../core/config/parse-yaml.js';
import { fillIn } from '../../../core/config/interpolate.js';
import type { Problem } from '../../../core/config/problem.js';
import { filesOnDisk, type NamedFiles, whyUnread } from '../../../core/config/read-entity-files.js';
import { mask, secretTexts } from '../../../core/config/secrets.js';
import { tenantReach } from './tenant-addresses.js';
import {
  fleetSchema,
  type FleetSettings,
  type FleetVariables,
  sharedProblems,
  variablesOfFleet,
} from './tenant-variables.js';

/** Default path of the fleet's configuration, relative to the working directory. */
const DEFAULT_FLEET_FILE = 'config/fleet.yaml';

export interface LoadedFleet {
  /** Absolute path. */
  readonly file: string;
  readonly settings: FleetSettings;
  /** What is not a tenant's own. */
  readonly variables: FleetVariables;
  /** The configuration in effect, in the form of the file, with secrets masked. */
  masked(): unknown;
  /** Every secret in it, to be removed from texts that libraries write. */
  secrets(): readonly string[];
}

interface LoadFleetOptions {
  /** From `--config`; else `PLACEMENT_SYNC_CONFIG`, else `config/fleet.yaml`. */
  readonly file?: string | undefined;
  readonly env?: EnvironmentVariables;
  /** Where a relative `file` starts. */
  readonly cwd?: string;
}

/**
 * Reads, checks and completes the configuration of a fleet. Its tenants have files of their own.
 *
 * @returns settings with every default, durations in milliseconds
 * @throws SyncError `config-invalid`, as `loadConfig`
 */
export function loadFleet({
  file,
  env = processEnvironment(),
  cwd = process.cwd(),
}: LoadFleetOptions = {}): LoadedFleet {
  const defaults = { file: DEFAULT_FLEET_FILE, example: FLEET_EXAMPLE };
  const { path, shown, text } = readNamedConfig({ file, env, cwd }, defaults);
  const parsed = parseYaml(text, FLEET_EXAMPLE);
  const refusal = (problems = parsed.problems) =>
    configRefusal('the configuration', placeProblems(shown, parsed, problems), FLEET_EXAMPLE);
  if (parsed.data === null) throw refusal();

  const filled = fillIn(fleetSchema, parsed, parsed.data, environmentReader(env, dirname(path)));
  const { data, settings } = filled;
  const adapters = readAdapters(settings, filesOnDisk(dirname(path)));
  const variables = {
    ofFleet: variablesOfFleet(parsed.data),
    shared: settings?.fleet.sharedVariables ?? [],
    ...(settings === null ? {} : { reach: tenantReach(settings.fleet) }),
    ...(adapters.length === 0 ? {} : { adapterAt: adapterAt(adapters) }),
  };
  const problems = filled.problems([
    ...sharedProblems(variables),
    ...adapters.flatMap(({ problem }) => problem ?? []),
  ]);
  if (settings === null || problems.length > 0) throw refusal(problems);
  return {
    file: path,
    settings,
    variables,
    secrets: () => secretTexts(fleetSchema, data),
    masked: () => mask(fleetSchema, effective(fleetSchema, data)),
  };
}

interface FleetAdapter {
  /** Null: of every address. */
  readonly baseUrl: string | null;
  readonly file: string;
  /** Why it cannot be read. */
  readonly problem?: Problem;
}

function readAdapters(settings: FleetSettings | null, files: NamedFiles): readonly FleetAdapter[] {
  const adapter = settings?.fleet.adapter ?? null;
  if (adapter === null) return [];
  const named = typeof adapter === 'string' ? [[null, adapter] as const] : Object.entries(adapter);
  return named.map(([baseUrl, name]) => {
    const found = { baseUrl, file: files.shown(name) };
    try {
      files.read(name, 'adapter');
      return found;
    } catch (error) {
      const path = ['fleet', 'adapter', ...(baseUrl === null ? [] : [baseUrl])];
      return { ...found, problem: { path, message: whyUnread(files, name, error) } };
    }
  });
}

function adapterAt(adapters: readonly FleetAdapter[]): (baseUrl: string) => string | null {
  return (baseUrl) => adapters.find((one) => one.baseUrl === null || one.baseUrl === baseUrl)?.file ?? null;
}
