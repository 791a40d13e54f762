import pg from 'pg';
import type { Source } from '../ports/source.js';
import { checkColumns } from './check-columns.js';
import { createReader } from './create-reader.js';
import { createPlaceQueue } from './place-queue.js';
import type { PostgresSourceOptions } from './postgres-source-options.js';
import { prepareQuery } from './prepare-query.js';
import { readColumns } from './read-columns.js';
import { beginTransaction } from './transaction.js';
import { unlessInterrupted } from './interrupted.js';
import { translateConnectError } from './translate-source-error.js';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * The partner's Postgres. One transaction per entity, so that a failed statement spoils nothing else. Connects
 * when it is first read. Errors: as the port says.
 */
export function createPostgresSource(options: PostgresSourceOptions): Source {
  let pool: pg.Pool | null = null;
  const places = createPlaceQueue(options.poolMax);

  const connect = async (): Promise<pg.PoolClient> => {
    try {
      if (!pool) {
        // No `statement_timeout` or `options` here: poolers in transaction mode refuse them as start-up parameters.
        pool = new pg.Pool({
          connectionString: options.url,
          max: options.poolMax,
          connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
          keepAlive: true,
          keepAliveInitialDelayMillis: 10_000,
          application_name: 'placement-sync',
          // One that is cut off never hears that it is to end, and would keep the process alive.
          allowExitOnIdle: true,
        });
        // An idle connection that ends is replaced when it is needed; without a listener it would end the process.
        pool.on('error', () => undefined);
      }
      return await pool.connect();
    } catch (error) {
      throw translateConnectError(error, options.url);
    }
  };

  return {
    async read(query, use, signal) {
      const sql = prepareQuery(query);
      // The line feed keeps a trailing comment from eating the parenthesis.
      const from = `(\n${sql}\n) as q`;
      await places.enter();
      try {
        const client = await unlessInterrupted(connect(), query, signal);
        const transaction = await beginTransaction(client, options, query, sql, signal);
        try {
          const fields = await transaction.describe(`select * from ${from} limit 0`);
          checkColumns(
            query,
            fields.map(({ name }) => name),
          );
          const columns = await readColumns(
            transaction.run,
            fields,
            query.columns.filter((column) => column.typed).map(({ name }) => name),
          );
          const [server] = await transaction.run<{ encoding: string; version: string }>(
            `select pg_catalog.current_setting('server_encoding') as encoding,
               pg_catalog.current_setting('server_version_num') as version`,
          );
          const { encoding = 'UTF8', version = '140000' } = server ?? {};
          return await use(
            createReader({
              run: transaction.run,
              query,
              from,
              columns,
              timeZone: options.timeZone,
              encoding,
              serverVersion: Number(version),
            }),
          );
        } finally {
          client.release(await transaction.end());
        }
      } finally {
        places.leave();
      }
    },

    async close() {
      const open = pool;
      pool = null;
      await open?.end();
    },
  };
}
