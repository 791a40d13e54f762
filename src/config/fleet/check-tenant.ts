import { basename, dirname, resolve } from 'node:path';
import { z } from 'zod';
import { engineSchema } from '../../domain/fleet.js';
import type { TenantDefinition } from '../../ports/tenants.js';
import { placeProblems, type PlacedProblem } from '../config-refusal.js';
import { TENANT_EXAMPLE } from '../examples.js';
import { fillIn } from '../fill-in.js';
import { mentions } from '../interpolate.js';
import { parseYaml } from '../parse-yaml.js';
import type { Problem, SettingPath } from '../problem.js';
import { readEntityFiles } from '../read-entity-files.js';
import { shownPath } from '../read-named-config.js';
import { readTransport } from '../read-transport.js';
import { readWebhookStatement } from '../read-webhook-statement.js';
import { checkRules } from '../rules.js';
import { unwrap } from '../schema-walk.js';
import { settingsSchema } from '../schema.js';
import { valueAt } from '../value-at.js';
import { packFiles } from './pack-files.js';
import { readTenantText } from './read-tenant-text.js';
import { referenceProblems } from './reference-problems.js';
import { tenantSettings } from './tenant-settings.js';
import { NOTHING_SHARED, withinWall, type FleetVariables } from './tenant-variables.js';
import { textsOf } from './texts-of.js';
import { withLedgerSchema } from './with-ledger-schema.js';

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
}

const NAME = /^([a-z0-9][a-z0-9_-]{0,59})\.yaml$/;
const NAME_RULE =
  'the name of the file is the name of the tenant: small letters, digits, - and _, at most 60, beginning with a letter or a digit, and then .yaml';
const SCHEMA: SettingPath = ['state', 'schema'];
/** Longer names do not fit into Postgres. */
const MAX_SCHEMA = 63;
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
    return { file, definition: null, problems, named: [], schemaLine: 1 };
  }

  const parsed = parseYaml(read.text, TENANT_EXAMPLE);
  const files = packFiles(dirname(absolute), read.bytes);
  const unknown = () => ({ unknown: true }) as const;
  const variable = name === undefined ? unknown : withinWall(name, variables, unknown);
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
            ...readWebhookStatement(data, files).problems,
            ...readTransport(data, files, {}).problems,
          ]),
          ...referenceProblems(name ?? 'tenant', parsed.data),
          ...schemaProblems(data, derived, fleetSchema),
        ];
  // Only a document without errors can be written again.
  const configuration =
    derived === null ? read.text : judged.length > 0 ? null : withLedgerSchema(parsed.document, derived);
  const problems = judged.length === 0 && configuration === null ? [SHARED_STATE] : judged;
  const placed = [...ofName, ...placeProblems(file, parsed, problems)];
  const tenant = tenantSettings.safeParse(valueAt(data, ['tenant']));
  const [{ line: schemaLine } = { line: 1 }] = placeProblems(file, parsed, [{ path: SCHEMA, message: '' }]);
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
    schemaLine,
  };
}

/** Whether a choice, which may change what a rule says, comes from the environment. */
function hasOpenChoice(data: unknown): boolean {
  return textsOf(settingsSchema, data).some(({ text, schema }) => {
    const inner = schema === null ? null : unwrap(schema).schema;
    const isChoice = inner instanceof z.ZodBoolean || inner instanceof z.ZodEnum;
    return isChoice && mentions(text).length > 0;
  });
}

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
