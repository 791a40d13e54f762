/**
 * `entered`: has a place, which has to be given back. `full`: too many wait already. `aborted`: the signal aborted
 * before there was a place.
 */
export type Entry = 'entered' | 'full' | 'aborted';

export interface PlaceQueue {
  enter(signal: AbortSignal): Promise<Entry>;
  /** Gives a place back. */
  leave(): void;
}

/**
 * A number of places that callers wait for in order, at most `maxWaiting` of them. A driver's pool counts the wait for a
 * free connection as a failure to connect, and keeps whoever has given up in its queue; with a place first, its time
 * limit is for connecting alone, and a queue holds nobody but those who still want something.
 */
export function createPlaceQueue(places: number, maxWaiting = Infinity): PlaceQueue {
  let free = places;
  const waiting = new Set<() => void>();
  return {
    async enter(signal) {
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
    leave() {
      const [next] = waiting;
      if (next) next();
      else free += 1;
    },
  };
}
