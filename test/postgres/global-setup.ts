import type { TestProject } from 'vitest/node';
import { startPostgres } from '../../src/demo/postgres/start-postgres.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser URL of the run's server; databases may be created on it. */
    postgresUrl: string;
  }
}

/**
 * One Postgres server for the whole run, or the one of `TEST_DATABASE_URL` (a user who may create databases).
 * Without either the run fails: an integration test that is skipped proves nothing.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    project.provide('postgresUrl', given);
    return () => Promise.resolve();
  }
  const postgres = await startPostgres({ env: process.env });
  project.provide('postgresUrl', postgres.superUrl);
  return () => postgres.stop();
}
