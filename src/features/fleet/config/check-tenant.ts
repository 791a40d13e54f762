import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { type Document, isMap } from 'yaml';
import { z } from 'zod';
import { engineSchema } from '../fleet.js';
import { AREAS } from '../../../core/domain/names.js';
import type { TenantDefinition } from '../state/types.js';
import { type PlacedProblem, placeProblems } from '../../../core/config/config-refusal.js';
import { fillIn, mentions } from '../../../core/config/interpolate.js';
import { parseYaml, TENANT_EXAMPLE } from '../../../core/config/parse-yaml.js';
import { type Problem, type SettingPath, valueAt } from '../../../core/config/problem.js';
import {
  type FileKind,
  leadsOut,
  type NamedFiles,
  readEntityFiles,
  unusable,
} from '../../../core/config/read-entity-files.js';
import { describeFileError, readText, shownPath } from '../../../core/config/read-named-config.js';
import { certificatesIn, readTransport } from '../../../core/config/read-transport.js';
import { checkRules } from '../../../core/config/rules.js';
import { unwrap } from '../../../core/config/schema-walk.js';
import { settingsSchema } from '../../../core/config/schema.js';
import { addressProblems } from './tenant-addresses.js';
import { referenceProblems } from './reference-problems.js';
import { tenantSettings } from '../../../core/config/tenant-settings.js';
import { type FleetVariables, NOTHING_SHARED, textsOf, onlyOwnVariables } from './tenant-variables.js';

export interface TenantOptions {
  /** Of a tenant whose file does not name one: `fleet.period`. */
  readonly defaultPeriodMs: number;
  /**
   * `fleet.schema`. No tenant may have it, because removing such a tenant with its ledger would remove the fleet; nor that
   * of the engine, which does not open when its schema has other tables.
   */
  readonly fleetSchema?: string;
  /** Default: the fleet's file uses none, and shares none. */
  readonly variables?: FleetVariables;
  /** Where a relative path starts, and what messages leave out. */
  readonly cwd?: string;
}

/** What a tenant's file says, or what is wrong with it. */
export interface CheckedTenant {
  /** Its name in messages. */
  readonly file: string;
  /** Null: there are problems. */
  readonly definition: TenantDefinition | null;
  readonly problems: readonly PlacedProblem[];
  /** The files that it names and that could be read, absolute. */
  readonly named: readonly string[];
  /** Of `state.schema`, or of the block that lacks it. */
  readonly schemaLine: number;
  /** For each area, who sends what to where, as it is written. */
  readonly senders: readonly string[];
  readonly namespaceLine: number;
}

const NAME = /^([a-z0-9][a-z0-9_-]{0,59})\.yaml$/;
const NAME_RULE =
  'the name of the file is the name of the tenant: small letters, digits, - and _, at most 60, beginning with a letter or a digit, and then .yaml';
const SCHEMA: SettingPath = ['state', 'schema'];
const NAMESPACE: SettingPath = ['ids', 'namespace'];

const SHARED_STATE: Problem = {
  path: SCHEMA,
  message: 'is required here, because other blocks share the block "state" (& and *)',
};

/**
 * Reads and checks a tenant's file as far as that is possible without its environment: whoever applies it may have no
 * secrets. What a `${NAME}` stands for is checked by the replica; a default is checked here. Rules between settings
 * are left to the replica when a choice among them (true or false, or one of some words) comes from the environment.
 */
