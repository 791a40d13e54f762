import type { Emit, ReadBackOutcome } from '../../domain/events.js';
import { uuidText } from '../../domain/key.js';
import { type CompareOptions, compareReadBack } from '../../entities/compare-read-back.js';
import type { Entity } from '../../entities/entity.js';
import { childrenOf } from '../../entities/index.js';
import type { ReadBack } from '../../entities/read-back.js';
import type { ReadBackRecord, ReadBacks } from '../../ports/read-backs.js';
import type { HeldLease } from '../lease/hold-lease.js';
import type { AdoptCounters } from './adopt-report.js';
import { countFields } from './count-fields.js';
import { isUnshown } from './doubted-field.js';
import type { FindLane } from './find-records.js';
import type { Found } from './judge-find.js';
import { allRecords } from './record-pages.js';
import { sentBody } from './sent-body.js';

const NO_REFERENCE =
  'the reply does not show the reference that children need: platform.replies.reference says where it is';

/** Records of which it is not known yet whether they differ. After so many, the fields are judged by what was seen. */
const MOST_OPEN = 10_000;

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

/** What was noticed while the records of an entity were adopted. */
export interface AdoptFindings {
  /** Fields in which the platform shows nothing for any record: they are not compared. */
  readonly unshown: readonly string[];
  /** Whether a record that differs has a platform id made from `ids.namespace`, not a UUID of the source. */
  readonly madeIds: boolean;
}

/** A record that differs only in fields of which the platform shows nothing. */
interface OpenRecord {
  readonly record: ReadBackRecord;
  readonly links: { readonly reference: string | number | null; readonly remoteId: string | null };
  readonly fields: readonly string[];
}

/**
 * Reads every record of one entity that was never acknowledged, and stores what the platform holds, record by record.
 * `counters` are right at all times. Ends early when the lease is lost.
 */
export async function adoptEntity(options: AdoptEntityOptions): Promise<AdoptFindings> {
  const { entity, readBack, lane, readBacks, emit, compare, counters, lease } = options;
  const hasChildren = childrenOf(entity.name).length > 0;
  const seen = countFields();
  const open: OpenRecord[] = [];
  const unshown = new Set<string>();
  let madeIds = false;
  const report = (
    { key }: ReadBackRecord,
    outcome: ReadBackOutcome,
    fields: readonly string[] = [],
    message: string | null = null,
  ) => {
    emit({ type: 'record-read-back', area: entity.area, entity: entity.name, key, outcome, fields, message });
    return lease.held();
  };

  const store = async ({ record, links, fields }: OpenRecord, equal: boolean): Promise<boolean> => {
    if (!(await lease.fenced((fence) => readBacks.adopt(fence, entity.name, record, { equal, ...links }))))
      return report(record, 'outdated');
    counters.checked += 1;
    counters[equal ? 'adopted' : 'different'] += 1;
    if (!equal && uuidText(record.key) !== record.platformId) madeIds = true;
    return report(record, equal ? 'adopted' : 'different', equal ? [] : fields);
  };

  /** Decides about the open records by what all records show. False: the lease is lost. */
  const settle = async (): Promise<boolean> => {
    for (const [field, counts] of seen.counts) if (isUnshown(counts)) unshown.add(field);
    for (const each of open.splice(0)) {
      if (!lease.held()) return false;
      const equal = each.fields.every((field) => unshown.has(field));
      if (!(await store(each, equal))) return false;
    }
    return true;
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
    const comparison = compareReadBack(readBack, sentBody(entity, record), found.data, {
      ...compare,
      lastDay: entity.lastDay,
    });
    seen.add(comparison);
    const { drift } = comparison;
    const links = { reference, remoteId: id };
    const outcome = { record, links, fields: drift.map(({ field }) => field) };
    // Only all records together say whether the platform shows such a field at all.
    if (drift.length === 0 || drift.some(({ held }) => held !== null && held !== ''))
      return store(outcome, drift.length === 0);
    open.push(outcome);
    return open.length < MOST_OPEN || settle();
  };
  await lane.read(readBack, allRecords(readBacks, entity.name, 'unknown'), handle);
  await settle();
  return { unshown: [...unshown], madeIds };
}
