import type { Client } from 'pg';

/** What the driver does not tell in its types. */
type Connection = Client & { readonly connection: { readonly stream: { destroy(): void } } };
type Callback = (error: unknown, result: unknown) => void;

/** Ends a connection without a word, for it would not be heard: what waits for it fails at once, and the pool makes another one. */
export function dropConnection(connection: unknown): void {
  (connection as Connection).connection.stream.destroy();
}

/** The connections of a pool, from the making of each to its end. */
export interface OpenConnections {
  add(connection: unknown): void;
  /** Drops those that did not end when they were asked to. */
  dropAll(): void;
}

/**
 * A statement that got no answer in time is given up by the driver, but its connection goes back to the pool, where the
 * ROLLBACK and whoever gets it next would wait as long again. So it is dropped with the first one.
 */
export function createOpenConnections(): OpenConnections {
  const open = new Set<unknown>();
  return {
    add(added) {
      const connection = added as Connection;
      open.add(connection);
      connection.once('end', () => open.delete(connection));
      const note = (error: unknown) => {
        if (error instanceof Error && error.message === 'Query read timeout') dropConnection(connection);
      };
      const query = connection.query.bind(connection) as (...values: unknown[]) => unknown;
      const watched = (...values: unknown[]): unknown => {
        const callback = values.at(-1);
        if (typeof callback === 'function') {
          const told: Callback = (error, result) => {
            note(error);
            (callback as Callback)(error, result);
          };
          return query(...values.slice(0, -1), told);
        }
        const answer = query(...values);
        if (answer instanceof Promise) answer.catch(note);
        return answer;
      };
      Object.assign(connection, { query: watched });
    },
    dropAll() {
      open.forEach(dropConnection);
    },
  };
}
