import type { SyncError } from '../../domain/errors.js';
import { keepCancelling } from '../../runtime/keep-cancelling.js';
import { cancelStatement } from '../../runtime/cancel-statement.js';
import { interruptedState } from './translate-state-error.js';
import { dropConnection, type NoteStatement } from './open-connections.js';

/** How long a statement may take once the process must end, milliseconds. */
const GRACE_MS = 2_000;
/** How often the statements are looked at then, milliseconds. */
const LOOK_MS = 100;

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
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  return {
    note(connection) {
      const entry = { connection, since: performance.now(), cancelled: false };
      open.add(entry);
      return (error) => {
        open.delete(entry);
        if (entry.cancelled && error instanceof Error) cancelled.add(error);
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
            entry.cancelled = true;
            cancelStatement(entry.connection);
          }
        }, LOOK_MS);
        timer.unref();
      };
      if (signal.aborted) watch();
      else signal.addEventListener('abort', watch, { once: true, signal: closing.signal });
    },
    endWith(signal, connection) {
      let stopCancelling = () => {};
      const cancel = () => {
        for (const entry of open) if (entry.connection === connection) entry.cancelled = true;
        cancelStatement(connection);
      };
      const abort = () => {
        stopCancelling = keepCancelling(cancel, GRACE_MS, () => dropConnection(connection));
      };
      signal.addEventListener('abort', abort, { once: true });
      return () => {
        signal.removeEventListener('abort', abort);
        stopCancelling();
        // The server may cancel late, and end the first statement of the connection's next user.
        if (signal.aborted) dropConnection(connection);
      };
    },
    close() {
      closing.abort();
      clearInterval(timer);
    },
  };
}
