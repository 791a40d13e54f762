import type { Emit, ReadBackOutcome } from '../../domain/events.js';
import { compareReadBack, type CompareOptions } from '../../entities/compare-read-back.js';
import type { Entity } from '../../entities/entity.js';
import { childrenOf } from '../../entities/index.js';
import type { ReadBack } from '../../entities/read-back.js';
import type { ReadBackRecord, ReadBacks } from '../../ports/read-backs.js';
import type { HeldLease } from '../lease/hold-lease.js';
import type { FindLane } from './find-records.js';
import type { Found } from './judge-find.js';
import { allRecords } from './record-pages.js';
import { sentBody } from './sent-body.js';

const NO_REFERENCE =
  'the reply does not show the reference that children need: platform.replies.reference says where it is';

/** What is counted of one entity: public interface. */
export interface AdoptCounters {
  checked: number;
  adopted: number;
  different: number;
  missing: number;
}

export interface AdoptEntityOptions {
  readonly entity: Entity;
  readonly readBack: ReadBack;
  readonly lane: FindLane;
  readonly readBacks: Pick<ReadBacks, 'page' | 'adopt'>;
  readonly emit: Emit;
  readonly compare: Pick<CompareOptions, 'today' | 'timeZone'>;
  readonly counters: AdoptCounters;
  readonly lease: Pick<HeldLease, 'fenced' | 'held'>;
}

/**
 * Reads every record of one entity that was never acknowledged, and stores what the platform holds, record by record.
 * `counters` are right at all times. Ends early when the lease is lost.
 */
export async function adoptEntity(options: AdoptEntityOptions): Promise<void> {
  const { entity, readBack, lane, readBacks, emit, compare, counters, lease } = options;
  const hasChildren = childrenOf(entity.name).length > 0;
  const report = (
    { key }: ReadBackRecord,
    outcome: ReadBackOutcome,
    fields: readonly string[] = [],
    message: string | null = null,
  ) => {
    emit({ type: 'record-read-back', area: entity.area, entity: entity.name, key, outcome, fields, message });
    return lease.held();
  };

  const handle = async (record: ReadBackRecord, found: Found): Promise<boolean> => {
    if (!lease.held()) return false;
    if (found.kind === 'unanswered') return report(record, 'unanswered', [], found.message);
    if (found.kind === 'missing') {
      counters.checked += 1;
      counters.missing += 1;
      return report(record, 'absent');
    }
    const { id, reference } = found.links;
    // Without it no child of the record could be sent.
    if (reference === null && hasChildren) return report(record, 'unanswered', [], NO_REFERENCE);
    const options = { ...compare, lastDay: entity.lastDay };
    const { drift } = compareReadBack(readBack, sentBody(entity, record), found.data, options);
    const equal = drift.length === 0;
    const links = { equal, reference, remoteId: id };
    if (!(await lease.fenced((fence) => readBacks.adopt(fence, entity.name, record, links))))
      return report(record, 'outdated');
    counters.checked += 1;
    counters[equal ? 'adopted' : 'different'] += 1;
    const fields = drift.map(({ field }) => field);
    return report(record, equal ? 'adopted' : 'different', fields);
  };
  await lane.read(readBack, allRecords(readBacks, entity.name, 'unknown'), handle);
}
