import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startPostgres } from '../../src/demo/postgres/start-postgres.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser URL of the run's server; databases may be created on it. */
    postgresUrl: string;
    /** Database that holds the sample of the HR vendor, from the first test on that asks for it. */
    sampleTemplate: string;
  }
}

/**
 * One Postgres server for the whole run, or the one of `TEST_DATABASE_URL` (a user who may create databases).
 * Without either the run fails: an integration test that is skipped proves nothing.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const sampleTemplate = `sample_${randomBytes(4).toString('hex')}`;
  project.provide('sampleTemplate', sampleTemplate);
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    project.provide('postgresUrl', given);
    return () => dropDatabase(given, sampleTemplate);
  }
  const postgres = await startPostgres({ env: process.env });
  project.provide('postgresUrl', postgres.superUrl);
  return () => postgres.stop();
}

async function dropDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}
