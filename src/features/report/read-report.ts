import { platformDay, platformTimestamp } from '../../core/contract/time.js';
import type { EntityName } from '../../core/domain/names.js';
import { type ReportedRecord, reportedRecord } from './record-report.js';
import {
  type DeliveryParent,
  type JournalCoverage,
  type JournalGap,
  type DeliveryDays,
  makeReport,
  type Report,
} from './report.js';
import type { Delivery } from '../../core/domain/delivery.js';
import { csvLine } from '../../core/domain/text.js';
import { entity as entityNamed } from '../../core/entities/index.js';
import type { Deliveries, DeliveryPosition, PageOptions } from './deliveries.js';
import type { RunSettings } from '../../core/context.js';

/**
 * Reads a report of some days from the journal (`openReport`): the counts by day, one line for each record, or every
 * request; page by page, as CSV too; and what the journal can say about these days.
 */

/** Which records a report has: those with requests on these days. */
export interface ReportDays extends DeliveryDays {
  /** By record: part of the name or key of their company or institution, whatever its case; null: all. */
  readonly company: string | null;
}

/** A part of a report by record. */
export interface RecordsPage {
  readonly records: readonly ReportedRecord[];
  /** Where the next part begins; null: there is none. */
  readonly next: DeliveryPosition | null;
}

/** What the lines of a CSV file need beside the journal. */
interface CsvWords {
  readonly settings: Pick<RunSettings, 'areas'>;
  /** What the journal lacks, as a sentence. */
  readonly sentence: (gap: JournalGap, coverage: JournalCoverage) => string;
}

export type ReportReader = ReturnType<typeof openReport>;

export function openReport(deliveries: Deliveries, days: ReportDays) {
  const { company, timeZone } = days;
  let companies: Promise<readonly string[]> | null | undefined;

  /** One line for each record. The companies are looked up once. */
  const byRecord = async (options: PageOptions): Promise<RecordsPage> => {
    companies ??= company === null ? null : deliveries.parentsOf(days, company);
    const { histories, next } = await deliveries.records(days, { ...options, companies: await companies });
    return { records: histories.map((history) => reportedRecord(history)), next };
  };

  const coverage = async (by: 'day' | 'record') => journalCoverage(await deliveries.gaps(), days, by);

  const cellsOf = {
    async record(options: PageOptions, { settings }: CsvWords) {
      const { records: found, next } = await byRecord(options);
      return { lines: found.map((record) => recordCells(record, timeZone, settings)), next };
    },
    async day(options: PageOptions) {
      const { deliveries: found, next } = await deliveries.ofDays(days, options);
      const parentOf = ({ parentPlatformId, platformId }: Delivery) => parentPlatformId ?? platformId;
      const parents = await deliveries.parents([...new Set(found.map(parentOf))]);
      const lines = found.map((one) => requestCells(one, parents.get(parentOf(one)), timeZone));
      return { lines, next };
    },
  };

  return {
    days,
    coverage,
    byRecord,
    /** What was sent, by day and parent, at most `most` of these rows; and what ended by itself. */
    async byDay(most: number): Promise<Report> {
      const found = await deliveries.report(days, most);
      const ids = new Set(found.rows.flatMap(({ parentId }) => parentId ?? []));
      return {
        ...makeReport(days, found, await deliveries.parents([...ids])),
        expired: await deliveries.expired(days),
        takenDown: await deliveries.takenDown(days),
        coverage: await coverage('day'),
      };
    },
    /**
     * All of it as a CSV file, in parts: a line for each record, or for each request. `known_from` is the time from which the
     * journal has every request. At the end, a line whose outcome is `not-known` stands for what it lacks, with a sentence:
     * a stretch in the middle, and the beginning in a file that has nothing else, which would else look like days on which
     * nothing was sent.
     */
    async *csv(by: 'day' | 'record', words: CsvWords): AsyncGenerator<string, void, undefined> {
      const known = await coverage(by);
      const head = HEADS[by];
      const line = (cells: Cells) =>
        csvLine(
          head.map((name) =>
            name === 'known_from' ? (known.knownFrom?.toISOString() ?? '') : (cells[name] ?? null),
          ),
        );
      yield csvLine(head);
      let isEmpty = true;
      let after: DeliveryPosition | null = null;
      do {
        const page: { readonly lines: readonly Cells[]; readonly next: DeliveryPosition | null } =
          await cellsOf[by]({ after, limit: PAGE_SIZE }, words);
        if (page.lines.length > 0) yield page.lines.map(line).join('');
        isEmpty &&= page.lines.length === 0;
        after = page.next;
      } while (after !== null);
      for (const gap of known.unknown.filter(({ from }) => isEmpty || from !== null))
        yield line(gapCells(by, gap, words.sentence(gap, known), timeZone));
    },
  };
}

