import type { OperationName } from '../contract/operation.js';
import {
  type AreaCondition,
  type AreaLimits,
  type AreaStop,
  endCondition,
  endOfReading,
  nextCondition,
  OPEN_AREA,
  othersPass,
} from '../domain/area-condition.js';
import type { Emit } from '../domain/events.js';
import type { Area } from '../domain/names.js';
import type { Judgement } from '../domain/reply/reply.js';
import type { AreaState } from '../ledger/queue/area-states.js';
import type { Clock } from '../ports/clock.js';

/** A 503 so soon after an acceptance is about the rate; later it is an outage, milliseconds. */
const LATELY_MS = 5_000;
/** A record that meets more of them in a push is to blame itself. */
const MOST_SLOWDOWNS = 3;

/**
 * Whether requests may go to an area now. It hears every judged reply to an operation, and announces the pause or the stop
 * that follows from it.
 */
export class AreaGate {
  /** The row of transient failures with which the pushes before ended. */
  readonly #earlierFailures: number;
  /** What the replies so far say about the area. */
  #condition: AreaCondition;
  /** When the platform accepted something last; monotonic. */
  #passedAt = -Infinity;
  /** How often a 503 to a record asked to slow down, by platform id. */
  readonly #slowdowns = new Map<string, number>();

  constructor(
    private readonly area: Area,
    private readonly limits: AreaLimits,
    private readonly clock: Pick<Clock, 'now' | 'monotonic'>,
    private readonly emit: Emit,
    earlier: Pick<AreaState, 'failuresInARow' | 'failingSince'> | null = null,
  ) {
    this.#earlierFailures = earlier?.failuresInARow ?? 0;
    const failedForMs = earlier?.failingSince ? clock.now() - earlier.failingSince.getTime() : null;
    this.#condition = {
      ...OPEN_AREA,
      transientInARow: this.#earlierFailures,
      failingFrom: failedForMs === null ? null : clock.monotonic() - failedForMs,
    };
  }

  condition(): AreaCondition {
    return this.#condition;
  }

  /** Why nothing more is sent in this push; null: go on. */
  stop(): AreaStop | null {
    return this.#condition.stop;
  }

  /** Why this push would stop the area if it ended now; null: it would not. */
  wouldStop(): AreaStop | null {
    return endCondition(this.#condition, this.#earlierFailures).stop;
  }

  /** Milliseconds still to wait because the platform asked for it; 0: free. */
  pauseLeft(): number {
    return Math.max(0, (this.#condition.pausedUntil ?? -Infinity) - this.clock.monotonic());
  }

  /** Takes in one judged reply to an operation. */
  note(judgement: Judgement, operation: OperationName): void {
    const now = this.clock.monotonic();
    const { pausedUntil } = this.#condition;
    if (judgement.kind === 'accepted') this.#passedAt = now;
    this.#become(nextCondition(this.#condition, judgement, this.limits, now, operation));
    if (this.#condition.pausedUntil === pausedUntil) return;
    const delayMs = this.pauseLeft();
    this.emit({ type: 'area-paused', area: this.area, delayMs, message: 'the platform asked to wait' });
  }

  /** Whether a 2xx that says failure is about its record. */
  othersPass(operation: OperationName): boolean {
    return othersPass(this.#condition, operation);
  }

  /** Whether a 503 to this record asks to slow down: others pass, and it is not always the same one. */
  slowsDown(record: string): boolean {
    const times = this.#slowdowns.get(record) ?? 0;
    if (this.clock.monotonic() - this.#passedAt > LATELY_MS || times >= MOST_SLOWDOWNS) return false;
    this.#slowdowns.set(record, times + 1);
    return true;
  }

  /** Stops the area for a reason that no single reply shows. */
  halt(stop: AreaStop): void {
    this.#become({ ...this.#condition, stop: this.#condition.stop ?? stop });
  }

  /** After failures in a row: requests may go out again, and one more failure stops the area again. */
  reopen(): void {
    this.#become({ ...this.#condition, stop: null });
  }

  /** Ends reading back: it stops the area if no reply to an operation was understood. */
  endReading(): void {
    this.#become(endOfReading(this.#condition));
  }

  /** Ends the push: without an answer the area stops. Gives what the push learned. */
  end(): AreaCondition {
    this.#become(endCondition(this.#condition, this.#earlierFailures));
    return this.#condition;
  }

  #become(next: AreaCondition): void {
    if (next.stop && !this.#condition.stop)
      this.emit({ type: 'area-stopped', area: this.area, ...next.stop });
    this.#condition = next;
  }
}
