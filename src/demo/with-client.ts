import pg from 'pg';
import { guardConnection } from '../runtime/guard-connection.js';

/** Does `work` on a connection of its own. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  guardConnection(client);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
