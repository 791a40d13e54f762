import type { EntityName } from '../entity-name.js';

/** Requests by how they ended. */
export interface DeliveryCounts {
  /** All of them, also those that closed or deleted. */
  readonly accepted: number;
  readonly closed: number;
  readonly deleted: number;
  /** The platform refused the payload. */
  readonly rejected: number;
  /** No verdict about the record, or no reply. */
  readonly failed: number;
}

/** With how many of the accepted ones the platform got to know a record. */
export interface ReportCounts extends DeliveryCounts {
  readonly created: number;
}

/** What was sent on a day about records of an entity that belong to one parent. */
export interface ReportRow extends ReportCounts {
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly entity: EntityName;
  /** The parent, or the record itself where it is one; null: it has none. */
  readonly parentId: string | null;
}

/** What was sent on a day about records of an entity, of all parents. */
export interface ReportTotal extends ReportCounts {
  readonly day: string;
  readonly entity: EntityName;
  /** Its rows by parent. */
  readonly lines: number;
}

/** What the journal gives for a report. Both are in the order of day and entity. */
export interface ReportRows {
  readonly totals: readonly ReportTotal[];
  /** The first of the rows by parent: a partner may have many of them, on many days. */
  readonly rows: readonly ReportRow[];
}

export interface DeliveryParent {
  readonly entity: EntityName;
  readonly key: string;
  /** Null: the ledger does not have it any more. */
  readonly name: string | null;
}

export interface ReportedParent extends ReportCounts {
  readonly entity: EntityName;
  /** Null: neither ledger nor journal has it any more. */
  readonly parent: DeliveryParent | null;
}

export interface ReportedDay {
  readonly day: string;
  readonly entities: Readonly<Record<EntityName, ReportCounts>>;
  readonly rows: readonly ReportedParent[];
}

/** A stretch of time of which the journal lacks requests. */
export interface JournalGap {
  /** Null: from ever; the journal begins at `to`. */
  readonly from: Date | null;
  readonly to: Date;
}

/** What the journal can say about the days of a report. */
export interface JournalCoverage {
  /** The journal has every request since then, but for `unknown`; null: it does not know since when. */
  readonly knownFrom: Date | null;
  /** Gaps that touch these days. */
  readonly unknown: readonly JournalGap[];
  /** How much of these days is known. */
  readonly known: 'all' | 'part' | 'none';
}

/** What was sent between two days, both included. */
export interface Report {
  readonly from: string;
  readonly to: string;
  /** Every entity that was asked for. */
  readonly entities: Readonly<Record<EntityName, ReportCounts>>;
  /** Days on which something was sent, in their order. */
  readonly days: readonly ReportedDay[];
  /** Rows by parent that the report does not have because there are too many; the counts have them. */
  readonly leftOut: number;
  /** Records that left the source because their last day was over, so that nothing was sent of them; none where it is 0. */
  readonly expired?: Readonly<Record<EntityName, number>>;
  readonly coverage: JournalCoverage;
}
