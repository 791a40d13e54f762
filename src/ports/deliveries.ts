import type { Delivery, DeliveryOutcome, DeliveryParent, JournalGap, ReportRows } from '../domain/report.js';
import type { EntityName } from '../domain/names.js';

/** Days of one zone, `YYYY-MM-DD`, both included. */
export interface DeliveryDays {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  readonly entities: readonly EntityName[];
}

/** A place in the journal, which is read in the order of time and Request-Id. */
export interface DeliveryPosition {
  /** Microseconds since the Unix epoch: a Date would lose digits. */
  readonly micros: string;
  readonly requestId: string;
}

/** A part of the journal, the oldest first. */
export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  /** Where the next page begins; null: there is none. */
  readonly next: DeliveryPosition | null;
}

export interface PageOptions {
  /** Null: from the beginning. */
  readonly after: DeliveryPosition | null;
  readonly limit: number;
}

/** The journal of what was sent. `Queue` writes it, together with the outcomes. */
export interface Deliveries {
  /** The latest requests about a record, at most `limit`, the oldest first. */
  timeline(entity: EntityName, platformId: string, limit: number): Promise<readonly Delivery[]>;
  /** What was sent for a run; for one of the worker, what it sent until the next run began. `outcome` null: all. */
  ofRun(
    runId: string,
    options: PageOptions & { readonly outcome: DeliveryOutcome | null },
  ): Promise<DeliveryPage>;
  /** Every request of these days. */
  ofDays(days: DeliveryDays, options: PageOptions): Promise<DeliveryPage>;
  /** How many requests of these days ended how: by day and entity, and by parent too, of these rows at most `most`. */
  report(days: DeliveryDays, most: number): Promise<ReportRows>;
  /** Of which times the journal lacks requests, in their order. The first is the time before it began. */
  gaps(): Promise<readonly JournalGap[]>;
  /** What these parents are called, by platform id. */
  parents(ids: readonly string[]): Promise<ReadonlyMap<string, DeliveryParent>>;
  /** Deletes what is older, batch by batch. Gives how many rows. */
  prune(retentionMs: number): Promise<number>;
}
