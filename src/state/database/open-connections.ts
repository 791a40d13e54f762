import type { Client } from 'pg';
import { cancelStatement } from '../../runtime/cancel-statement.js';

/** What the driver's types leave out. */
type Connection = Client & { readonly connection: { readonly stream: { destroy(): void } } };
type Callback = (error: unknown, result: unknown) => void;

/** Called when a statement begins; what it gives is called when the statement ends, with its error if it failed. */
export type NoteStatement = (connection: unknown) => (error?: unknown) => void;

/** Ends a connection without a word, for nobody would hear it: what waits for it fails, and the pool makes another. */
export function dropConnection(connection: unknown): void {
  // What the library itself notes when it hears of the end. Until then it would hand the connection to the next caller.
  Object.assign(connection as object, { __knex__disposed: 'dropped' });
  (connection as Connection).connection.stream.destroy();
}

/** The connections of a pool, from the making of each to its end. */
export interface OpenConnections {
  add(connection: unknown): void;
  /** Drops those that did not end when they were asked to. */
  dropAll(): void;
}

/**
 * Watches every statement, also those that the library sends by itself (BEGIN, ROLLBACK). One that got no answer in
 * time is given up by the driver, but its connection goes back to the pool, where the ROLLBACK and whoever gets it next
 * would wait as long again. So it is dropped with the first one.
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
          // The server may be alive and only too slow to end the statement by itself.
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
