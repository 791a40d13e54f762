import type { SyncError } from '../../domain/errors.js';
import { keepCancelling } from '../../runtime/keep-cancelling.js';
import { cancelStatement } from '../../runtime/cancel-statement.js';
import { interruptedState } from './translate-state-error.js';
import { dropConnection, type NoteStatement } from './open-connections.js';

/** How long a statement may take once the process must end, milliseconds. */
const GRACE_MS = 2_000;
/** How often the statements are looked at then, milliseconds. */
const LOOK_MS = 100;
/** SQLSTATE of a statement that was cancelled. */
const QUERY_CANCELED = '57014';

/** Statements under way; none may delay a process that must end. */
export interface OpenStatements {
  readonly note: NoteStatement;
  /** SyncError `interrupted` for the error of a statement that was cancelled for the signal, null for any other. */
  interruption(error: unknown): SyncError | null;
  /**
   * Once this signal has aborted, a statement that takes longer than two seconds from then on, or from its own
   * beginning, is cancelled: it probably waits for a lock, and a pod that is stopped has little time. If that does not
   * help within two more seconds, the server does not listen, and the connection is dropped.
   */
  endAfter(signal: AbortSignal): void;
  /** Before a connection goes to somebody else: drops it if a statement on it was cancelled. */
  endUse(connection: unknown): void;
  /**
   * Cancels the running statement of a connection once this signal aborts. Call the result when the connection's use
   * under the signal ends.
   */
  endWith(signal: AbortSignal, connection: unknown): () => void;
  close(): void;
}

export function createOpenStatements(): OpenStatements {
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
    note(connection) {
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
    interruption(error) {
      return error instanceof Error && cancelled.has(error) ? interruptedState(error) : null;
    },
    endAfter(signal) {
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
    endUse(connection) {
      if (asked.has(connection as object)) dropConnection(connection);
    },
    endWith(signal, connection) {
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
