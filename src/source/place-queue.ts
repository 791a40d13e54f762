/**
 * A number of places that callers wait for in order. The driver's pool counts the wait for a free connection as a
 * failure to connect; with a place first, its time limit is for connecting alone.
 */
export function createPlaceQueue(places: number): { enter(): Promise<void>; leave(): void } {
  let free = places;
  const waiting: (() => void)[] = [];
  return {
    async enter() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    leave() {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    },
  };
}
