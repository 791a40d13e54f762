import { randomBytes } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { type Postgres, startPostgres } from '../../src/features/demo/postgres/start-postgres.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser URL of the run's server; databases may be created on it. */
    postgresUrl: string;
    /** How the names of the run's template databases begin. */
    templatePrefix: string;
  }
}

/**
 * One Postgres server for the whole run, or the one of `TEST_DATABASE_URL` (a user who may create databases).
 * Without either the run fails: an integration test that is skipped proves nothing.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const templatePrefix = `template_${randomBytes(4).toString('hex')}_`;
  project.provide('templatePrefix', templatePrefix);
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    project.provide('postgresUrl', given);
    return () => dropTemplates(given, templatePrefix);
  }
  const postgres = await startQuickly();
  project.provide('postgresUrl', postgres.superUrl);
  return () => postgres.stop();
}

/** A folder in memory: making and dropping a database there takes a third of the time. */
const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 1024 ** 3;

async function startQuickly(): Promise<Postgres> {
  const options = { env: process.env };
  const { bavail, bsize } = await statfs(IN_MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  if (bavail * bsize < ENOUGH_BYTES) return startPostgres(options);
  // Where nothing there may be executed, the ordinary place is left.
  return startPostgres({ ...options, tempDir: IN_MEMORY }).catch(() => startPostgres(options));
}

async function dropTemplates(url: string, prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1)',
      [prefix],
    );
    for (const { name } of rows) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}
