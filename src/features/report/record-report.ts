import type { EntityName } from '../../core/domain/names.js';
import type { DeliveryParent } from './report.js';
import type { DeliveryKind, DeliveryOutcome } from '../../core/domain/delivery.js';

/**
 * The report by record: which records were reported, when, and when they were closed. The journal gives the history of each
 * record (`RecordHistory`), and `reportedRecord` decides what its line says.
 */

/** Accepted requests about one record, one after the other, that were all of the same kind. */
export interface AcceptedStretch {
  readonly kind: DeliveryKind;
  readonly count: number;
  readonly first: Date;
  readonly last: Date;
}

/** What the journal has of a record until the end of the report's last day. */
export interface RecordHistory {
  readonly entity: EntityName;
  readonly key: string;
  readonly platformId: string;
  /** What names it for people, from the ledger; null: nothing does, or the ledger does not have it any more. */
  readonly title: string | null;
  /** The parent of the last request, or the record itself where it is one; null: it has none, or nothing knows it. */
  readonly parent: DeliveryParent | null;
  /** In the order of time; empty: the platform accepted nothing. */
  readonly accepted: readonly AcceptedStretch[];
  readonly lastAt: Date;
  readonly lastRequestId: string;
  readonly lastOutcome: DeliveryOutcome;
}

/** The line of a record. */
export interface ReportedRecord extends Omit<RecordHistory, 'accepted'> {
  /** When the platform first accepted it; null: never, or before the journal's first request about it. */
  readonly reportedAt: Date | null;
  /** The journal's first request about it says that the platform had it by then; null: `reportedAt` says when, or never. */
  readonly reportedAtLatest: Date | null;
  /** The last accepted request that neither reported it first, nor closed, nor deleted it; null: none. */
  readonly updatedAt: Date | null;
  /** How many of these there were. */
  readonly updates: number;
  /** Since when it has been closed; null: it is not, or it was opened again. A closing that was sent again moves nothing. */
  readonly closedAt: Date | null;
  /** Since when it has been deleted at the platform; null: it is not, or it was sent again. */
  readonly deletedAt: Date | null;
}

type Times = Pick<
  ReportedRecord,
  'reportedAt' | 'reportedAtLatest' | 'updatedAt' | 'updates' | 'closedAt' | 'deletedAt'
>;

const NOTHING: Times = {
  reportedAt: null,
  reportedAtLatest: null,
  updatedAt: null,
  updates: 0,
  closedAt: null,
  deletedAt: null,
};

export function reportedRecord({ accepted, ...record }: RecordHistory): ReportedRecord {
  return { ...record, ...accepted.reduce(afterStretch, NOTHING) };
}

function afterStretch(before: Times, stretch: AcceptedStretch): Times {
  const { kind, count, first, last } = stretch;
  // A deletion is accepted as well where the platform never had the record.
  if (kind === 'delete') return { ...before, deletedAt: before.deletedAt ?? first };
  const isFirst = before.reportedAt === null && before.reportedAtLatest === null;
  const reported = !isFirst
    ? before
    : { ...before, ...(kind === 'new' ? { reportedAt: first } : { reportedAtLatest: first }) };
  if (kind === 'close') return { ...reported, closedAt: before.closedAt ?? first, deletedAt: null };
  const updates = isFirst && kind === 'new' ? count - 1 : count;
  return {
    ...reported,
    updates: before.updates + updates,
    updatedAt: updates > 0 ? last : before.updatedAt,
    closedAt: null,
    deletedAt: null,
  };
}
