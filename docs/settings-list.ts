import type { z } from 'zod';
import { fleetSchema } from '../src/features/fleet/config/tenant-variables.js';
import { shapeOf, unwrap } from '../src/core/config/schema-walk.js';
import { settingsSchema } from '../src/core/config/schema.js';

/** The settings for the documentation: a list of them, and the environment variables of the example. */

/** One setting, as the documentation shows it. */
interface Setting {
  /** `platform.jobs.baseUrl` */
  readonly path: readonly string[];
  /** Such as `a whole number, 1 or more`. */
  readonly type: string;
  /** As written in the file; undefined: none. */
  readonly fallback: unknown;
  readonly required: boolean;
  readonly unit: string | null;
  readonly description: string;
  /** Environment variable that the example configuration reads it from, with a value to show. */
  readonly env: string | null;
  readonly example: string;
}

/** Every setting of a schema, in its order. A block with a type of its own counts as one setting. */
export function listSettings(schema: z.core.$ZodType, path: readonly string[] = []): Setting[] {
  const { meta, nullable, required, fallback } = unwrap(schema);
  const shape = shapeOf(schema);
  if (shape !== null && meta.type === undefined) {
    return Object.entries(shape).flatMap(([key, part]) => listSettings(part, [...path, key]));
  }
  return [
    {
      path,
      type: `${meta.type ?? 'text'}${nullable ? ', or null' : ''}`,
      fallback,
      required,
      unit: meta.unit ?? null,
      description: meta.description ?? '',
      env: meta.env ?? null,
      example: meta.example ?? '',
    },
  ];
}

export function allSettings(): Setting[] {
  return listSettings(settingsSchema);
}

/**
 * The settings as a markdown list: setting, type, unit, default, meaning. Settings that several blocks share are
 * listed once: `entities.*.query`, `platform.{jobs,training}.timeout`. A long meaning that several have is there once. The
 * page itself names what an area may have in place of the common setting.
 */
export function settingsList(settings: readonly Setting[] = allSettings()): string {
  const described = new Set<string>();
  return [...shared(settings.filter(({ path }) => !replacesCommon(path, settings)))]
    .map(([setting, same]) => {
      const { description } = setting;
      const type = setting.type.replace(/^an? | such as [^;]*?(?=, or null$|$)/g, '');
      const kind = [type, setting.unit ?? '', defaultText(setting)].filter((text) => text !== '').join('; ');
      const meaning = description.length > 100 && described.has(description) ? 'As above.' : description;
      described.add(description);
      return `- ${code(sharedPath(same, settings))} (${kind}): ${meaning}`;
    })
    .join('\n');
}

/** `platform.jobs.headers`, as there is `platform.headers`. */
function replacesCommon([section, , name]: Setting['path'], settings: readonly Setting[]): boolean {
  return name !== undefined && settings.some(({ path }) => path[0] === section && path[1] === name);
}

/** Groups settings that differ only in the second part of their paths. */
function shared(settings: readonly Setting[]): Map<Setting, Setting[]> {
  const groups = new Map<string, Setting[]>();
  for (const setting of settings) {
    const { path, type, fallback, required, unit, description } = setting;
    const where = path.length < 3 ? path : [path[0], '', ...path.slice(2)];
    const key = JSON.stringify([where, type, fallback, required, unit, description]);
    groups.set(key, [...(groups.get(key) ?? []), setting]);
  }
  return new Map([...groups.values()].flatMap((same) => (same[0] === undefined ? [] : [[same[0], same]])));
}

function code(text: string): string {
  return `\`${text}\``;
}

function sharedPath(same: readonly Setting[], all: readonly Setting[]): string {
  const [section = '', block = '', ...rest] = same[0]?.path ?? [];
  if (same.length < 2) return [section, block, ...rest].join('.');
  const blocks = new Set(
    all.filter(({ path }) => path[0] === section && path.length > 2).map(({ path }) => path[1]),
  );
  const names = same.map(({ path }) => path[1]);
  return [section, names.length === blocks.size ? '*' : `{${names.join(',')}}`, ...rest].join('.');
}

function defaultText({ fallback, required }: Setting): string {
  if (fallback === undefined) return required ? '**required**' : '';
  return code(typeof fallback === 'string' ? fallback : JSON.stringify(fallback));
}

/** The block `tenant`, which counts only in a fleet. */
export function tenantSettingsList(): string {
  return settingsList(allSettings().filter(isOfTenant));
}

function isOfTenant({ path }: Setting): boolean {
  return path[0] === 'tenant';
}

/** All other settings of the configuration. */
export function usualSettingsList(): string {
  return settingsList(allSettings().filter((setting) => !isOfTenant(setting)));
}

/** The settings of fleet.yaml; without those that a usual configuration has too. */
export function fleetSettingsList(): string {
  return settingsList(listSettings(fleetSchema).filter(({ path }) => path[0] === 'fleet'));
}

/** The content of `.env.example`: the variables of the example configuration, each with its meaning. */
export function envExample(settings: readonly Setting[] = allSettings()): string {
  const variables = settings.flatMap(({ env, description, example }) =>
    env === null ? [] : [comment(description), `${env}=${example}`, ''],
  );
  return [
    '# The environment variables that config/placement-sync.example.yaml reads. Copy to .env and fill in; .env is',
    '# not committed. The worker does not read .env by itself: start it with `node --env-file=.env`, or let your',
    '# container platform set the variables. NAME_FILE=/run/secrets/name works in place of each NAME.',
    '',
    comment('The configuration file. Default: config/placement-sync.yaml in the working directory.'),
    '# PLACEMENT_SYNC_CONFIG=/etc/placement-sync/placement-sync.yaml',
    '',
    ...variables,
  ].join('\n');
}

/** Comment lines of at most about 110 characters. */
function comment(text: string): string {
  return text.replace(/(.{1,106})(?:\s+|$)/g, '# $1\n').trimEnd();
}