export function checkTenant(
  path: string,
  { defaultPeriodMs, fleetSchema, variables = NOTHING_SHARED, cwd = process.cwd() }: TenantOptions,
): CheckedTenant {
  const absolute = resolve(cwd, path);
  const file = shownPath(absolute, cwd);
  const name = NAME.exec(basename(absolute))?.[1];
  const wholeFile = (message: string): PlacedProblem => ({ file, line: 0, path: '', message });
  const ofName = name === undefined ? [wholeFile(NAME_RULE)] : [];
  const read = readTenantText(absolute);
  if ('problem' in read) {
    const problems = [...ofName, wholeFile(read.problem)];
    return { file, definition: null, problems, named: [], schemaLine: 1, senders: [], namespaceLine: 1 };
  }

  const parsed = parseYaml(read.text, TENANT_EXAMPLE);
  const files = packFiles(dirname(absolute), read.bytes);
  const unknown = () => ({ unknown: true }) as const;
  const variable = name === undefined ? unknown : onlyOwnVariables(name, variables, unknown);
  const filled = fillIn(settingsSchema, parsed, parsed.data, variable);
  const { data } = filled;
  const derived = valueAt(data, SCHEMA) === undefined ? `tenant_${(name ?? '').replaceAll('-', '_')}` : null;
  const judged =
    parsed.data === null
      ? parsed.problems
      : [
          ...filled.problems([
            ...(hasOpenChoice(parsed.data) ? [] : checkRules(data)),
            ...readEntityFiles(data, files).problems,
            ...readTransport(data, files, {}).problems,
          ]),
          ...referenceProblems(name ?? 'tenant', parsed.data),
          ...addressProblems(parsed.data, variables.reach),
          ...schemaProblems(data, derived, fleetSchema),
        ];
  // Only a document without errors can be written again.
  const configuration =
    derived === null ? read.text : judged.length > 0 ? null : withLedgerSchema(parsed.document, derived);
  const problems = judged.length === 0 && configuration === null ? [SHARED_STATE] : judged;
  const placed = [...ofName, ...placeProblems(file, parsed, problems)];
  const tenant = tenantSettings.safeParse(valueAt(data, ['tenant']));
  const definition =
    placed.length > 0 || name === undefined || configuration === null || !tenant.success
      ? null
      : {
          name,
          configuration,
          files: files.packed(),
          periodMs: tenant.data?.periodMs ?? defaultPeriodMs,
          lane: tenant.data?.lane ?? 'auto',
          enabled: tenant.data?.enabled ?? true,
          schema: derived ?? String(valueAt(data, SCHEMA)),
          ledgerHere: valueAt(parsed.data, ['state', 'url']) === undefined,
        };
  return {
    file,
    definition,
    problems: placed,
    named: Object.keys(files.packed()).map(files.shown),
    ...placesOf(file, parsed, data),
  };
}

function placesOf(
  file: string,
  parsed: ReturnType<typeof parseYaml>,
  data: unknown,
): Pick<CheckedTenant, 'schemaLine' | 'senders' | 'namespaceLine'> {
  const [schemaLine = 1, namespaceLine = 1] = [SCHEMA, NAMESPACE].map(
    (path) => placeProblems(file, parsed, [{ path, message: '' }])[0]?.line,
  );
  const senders = AREAS.map((area) => [
    ['platform', area, 'baseUrl'],
    ['platform', area, 'clientId'],
    NAMESPACE,
  ])
    .map((paths) => paths.map((path) => valueAt(data, path)))
    .filter((texts) => texts.every((text) => typeof text === 'string'))
    .map((texts) => texts.join('\n'));
  return { schemaLine, senders, namespaceLine };
}

const MIB = 1024 * 1024;
/** Of one file, in bytes. */
const MAX_FILE = MIB;

const KEY_OF_TENANT =
  'a tenant of a fleet cannot have a client certificate, because its key would be stored in the database; a sidecar or a proxy can add one (docs/deploy.md)';

/** A tenant's file decides for its tenant alone, and a replica runs what an adapter says. */
export const ADAPTER_OF_TENANT =
  'a tenant of a fleet cannot name an adapter, because it is code that a replica would run for all its tenants; name it in the fleet’s own file (fleet.adapter)';

/** The text of a tenant's file and its bytes on disk, or why it cannot be stored, to follow the file's name. */
function readTenantText(
  file: string,
): { readonly text: string; readonly bytes: number } | { readonly problem: string } {
  try {
    // A problem quotes keys, so a link must not bring in what its author may not read.
    if (leadsOut(dirname(file), file)) return { problem: 'is a link to a file outside of its folder' };
    const stats = statSync(file);
    if (stats.size > MAX_FILE) return { problem: 'is larger than 1 MiB' };
    // Reading a pipe could wait forever.
    if (!stats.isFile()) return { problem: 'is not a file' };
    const text = readText(file);
    if (text.includes('\0')) return { problem: 'has the character U+0000, which Postgres cannot take' };
    return { text, bytes: stats.size };
  } catch (error) {
    return { problem: describeFileError(error) };
  }
}

