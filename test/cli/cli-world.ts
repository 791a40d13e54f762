import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { Intercept } from '../../src/features/sandbox/sandbox-options.js';
import { type RunningSandbox, startSandbox } from '../../src/features/sandbox/start-sandbox.js';
import type { RunReport } from '../../src/core/run/end.js';
import { createMigratedDatabase, createTestDatabase } from '../postgres/test-database.js';
import { planted, secretsInTables } from '../security/planted.js';
import { type CliResult, runCli, type RunningCli, startCli } from './run-cli.js';

export const SECRET = planted('client');
const CITY = '8a4c0d52-3a52-4f0e-9f0c-6d8f6f8f1c11';

const CONFIG = `
source: { url: '\${SOURCE_DATABASE_URL}', timeZone: Asia/Jakarta }
state: { leaseTtl: 8s }
ids: { namespace: 6f1de0a2-6a57-4d1c-9c43-0f5c0b8f7a11 }
platform:
  jobs:
    baseUrl: \${BASE_URL}
    clientId: sandbox-client
    clientSecret: \${CLIENT_SECRET}
    ratePerSecond: null
    timeout: 5s
entities:
  companies: { query: companies.sql }
  vacancies: { query: vacancies.sql }
`;

/** A partner's set-up as an operator has it: a folder with configuration and queries, a database, a platform. */
export interface CliWorld {
  readonly folder: string;
  readonly configFile: string;
  readonly env: Record<string, string>;
  readonly sandbox: RunningSandbox;
  intercept: Intercept | null;
  sql<Row extends Record<string, unknown>>(text: string, params?: readonly unknown[]): Promise<Row[]>;
  /** Writes a file of the folder. */
  write(name: string, text: string): void;
  /** Changes the configuration's text. */
  configure(from: string, to: string): void;
  /** Runs a command to its end; the configuration is named by the environment. */
  cli(...args: string[]): Promise<CliResult>;
  start(...args: string[]): RunningCli;
  /** Runs `run --json`; the report has what the process exited with beside it. */
  run(...args: string[]): Promise<RunReport & { readonly code: number | null; readonly stderr: string }>;
  /** From now on the platform answers nothing, until the function that it gives is called. Before a run starts. */
  holdReplies(): () => void;
  /** Waits until the platform has got so many requests. */
  requested(count: number): Promise<void>;
}

/** The configuration of a run that waits for no deferred record, unless the test says how long. */
function endingAtOnce(config: string): string {
  if (config.includes('runFor:')) return config;
  const retry = 'retry: { ';
  return config.includes(retry)
    ? config.replace(retry, `${retry}runFor: 0s, `)
    : `${config}retry: { runFor: 0s }\n`;
}

/** A world for one test, with empty tables; it ends with the test. */
export async function createCliWorld(options: { migrated?: boolean } = {}): Promise<CliWorld> {
  const database = await ((options.migrated ?? true) ? createMigratedDatabase() : createTestDatabase());
  await database.query(
    `create table company (id text primary key, name text, city text default '${CITY}', about text)`,
  );
  await database.query(
    `create table vacancy (id text primary key, company_id text, title text, quota text, expire_at timestamptz, closes timestamp)`,
  );
  let intercept: Intercept | null = null;
  const sandbox = await startSandbox({
    clients: { jobs: { clientId: 'sandbox-client', secret: SECRET } },
    intercept: (request) => intercept?.(request),
  });
  const folder = mkdtempSync(join(tmpdir(), 'placement-sync-cli-'));
  mkdirSync(join(folder, 'elsewhere'));
  const running: RunningCli[] = [];
  onTestFinished(async () => {
    running.forEach(({ child }) => child.kill('SIGKILL'));
    await sandbox.close();
    const inTables = await secretsInTables(database.query);
    rmSync(folder, { recursive: true });
    expect(inTables, 'secrets in the state schema').toEqual([]);
  });

  const configFile = join(folder, 'placement-sync.yaml');
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  let config = CONFIG;
  const writeConfig = () => write('placement-sync.yaml', endingAtOnce(config));
  writeConfig();
  write('companies.sql', 'select id as key, name, city as region_id, about from company;\n');
  write(
    'vacancies.sql',
    `select id as key, company_id as company_key, title, quota, coalesce(expire_at, closes at time zone 'Asia/Jakarta') as expire_at\nfrom vacancy -- all of them\n`,
  );
  const env: Record<string, string> = {
    PLACEMENT_SYNC_CONFIG: configFile,
    SOURCE_DATABASE_URL: database.url,
    BASE_URL: sandbox.url,
    CLIENT_SECRET: SECRET,
  };

  const cli = (...args: string[]) => runCli(args, { env });
  const configure = (from: string, to: string): void => {
    if (!config.includes(from)) throw new Error(`the configuration has no ${from}`);
    config = config.replace(from, to);
    writeConfig();
  };

  return {
    folder,
    configFile,
    env,
    sandbox,
    get intercept() {
      return intercept;
    },
    set intercept(value) {
      intercept = value;
    },
    sql: (text, params) => database.query(text, params),
    write,
    configure,
    cli,
    start(...args) {
      const started = startCli(args, { env });
      running.push(started);
      return started;
    },
    async run(...args) {
      const { exitCode, stdout, stderr } = await cli('run', '--json', ...args);
      return { ...(JSON.parse(stdout) as RunReport), code: exitCode, stderr };
    },
    holdReplies() {
      configure('timeout: 5s', 'timeout: 5m');
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      intercept = () => released;
      return () => {
        intercept = null;
        release();
      };
    },
    async requested(count) {
      const until = Date.now() + 60_000;
      while (sandbox.requests().length < count) {
        if (Date.now() > until)
          throw new Error(`only ${sandbox.requests().length} of ${count} requests came`);
        await wait(10);
      }
    },
  };
}

/** Inserts companies c001, c002, … */
export async function addCompanies(world: CliWorld, count: number): Promise<void> {
  await world.sql(
    `insert into company (id, name) select 'c' || lpad(n::text, 3, '0'), 'Company ' || n from generate_series(1, $1::int) n`,
    [count],
  );
}

/** Inserts vacancies v001, v002, … of one company. */
export async function addVacancies(world: CliWorld, count: number, company = 'c001'): Promise<void> {
  await world.sql(
    `insert into vacancy (id, company_id, title) select 'v' || lpad(n::text, 3, '0'), $2, 'Vacancy ' || n
     from generate_series(1, $1::int) n`,
    [count, company],
  );
}

/** Has vacancies closed at the platform when they leave the source. */
export function closeVanished(world: CliWorld): void {
  world.configure('{ query: vacancies.sql }', '{ query: vacancies.sql, onVanished: close }');
}

/** Has `start` sweep every second, receive webhooks that are signed with the sandbox's secret, and listen on free ports. */
export function configureWorker(world: CliWorld): void {
  world.configure(
    'entities:',
    `schedule: { sync: '* * * * * *' }
webhook: { secrets: ['${SECRET}'] }
http: { public: { host: 127.0.0.1, port: 0 }, admin: { port: 0 } }
entities:`,
  );
}
