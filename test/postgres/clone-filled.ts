import pg from 'pg';
import { inject } from 'vitest';
import { cloneDatabase, databaseUrl, onServer, type TestDatabase } from './test-database.js';

/** Any number, the same in all workers of a run. */
const LOCK = 7_402_311;

/**
 * A copy of the run's template of that name. The template is filled once per run, by whichever test comes first, with
 * its URL and a connection to it; nothing may stay connected to it.
 */
export async function cloneFilled(
  name: string,
  fill: (template: { readonly client: pg.Client; readonly url: string }) => Promise<unknown>,
): Promise<TestDatabase> {
  const template = `${inject('templatePrefix')}${name}`;
  return await onServer(async (server) => {
    // Held until the copy is made as well: a template may have only one user at a time.
    await server.query('select pg_advisory_lock($1, hashtext($2))', [LOCK, template]);
    const found = await server.query('select 1 from pg_database where datname = $1', [template]);
    if (found.rowCount === 0) await makeTemplate(server, template, fill);
    return await cloneDatabase(template);
  });
}

async function makeTemplate(
  server: pg.Client,
  template: string,
  fill: (template: { readonly client: pg.Client; readonly url: string }) => Promise<unknown>,
): Promise<void> {
  await server.query(`CREATE DATABASE ${template} TEMPLATE template0 ENCODING 'UTF8'`);
  const url = databaseUrl(template);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await fill({ client, url });
  } catch (error) {
    await client.end();
    await server.query(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    throw error;
  }
  await client.end();
}
