import type { Delivery, DeliveryKind } from '../../core/domain/delivery.js';
import { groupBy } from '../../core/domain/group-by.js';
import type { EntityName } from '../../core/domain/names.js';

/**
 * The report of what was sent on some days, from the counts of the journal: totals, days with their parents, and the
 * words of the journal itself.
 */

/** Days of one zone, `YYYY-MM-DD`, both included. */
export interface DeliveryDays {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  readonly entities: readonly EntityName[];
}

/** Puts what the journal gave together. `parents`: by platform id. */
export function makeReport(
  { from, to, entities }: Pick<DeliveryDays, 'from' | 'to' | 'entities'>,
  { totals, rows }: ReportRows,
  parents: ReadonlyMap<string, DeliveryParent>,
): Omit<Report, 'expired' | 'takenDown' | 'coverage'> {
  const byEntity = (names: readonly EntityName[], of: ReportRows['totals']) =>
    Object.fromEntries(names.map((name) => [name, sum(of.filter(({ entity }) => entity === name))]));
  const shown = groupBy(rows, ({ day }) => day);
  return {
    from,
    to,
    entities: byEntity(entities, totals),
    days: [...groupBy(totals, ({ day }) => day)].map(([day, ofDay]) => ({
      day,
      entities: byEntity(
        entities.filter((name) => ofDay.some(({ entity }) => entity === name)),
        ofDay,
      ),
      rows: (shown.get(day) ?? []).map(({ day: _, parentId, ...row }) => ({
        ...row,
        parent: parentId === null ? null : (parents.get(parentId) ?? null),
      })),
    })),
    leftOut: totals.reduce((all, { lines }) => all + lines, 0) - rows.length,
  };
}

function sum(rows: readonly ReportCounts[]): ReportCounts {
  const total = (name: keyof ReportCounts) => rows.reduce((all, row) => all + row[name], 0);
  return {
    created: total('created'),
    accepted: total('accepted'),
    closed: total('closed'),
    deleted: total('deleted'),
    rejected: total('rejected'),
    failed: total('failed'),
  };
}

/** Requests by how they ended. */
export interface ReportCounts {
  /** With how many of the accepted ones the platform got to know a record. */
  readonly created: number;
  /** All of them, also those that closed or deleted. */
  readonly accepted: number;
  readonly closed: number;
  readonly deleted: number;
  /** The platform refused the payload. */
  readonly rejected: number;
  /** No verdict about the record, or no reply. */
  readonly failed: number;
}

/** In the order of the columns: accepted, new, updated, closed, deleted, rejected, failed. */
export function countedAs({ accepted, created, closed, deleted, rejected, failed }: ReportCounts): number[] {
  return [accepted, created, accepted - created - closed - deleted, closed, deleted, rejected, failed];
}

/** What was sent on a day about records of an entity. */
interface ReportRow extends ReportCounts {
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly entity: EntityName;
}

/** What the journal gives for a report. Both are in the order of day and entity. */
export interface ReportRows {
  /** `lines`: rows by parent. */
  readonly totals: readonly (ReportRow & { readonly lines: number })[];
  /**
   * The first of the rows by parent: a partner may have many of them, on many days. The parent is the record itself where it
   * is one; null: it has none.
   */
  readonly rows: readonly (ReportRow & { readonly parentId: string | null })[];
}

export interface DeliveryParent {
  readonly entity: EntityName;
  readonly key: string;
  /** Null: the ledger does not have it any more. */
  readonly name: string | null;
}

interface ReportedDay {
  readonly day: string;
  readonly entities: Readonly<Record<EntityName, ReportCounts>>;
  /** `parent` null: neither ledger nor journal has it any more. */
  readonly rows: readonly (ReportCounts & {
    readonly entity: EntityName;
    readonly parent: DeliveryParent | null;
  })[];
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
  /** Records that the platform had accepted, and was seen to refuse or remove on these days; none where it is 0. */
  readonly takenDown?: Readonly<Record<EntityName, number>>;
  readonly coverage: JournalCoverage;
}

/** What a request did to its record, or tried to: the word for people. `seen`: a Find showed another state of it. */
export type RecordEvent = 'opened' | 'updated' | 'closed' | 'reopened' | 'deleted' | 'seen';

const EVENTS: Readonly<Record<DeliveryKind, RecordEvent>> = {
  new: 'opened',
  update: 'updated',
  close: 'closed',
  delete: 'deleted',
  state: 'seen',
};

/**
 * What each of the requests about one record was, the oldest first. What is sent after an accepted close or deletion opens
 * the record again.
 */
export function recordEvents(
  requests: readonly Pick<Delivery, 'kind' | 'outcome'>[],
): readonly RecordEvent[] {
  let isOver = false;
  return requests.map(({ kind, outcome }) => {
    const event = EVENTS[kind];
    const again = isOver && (event === 'opened' || event === 'updated');
    if (outcome === 'accepted') isOver = event === 'closed' || event === 'deleted';
    return again ? 'reopened' : event;
  });
}

const DAY_MS = 86_400_000;

/** Days that a report has when nobody says which. */
const USUAL_DAYS = 30;

/**
 * The days of a report: where none is named, thirty of them until today. Null: it would end before it begins. All days
 * are `YYYY-MM-DD`; `today` is that of the platform's zone.
 */
export function reportDays(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  today: string,
): { readonly from: string; readonly to: string } | null {
  const last = to ?? today;
  const first = from ?? earlier(last, USUAL_DAYS - 1);
  return first > last ? null : { from: first, to: last };
}

function earlier(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);
}

/** Whether the text is a day that exists, as `2026-01-31`, of the 20th to the 22nd century. */
export function isDay(text: string): boolean {
  const ms = /^(19|20|21)\d{2}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  // Date.parse rolls over to the next month instead of refusing.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
