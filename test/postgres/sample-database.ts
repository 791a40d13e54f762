import pg from 'pg';
import { inject } from 'vitest';
import { seedSample } from '../../src/demo/sample/seed-sample.js';
import { cloneDatabase, databaseUrl, onServer, type TestDatabase } from './test-database.js';

/** Any number, the same in all workers of a run. */
const LOCK = 7_402_311;

/**
 * A database with the sample of the HR vendor (seed 1, deadlines from today on). The sample is loaded once per
 * run, by whichever test comes first, and copied for every caller.
 */
export async function createSampleDatabase(): Promise<TestDatabase> {
  const template = inject('sampleTemplate');
  return await onServer(async (server) => {
    // Held until the copy is made as well: a template may have only one user at a time.
    await server.query('select pg_advisory_lock($1)', [LOCK]);
    const found = await server.query('select 1 from pg_database where datname = $1', [template]);
    if (found.rowCount === 0) await loadTemplate(server, template);
    return await cloneDatabase(template);
  });
}

async function loadTemplate(server: pg.Client, template: string): Promise<void> {
  await server.query(`CREATE DATABASE ${template} TEMPLATE template0 ENCODING 'UTF8'`);
  const client = new pg.Client({ connectionString: databaseUrl(template) });
  await client.connect();
  try {
    await seedSample(client, { seed: 1 });
  } catch (error) {
    await client.end();
    await server.query(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    throw error;
  }
  await client.end();
}
