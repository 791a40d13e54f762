/**
 * Does `work` with a signal that aborts with the first of `sources`, for its reason. AbortSignal.any is not safe here: in
 * Node (20 to 26) its sources, a time-out for instance, may be collected as garbage before they abort, and then it never
 * aborts.
 *
 * Errors: those of `work`.
 */
export async function untilFirstAbort<T>(
  sources: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const joined = new AbortController();
  const listening = sources.map((source) => {
    const abort = () => joined.abort(source.reason);
    if (source.aborted) abort();
    else source.addEventListener('abort', abort, { once: true });
    return () => source.removeEventListener('abort', abort);
  });
  try {
    return await work(joined.signal);
  } finally {
    listening.forEach((stop) => stop());
  }
}
