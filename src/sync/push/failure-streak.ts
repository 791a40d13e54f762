import type { EntityName } from '../../domain/entity-name.js';
import type { PushCounters } from '../../domain/outcome.js';
import type { Outcome, Queue } from '../../ports/queue.js';

interface FailedRecord {
  readonly entity: EntityName;
  readonly key: string;
  /** The record's last attempt, so it counted as rejected. */
  readonly exhausted: boolean;
}

/** Records of the current row of transient failures. */
export interface FailureStreak {
  note(outcome: Outcome): void;
  /** A verdict of the platform ended the row. */
  end(): void;
  /**
   * The failures were the area's and not their records': each gets its attempt back, and one that had used up its
   * last is deferred again instead of rejected, in the ledger and in `counters`.
   */
  forgive(
    queue: Pick<Queue, 'forgiveAttempts'>,
    counters: ReadonlyMap<EntityName, PushCounters>,
  ): Promise<void>;
}

export function createFailureStreak(): FailureStreak {
  let records: FailedRecord[] = [];

  return {
    note(outcome) {
      if (outcome.kind !== 'deferred') return;
      records.push({ entity: outcome.entity, key: outcome.key, exhausted: outcome.exhausted });
    },
    end() {
      records = [];
    },
    async forgive(queue, counters) {
      for (const entity of new Set(records.map((record) => record.entity))) {
        const failed = records.filter((record) => record.entity === entity);
        await queue.forgiveAttempts(
          entity,
          failed.map(({ key }) => key),
        );
        const counted = counters.get(entity);
        const exhausted = failed.filter((record) => record.exhausted).length;
        if (!counted) continue;
        counted.rejected -= exhausted;
        counted.deferred += exhausted;
      }
    },
  };
}