/** Files on disk that remember what was read, to be stored with their tenant. */
interface PackedFiles extends NamedFiles {
  /** What was read until now, by path as it was asked for. */
  packed(): Readonly<Record<string, string>>;
}

/** Of a tenant's file with all files that it names, in bytes. */
const MAX_TENANT = 4 * MIB;

/**
 * The files of a tenant: in the folder of its own file or below, and no larger than a database should store. `used`: bytes
 * of its own file.
 */
function packFiles(folder: string, used: number): PackedFiles {
  const texts = new Map<string, string>();
  let total = used;
  const shown = (name: string) => resolve(folder, name);
  return {
    shown,
    read(name, kind) {
      if (kind === 'key') throw unusable(KEY_OF_TENANT);
      if (kind === 'adapter') throw unusable(ADAPTER_OF_TENANT);
      const known = texts.get(name);
      if (known !== undefined) return known;
      const file = shown(name);
      if (isAbsolute(name) || leadsOut(folder, file))
        throw unusable(
          `${name} must be in the tenant's folder (${folder}), because it is stored with the tenant`,
        );
      const stats = statSync(file);
      if (!stats.isFile()) throw unusable(`${file} is not a file`);
      if (stats.size > MAX_FILE) throw unusable(`${file} is larger than ${MAX_FILE / MIB} MiB`);
      total += stats.size;
      if (total > MAX_TENANT)
        throw unusable(`with ${file} the files of this tenant are larger than ${MAX_TENANT / MIB} MiB`);
      const text = textOf(file, kind);
      if (text.includes('\0')) throw unusable(`${file} has the character U+0000, which Postgres cannot take`);
      texts.set(name, text);
      return text;
    },
    packed: () => Object.fromEntries(texts),
  };
}

/** Of certificates nothing else is stored: such files may hold their keys too. */
function textOf(file: string, kind: FileKind): string {
  return kind === 'certificates' ? certificatesIn(readFileSync(file, 'latin1')).join('\n') : readText(file);
}

/** Whether a choice, which may change what a rule says, comes from the environment. */
function hasOpenChoice(data: unknown): boolean {
  return textsOf(settingsSchema, data).some(({ text, schema }) => {
    const inner = schema === null ? null : unwrap(schema).schema;
    const isChoice = inner instanceof z.ZodBoolean || inner instanceof z.ZodEnum;
    return isChoice && mentions(text).length > 0;
  });
}

/** Longer names do not fit into Postgres. */
const MAX_SCHEMA = 63;

/** @param derived null: the file sets the schema, which is checked with all settings */
function schemaProblems(
  data: unknown,
  derived: string | null,
  ofFleet: string | undefined,
): readonly Problem[] {
  if (derived !== null && derived.length > MAX_SCHEMA)
    return [
      { path: SCHEMA, message: `is required, because ${derived} is too long for the name of a schema` },
    ];
  const schema = derived ?? valueAt(data, SCHEMA);
  if (ofFleet === undefined || (schema !== ofFleet && schema !== engineSchema(ofFleet))) return [];
  const owner = schema === ofFleet ? 'the fleet' : 'the jobs of the fleet';
  return [{ path: SCHEMA, message: `is the schema of ${owner}; each tenant needs its own` }];
}

/**
 * A tenant's configuration with the name of its ledger's schema in it. A replica reads `state.schema` as it reads every
 * setting, and no later version derives another name: so the name becomes part of the text that is stored. The parser
 * writes the whole text again, with comments; `schema` is the last line of the block `state`, and a block that is missing
 * comes last. A message of a replica about a later line may name another number than the file has.
 *
 * @returns null when the block is an alias or has an anchor, because the name would count elsewhere too
 */
function withLedgerSchema(document: Document, schema: string): string | null {
  const copy = document.clone();
  const state = copy.get('state') ?? null;
  if (state === null) copy.set('state', copy.createNode({ schema }));
  else if (isMap(state) && state.anchor === undefined) state.set('schema', schema);
  else return null;
  return copy.toString({ lineWidth: 0 });
}
