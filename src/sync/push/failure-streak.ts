import type { EntityName } from '../../domain/names.js';
import type { PushCounters } from '../../domain/outcome.js';
import type { Outcome, Queue } from '../../ports/queue.js';

interface FailedRecord {
  readonly entity: EntityName;
  readonly key: string;
  /** The area has answered others since it failed before. */
  readonly alone: boolean;
  /** The record's last attempt, so it counted as rejected. */
  readonly exhausted: boolean;
}

/** Records of the current row of transient failures. */
export interface FailureStreak {
  /** `alone`: of the claim, `failsAlone`. */
  note(outcome: Outcome, alone: boolean): void;
  /** A verdict of the platform ended the row. */
  end(): void;
  /**
   * The failures were the area's and not their records': each gets its attempt back, and one that had used up its
   * last is deferred again instead of rejected, in the ledger and in `counters`. `all`: also records that failed alone
   * before, because so many failed in a row.
   */
  forgive(
    queue: Pick<Queue, 'forgiveAttempts'>,
    counters: ReadonlyMap<EntityName, PushCounters>,
    options: { readonly all: boolean },
  ): Promise<void>;
}

export function createFailureStreak(): FailureStreak {
  let records: FailedRecord[] = [];

  return {
    note(outcome, alone) {
      if (outcome.kind !== 'deferred') return;
      records.push({ entity: outcome.entity, key: outcome.key, alone, exhausted: outcome.exhausted });
    },
    end() {
      records = [];
    },
    async forgive(queue, counters, { all }) {
      const forgiven = records.filter(({ alone }) => all || !alone);
      for (const entity of new Set(forgiven.map((record) => record.entity))) {
        const failed = forgiven.filter((record) => record.entity === entity);
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
