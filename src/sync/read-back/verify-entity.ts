import type { Emit, ReadBackOutcome } from '../../domain/events.js';
import { type CompareOptions, compareReadBack, type Comparison } from '../../entities/compare-read-back.js';
import type { Entity } from '../../entities/entity.js';
import type { ReadBack } from '../../entities/read-back.js';
import type { ReadBackRecord, ReadBacks } from '../../ports/read-backs.js';
import type { FindLane } from './find-records.js';
import type { Found } from './judge-find.js';
import { sentBody } from './sent-body.js';
import type { VerifyCounters } from './verify-report.js';

/** After so many Finds that all got 404, reading the entity stops. */
const DOUBT_AFTER = 10_000;

export interface VerifyEntityOptions {
  readonly entity: Entity;
  readonly readBack: ReadBack;
  readonly records: AsyncIterable<ReadBackRecord>;
  readonly lane: FindLane;
  readonly readBacks: Pick<ReadBacks, 'isUnchanged'>;
  readonly emit: Emit;
  readonly compare: Pick<CompareOptions, 'today' | 'timeZone'>;
  readonly counters: VerifyCounters;
  /** Gets every record that was found and counts. */
  readonly onFound: (comparison: Comparison, key: string) => void;
  /** Gets what differs in a record; null: it is missing. */
  readonly onUnequal: (record: ReadBackRecord, comparison: Comparison | null) => void;
  /** The platform gave no answer about a record. */
  readonly onUnanswered: () => void;
}

/** Reads the records of one entity back and compares them. `counters` are right at all times. */
export async function verifyEntity(options: VerifyEntityOptions): Promise<void> {
  const { entity, readBack, records, lane, readBacks, emit, counters } = options;
  const report = (
    { key }: ReadBackRecord,
    outcome: ReadBackOutcome,
    fields: readonly string[],
    message: string | null = null,
  ) =>
    emit({ type: 'record-read-back', area: entity.area, entity: entity.name, key, outcome, fields, message });

  const handle = async (record: ReadBackRecord, found: Found): Promise<boolean> => {
    if (found.kind === 'unanswered') {
      options.onUnanswered();
      report(record, 'unanswered', [], found.message);
      return true;
    }
    const compare = { ...options.compare, lastDay: entity.lastDay };
    const comparison =
      found.kind === 'missing'
        ? null
        : compareReadBack(readBack, sentBody(entity, record), found.data, compare);
    const fields = comparison?.drift.map(({ field }) => field) ?? [];
    const outcome = comparison === null ? 'missing' : fields.length === 0 ? 'same' : 'drifted';
    // A record sent after it was read from the ledger differs for that reason alone.
    if (outcome !== 'same' && !(await readBacks.isUnchanged(entity.name, record))) {
      report(record, 'outdated', []);
      return true;
    }
    counters.checked += 1;
    counters[outcome] += 1;
    report(record, outcome, fields);
    if (comparison !== null) options.onFound(comparison, record.key);
    if (outcome !== 'same') options.onUnequal(record, comparison);
    return counters.missing < counters.checked || counters.checked < DOUBT_AFTER;
  };
  await lane.read(readBack, records, handle);
}

/** Every Find got 404: the path is probably wrong, not the platform empty. */
export function isPathDoubted({ checked, missing }: VerifyCounters): boolean {
  return checked > 0 && missing === checked;
}
