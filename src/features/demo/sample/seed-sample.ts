import { readFileSync } from 'node:fs';
import pg, { type ClientBase, type QueryResult } from 'pg';
import { databaseConnection } from '../../../core/runtime/database-address.js';
import { guardConnection } from '../../../core/runtime/guard-connection.js';

/** A record that is wrong on purpose, by its key in the queries. */
export interface BrokenRecord {
  readonly entity: 'companies' | 'vacancies' | 'institutions' | 'trainings';
  readonly key: string;
  /** `invalid`: not sent · `warning`: sent · `waiting`: its company is not sent, so it waits. */
  readonly expect: 'invalid' | 'warning' | 'waiting';
  readonly column: string;
  readonly reason: string;
}

/**
 * Makes the tables of the invented HR vendor in the database of `client` and fills them, in one transaction,
 * in about a second. The database must not have tables of these names.
 * @param file path of config/demo/sample.sql
 * @returns the records that are wrong on purpose, with the result that the sync must give
 */
export async function seedSample(client: ClientBase, file: string): Promise<readonly BrokenRecord[]> {
  // Many statements in one text: the driver gives a result for each.
  const results: unknown = await client.query(readFileSync(file, 'utf8'));
  return (results as readonly QueryResult<BrokenRecord>[]).at(-1)?.rows ?? [];
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(databaseConnection(url));
  guardConnection(client);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
