import type { Area, EntityName } from '../domain/names.js';
import { configRefusal, placeProblems } from './config-refusal.js';
import { effective } from './effective.js';
import type { EnvironmentVariables } from './environment-variables.js';
import { EXAMPLE } from './examples.js';
import { fillIn } from './fill-in.js';
import type { Variable } from './interpolate.js';
import type { LoadedConfig, LoadedEntity } from './loaded-config.js';
import { mask } from './mask.js';
import type { NamedFiles } from './named-files.js';
import type { Problem } from './problem.js';
import { parseYaml } from './parse-yaml.js';
import { readEntityFiles, type EntityFiles } from './read-entity-files.js';
import { readTransport } from './read-transport.js';
import { readWebhookStatement } from './read-webhook-statement.js';
import { checkRules, warnings } from './rules.js';
import { settingsSchema, type Settings } from './schema.js';
import { secretTexts } from './secrets.js';
import { withoutUnsetCredentials } from './unset-credentials.js';

export interface ConfigSource {
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
  const entities = readEntityFiles(data, files);
  const webhook = readWebhookStatement(data, files);
  const { transport, problems: transportProblems } = readTransport(data, files, env);
  const problems = filled.problems([
    ...checkRules(data),
    ...moreRules(data),
    ...entities.problems,
    ...webhook.problems,
    ...transportProblems,
  ]);
  if (settings === null || problems.length > 0) throw refusal(problems);

  return {
    file,
    settings,
    entities: configuredEntities(settings, entities.files),
    transport,
    webhookStatement: webhook.statement,
    unsetCredentials: unset,
    warnings: warnings(data),
    secrets: () => secretTexts(settingsSchema, data),
    masked: () => mask(settingsSchema, effective(settingsSchema, withStateUrl(data, settings.state.url))),
  };
}

/** The default of state.url is the value of another setting, which a schema's default cannot express. */
function withStateUrl(data: unknown, url: string): unknown {
  const { state, ...rest } = data as Readonly<Record<string, object>>;
  return { ...rest, state: { ...state, url } };
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
