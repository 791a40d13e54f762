import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import type { FleetReport } from '../../../../src/features/fleet/fleet-report.js';
import type { Intercept } from '../../../../src/features/sandbox/sandbox-options.js';
import { type RunningSandbox, startSandbox } from '../../../../src/features/sandbox/start-sandbox.js';
import { BUILT } from '../../../chaos/chaos-world.js';
import { type CliResult, runCli } from '../../../cli/run-cli.js';
import { commandFailure, noteForFailure } from '../../../failure-notes.js';
import { createTestDatabase, type TestDatabase } from '../../../postgres/test-database.js';
import { planted, secretsIn, secretsInTables } from '../../../security/planted.js';
import { createFleetSources, type FleetSources, queriesOf, type SourceSize } from './fleet-sources.js';

/** Planted secrets in any table of any schema: the fleet’s, its engine’s and every ledger. */
async function secretsInDatabase({ query }: TestDatabase): Promise<string[]> {
  const schemas = await query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of schemas) found.push(...(await secretsInTables(query, name)));
  return found;
}

const WITH_SLICES = fileURLToPath(new URL('short-slices.ts', import.meta.url));

interface Replica {
  readonly pid: number;
  /** As the table of tenants and the ledgers name it. */
  readonly name: string;
  /** By the database’s clock; null: it was not killed. */
  readonly killedAt: Date | null;
  stderr(): string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGTERM. Gives the exit code; null: it was killed. */
  stop(): Promise<number | null>;
  /** Null: it runs, or it was killed. */
  readonly exitCode: number | null;
}

