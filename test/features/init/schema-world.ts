import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../../src/features/sandbox/start-sandbox.js';
import type { SandboxOptions } from '../../../src/features/sandbox/sandbox-options.js';
import type { RunReport } from '../../../src/core/run/end.js';
import { type CliResult, runCli } from '../../cli/run-cli.js';
import { createMigratedDatabase, createTestDatabase, onServer } from '../../postgres/test-database.js';
import { planted } from '../../security/planted.js';
import type { Decisions, SchemaFiles } from './schema-files.js';

export const NAMESPACE = '4a1c6a0e-6b0c-4f0b-9a53-2f6b8d7e1c90';

/** A partner's database that is to be connected, a state database beside it, and a strict platform. */
export interface SchemaWorld {
  readonly folder: string;
  readonly sandbox: RunningSandbox;
  /** Of a configuration: where everything is. */
  readonly base: Readonly<Record<string, unknown>>;
  /** Everything that the program printed so far. */
  readonly printed: () => string;
  sql(text: string): Promise<Record<string, unknown>[]>;
  /** What the administrator grants to the reader: the word `reader` in a statement is the role. */
  administer(statements: readonly string[]): Promise<void>;
  cli(configFile: string, ...args: string[]): Promise<CliResult>;
  run(configFile: string, ...args: string[]): Promise<RunReport & { readonly code: number | null }>;
}

/** Ends with the test. The reader may SELECT from every table of the schema, but not from those of people. */
export async function createSchemaWorld(
  {
    tables,
    data,
    decisions,
  }: Pick<SchemaFiles, 'tables' | 'data'> & { readonly decisions: Pick<Decisions, 'people'> },
  options: Pick<SandboxOptions, 'strict'> = {},
): Promise<SchemaWorld> {
  const source = await createTestDatabase();
  const state = await createMigratedDatabase();
  const reader = `reader_${randomBytes(6).toString('hex')}`;
  const password = planted('reader');
  const secret = planted('client');
  const client = { clientId: 'onboarding', secret };
  const sandbox = await startSandbox({ ...options, clients: { jobs: client, training: client } });
  const folder = mkdtempSync(join(tmpdir(), 'placement-sync-schema-'));
  onTestFinished(async () => {
    await sandbox.close();
    // The role has rights there.
    await source.drop();
    await onServer((connection) => connection.query(`drop role if exists ${reader}`));
    rmSync(folder, { recursive: true });
  });

  await source.query(tables);
  await source.query(data);
  // What the planner knows of tables that have been in use for a while.
  await source.query('analyze');
  await source.query(`create role ${reader} login password '${password}'`);
  const schemas = await source.query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname !~ '^(pg_|information_schema|public)'`,
  );
  for (const { name } of schemas)
    await source.query(
      `grant usage on schema ${name} to ${reader}; grant select on all tables in schema ${name} to ${reader}`,
    );
  for (const table of decisions.people) await source.query(`revoke all on ${table} from ${reader}`);

  const readerUrl = new URL(source.url);
  readerUrl.username = reader;
  readerUrl.password = password;
  const env = {
    SOURCE_DATABASE_URL: readerUrl.href,
    STATE_DATABASE_URL: state.url,
    PLACEMENT_SYNC_NAMESPACE: NAMESPACE,
    JOSS_BASE_URL: sandbox.url,
    JOSS_CLIENT_ID: client.clientId,
    JOSS_CLIENT_SECRET: secret,
    TOSS_BASE_URL: sandbox.url,
    TOSS_CLIENT_ID: client.clientId,
    TOSS_CLIENT_SECRET: secret,
  };
  const area = (name: string) => ({
    baseUrl: `\${${name}_BASE_URL}`,
    clientId: `\${${name}_CLIENT_ID}`,
    clientSecret: `\${${name}_CLIENT_SECRET}`,
    ratePerSecond: null,
  });
  let printed = '';
  const cli = async (configFile: string, ...args: string[]): Promise<CliResult> => {
    const result = await runCli(args, { env: { ...env, PLACEMENT_SYNC_CONFIG: configFile }, cwd: folder });
    printed += `${result.stdout}\n${result.stderr}\n`;
    return result;
  };
  return {
    folder,
    sandbox,
    base: {
      source: { url: '${SOURCE_DATABASE_URL}' },
      state: { url: '${STATE_DATABASE_URL}' },
      ids: { namespace: '${PLACEMENT_SYNC_NAMESPACE}' },
      platform: { jobs: area('JOSS'), training: area('TOSS') },
    },
    printed: () => printed,
    sql: (text) => source.query(text),
    async administer(statements) {
      for (const statement of statements) await source.query(statement.replaceAll(/\breader\b/g, reader));
    },
    cli,
    async run(configFile, ...args) {
      const { exitCode, stdout, stderr } = await cli(configFile, 'run', '--json', ...args);
      if (stdout === '') throw new Error(stderr);
      return { ...(JSON.parse(stdout) as RunReport), code: exitCode };
    },
  };
}