/**
 * What the journal can say about these days. A day with a gap in it is known in part; a report of a period that lies
 * within one gap must not say that nothing was sent. Without the row of the beginning nothing is known. A line of a report
 * by record says what became of its record earlier, so there it counts what is incomplete before these days, too; of the
 * time before the journal began each line shows whether that matters.
 */
function journalCoverage(
  gaps: readonly JournalGap[],
  { from, to, timeZone }: Pick<DeliveryDays, 'from' | 'to' | 'timeZone'>,
  by: 'day' | 'record',
): JournalCoverage {
  const day = (time: Date) => platformDay(time.getTime(), timeZone);
  const knownFrom = gaps.find((gap) => gap.from === null)?.to ?? null;
  if (knownFrom === null) return { knownFrom, unknown: gaps, known: 'none' };
  const touching = gaps.filter((gap) => (gap.from === null || day(gap.from) <= to) && day(gap.to) >= from);
  const isWhole = touching.some((gap) => (gap.from === null || day(gap.from) < from) && day(gap.to) > to);
  const isEarlier = (gap: JournalGap) => by === 'record' && gap.from !== null && day(gap.from) < from;
  return {
    knownFrom,
    unknown: gaps.filter((gap) => touching.includes(gap) || isEarlier(gap)),
    known: isWhole ? 'none' : touching.length > 0 ? 'part' : 'all',
  };
}

/** With which id the records of an entity are sent now; null: its area is not configured. */
export function clientIdOf({ areas }: Pick<RunSettings, 'areas'>, entity: EntityName): string | null {
  return areas[entityNamed(entity).area]?.clientId ?? null;
}

const PAGE_SIZE = 2_000;

const HEADS = {
  record: [
    ...['entity', 'key', 'platform_id', 'title', 'parent_entity', 'parent_key', 'parent_name'],
    ...['reported_at', 'reported_at_latest', 'updated_at', 'updates', 'closed_at', 'deleted_at'],
    ...['last_request_at', 'last_request_id', 'outcome', 'client_id', 'note', 'known_from'],
  ],
  day: [
    ...['day', 'time', 'entity', 'key', 'parent_entity', 'parent_key', 'parent_name', 'kind', 'operation'],
    ...['outcome', 'status_code', 'reason', 'request_id', 'platform_id', 'payload_hash', 'run_id'],
    ...['claimed_at', 'answered_at', 'known_from'],
  ],
};

/** By the name of their column; one that is missing is empty. */
type Cells = Readonly<Record<string, string | number | null>>;

const parentCells = (parent: DeliveryParent | null | undefined): Cells => ({
  parent_entity: parent?.entity ?? null,
  parent_key: parent?.key ?? null,
  parent_name: parent?.name ?? null,
});

/** Times are those of the zone. */
function recordCells(record: ReportedRecord, timeZone: string, settings: Pick<RunSettings, 'areas'>): Cells {
  const at = (time: Date | null) => time && platformTimestamp(time.getTime(), timeZone);
  return {
    ...{ entity: record.entity, key: record.key, platform_id: record.platformId, title: record.title },
    ...parentCells(record.parent),
    ...{ reported_at: at(record.reportedAt), reported_at_latest: at(record.reportedAtLatest) },
    ...{ updated_at: at(record.updatedAt), updates: record.updates },
    ...{ closed_at: at(record.closedAt), deleted_at: at(record.deletedAt) },
    ...{ last_request_at: at(record.lastAt), last_request_id: record.lastRequestId },
    ...{ outcome: record.lastOutcome, client_id: clientIdOf(settings, record.entity) },
  };
}

function requestCells(one: Delivery, parent: DeliveryParent | undefined, timeZone: string): Cells {
  return {
    ...dayCells(one.answeredAt, timeZone),
    ...{ entity: one.entity, key: one.key, ...parentCells(parent) },
    ...{ kind: one.kind, operation: one.operation, outcome: one.outcome, status_code: one.statusCode },
    ...{ reason: one.reason, request_id: one.requestId, platform_id: one.platformId },
    ...{ payload_hash: one.payloadHash, run_id: one.runId },
    ...{ claimed_at: one.claimedAt.toISOString(), answered_at: one.answeredAt.toISOString() },
  };
}

function dayCells(time: Date, timeZone: string): Cells {
  const [day = '', clock = ''] = platformTimestamp(time.getTime(), timeZone).split(' ');
  return { day, time: clock };
}

/** A line for what is not known; by day with its end. */
function gapCells(by: 'day' | 'record', { from, to }: JournalGap, sentence: string, timeZone: string): Cells {
  if (by === 'record') return { outcome: 'not-known', note: sentence };
  return {
    ...dayCells(to, timeZone),
    ...{ kind: 'not-known', outcome: 'not-known', reason: sentence },
    ...{ claimed_at: from?.toISOString() ?? '', answered_at: to.toISOString() },
  };
}
