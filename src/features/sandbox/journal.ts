import type { Area } from '../../core/domain/names.js';

/** The requests that reached the sandbox: the latest are kept, the oldest dropped. */

export interface Journal {
  /** Notes an arrival; the entry's `status` and `message` are filled in later. */
  add(entry: JournalEntry): void;
  /** In the order of arrival. */
  entries(): readonly JournalEntry[];
  /** The last so many, the latest first. */
  latest(count: number): readonly JournalEntry[];
  readonly size: number;
  clear(): void;
}

/** One request that reached the sandbox. No body. */
export interface JournalEntry {
  /** Arrival, milliseconds since the Unix epoch by the sandbox's clock. */
  readonly atMs: number;
  /** Null when neither the path nor the Client-Id shows it. */
  readonly area: Area | null;
  readonly method: string;
  readonly path: string;
  readonly requestId: string | null;
  /** Null: not answered yet, or dropped. */
  status: number | null;
  /** Null: accepted, or not answered yet. */
  message: string | null;
  /** Names of the faults that it met. */
  faults: readonly string[];
}

/** @param capacity how many entries are kept; the oldest are dropped */
export function createJournal(capacity: number): Journal {
  let ring: JournalEntry[] = [];
  let oldest = 0;
  return {
    add(entry) {
      if (ring.length < capacity) {
        ring.push(entry);
        return;
      }
      ring[oldest] = entry;
      oldest = (oldest + 1) % capacity;
    },
    entries: () => [...ring.slice(oldest), ...ring.slice(0, oldest)],
    latest: (count) =>
      Array.from({ length: Math.min(count, ring.length) }, (_, back) =>
        // The one before `oldest` is the latest, at the ring's end while it is not full.
        ring.at((oldest - 1 - back) % ring.length),
      ).filter((entry) => entry !== undefined),
    get size() {
      return ring.length;
    },
    clear() {
      ring = [];
      oldest = 0;
    },
  };
}
