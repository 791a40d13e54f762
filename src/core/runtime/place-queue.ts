/**
 * `entered`: has a place, and must give it back. `full`: too many callers wait already. `aborted`: the signal aborted
 * before a place was free.
 */
export type Entry = 'entered' | 'full' | 'aborted';

/**
 * A number of places that callers wait for in order, at most `maxWaiting` of them. A driver's pool counts the wait for a
 * free connection as a failure to connect, and keeps callers that gave up in its queue. With a place first, its time
 * limit covers only connecting, and the queue holds only callers that still wait.
 */
export function createPlaceQueue(places: number, maxWaiting = Infinity) {
  let free = places;
  const waiting = new Set<() => void>();
  return {
    async enter(signal: AbortSignal): Promise<Entry> {
      if (signal.aborted) return 'aborted';
      if (free > 0) {
        free -= 1;
        return 'entered';
      }
      if (waiting.size >= maxWaiting) return 'full';
      return new Promise((resolve) => {
        const end = (entry: Entry) => {
          waiting.delete(admit);
          signal.removeEventListener('abort', abort);
          resolve(entry);
        };
        const admit = () => end('entered');
        const abort = () => end('aborted');
        waiting.add(admit);
        signal.addEventListener('abort', abort, { once: true });
      });
    },
    /** Gives a place back. */
    leave() {
      const [next] = waiting;
      if (next) next();
      else free += 1;
    },
  };
}
