import type { Outcome, Tally } from '../ledger/queue/types.js';

/** Most outcomes that one transaction writes, and that a kill can lose. */
export const GROUP_SIZE = 100;
/** Longest time that an outcome waits for its group, milliseconds. */
const GROUP_MS = 200;

interface Writing {
  write(outcomes: readonly Outcome[], tallies: readonly Tally[]): Promise<void>;
  /** What is written with a group. */
  tallies(): readonly Tally[];
  /** Gets a failed write at once: the timer has no caller. */
  onError(error: unknown): void;
}

/** Groups outcomes: one transaction for at most 100 records or 200 ms. */
export class OutcomeBuffer {
  #waiting: Outcome[] = [];
  /** Those that wait, and those that are being written. */
  #unwritten = 0;
  /** Runs while a group waits. */
  #timer: NodeJS.Timeout | null = null;
  /** The last write: the next one begins after it. */
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly writing: Writing) {}

  /** Outcomes that are not written yet. */
  size(): number {
    return this.#unwritten;
  }

  add(outcome: Outcome): void {
    this.#waiting.push(outcome);
    this.#unwritten += 1;
    const flush = () => void this.flush().catch(() => undefined);
    if (this.#waiting.length >= GROUP_SIZE) flush();
    else this.#timer ??= setTimeout(flush, GROUP_MS);
  }

  /** Writes everything added so far. Rejects with what writing it rejected with. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const group = this.#waiting;
    this.#waiting = [];
    if (group.length === 0) return this.#last;
    // One group after the other. The next one is tried even after a failure: every outcome written saves sending a record
    // again.
    this.#last = this.#last
      .catch(() => undefined)
      .then(() => this.writing.write(group, this.writing.tallies()))
      .finally(() => {
        this.#unwritten -= group.length;
      });
    this.#last.catch((error: unknown) => this.writing.onError(error));
    return this.#last;
  }
}
