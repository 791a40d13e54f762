import { dirname, isAbsolute, relative, resolve } from 'node:path';
import type { z } from 'zod';
import type { Area } from '../domain/area.js';
import type { EntityName } from '../domain/entity-name.js';
import { SyncError } from '../domain/errors.js';
import type { Lookup } from '../entities/lookup.js';
import { coerce } from './coerce.js';
import { describeFileError } from './describe-file-error.js';
import { effective } from './effective.js';
import { environmentReader, processEnvironment, type EnvironmentVariables } from './environment-variables.js';
import { explainIssue } from './explain-issue.js';
import { interpolate } from './interpolate.js';
import { locate } from './locate.js';
import { mask } from './mask.js';
import { parseYaml, type ParsedYaml } from './parse-yaml.js';
import { isWithin, pathText, type Problem } from './problem.js';
import { readEntityFiles, type EntityFiles } from './read-entity-files.js';
import { readText } from './read-text.js';
import { readTransport, type Transport } from './read-transport.js';
import { readWebhookStatement } from './read-webhook-statement.js';
import { checkRules, warnings } from './rules.js';
import { secretTexts } from './secrets.js';
import { withoutUnsetCredentials } from './unset-credentials.js';
import { settingsSchema, type EntitySettings, type Settings } from './schema.js';

/** Default path of the configuration, relative to the working directory. */
export const DEFAULT_FILE = 'config/placement-sync.yaml';

/** One configured entity with the content of its files. */
export interface LoadedEntity extends EntityFiles {
  readonly name: EntityName;
  readonly settings: EntitySettings;
  readonly onVanished: EntitySettings['onVanished'];
  readonly plainText: readonly string[];
  /** Null: the entity's own assumption. */
  readonly required: readonly string[] | null;
  readonly lookups: Readonly<Record<string, Lookup>>;
}

export interface LoadedConfig {
  /** Absolute path. */
  readonly file: string;
  readonly settings: Settings;
  /** In the order of the registry: parents before their children. */
  readonly entities: ReadonlyMap<EntityName, LoadedEntity>;
  /** Of each configured area. */
  readonly transport: Readonly<Partial<Record<Area, Transport>>>;
  /** The statement of `webhook.sql`, from the setting itself or from its file; null: none. */
  readonly webhookStatement: string | null;
  /** With `withoutCredentials`: the variables of credentials that are unset, by area. Else empty. */
  readonly unsetCredentials: ReadonlyMap<Area, readonly string[]>;
  /** Logged at every start. */
  readonly warnings: readonly string[];
  /** The configuration in effect, in the form of the file, with secrets masked. */
  masked(): unknown;
  /** Every secret in it, to be removed from texts that libraries write. */
  secrets(): readonly string[];
}

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
 *   problem`; `details.problems` has them as `{ line, path, message }`
 */
export function loadConfig({
  file,
  env = processEnvironment(),
  cwd = process.cwd(),
  withoutCredentials = false,
}: LoadOptions = {}): LoadedConfig {
  const path = resolve(cwd, file ?? named(env.PLACEMENT_SYNC_CONFIG) ?? DEFAULT_FILE);
  const shown = shownPath(path, cwd);
  const parsed = parseYaml(readConfigFile(path, shown));
  if (parsed.data === null) throw refusal(shown, parsed, parsed.problems);

  const folder = dirname(path);
  const read = environmentReader(env, folder);
  const { data: given, unset } = withoutCredentials
    ? withoutUnsetCredentials(parsed.data, read)
    : { data: parsed.data, unset: new Map<Area, readonly string[]>() };
  const filled = interpolate(given, read);
  const data = coerce(settingsSchema, filled.data, filled.fromEnvironment);
  const checked = settingsSchema.safeParse(data);
  const unreadable = [
    ...parsed.problems.map((problem) => problem.path).filter((path) => path.length > 0),
    ...filled.problems.map((problem) => problem.path),
  ];
  const { files, problems: fileProblems } = readEntityFiles(data, folder);
  const webhook = readWebhookStatement(data, folder);
  const { transport, problems: transportProblems } = readTransport(data, folder, env);
  const found = [
    ...checkedProblems(checked, data),
    ...checkRules(data),
    ...fileProblems,
    ...webhook.problems,
    ...transportProblems,
  ];
  const problems = [
    ...parsed.problems,
    ...filled.problems,
    // A value that could not be filled in has no further problems.
    ...found.filter(({ path }) => !unreadable.some((top) => isWithin(path, top))),
  ];
  if (!checked.success || problems.length > 0) throw refusal(shown, parsed, problems);

  return {
    file: path,
    settings: checked.data,
    entities: configuredEntities(checked.data, files),
    transport,
    webhookStatement: webhook.statement,
    unsetCredentials: unset,
    warnings: warnings(data),
    secrets: () => secretTexts(settingsSchema, data),
    masked: () => mask(settingsSchema, effective(settingsSchema, withStateUrl(data, checked.data.state.url))),
  };
}

/** An empty variable, which container platforms often set, counts as unset. */
function named(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

/** The default of state.url is the value of another setting, which a schema's default cannot express. */
function withStateUrl(data: unknown, url: string): unknown {
  const { state, ...rest } = data as Readonly<Record<string, object>>;
  return { ...rest, state: { ...state, url } };
}

function checkedProblems(checked: z.ZodSafeParseResult<Settings>, data: unknown): Problem[] {
  return checked.success
    ? []
    : checked.error.issues.flatMap((issue) => explainIssue(issue, settingsSchema, data));
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

function readConfigFile(path: string, shown: string): string {
  try {
    return readText(path);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const copy = `Copy config/placement-sync.example.yaml to ${shown} and fill it in, or name`;
    throw new SyncError('config-invalid', `the configuration ${shown} ${describeFileError(error)}`, {
      scope: 'usage',
      hint: `${missing ? copy : 'Name'} yours with --config FILE or PLACEMENT_SYNC_CONFIG.`,
      details: { file: path },
    });
  }
}

function refusal(shown: string, parsed: ParsedYaml, problems: readonly Problem[]): SyncError {
  const placed = problems
    .map(({ path, message, line }) => ({
      line: line ?? locate(parsed.document, parsed.lines, path),
      path: pathText(path),
      message,
    }))
    .sort((left, right) => left.line - right.line);
  const lines = placed.map(({ line, path, message }) =>
    [`${shown}:${line}`, ...(path === '' ? [] : [path]), message].join(': '),
  );
  const count = lines.length === 1 ? 'one problem' : `${lines.length} problems`;
  return new SyncError('config-invalid', [`the configuration has ${count}:`, ...lines].join('\n'), {
    scope: 'usage',
    hint: 'docs/reference/settings.md lists every setting; config/placement-sync.example.yaml shows them in use.',
    details: { problems: placed },
  });
}

/** Short where it can be: relative inside the working directory, absolute elsewhere. */
function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short.startsWith('..') || isAbsolute(short) ? path : short;
}
