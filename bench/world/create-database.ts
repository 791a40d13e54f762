import type { Postgres } from '../../src/features/demo/postgres/start-postgres.js';
import { withClient } from '../../src/features/demo/sample/seed-sample.js';

/** Makes a database, empty or as a copy, in place of one of the same name. Gives its URL. */
export async function createDatabase(
  postgres: Postgres,
  name: string,
  template = 'template0',
): Promise<string> {
  await withClient(postgres.superUrl, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`);
    const copy = template === 'template0' ? '' : 'strategy file_copy';
    await client.query(`create database ${name} template ${template} encoding 'UTF8' ${copy}`);
  });
  return postgres.url(name);
}
