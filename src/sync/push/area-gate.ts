import type { OperationName } from '../../contract/operation.js';
import type { Area } from '../../domain/names.js';
import type { Emit } from '../../domain/events.js';
import {
  type AreaCondition,
  type AreaLimits,
  type AreaStop,
  endCondition,
  endOfReading,
  nextCondition,
  OPEN_AREA,
} from '../../domain/area-condition.js';
import type { Judgement } from '../../domain/reply/reply.js';
import type { Clock } from '../../ports/clock.js';

/** Whether requests may go to an area now. */
export interface AreaGate {
  /** Takes in one judged reply to an operation; reports the pause or stop that follows from it. */
  note(judgement: Judgement, operation: OperationName): void;
  /** Milliseconds still to wait because the platform asked for it; 0: free. */
  pauseLeft(): number;
  /** Why nothing more is sent in this push; null: go on. */
  stop(): AreaStop | null;
  /** Whether this push would stop the area if it ended now. */
  wouldStop(): boolean;
  /** What this push has learned so far. */
  condition(): AreaCondition;
  /** Ends reading back: it stops the area if no reply to an operation was understood. */
  endReading(): void;
  /** Ends the push: without an answer the area stops. Gives what the push learned. */
  end(): AreaCondition;
}

/**
 * The area's condition during one push; announces pauses and the stop. `earlierFailures`: the row of transient failures
 * with which the pushes before ended.
 */
export function createAreaGate(
  area: Area,
  limits: AreaLimits,
  clock: Clock,
  emit: Emit,
  earlierFailures = 0,
): AreaGate {
  let condition: AreaCondition = { ...OPEN_AREA, transientInARow: earlierFailures };
  const become = (next: AreaCondition) => {
    if (next.stop && !condition.stop) emit({ type: 'area-stopped', area, ...next.stop });
    condition = next;
  };
  const pauseLeft = () => Math.max(0, (condition.pausedUntil ?? -Infinity) - clock.monotonic());

  return {
    note(judgement, operation) {
      const before = condition;
      become(nextCondition(condition, judgement, limits, clock.monotonic(), operation));
      if (condition.pausedUntil !== before.pausedUntil) {
        emit({ type: 'area-paused', area, delayMs: pauseLeft(), message: 'the platform asked to wait' });
      }
    },
    pauseLeft,
    stop: () => condition.stop,
    wouldStop: () => endCondition(condition, earlierFailures).stop !== null,
    condition: () => condition,
    endReading: () => become(endOfReading(condition)),
    end() {
      become(endCondition(condition, earlierFailures));
      return condition;
    },
  };
}
