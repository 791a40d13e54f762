import pg from 'pg';
import type { Source } from '../ports/source.js';
import { checkColumns } from './check-columns.js';
import { createReader } from './create-reader.js';
import type { RunStatement } from './fetch-pages.js';
import type { PostgresSourceOptions } from './postgres-source-options.js';
import { prepareQuery } from './prepare-query.js';
import { readColumns } from './read-columns.js';
import { transactionSettings } from './transaction-settings.js';
import { translateConnectError, translateSourceError } from './translate-source-error.js';

/** Encodings whose byte order is the order of code points, as UTF-8's is. */
const ORDERED_ENCODINGS = new Set(['UTF8', 'SQL_ASCII', 'LATIN1']);

/** The partner's Postgres. One transaction per entity, so that a failed statement spoils nothing else. */
export function createPostgresSource(options: PostgresSourceOptions): Source {
  let pool: pg.Pool | null = null;
  const connect = async (): Promise<pg.PoolClient> => {
    if (!pool) {
      pool = new pg.Pool({
        connectionString: options.url,
        max: options.poolMax,
        connectionTimeoutMillis: 10_000,
        keepAlive: true,
        application_name: 'placement-sync',
      });
      // An idle connection that ends is replaced when it is needed; without a listener it would end the process.
      pool.on('error', () => undefined);
    }
    try {
      return await pool.connect();
    } catch (error) {
      throw translateConnectError(error, options.url);
    }
  };

  return {
    async read(query, use) {
      const sql = prepareQuery(query);
      // The line feed keeps a trailing comment from eating the parenthesis.
      const from = `(\n${sql}\n) as q`;
      const client = await connect();
      const onError = () => undefined;
      client.on('error', onError);
      const run: RunStatement = async (text, values = []) => {
        try {
          const result = await client.query({ text, values: [...values] });
          return result.rows as never[];
        } catch (error) {
          throw translateSourceError(error, query, { statement: text, sql });
        }
      };
      let broken = false;
      try {
        for (const statement of transactionSettings(options)) await run(statement);
        const columns = await readColumns(client, from).catch((error: unknown) => {
          throw translateSourceError(error, query, { statement: `select * from ${from}`, sql });
        });
        checkColumns(query, columns.map(({ name }) => name));
        const [encoding] = await run<{ name: string }>(`select current_setting('server_encoding') as name`);
        const orderAsUtf8 = !ORDERED_ENCODINGS.has(encoding?.name ?? '');
        return await use(createReader({ run, query, from, columns, timeZone: options.timeZone, orderAsUtf8 }));
      } finally {
        await client.query('rollback').catch(() => {
          broken = true;
        });
        client.off('error', onError);
        client.release(broken);
      }
    },

    async close() {
      const open = pool;
      pool = null;
      await open?.end();
    },
  };
}
