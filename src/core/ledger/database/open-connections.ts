import type { Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { cancelStatement, keepCancelling } from '../../runtime/cancel-statement.js';
import { guardConnection } from '../../runtime/guard-connection.js';
import { interruptedState } from './translate-state-error.js';

/**
 * Watches connections and statements of the state database, so that neither can hold up a process for ever. Each connection
 * is known from its making to its end: one with a statement that got no answer in time is dropped
 * (`createOpenConnections`). Each statement is known while it runs: when its caller leaves or the process must end, it is
 * cancelled, and where that does not help, its connection is dropped (`createOpenStatements`).
 */

/** Called when a statement begins; its result is called when the statement ends, with the error if it failed. */
type NoteStatement = (connection: unknown) => (error?: unknown) => void;

/** Missing in the driver's types. */
type Connection = pg.Client & {
  readonly connection: { readonly stream: Pick<Writable, 'destroy' | 'cork' | 'uncork'> };
};
type Callback = (error: unknown, result: unknown) => void;

/** How long `close` waits for statements that are under way; a little longer than their cancellation may take. */
const CLOSE_GRACE_MS = 5_000;

/**
 * All connections, from the making of each to its end. Watches every statement, also those that a library sends by itself (BEGIN, ROLLBACK). The driver gives up a
 * statement without an answer in time, but returns its connection to the pool, where the ROLLBACK and the next user
 * would wait as long again. So the connection is dropped with the first such statement.
 *
 * @param fieldsOf where each of the pool's connections leads, and the longest time to connect: that of the pool is for a
 *   free connection
 */
export function createOpenConnections(noteStatement: NoteStatement, fieldsOf: () => pg.ClientConfig) {
  const open = new Set<unknown>();
  let whenEmpty = (): void => undefined;
  const add = (added: unknown): void => {
    const connection = added as Connection;
    open.add(connection);
    connection.once('end', () => {
      open.delete(connection);
      if (open.size === 0) whenEmpty();
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
      super({ ...(config as pg.ClientConfig), ...fieldsOf() });
      guardConnection(this);
      // Of a connection that is in use the statement gets the error. Without a listener it would end the process, too.
      this.on('error', () => undefined);
      add(this);
    }
  }
  return {
    /** For a pool: makes its connections. */
    Client: OpenClient,
    /** For one that something else has made. */
    add,
    /** Ends the pool, then drops the connections that did not end on request. */
    async close(pool: pg.Pool) {
      const ended = new Promise<void>((resolve) => (whenEmpty = resolve));
      if (open.size === 0) whenEmpty();
      await Promise.race([Promise.all([pool.end(), ended]), wait(CLOSE_GRACE_MS, null, { ref: false })]);
      // A cut-off connection never gets the request to end, and would keep the process alive.
      open.forEach(dropConnection);
    },
  };
}

const dropped = new WeakSet();

/** Ends a connection silently, because nothing listens any more: pending work fails, and the pool makes another. */
function dropConnection(connection: unknown): void {
  dropped.add(connection as object);
  // knex sets this when it learns of the end. Until then it would give the connection to the next caller.
  Object.assign(connection as object, { __knex__disposed: 'dropped' });
  (connection as Connection).connection.stream.destroy();
}

/** Whether it must not be used again. The driver learns of it a little later. */
export function wasDropped(connection: unknown): boolean {
  return dropped.has(connection as object);
}

/** What `send` sends leaves together: each packet costs a call of the system here, and wakes the server's process there. */
export function inOnePacket<T extends readonly unknown[]>(
  connection: unknown,
  send: () => readonly [...T],
): readonly [...T] {
  const { stream } = (connection as Connection).connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

/** Statements under way; none may delay a process that must end. */
export type OpenStatements = ReturnType<typeof createOpenStatements>;

/** SQLSTATE of a statement that was cancelled. */
const QUERY_CANCELED = '57014';

/** How long a statement may take once the process must end, milliseconds. */
const GRACE_MS = 2_000;
/** How often the statements are looked at then, milliseconds. */
const LOOK_MS = 100;

export function createOpenStatements() {
  const open = new Set<{ readonly connection: unknown; readonly since: number; cancelled: boolean }>();
  const cancelled = new WeakSet<Error>();
  /** The server may cancel late, and end a later statement of such a connection. */
  const asked = new WeakSet();
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  const cancelAll = (connection: unknown): void => {
    for (const entry of open) if (entry.connection === connection) entry.cancelled = true;
    asked.add(connection as object);
    cancelStatement(connection);
  };

  return {
    note(connection: unknown): ReturnType<NoteStatement> {
      const entry = { connection, since: performance.now(), cancelled: false };
      open.add(entry);
      return (error) => {
        open.delete(entry);
        if (!(error instanceof Error)) return;
        const isLate =
          asked.has(connection as object) && (error as { code?: unknown }).code === QUERY_CANCELED;
        if (entry.cancelled || isLate) cancelled.add(error);
      };
    },
    /** SyncError `interrupted` for the error of a statement that was cancelled for the signal, null for any other. */
    interruption(error: unknown) {
      return error instanceof Error && cancelled.has(error) ? interruptedState(error) : null;
    },
    /**
     * Once this signal has aborted, a statement that takes longer than two seconds from then on, or from its own
     * beginning, is cancelled: it probably waits for a lock, and a pod that is stopped has little time. If that does not
     * help within two more seconds, the server does not listen, and the connection is dropped.
     */
    endAfter(signal: AbortSignal) {
      const watch = () => {
        const abortedAt = performance.now();
        timer = setInterval(() => {
          for (const entry of open) {
            const waited = performance.now() - Math.max(entry.since, abortedAt);
            if (waited >= 2 * GRACE_MS) dropConnection(entry.connection);
            if (entry.cancelled || waited < GRACE_MS) continue;
            // One request ends all that were sent together.
            cancelAll(entry.connection);
          }
        }, LOOK_MS);
        timer.unref();
      };
      if (signal.aborted) watch();
      else signal.addEventListener('abort', watch, { once: true, signal: closing.signal });
    },
    /** Before a connection goes to somebody else: drops it if a statement on it was cancelled. */
    endUse(connection: unknown) {
      if (asked.has(connection as object)) dropConnection(connection);
    },
    /**
     * Cancels the running statement of a connection once this signal aborts. Call the result when the connection's use
     * under the signal ends.
     */
    endWith(signal: AbortSignal, connection: unknown) {
      let stopCancelling = () => {};
      const abort = () => {
        stopCancelling = keepCancelling(
          () => cancelAll(connection),
          GRACE_MS,
          () => dropConnection(connection),
        );
      };
      signal.addEventListener('abort', abort, { once: true });
      return () => {
        signal.removeEventListener('abort', abort);
        stopCancelling();
      };
    },
    close() {
      closing.abort();
      clearInterval(timer);
    },
  };
}
