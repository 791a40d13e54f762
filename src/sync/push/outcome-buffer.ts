import type { Outcome, Tally } from '../../ports/queue.js';

/** Most outcomes that one transaction writes, and that a kill can lose. */
export const GROUP_SIZE = 100;
/** Longest time that an outcome waits for its group, milliseconds. */
const GROUP_MS = 200;

export interface OutcomeBuffer {
  add(outcome: Outcome): void;
  /** Writes everything added so far. Rejects with what writing it rejected with. */
  flush(): Promise<void>;
  /** Outcomes not yet written. */
  size(): number;
}

/**
 * Groups outcomes: one transaction for at most 100 records or 200 ms. `onError` gets a failed write at once: the timer
 * has no caller.
 */
export function createOutcomeBuffer(
  write: (outcomes: readonly Outcome[], tallies: readonly Tally[]) => Promise<void>,
  tallies: () => readonly Tally[],
  onError: (error: unknown) => void,
): OutcomeBuffer {
  let waiting: Outcome[] = [];
  let unwritten = 0;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  const flush = (): Promise<void> => {
    if (timer) clearTimeout(timer);
    timer = null;
    const group = waiting;
    waiting = [];
    if (group.length > 0) {
      // One group after the other. The next one is tried even after a failure: every outcome written saves sending a
      // record again.
      writing = writing
        .catch(() => undefined)
        .then(() => write(group, tallies()))
        .finally(() => {
          unwritten -= group.length;
        });
      writing.catch(onError);
    }
    return writing;
  };

  return {
    add(outcome) {
      waiting.push(outcome);
      unwritten += 1;
      if (waiting.length >= GROUP_SIZE) void flush().catch(() => undefined);
      else timer ??= setTimeout(() => void flush().catch(() => undefined), GROUP_MS);
    },
    flush,
    size: () => unwritten,
  };
}
