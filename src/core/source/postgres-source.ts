import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { SyncError } from '../domain/errors.js';
import { connectError } from '../domain/sql/error-fields.js';
import type { EntityQuery, Source, SourceReader } from '../ports/source.js';
import { guardConnection, SOURCE_ROW_BYTES } from '../runtime/guard-connection.js';
import { createPlaceQueue } from '../runtime/place-queue.js';
import { untilFirstAbort } from '../runtime/time.js';
import { checkColumns, describeQuery, inParentheses, prepareQuery } from './query.js';
import { findBadRow, SEARCH_MS } from './find-bad-row.js';
import { createReader, type ReaderOptions } from './reader.js';
import { isOfOneRow, translateSourceError, withBadRow } from './source-error.js';
import { connectionTo, inTransaction, type SessionOptions } from './transaction.js';

/**
 * The partner's Postgres as a source. A read passes in this order: it waits for a place, connects, begins one read-only
 * transaction (`inTransaction`), has Postgres describe the query and checks its columns, and hands a reader to its
 * caller. Then the transaction ends, and the connection goes back to the pool or is dropped.
 */

/** How long `close` waits until the server ends cancelled statements; longer than a read waits for that. */
const CLOSE_GRACE_MS = 1_500;

export interface PostgresSourceOptions extends SessionOptions {
  readonly url: string;
  readonly poolMax: number;
  /** How many reads may wait for a connection; further reads are refused. Absent: any number. */
  readonly maxWaiting?: number;
  /** Zone of the source's timestamps without time zone; null: not known, they are handed on as they are. */
  readonly timeZone: string | null;
  /** Zone in which timestamps with time zone are handed on. */
  readonly platformTimeZone: string;
}

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
          ...connectionTo(options.url),
          max: options.poolMax,
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

  /** Does `work` in a transaction of its own, in which the query was described. */
  const described = async <T>(
    query: EntityQuery,
    sql: string,
    session: SessionOptions,
    signal: AbortSignal,
    work: (reading: ReaderOptions) => Promise<T>,
  ): Promise<T> => {
    const from = inParentheses(sql);
    const client = await unlessInterrupted(connect(), query, signal);
    const use = {
      session,
      signal,
      errors: {
        failed: (error: unknown, statement: string) => translateSourceError(error, query, statement, sql),
        interrupted: () => interrupted(query),
      },
      leave: (broken: boolean) => client.release(broken),
    };
    return await inTransaction(client, use, async (transaction) => {
      const columns = await describeQuery(transaction, query, from);
      checkColumns(
        query,
        columns.map(({ name }) => name),
      );
      const [server] = await transaction.run<{ encoding: string; version: string; zone: string }>(
        `select pg_catalog.current_setting('server_encoding') as encoding,
           pg_catalog.current_setting('server_version_num') as version,
           pg_catalog.current_setting('timezone') as zone`,
      );
      const { encoding = 'UTF8', version = '140000', zone } = server ?? {};
      return await work({
        transaction,
        query,
        from,
        columns,
        timeZone: options.timeZone,
        instantsIn: zone === options.platformTimeZone ? null : options.platformTimeZone,
        encoding,
        serverVersion: Number(version),
      });
    });
  };

  const readFrom = async <T>(
    query: EntityQuery,
    read: (reader: SourceReader) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> => {
    const sql = prepareQuery(query);
    const entry = await places.enter(signal);
    if (entry === 'aborted') throw interrupted(query);
    if (entry === 'full') throw busy(query);
    try {
      return await described(query, sql, options, signal, (reading) => read(createReader(reading)));
    } catch (error) {
      if (!isOfOneRow(error) || signal.aborted) throw error;
      const session = { ...options, statementTimeoutMs: Math.min(options.statementTimeoutMs, SEARCH_MS) };
      throw withBadRow(error, await described(query, sql, session, signal, findBadRow).catch(() => ({})));
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
      guardConnection(this, SOURCE_ROW_BYTES);
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

/** The connection, unless the signal aborts first; one that comes later is given back. */
async function unlessInterrupted(
  connecting: Promise<pg.PoolClient>,
  query: EntityQuery,
  signal: AbortSignal,
): Promise<pg.PoolClient> {
  let stop = () => {};
  const aborted = new Promise<null>((resolve) => {
    stop = () => resolve(null);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
  const client = await Promise.race([connecting, aborted]).finally(() =>
    signal.removeEventListener('abort', stop),
  );
  if (client) return client;
  void connecting.then(
    (late) => late.release(true),
    () => undefined,
  );
  throw interrupted(query);
}

/** The error of a read whose signal has aborted. */
function interrupted({ entity }: Pick<EntityQuery, 'entity'>): SyncError {
  return new SyncError('interrupted', `The reading of ${entity} was stopped.`, { scope: 'run' });
}

function busy({ entity }: EntityQuery): SyncError {
  const message = `Too many reads are waiting for the source, so ${entity} were not read.`;
  return new SyncError('source-unavailable', message, {
    scope: 'run',
    hint: 'Try again in a few seconds.',
    details: { busy: true },
  });
}
