import { z } from 'zod';
import { engineSchema } from '../fleet.js';
import { mentions } from '../../../core/config/interpolate.js';
import type { Problem, SettingPath } from '../../../core/config/problem.js';
import type { Reach } from '../../../core/config/load.js';
import { isNetwork } from './reach.js';
import { filePath, partOf, postgresUrl, schemaName, wholeNumber } from '../../../core/config/schema-walk.js';
import { baseUrl } from '../../../core/config/sections/platform.js';
import { httpSettings, loggingSettings } from '../../../core/config/sections/service.js';
import { period } from '../../../core/config/tenant-settings.js';

/**
 * Which variables of the replicas are not a tenant's own, and which networks it does not reach. A tenant's file decides where a variable is sent: to its own
 * platform, say. So each file has the variables of its tenant, and those that the fleet shares with all.
 */
export interface FleetVariables {
  /** Those that fleet.yaml uses. No tenant has them. */
  readonly ofFleet: readonly string[];
  /** `fleet.sharedVariables` */
  readonly shared: readonly string[];
  /** Where tenants' connections to others than databases may go. Absent: anywhere. */
  readonly reach?: Reach;
  /** The module for a base address, absolute; null: none. Absent: none for any. */
  readonly adapterAt?: (baseUrl: string) => string | null;
}

/** Of a fleet that shares nothing and whose file uses none. */
export const NOTHING_SHARED: FleetVariables = { ofFleet: [], shared: [] };

/**
 * How variables begin that other programs read, or this one: of clouds, proxies, runtimes, databases and container platforms,
 * and those of docs/deploy.md.
 */
const OF_PROGRAMS =
  /^(ADMIN|ALL|AWS|AZURE|CI|DOCKER|FLEET|FTP|GCP|GH|GIT|GITHUB|GITLAB|GOOGLE|HTTPS?|JAVA|KUBE|KUBERNETES|LC|LD|METRICS|MYSQL|NO|NODE|NPM|OPENSSL|OTEL|PG[A-Z]*|PLACEMENT|POSTGRES|PYTHON|REDIS|SENTRY|SMTP|SSH|SSL|SUDO|SYSTEMD|VAULT|XDG)_/;

/**
 * What the variables of a tenant begin with: `ACME_WEST_` of acme-west, `TENANT_AWS_` of aws, because others begin with AWS_. A
 * variable cannot begin with a digit.
 */
export function variablePrefix(tenant: string): string {
  const prefix = `${tenant.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_`.replace(/^(?=\d)/, '_');
  return OF_PROGRAMS.test(prefix) ? `TENANT_${prefix}` : prefix;
}

/** The variables that fleet.yaml uses, each once. @param data parsed YAML, nothing filled in */
export function variablesOfFleet(data: unknown): readonly string[] {
  const names = textsOf(fleetSchema, data).flatMap(({ text }) => mentions(text).map(({ name }) => name));
  return [...new Set(names)];
}

/** What is wrong with `fleet.sharedVariables`: no list gives the fleet's own variables away. */
export function sharedProblems({ ofFleet, shared }: FleetVariables): readonly Problem[] {
  return shared.flatMap((name, index) => {
    const message = `this file uses ${name} itself, and no tenant may have such a variable; give the tenants another one`;
    return isOfFleet(name, ofFleet) ? [{ path: ['fleet', 'sharedVariables', index], message }] : [];
  });
}

/** A reader of variables that answers only for those that this tenant may use. */
export function onlyOwnVariables<Answer>(
  tenant: string,
  variables: FleetVariables,
  read: (name: string) => Answer,
): (name: string) => Answer | { readonly problem: string } {
  return (name) => {
    const problem = whyNotOwn(tenant, name, variables);
    return problem === null ? read(name) : { problem };
  };
}

function whyNotOwn(tenant: string, name: string, { ofFleet, shared }: FleetVariables): string | null {
  const prefix = variablePrefix(tenant);
  if (isOfFleet(name, ofFleet))
    return `no tenant may use ${name}, because the fleet's own file does; give this tenant a variable that begins with ${prefix}`;
  if (shared.includes(name) || name.startsWith(prefix)) return null;
  return `this tenant may not use ${name}; name the variable ${prefix}…, or list ${name} in fleet.sharedVariables of the fleet's file if every tenant may have its value`;
}

/** Also where one is the `NAME_FILE` of the other. To some systems capitals and small letters are the same. */
function isOfFleet(name: string, ofFleet: readonly string[]): boolean {
  const bare = (one: string) => one.toUpperCase().replace(/_FILE$/, '');
  return ofFleet.some((own) => bare(own) === bare(name));
}

/** The engine takes names of 50 characters, and its schema is this name with `_jobs`. */
const MAX_SCHEMA = 50 - engineSchema('').length;

const databaseSettings = z.strictObject({
  url: postgresUrl().meta({
    description:
      'The database with the table of tenants and the queue of jobs. All replicas use the same one.',
    env: 'FLEET_DATABASE_URL',
    example: 'postgres://placement_sync:password@db.example.com:5432/placement_sync',
  }),
  poolMax: wholeNumber({ min: 1, max: 100 }).default(4).meta({
    description:
      'Maximum number of connections at a time, of each replica, for the fleet’s own tables. The ledgers in this database have others: one for each slot, and four more.',
  }),
});

