import pg from 'pg';
import { cancelStatement } from '../../runtime/cancel-statement.js';
import { guardConnection } from '../../runtime/guard-connection.js';

/** Missing in the driver's types. */
type Connection = pg.Client & { readonly connection: { readonly stream: { destroy(): void } } };
type Callback = (error: unknown, result: unknown) => void;

/** Called when a statement begins; its result is called when the statement ends, with the error if it failed. */
export type NoteStatement = (connection: unknown) => (error?: unknown) => void;

const dropped = new WeakSet();

/** Ends a connection silently, because nothing listens any more: pending work fails, and the pool makes another. */
export function dropConnection(connection: unknown): void {
  dropped.add(connection as object);
  // knex sets this when it learns of the end. Until then it would give the connection to the next caller.
  Object.assign(connection as object, { __knex__disposed: 'dropped' });
  (connection as Connection).connection.stream.destroy();
}

/** Whether it must not be used again. The driver learns of it a little later. */
export function wasDropped(connection: unknown): boolean {
  return dropped.has(connection as object);
}

/** All connections, from the making of each to its end. */
export interface OpenConnections {
  /** For a pool: makes its connections. */
  readonly Client: typeof pg.Client;
  /** For one that something else has made. */
  add(connection: unknown): void;
  /** When all have ended. */
  ended(): Promise<void>;
  /** Drops those that did not end on request. */
  dropAll(): void;
}

/**
 * Watches every statement, also those that a library sends by itself (BEGIN, ROLLBACK). The driver gives up a
 * statement without an answer in time, but returns its connection to the pool, where the ROLLBACK and the next user
 * would wait as long again. So the connection is dropped with the first such statement.
 *
 * @param connectTimeoutMs longest time to connect; that of the pool is for a free connection
 */
export function createOpenConnections(
  noteStatement: NoteStatement,
  connectTimeoutMs: number,
): OpenConnections {
  const open = new Set<unknown>();
  const whenEmpty: (() => void)[] = [];
  const add = (added: unknown): void => {
    const connection = added as Connection;
    open.add(connection);
    connection.once('end', () => {
      open.delete(connection);
      if (open.size === 0) whenEmpty.splice(0).forEach((resolve) => resolve());
    });
    const query = connection.query.bind(connection) as (...values: unknown[]) => unknown;
    const watched = (...values: unknown[]): unknown => {
      const noteEnd = noteStatement(connection);
      const ended = (error?: unknown) => {
        noteEnd(error);
        if (!(error instanceof Error) || error.message !== 'Query read timeout') return;
        // The server may be alive but too slow to end the statement by itself.
        cancelStatement(connection);
        dropConnection(connection);
      };
      const callback = values.at(-1);
      if (typeof callback === 'function') {
        const observed: Callback = (error, result) => {
          ended(error);
          (callback as Callback)(error, result);
        };
        return query(...values.slice(0, -1), observed);
      }
      const answer = query(...values);
      if (answer instanceof Promise) answer.then(() => ended(), ended);
      return answer;
    };
    Object.assign(connection, { query: watched });
  };
  class OpenClient extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(typeof config === 'object' ? { ...config, connectionTimeoutMillis: connectTimeoutMs } : config);
      guardConnection(this);
      // Of a connection that is in use the statement gets the error. Without a listener it would end the process, too.
      this.on('error', () => undefined);
      add(this);
    }
  }
  return {
    Client: OpenClient,
    add,
    ended: () =>
      open.size === 0 ? Promise.resolve() : new Promise((resolve) => whenEmpty.push(() => resolve())),
    dropAll: () => open.forEach(dropConnection),
  };
}
