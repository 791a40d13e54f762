import type { LookupFunction } from 'node:net';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { type Area, AREAS, type EntityName } from '../domain/names.js';
import type { Lookup } from '../entities/lookup.js';
import { configRefusal, placeProblems } from './config-refusal.js';
import { fillIn, type Variable } from './interpolate.js';
import { EXAMPLE, parseYaml } from './parse-yaml.js';
import { type Problem, type SettingPath, valueAt } from './problem.js';
import {
  type EntityFiles,
  filesOnDisk,
  type LookupFile,
  lookupFiles,
  type NamedFiles,
  readEntityFiles,
} from './read-entity-files.js';
import {
  environmentReader,
  type EnvironmentVariables,
  processEnvironment,
  readNamedConfig,
} from './read-named-config.js';
import { readTransport, type Transport } from './read-transport.js';
import { checkRules, warnings } from './rules.js';
import { shapeOf, unwrap } from './schema-walk.js';
import { type EntitySettings, type Settings, settingsSchema } from './schema.js';
import { mask, secretTexts, withoutUnsetCredentials } from './secrets.js';

/**
 * From a file to settings. The text is parsed, the environment is filled in and the schema applied; the files that it names
 * are read, and the rules between settings checked. Only when all of that found nothing, there is a configuration: a file
 * with problems is refused with all of them at once. A tenant's stored configuration goes the same way (`loadText`).
 */

interface LoadOptions {
  /** From `--config`; else `PLACEMENT_SYNC_CONFIG`, else `config/placement-sync.yaml`. */
  readonly file?: string | undefined;
  readonly env?: EnvironmentVariables;
  /** Where a relative `file` starts. Paths inside the configuration start at its own folder. */
  readonly cwd?: string;
  /** Takes a configuration whose platform credentials are not there yet; nothing can be sent with it. */
  readonly withoutCredentials?: boolean;
}

/** A valid configuration with the content of the files that it names. */
export interface LoadedConfig {
  /** Absolute path; of a tenant of a fleet `tenant NAME`. */
  readonly file: string;
  readonly settings: Settings;
  /** In the order of the registry: parents before their children. */
  readonly entities: ReadonlyMap<EntityName, LoadedEntity>;
  /** The files of `lookups` of the entities; none where they never change, as with a tenant of a fleet. */
  readonly lookupFiles: readonly LookupFile[];
  /** Of each configured area. */
  readonly transport: Readonly<Partial<Record<Area, Transport>>>;
  /** Where connections to others than databases may go; absent: anywhere. */
  readonly reach?: Reach | undefined;
  /** With `withoutCredentials`: the variables of credentials that are unset, by area. Else empty. */
  readonly unsetCredentials: ReadonlyMap<Area, readonly string[]>;
  /** Logged at every start. */
  readonly warnings: readonly string[];
  /** The configuration in effect, in the form of the file, with secrets masked. */
  masked(): unknown;
  /** Every secret in it, to be removed from texts that libraries write. */
  secrets(): readonly string[];
}

/** One configured entity with the content of its files. */
interface LoadedEntity extends EntityFiles {
  readonly name: EntityName;
  readonly settings: EntitySettings;
  readonly onVanished: EntitySettings['onVanished'];
  readonly plainText: readonly string[];
  /** Null: the entity's own assumption. */
  readonly required: readonly string[] | null;
  readonly lookups: Readonly<Record<string, Lookup>>;
}

const DEFAULT_FILE = 'config/placement-sync.yaml';

/**
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

interface ConfigSource {
  /** `LoadedConfig.file` */
  readonly file: string;
  /** Its name in messages. */
  readonly shown: string;
  /** What it names. */
  readonly files: NamedFiles;
  /** Looks a variable up. */
  readonly variable: (name: string) => Variable;
  /** Names the proxies. */
  readonly env: EnvironmentVariables;
  /** As `loadConfig` has it. */
  readonly withoutCredentials?: boolean;
  /** Rules beside the usual ones, for interpolated data. */
  readonly moreRules?: (data: unknown) => readonly Problem[];
}

