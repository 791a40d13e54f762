import { withClient } from '../../src/features/demo/sample/seed-sample.js';

const PAGE = 1_000;

/** Reads every row of a query in full by DECLARE and FETCH, page after page. Gives their number. */
export async function fetchRows(url: string, sql: string): Promise<number> {
  return withClient(url, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    await client.query(`declare bench no scroll cursor for ${sql}`);
    for (let count = 0; ;) {
      const { rows } = await client.query(`fetch forward ${PAGE} from bench`);
      count += rows.length;
      if (rows.length < PAGE) return count;
    }
  });
}
