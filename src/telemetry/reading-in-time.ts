/** Longest wait, milliseconds: Prometheus waits ten seconds for a scrape. */
const READ_MS = 5_000;

/**
 * A reading for scrapes, one at a time: they must not pile up when the database does not answer. Null: it failed, or took
 * longer than `ms`. The signal of `read` aborts then.
 */
export function readingInTime<T>(
  read: (signal: AbortSignal) => Promise<T>,
  ms = READ_MS,
): () => Promise<T | null> {
  let underWay: Promise<T | null> | null = null;
  return () => {
    if (underWay) return underWay;
    const over = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => {
        resolve(null);
        over.abort();
      }, ms);
    });
    const reading = read(over.signal)
      .catch(() => null)
      .finally(() => {
        clearTimeout(timer);
        underWay = null;
      });
    return (underWay = Promise.race([reading, late]));
  };
}
