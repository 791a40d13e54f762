import type { Area } from '../../core/domain/names.js';

/** The requests that reached the sandbox: the latest are kept, the oldest dropped. */

export interface Journal {
  /** Notes an arrival; the entry's `status` and `message` are filled in later. */
  add(entry: JournalEntry): void;
  /** In the order of arrival. */
  entries(): readonly JournalEntry[];
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
  let kept: JournalEntry[] = [];
  return {
    add(entry) {
      kept.push(entry);
      if (kept.length >= 2 * capacity) kept = kept.slice(-capacity);
    },
    entries: () => kept.slice(-capacity),
    clear() {
      kept = [];
    },
  };
}
