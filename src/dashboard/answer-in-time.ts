import { SyncError } from '../domain/errors.js';
import { withinTime } from '../runtime/time.js';

/** How long a page waits for the databases, milliseconds. */
export const PATIENCE_MS = 12_000;

/**
 * The result of `work` if it comes in time and the caller still waits. Otherwise the signal of `work` aborts, and the
 * page does not wait for its end.
 * Errors: those of `work`; SyncError `state-unavailable` with `details.timeout` after `ms`, `interrupted` when `gone`
 * aborts.
 */
export async function answerInTime<T>(
  ms: number,
  gone: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withinTime(
    ms,
    gone,
    (signal) =>
      new Promise((resolve, reject) => {
        const leave = () => reject(gone.aborted ? left() : late(ms));
        if (signal.aborted) return leave();
        signal.addEventListener('abort', leave, { once: true });
        work(signal).then(resolve, reject);
      }),
  );
}

function left(): SyncError {
  return new SyncError('interrupted', 'the caller of the page has left', { scope: 'run' });
}

function late(ms: number): SyncError {
  return new SyncError('state-unavailable', `no answer within ${ms} ms`, {
    scope: 'run',
    details: { timeout: ms },
  });
}
