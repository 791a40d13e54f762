import type { Emit } from '../../domain/events.js';

/** Does `work`, and says at the first signal that it is finished first. */
export async function warnedOfStopping<T>(
  { emit, signal }: { readonly emit: Emit; readonly signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const stopping = () =>
    emit({
      type: 'warning',
      message: 'Stopping: the work under way is finished first. A second signal ends the process at once.',
    });
  signal.addEventListener('abort', stopping, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener('abort', stopping);
  }
}