/** Starts a replica as a process of its own, and waits until it works. It may print no planted secret. */
async function startReplica(options: {
  readonly database: TestDatabase;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly host: string;
  readonly sliceMs?: number;
  readonly program?: string;
}): Promise<Replica> {
  const { database, folder, env, host, sliceMs, program: built = BUILT } = options;
  const program = sliceMs === undefined ? [built, 'fleet', 'start'] : [WITH_SLICES, String(sliceMs)];
  const loader = sliceMs === undefined ? [] : ['--import', import.meta.resolve('tsx')];
  const child = spawn(process.execPath, [...loader, ...program], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  noteForFailure(() =>
    commandFailure(`fleet start (${host})`, child.signalCode ? null : (child.exitCode ?? undefined), output),
  );
  const ended = once(child, 'close').then(([code]) => code as number | null);
  let killedAt: Date | null = null;
  const searched = (): void => {
    const [found] = secretsIn(output, env);
    if (found !== undefined) throw new Error(`a replica printed a secret: ${found}`);
  };
  const works = async (): Promise<void> => {
    while (!output.includes('Listening for admin')) await once(child.stderr, 'data');
  };
  const tooSoon = ended.then((code) => {
    throw new Error(`a replica ended with ${code} before it worked: ${output}`);
  });
  tooSoon.catch(() => undefined);
  await Promise.race([works(), tooSoon]);

  return {
    pid: child.pid ?? 0,
    name: `${host} pid ${child.pid}`,
    get killedAt() {
      return killedAt;
    },
    stderr: () => output,
    async kill() {
      const runs = child.exitCode === null && child.signalCode === null;
      child.kill('SIGKILL');
      await ended;
      if (runs) {
        const [row] = await database.query<{ now: Date }>('select clock_timestamp() as now');
        killedAt = row?.now ?? null;
      }
      searched();
    },
    async stop() {
      child.kill('SIGTERM');
      const code = await ended;
      searched();
      return code;
    },
    get exitCode() {
      return child.exitCode;
    },
  };
}

export const FLEET_SCHEMA = 'vendor';
export const ledgerOf = (tenant: string): string => `tenant_${tenant}`;

/** What a tenant's file says beside the usual. */
interface TenantFile {
  /** Default 1m. */
  readonly period?: string;
  readonly lane?: 'sync' | 'large';
  readonly enabled?: boolean;
  /** Of its source; default: that of `sources`. */
  readonly sourceUrl?: string;
  /** How long reading its companies takes at least; default 0. */
  readonly readSeconds?: number;
  /** What its query adds to each title; default nothing. */
  readonly titleSuffix?: string;
  /** Default: the platform’s secret, by reference. */
  readonly secret?: string;
  /** Default: none. */
}

interface FleetOptions {
  readonly tenants: readonly string[];
  readonly size?: SourceSize;
  readonly file?: TenantFile;
  /** Requests per second of the credential that all tenants have; default 100. */
  readonly rate?: number;
  /** Of a replica; default 4. */
  readonly slots?: number;
  /** The address under which the commands and replicas reach the fleet’s database; default: that of the server. */
  readonly through?: (url: string) => string;
  /** Of a replica; default 1. */
  readonly largeSlots?: number;
  /** Databases of `fleet.ledgers`; default 0. */
  readonly ledgers?: number;
}

/** A vendor: tenants with their sources, one platform with one credential, the fleet’s database with all ledgers, replicas. */
export interface FleetWorld {
  readonly tenants: readonly string[];
  readonly sources: FleetSources;
  readonly database: TestDatabase;
  /** Those of `fleet.ledgers`. */
  readonly ledgers: readonly TestDatabase[];
  /** The one with the ledger of this tenant. */
  databaseOf(tenant: string): Promise<TestDatabase>;
  readonly sandbox: RunningSandbox;
  intercept: Intercept | null;
  readonly folder: string;
  readonly env: Record<string, string>;
  readonly replicas: readonly Replica[];
  /** A command of the fleet, to its end. */
  fleet(...words: string[]): Promise<CliResult>;
  status(): Promise<FleetReport>;
  /** Writes a tenant’s file, which `apply` takes in. */
  write(tenant: string, file?: TenantFile): void;
  /** Removes a tenant’s file. */
  unlink(tenant: string): void;
  apply(): Promise<CliResult>;
  /**
   * One more replica: the built command, with `program` that of another version, or with `sliceMs` a process that gives each
   * tenant so long for sending.
   */
  start(options?: { readonly sliceMs?: number; readonly program?: string }): Promise<Replica>;
  /** The database’s clock. */
  now(): Promise<Date>;
}

const tenantYaml = (
  world: { readonly sources: FleetSources },
  tenant: string,
  namespace: string,
  file: TenantFile,
) => `
tenant: { period: ${file.period ?? '1m'}, lane: ${file.lane ?? 'auto'}, enabled: ${file.enabled ?? true} }
source: { url: '${file.sourceUrl ?? world.sources.url(tenant)}', timeZone: Asia/Jakarta }
ids: { namespace: ${namespace} }
platform:
  jobs:
    baseUrl: \${BASE_URL}
    clientId: sandbox-client
    clientSecret: ${file.secret ?? '${CLIENT_SECRET}'}
    concurrency: 4
    timeout: 5s
entities:
  companies: { query: queries/${tenant}-companies.sql }
  vacancies: { query: queries/${tenant}-vacancies.sql, onVanished: close }
guards: { maxVanishedPercent: 100, maxVanishedCount: 100000, maxChangedPercent: 100 }
retry: { baseDelay: 50ms, maxDelay: 1s }
`;

const fleetYaml = (rate: number, slots: number, largeSlots: number, ledgers: number) => `
fleet:
  database: { url: '\${FLEET_DATABASE_URL}' }
  ledgers: [${Array.from({ length: ledgers }, (_, n) => `'\${LEDGER_${n}}'`).join(', ')}]
  schema: ${FLEET_SCHEMA}
  sharedVariables: [BASE_URL, CLIENT_SECRET]
  slots: ${slots}
  largeSlots: ${largeSlots}
  rateLimits: { sandbox-client: ${rate} }
http: { admin: { port: 0 } }
`;

/** A world for one test, with its tenants taken in; it ends with the test, after a search for secrets in all that it left. */
export async function createFleetWorld(options: FleetOptions): Promise<FleetWorld> {
  const {
    tenants,
    size,
    file: usual = {},
    rate = 100,
    slots = 4,
    largeSlots = 1,
    ledgers: count = 0,
    through = (url) => url,
  } = options;
  const database = await createTestDatabase();
  const ledgers: TestDatabase[] = [];
  while (ledgers.length < count) ledgers.push(await createTestDatabase());
  const sources = await createFleetSources();
  let intercept: Intercept | null = null;
  const secret = planted('client');
  const sandbox = await startSandbox({
    clients: { jobs: { clientId: 'sandbox-client', secret } },
    intercept: (request) => intercept?.(request),
  });
  const folder = mkdtempSync(join(tmpdir(), 'placement-sync-fleet-'));
  mkdirSync(join(folder, 'tenants', 'queries'), { recursive: true });
  writeFileSync(join(folder, 'fleet.yaml'), fleetYaml(rate, slots, largeSlots, count));
  const replicas: Replica[] = [];
  onTestFinished(async () => {
    await Promise.all(replicas.map((replica) => replica.kill()));
    await sandbox.close();
    const stored: string[] = [];
    for (const each of [database, ...ledgers]) {
      stored.push(...(await secretsInDatabase(each)));
      await each.drop();
    }
    await sources.drop();
    rmSync(folder, { recursive: true });
    expect(stored, 'secrets in the fleet’s database').toEqual([]);
    for (const { name, stderr } of replicas)
      expect(stderr().match(/.*\(node:\d+\).*/g), `what Node says to ${name}`).toBeNull();
  });

  const env: Record<string, string> = {
    PLACEMENT_SYNC_CONFIG: join(folder, 'fleet.yaml'),
    FLEET_DATABASE_URL: through(database.url),
    ...Object.fromEntries(ledgers.map(({ url }, n) => [`LEDGER_${n}`, through(url)])),
    BASE_URL: sandbox.url,
    CLIENT_SECRET: secret,
  };
  const namespaces = new Map<string, string>();
  const pathOf = (tenant: string) => join(folder, 'tenants', `${tenant}.yaml`);
  const world: FleetWorld = {
    ...{ tenants, sources, database, ledgers, sandbox, folder, env, replicas },
    async databaseOf(tenant) {
      if (count === 0) return database;
      const [row] = await database.query<{ ledger: string }>(
        `select ledger from ${FLEET_SCHEMA}.tenant where name = $1`,
        [tenant],
      );
      return ledgers.find(({ name }) => row?.ledger.endsWith(`/${name}`)) ?? database;
    },
    get intercept() {
      return intercept;
    },
    set intercept(value) {
      intercept = value;
    },
    fleet: (...words) =>
      runCli(['fleet', ...words], { env: { ...env, ...sources.environment }, cwd: folder }),
    async status() {
      const { stdout } = await world.fleet('status', '--json');
      return JSON.parse(stdout) as FleetReport;
    },
    write(tenant, file = {}) {
      const namespace = namespaces.get(tenant) ?? randomUUID();
      namespaces.set(tenant, namespace);
      const whole = { ...usual, ...file };
      writeFileSync(pathOf(tenant), tenantYaml({ sources }, tenant, namespace, whole));
      for (const [entity, text] of Object.entries(
        queriesOf(tenant, { seconds: whole.readSeconds ?? 0, suffix: whole.titleSuffix ?? '' }),
      ))
        writeFileSync(join(folder, 'tenants', 'queries', `${tenant}-${entity}.sql`), text);
    },
    unlink: (tenant) => rmSync(pathOf(tenant)),
    apply: () => world.fleet('apply', 'tenants'),
    async start(how = {}) {
      const replica = await startReplica({
        ...{ database, folder, env: { ...env, ...sources.environment }, host: hostname(), ...how },
      });
      replicas.push(replica);
      return replica;
    },
    async now() {
      const [row] = await database.query<{ now: Date }>('select clock_timestamp() as now');
      return row?.now ?? new Date();
    },
  };

  for (const tenant of tenants) {
    await sources.add(tenant, size);
    world.write(tenant);
  }
  for (const words of [['migrate'], ['apply', 'tenants']]) {
    const { exitCode, stderr } = await world.fleet(...words);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  }
  return world;
}

/** `t000`, `t001`, … */
export const manyTenants = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `t${String(n).padStart(3, '0')}`);
