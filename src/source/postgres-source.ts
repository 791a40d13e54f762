import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { SyncError } from '../domain/errors.js';
import { connectError } from '../domain/sql/error-fields.js';
import type { EntityQuery, Source, SourceReader } from '../ports/source.js';
import { guardConnection } from '../runtime/guard-connection.js';
import { createPlaceQueue } from '../runtime/place-queue.js';
import { untilFirstAbort } from '../runtime/time.js';
import { checkColumns, prepareQuery, readColumns } from './query.js';
import { createReader } from './reader.js';
import {
  beginTransaction,
  interrupted,
  type PostgresSourceOptions,
  unlessInterrupted,
} from './transaction.js';

/**
 * The partner's Postgres as a source. A read passes in this order: it waits for a place, connects, begins one read-only
 * transaction (`beginTransaction`), has Postgres describe the query and checks its columns, and hands a reader to its
 * caller. Then the transaction ends, and the connection goes back to the pool or is dropped.
 */

const CONNECT_TIMEOUT_MS = 10_000;
/** How long `close` waits until the server ends cancelled statements; longer than a read waits for that. */
const CLOSE_GRACE_MS = 1_500;

/** One transaction per entity, so that a failed statement affects no other entity. Errors: as in the port. */
export function createPostgresSource(options: PostgresSourceOptions): Source {
  let pool: pg.Pool | null = null;
  const clients = createOpenClients();
  const places = createPlaceQueue(options.poolMax, options.maxWaiting);
  /** One for each read that has begun; null: closed. */
  let reads: Set<AbortController> | null = new Set();

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
          // A cut-off connection never gets the request to end, and would keep the process alive.
          allowExitOnIdle: true,
          Client: clients.Client,
        });
        // The pool replaces an idle connection that ends; without a listener its error would end the process.
        pool.on('error', () => undefined);
      }
      return await pool.connect();
    } catch (error) {
      throw connectError(error, options.url);
    }
  };

  const readFrom = async <T>(
    query: EntityQuery,
    use: (reader: SourceReader) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> => {
    const sql = prepareQuery(query);
    // The line feed ends a trailing comment before the parenthesis.
    const from = `(\n${sql}\n) as q`;
    const entry = await places.enter(signal);
    if (entry === 'aborted') throw interrupted(query);
    if (entry === 'full') throw busy(query);
    try {
      const client = await unlessInterrupted(connect(), query, signal);
      const transaction = await beginTransaction(client, options, query, sql, signal);
      try {
        const fields = await transaction.describe(`select * from ${from} limit 0`);
        const names = fields.map(({ name }) => name);
        checkColumns(query, names);
        const typed = query.columns.filter((column) => column.typed).map(({ name }) => name);
        const columns = await readColumns(transaction.run, fields, typed);
        const [server] = await transaction.run<{ encoding: string; version: string; zone: string }>(
          `select pg_catalog.current_setting('server_encoding') as encoding,
             pg_catalog.current_setting('server_version_num') as version,
             pg_catalog.current_setting('timezone') as zone`,
        );
        const { encoding = 'UTF8', version = '140000', zone } = server ?? {};
        return await use(
          createReader({
            transaction,
            query,
            from,
            columns,
            timeZone: options.timeZone,
            instantsIn: zone === options.platformTimeZone ? null : options.platformTimeZone,
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
  };

  return {
    async read(query, use, signal) {
      if (reads === null) throw interrupted(query);
      const closing = new AbortController();
      reads.add(closing);
      try {
        return await untilFirstAbort(signal ? [signal, closing.signal] : [closing.signal], (ends) =>
          readFrom(query, use, ends),
        );
      } finally {
        reads?.delete(closing);
      }
    },

    async close() {
      const open = pool;
      reads?.forEach((read) => read.abort());
      reads = null;
      pool = null;
      await Promise.race([open?.end(), wait(CLOSE_GRACE_MS, null, { ref: false })]);
      clients.dropAll();
    },
  };
}

/**
 * A pool does not end while one of its connections waits for a server that accepts connections and stays silent: ten
 * seconds in which the process would not end either. So this list has each from its beginning, and `dropAll` waits for no
 * server.
 */
function createOpenClients(): { readonly Client: typeof pg.Client; dropAll(): void } {
  const open = new Set<pg.Client>();
  class OpenClient extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      guardConnection(this);
      open.add(this);
      this.once('end', () => open.delete(this));
    }
  }
  return {
    Client: OpenClient,
    dropAll() {
      for (const client of open) {
        // The driver does not show its socket in its types.
        (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
      }
    },
  };
}

function busy({ entity }: EntityQuery): SyncError {
  const message = `Too many reads are waiting for the source, so ${entity} were not read.`;
  return new SyncError('source-unavailable', message, {
    scope: 'run',
    hint: 'Try again in a few seconds.',
    details: { busy: true },
  });
}
