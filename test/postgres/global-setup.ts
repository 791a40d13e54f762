import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startPostgres } from '../../src/demo/postgres/start-postgres.js';

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
  const postgres = await startPostgres({ env: process.env });
  project.provide('postgresUrl', postgres.superUrl);
  return () => postgres.stop();
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
