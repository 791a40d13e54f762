import { SyncError } from '../../domain/errors.js';

/** How long a page waits for the state database, milliseconds. */
export const PATIENCE_MS = 12_000;

/**
 * The result of `work` if it comes in time; what comes later is dropped, and a page is not kept waiting.
 * Errors: those of `work`; SyncError `state-unavailable` with `details.timeout` after `ms`.
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new SyncError('state-unavailable', `no answer within ${ms} ms`, {
            scope: 'run',
            details: { timeout: ms },
          }),
        ),
      ms,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
