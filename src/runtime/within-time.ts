import { untilFirstAbort } from './until-first-abort.js';

/**
 * Does `work` with a signal that aborts with `signal`, and after `ms` with a `TimeoutError`.
 *
 * Errors: those of `work`.
 */
export async function withinTime<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(new DOMException('It took too long.', 'TimeoutError')), ms);
  try {
    return await untilFirstAbort([signal, over.signal], work);
  } finally {
    clearTimeout(timer);
  }
}