/** Which database it is, without who logs in: `host:port/database`. */
export function ledgerName(url: string): string {
  const { hostname, port, pathname, username, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? hostname.toLowerCase();
  return `${host}:${port || '5432'}/${decodeURIComponent(pathname.slice(1) || username)}`;
}

const ledgers = z
  .array(
    postgresUrl().meta({
      example: 'postgres://placement_sync:password@ledgers-1.example.com:5432/placement_sync',
    }),
  )
  .default([])
  .superRefine((urls, context) => {
    const names = urls.map((url) => (URL.canParse(url) ? ledgerName(url) : url));
    names.forEach((name, index) => {
      if (names.indexOf(name) !== index)
        context.addIssue({ code: 'custom', path: [index], message: `${name} is in the list already` });
    });
  })
  .meta({
    type: 'a list of Postgres addresses',
    description:
      'Databases for the ledgers of tenants without a `state.url`. A new tenant gets one of them by its name, and keeps it, whatever is added here. Without this setting, and for tenants that were there before it, the ledger is in the fleet’s database.',
  });

const fleetSettings = z
  .strictObject({
    database: databaseSettings,
    schema: schemaName({ max: MAX_SCHEMA })
      .default('placement_sync_fleet')
      .meta({
        description: `Schema of the fleet’s tables, at most ${MAX_SCHEMA} characters. Its name with \`_jobs\` is the schema of the queue. No tenant may use one of the two for its own.`,
      }),
    ledgers,
    slots: wholeNumber({ min: 1, max: 100 })
      .default(8)
      .meta({ unit: 'tenants', description: 'How many tenants a replica runs at a time.' }),
    largeSlots: wholeNumber({ min: 1, max: 100 })
      .default(2)
      .meta({ unit: 'tenants', description: 'How many large tenants a replica runs beside them.' }),
    period: period().prefault('10m').meta({
      description:
        'Time between two runs of a tenant whose own file does not say otherwise (`tenant.period`).',
    }),
    rateLimits: z
      .record(z.string(), wholeNumber({ min: 1 }))
      .prefault({})
      .meta({
        type: 'a block of client id: number',
        unit: 'requests per second',
        description:
          'Maximum number of requests in any second with this client id, by all tenants and replicas together; separately at each platform, and for each secret, proxy and `ca`. For a client id that is not named here, the least `ratePerSecond` of all tenants that share it counts.',
      }),
    sharedVariables: z
      .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of a variable, without ${ and }'))
      .default([])
      .meta({
        type: 'a list of names such as PLATFORM_CLIENT_SECRET',
        description:
          'Variables that every tenant’s file may use, such as the credential that all of them have. Any other must begin with the tenant’s name: `ACME_WEST_` for `acme-west`. A variable that this file itself uses is for no tenant.',
      }),
    adapter: z
      .union([filePath(), z.record(baseUrl(), filePath())], {
        error: 'must be a path, or a block of base address: path',
      })
      .nullable()
      .default(null)
      .meta({
        type: 'a path, or a block of base address: path',
        description:
          'A module of your own where the platform differs from the interface, for all tenants or by their `baseUrl`: docs/adapter.md. No tenant’s file can name one. Relative to this file. Null: none.',
      }),
    allowedNetworks: z
      .array(z.string().refine(isNetwork, 'must be an IP address, or a network such as 10.20.0.0/16'))
      .nullable()
      .default(null)
      .meta({
        type: 'a list of networks such as 10.20.0.0/16',
        description:
          'Networks beside public ones in which the platform, the proxy and the receiver of notices of a tenant may be. Every address that a name has is looked at with each connection. Null: none; where `database.url` leads to this machine, 127.0.0.0/8 and ::1.',
      }),
  })
  .transform(({ period: periodMs, ...rest }) => ({ ...rest, periodMs }));

/** Every setting of fleet.yaml. Durations come out in milliseconds under names that end in `Ms`. */
export const fleetSchema = z.strictObject({
  fleet: fleetSettings.meta({ description: 'Where the tenants are, and how they share the replicas.' }),
  http: httpSettings,
  logging: loggingSettings,
});

/** All settings of fleet.yaml with defaults filled in. */
export type FleetSettings = z.output<typeof fleetSchema>;

/** One text of a configuration, as it is written. */
export interface SettingText {
  readonly path: SettingPath;
  readonly text: string;
  /** Null: there is no such setting. */
  readonly schema: z.core.$ZodType | null;
}

/** Every text in data of the configuration, in its order. */
export function textsOf(
  schema: z.core.$ZodType | null,
  data: unknown,
  path: SettingPath = [],
): readonly SettingText[] {
  if (typeof data === 'string') return [{ path, text: data, schema }];
  if (data === null || typeof data !== 'object') return [];
  return Object.entries(data).flatMap(([name, value]) => {
    const key = Array.isArray(data) ? Number(name) : name;
    return textsOf(schema === null ? null : partOf(schema, key), value, [...path, key]);
  });
}
