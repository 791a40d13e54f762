import type { EntityName } from '../domain/names.js';
import type { PushCounters } from '../domain/outcome.js';
import type { Queue } from '../ledger/queue/queue.js';
import type { Outcome } from '../ledger/queue/types.js';

interface FailedRecord {
  readonly entity: EntityName;
  readonly key: string;
  /** It used up an attempt. */
  readonly counted: boolean;
  /** The area has answered others since it failed before. */
  readonly alone: boolean;
  /** The record's last attempt, so it counted as rejected. */
  readonly exhausted: boolean;
}

/** How often a record has failed in the current row, and how often that used up an attempt. */
export interface EarlierFailures {
  readonly failures: number;
  readonly counted: number;
}

/** Records of the current row of transient failures: they get their attempts back when the area was to blame. */
export class FailureStreak {
  /** Since the last verdict of the platform. */
  #records: FailedRecord[] = [];

  /** `alone`: of the claim, `failsAlone`. */
  note(outcome: Outcome, alone: boolean): void {
    if (outcome.kind !== 'deferred') return;
    const { entity, key, counts: counted, exhausted } = outcome;
    this.#records.push({ entity, key, counted, alone, exhausted });
  }

  /** The failures of a record in this row: since then the area has given no verdict. */
  of({ entity, key }: Pick<FailedRecord, 'entity' | 'key'>): EarlierFailures {
    const own = this.#records.filter((record) => record.entity === entity && record.key === key);
    return { failures: own.length, counted: own.filter(({ counted }) => counted).length };
  }

  /** A verdict of the platform ended the row. */
  end(): void {
    this.#records = [];
  }

  /**
   * The failures were the area's and not their records': each gets its attempt back, and one that had used up its last is
   * deferred again instead of rejected, in the ledger and in `counters`. `all`: also records that failed alone before,
   * because so many failed in a row.
   */
  async forgive(
    queue: Pick<Queue, 'forgiveAttempts'>,
    counters: ReadonlyMap<EntityName, PushCounters>,
    { all }: { readonly all: boolean },
  ): Promise<void> {
    const forgiven = this.#records.filter(({ counted, alone }) => counted && (all || !alone));
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
  }
}