/** Checks and completes the text of a configuration, wherever it and its files come from. Errors: as `loadConfig`. */
export function loadText(
  text: string,
  { file, shown, files, variable, env, withoutCredentials = false, moreRules = () => [] }: ConfigSource,
): LoadedConfig {
  const parsed = parseYaml(text);
  const refusal = (problems = parsed.problems) =>
    configRefusal('the configuration', placeProblems(shown, parsed, problems), EXAMPLE);
  if (parsed.data === null) throw refusal();

  const { data: given, unset } = withoutCredentials
    ? withoutUnsetCredentials(parsed.data, variable)
    : { data: parsed.data, unset: new Map<Area, readonly string[]>() };
  const filled = fillIn(settingsSchema, parsed, given, variable);
  const { data, settings } = filled;
  // Before they are read, so that no change is missed.
  const lookups = lookupFiles(data, files);
  const entities = readEntityFiles(data, files);
  const { transport, problems: transportProblems } = readTransport(data, files, env);
  const problems = filled.problems([
    ...checkRules(data),
    ...moreRules(data),
    ...entities.problems,
    ...transportProblems,
  ]);
  if (settings === null || problems.length > 0) throw refusal(problems);

  return {
    file,
    settings,
    entities: configuredEntities(settings, entities.files),
    lookupFiles: lookups,
    transport,
    unsetCredentials: unset,
    warnings: warnings(data),
    secrets: () => secretTexts(settingsSchema, data),
    masked: () => mask(settingsSchema, effective(settingsSchema, withDerived(data, settings))),
  };
}

function configuredEntities(
  settings: Settings,
  files: ReadonlyMap<EntityName, EntityFiles>,
): ReadonlyMap<EntityName, LoadedEntity> {
  const entities = new Map<EntityName, LoadedEntity>();
  for (const [name, contents] of files) {
    const block = settings.entities[name];
    if (block === undefined) continue;
    const { onVanished, plainText, required } = block;
    entities.set(name, { name, settings: block, onVanished, plainText, required, ...contents });
  }
  return entities;
}

/**
 * The configuration in effect, in the form of the file: every written setting, and the defaults of all others. A
 * block without default that was left out stays out.
 */
export function effective(schema: z.core.$ZodType, data: unknown): unknown {
  const { meta, fallback } = unwrap(schema);
  const shape = shapeOf(schema);
  const value = data === undefined ? fallback : data;
  if (shape === null || meta.type !== undefined || value === null || value === undefined) return value;
  return Object.fromEntries(
    Object.entries(shape)
      .map(([key, part]) => [key, effective(part, valueAt(value, [key]))] as const)
      .filter(([, part]) => part !== undefined),
  );
}

/** Defaults that depend on another setting, which a schema's default cannot express. */
function withDerived(data: unknown, { state: { url }, platform }: LoadedConfig['settings']): unknown {
  const written = data as Readonly<Record<string, Readonly<Record<string, object>>>>;
  const areas = AREAS.flatMap((area) => {
    const rate = platform[area]?.ratePerSecond;
    return rate === undefined ? [] : [[area, { ratePerSecond: rate, ...written.platform?.[area] }] as const];
  });
  return {
    ...written,
    state: { ...written.state, url },
    platform: { ...written.platform, ...Object.fromEntries(areas) },
  };
}

const WHERE_THE_FLEET_HAS_IT: readonly (readonly [path: SettingPath, hint: string])[] = [
  [
    ['state', 'url'],
    'without it the fleet has the ledger in a database of its own and not in the source; give the address of that database',
  ],
  [['state', 'schema'], 'without it the fleet derives another name; give the one that fleet list shows'],
];

/**
 * Rules for the file of a tenant outside of the fleet. The defaults of where a ledger is are others in a fleet: with
 * those of a usual configuration a command would use a second, empty ledger, and send everything again.
 */
function tenantAloneProblems(data: unknown): Problem[] {
  if (valueAt(data, ['tenant']) === undefined) return [];
  return WHERE_THE_FLEET_HAS_IT.filter(([path]) => valueAt(data, path) === undefined).map(([path, hint]) => ({
    path,
    message: `is required here, because the file has the block "tenant" and this command is not one of the fleet: ${hint}`,
  }));
}

/**
 * Where connections may go that a stranger names. A name is judged by every address that it has at the moment of the
 * connection, so that it cannot change in between. Node looks up no address that is written out: `refusedHost` is for those.
 */
export interface Reach {
  /** For Node's connections. Fails with the code ERR_NETWORK_NOT_ALLOWED. */
  readonly lookup: LookupFunction;
  /** The address that a host is and that may not be reached; null: it may, or it is a name. */
  refusedHost(host: string): string | null;
}
