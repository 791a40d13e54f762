import { platformDay, platformTimestamp } from '../contract/time.js';
import type { EntityName } from '../domain/names.js';
import { type ReportedRecord, reportedRecord } from '../domain/record-report.js';
import { type JournalCoverage, type JournalGap, makeReport, type Report } from '../domain/report.js';
import { csvLine } from '../domain/text.js';
import { entity as entityNamed } from '../entities/index.js';
import type { Deliveries, DeliveryDays, DeliveryPosition } from '../state/delivery/deliveries.js';
import type { State } from '../state/create-state.js';
import type { RunSettings } from './run-context.js';

/**
 * Reads the report from the journal: the counts of some days (`readReport`), or one line for each record, page by page
 * (`readRecords`), as a CSV file too (`recordsCsv`); and what the journal can say about these days (`journalCoverage`).
 */

/**
 * What was sent on these days, from the journal, and what ended by itself; of the rows by day and parent at most
 * `most`.
 */
export async function readReport(
  { deliveries, records }: Pick<State, 'deliveries' | 'records'>,
  days: DeliveryDays,
  most: number,
): Promise<Report> {
  const found = await deliveries.report(days, most);
  const ids = new Set(found.rows.flatMap(({ parentId }) => parentId ?? []));
  const report = makeReport(days, found, await deliveries.parents([...ids]));
  return {
    ...report,
    expired: await records.expired(days),
    takenDown: await deliveries.takenDown(days),
    coverage: journalCoverage(await deliveries.gaps(), days),
  };
}

/**
 * What the journal can say about these days. A day with a gap in it is known in part; a report of a period that lies
 * within one gap must not say that nothing was sent. Without the row of the beginning nothing is known.
 */
export function journalCoverage(
  gaps: readonly JournalGap[],
  { from, to, timeZone }: Pick<DeliveryDays, 'from' | 'to' | 'timeZone'>,
): JournalCoverage {
  const day = (time: Date) => platformDay(time.getTime(), timeZone);
  const knownFrom = gaps.find((gap) => gap.from === null)?.to ?? null;
  if (knownFrom === null) return { knownFrom, unknown: gaps, known: 'none' };
  const unknown = gaps.filter((gap) => (gap.from === null || day(gap.from) <= to) && day(gap.to) >= from);
  const isWhole = unknown.some((gap) => (gap.from === null || day(gap.from) < from) && day(gap.to) > to);
  return { knownFrom, unknown, known: isWhole ? 'none' : unknown.length > 0 ? 'part' : 'all' };
}

/** Which records a report has: those with requests on these days. */
export interface RecordDays extends DeliveryDays {
  /** Part of the name or key of their company or institution, whatever its case; null: all. */
  readonly company: string | null;
}

/**
 * What the journal can say about the lines of such a report: of the days as `journalCoverage`, and what is incomplete before
 * them, because a line says what became of its record earlier. Of the time before the journal began each line shows whether
 * that matters.
 */
export function recordCoverage(
  gaps: readonly JournalGap[],
  days: Pick<DeliveryDays, 'from' | 'to' | 'timeZone'>,
): JournalCoverage {
  const coverage = journalCoverage(gaps, days);
  if (coverage.knownFrom === null) return coverage;
  const isEarlier = ({ from }: JournalGap) =>
    from !== null && platformDay(from.getTime(), days.timeZone) < days.from;
  return {
    ...coverage,
    unknown: gaps.filter((gap) => coverage.unknown.includes(gap) || isEarlier(gap)),
  };
}

/** A part of a report by record. */
export interface RecordsPage {
  readonly records: readonly ReportedRecord[];
  /** Where the next part begins; null: there is none. */
  readonly next: DeliveryPosition | null;
}

/** Reads a report by record, part after part; the companies are looked up once. */
export function readRecords(
  deliveries: Pick<Deliveries, 'records' | 'parentsOf'>,
  { company, ...days }: RecordDays,
): (options: Parameters<Deliveries['ofDays']>[1]) => Promise<RecordsPage> {
  let companies: Promise<readonly string[]> | null | undefined;
  return async (options) => {
    companies ??= company === null ? null : deliveries.parentsOf(days, company);
    const { histories, next } = await deliveries.records(days, { ...options, companies: await companies });
    return { records: histories.map((history) => reportedRecord(history)), next };
  };
}

/** With which id the records of an entity are sent now; null: its area is not configured. */
export function clientIdOf({ areas }: Pick<RunSettings, 'areas'>, entity: EntityName): string | null {
  return areas[entityNamed(entity).area]?.clientId ?? null;
}

const PAGE_SIZE = 2_000;

const HEAD = [
  ...['entity', 'key', 'platform_id', 'title', 'parent_entity', 'parent_key', 'parent_name'],
  ...['reported_at', 'reported_at_latest', 'updated_at', 'updates', 'closed_at', 'deleted_at'],
  ...['last_request_at', 'last_request_id', 'outcome', 'client_id', 'note', 'known_from'],
];

/** What the lines of a CSV file need beside the journal. */
interface CsvWords {
  readonly settings: Pick<RunSettings, 'areas'>;
  /** What the journal lacks, as a sentence. */
  readonly sentence: (gap: JournalGap, coverage: JournalCoverage) => string;
}

/**
 * A report by record as a CSV file, in parts: a line for each record. Times are those of the zone. `known_from` is the time
 * from which the journal has every request. At the end, a line whose outcome is `not-known` stands for what it lacks, with
 * a sentence as its note: a stretch in the middle, and the beginning in a file that has no record.
 */
export async function* recordsCsv(
  deliveries: Pick<Deliveries, 'records' | 'parentsOf' | 'gaps'>,
  days: RecordDays,
  { settings, sentence }: CsvWords,
): AsyncGenerator<string, void, undefined> {
  const coverage = recordCoverage(await deliveries.gaps(), days);
  const knownFrom = coverage.knownFrom?.toISOString() ?? '';
  const read = readRecords(deliveries, days);
  yield csvLine(HEAD);
  let isEmpty = true;
  let after: DeliveryPosition | null = null;
  do {
    const page: RecordsPage = await read({ after, limit: PAGE_SIZE });
    const lines = page.records.map((record) => {
      const cells = recordCells(record, days.timeZone);
      return csvLine([...cells, clientIdOf(settings, record.entity), null, knownFrom]);
    });
    if (lines.length > 0) yield lines.join('');
    isEmpty &&= lines.length === 0;
    after = page.next;
  } while (after !== null);
  for (const gap of coverage.unknown.filter(({ from }) => isEmpty || from !== null)) {
    const filled: Readonly<Record<string, string>> = {
      outcome: 'not-known',
      note: sentence(gap, coverage),
      known_from: knownFrom,
    };
    yield csvLine(HEAD.map((name) => filled[name] ?? null));
  }
}

function recordCells(record: ReportedRecord, timeZone: string): readonly (string | number | null)[] {
  const { parent } = record;
  const at = (time: Date | null) => time && platformTimestamp(time.getTime(), timeZone);
  return [
    ...[record.entity, record.key, record.platformId, record.title],
    ...[parent?.entity ?? null, parent?.key ?? null, parent?.name ?? null],
    ...[at(record.reportedAt), at(record.reportedAtLatest), at(record.updatedAt), record.updates],
    ...[at(record.closedAt), at(record.deletedAt)],
    ...[at(record.lastAt), record.lastRequestId, record.lastOutcome],
  ];
}
