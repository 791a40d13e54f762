import pg from 'pg';
import { guardConnection } from '../runtime/guard-connection.js';

/** The connections of a pool, each from before it connects to its end. */
export interface OpenClients {
  /** For the pool: makes its connections. */
  readonly Client: typeof pg.Client;
  /** Drops those that are still open, without waiting for the server. */
  dropAll(): void;
}

/**
 * A pool does not end while one of its connections waits for a server that accepts connections and stays silent: ten
 * seconds in which the process would not end either. So this list has each from its beginning.
 */
export function createOpenClients(): OpenClients {
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
