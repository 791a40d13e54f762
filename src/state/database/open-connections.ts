import type { Client } from 'pg';
import { cancelStatement } from '../../runtime/cancel-statement.js';

/** Missing in the driver's types. */
type Connection = Client & { readonly connection: { readonly stream: { destroy(): void } } };
type Callback = (error: unknown, result: unknown) => void;

/** Called when a statement begins; its result is called when the statement ends, with the error if it failed. */
export type NoteStatement = (connection: unknown) => (error?: unknown) => void;

/** Ends a connection silently, because nothing listens any more: pending work fails, and the pool makes another. */
export function dropConnection(connection: unknown): void {
  // The library sets this when it learns of the end. Until then it would give the connection to the next caller.
  Object.assign(connection as object, { __knex__disposed: 'dropped' });
  (connection as Connection).connection.stream.destroy();
}

/** The connections of a pool, from the making of each to its end. */
export interface OpenConnections {
  add(connection: unknown): void;
  /** Drops those that did not end on request. */
  dropAll(): void;
}

/**
 * Watches every statement, also those that the library sends by itself (BEGIN, ROLLBACK). The driver gives up a
 * statement without an answer in time, but returns its connection to the pool, where the ROLLBACK and the next user
 * would wait as long again. So the connection is dropped with the first such statement.
 */
export function createOpenConnections(noteStatement: NoteStatement): OpenConnections {
  const open = new Set<unknown>();
  return {
    add(added) {
      const connection = added as Connection;
      open.add(connection);
      connection.once('end', () => open.delete(connection));
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
    },
    dropAll() {
      open.forEach(dropConnection);
    },
  };
}
