/** Request-Ids that were processed or are being processed, so that none is processed twice (interface §5). */
export interface RequestIds {
  /** False: it was taken before. */
  claim(clientId: string, requestId: string): boolean;
  /** The request was not processed after all: the id may come again. */
  release(clientId: string, requestId: string): void;
}

/** @param capacity how many ids are remembered; the oldest are forgotten */
export function createRequestIds(capacity: number): RequestIds {
  const taken = new Set<string>();
  const name = (clientId: string, requestId: string): string => `${clientId}\n${requestId}`;
  return {
    claim(clientId, requestId) {
      const id = name(clientId, requestId);
      if (taken.has(id)) return false;
      taken.add(id);
      if (taken.size > capacity) {
        // A set keeps the order of insertion.
        for (const oldest of taken) {
          taken.delete(oldest);
          break;
        }
      }
      return true;
    },
    release(clientId, requestId) {
      taken.delete(name(clientId, requestId));
    },
  };
}
