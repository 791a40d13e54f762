import type { Emit, ReadBackOutcome } from '../../domain/events.js';
import { compareReadBack, type Drift } from '../../entities/compare-read-back.js';
import type { Entity } from '../../entities/entity.js';
import type { ReadBack } from '../../entities/read-back.js';
import type { ReadBackRecord, ReadBacks } from '../../ports/read-backs.js';
import type { FindLane } from './find-records.js';
import type { Found } from './judge-find.js';
import { sentBody } from './sent-body.js';

/** What is counted of one entity: public interface. */
export interface VerifyCounters {
  checked: number;
  same: number;
  drifted: number;
  missing: number;
}

/** After so many Finds that all got 404, reading the entity stops. */
const DOUBT_AFTER = 10_000;

export interface VerifyEntityOptions {
  readonly entity: Entity;
  readonly readBack: ReadBack;
  readonly records: AsyncIterable<ReadBackRecord>;
  readonly lane: FindLane;
  readonly readBacks: Pick<ReadBacks, 'isUnchanged'>;
  readonly emit: Emit;
  /** `YYYY-MM-DD` in the platform's zone. */
  readonly today: string;
  readonly counters: VerifyCounters;
  /** Gets the differing fields of a record; none for a missing one. */
  readonly onUnequal: (key: string, drift: readonly Drift[]) => void;
  /** The platform gave no answer about a record. */
  readonly onUnanswered: () => void;
}

/** Reads the records of one entity back and compares them. `counters` are right at all times. */
export async function verifyEntity(options: VerifyEntityOptions): Promise<void> {
  const { entity, readBack, records, lane, readBacks, emit, today, counters, onUnequal, onUnanswered } =
    options;
  const report = (
    { key }: ReadBackRecord,
    outcome: ReadBackOutcome,
    fields: readonly string[],
    message: string | null = null,
  ) =>
    emit({ type: 'record-read-back', area: entity.area, entity: entity.name, key, outcome, fields, message });

  const handle = async (record: ReadBackRecord, found: Found): Promise<boolean> => {
    if (found.kind === 'unanswered') {
      onUnanswered();
      report(record, 'unanswered', [], found.message);
      return true;
    }
    const drift =
      found.kind === 'missing'
        ? []
        : compareReadBack(readBack.fields, sentBody(entity, record), found.data, {
            today,
            lastDay: entity.lastDay,
          });
    if (found.kind === 'found' && drift.length === 0) {
      counters.checked += 1;
      counters.same += 1;
      report(record, 'same', []);
      return true;
    }
    // A record sent after it was read from the ledger differs for that reason alone.
    if (!(await readBacks.isUnchanged(entity.name, record))) {
      report(record, 'outdated', []);
      return true;
    }
    counters.checked += 1;
    counters[found.kind === 'missing' ? 'missing' : 'drifted'] += 1;
    const outcome = found.kind === 'missing' ? 'missing' : 'drifted';
    report(record, outcome, [...drift.map(({ field }) => field)]);
    onUnequal(record.key, drift);
    return counters.missing < counters.checked || counters.checked < DOUBT_AFTER;
  };
  await lane.read(readBack.find, records, handle);
}

/** Every Find got 404: the path is probably wrong, not the platform empty. */
export function isPathDoubted({ checked, missing }: VerifyCounters): boolean {
  return checked > 0 && missing === checked;
}
