import { platformDay, platformTimestamp } from '../../contract/time.js';
import { ENGLISH } from '../../dashboard/text/english.js';
import { unknownLines } from '../../dashboard/text/format.js';
import { SyncError, usageError } from '../../domain/errors.js';
import { oneLine } from '../../domain/reply/reply.js';
import {
  type Delivery,
  type DeliveryCounts,
  type DeliveryParent,
  type JournalCoverage,
  type JournalGap,
  type Report,
  type ReportCounts,
  reportDays,
} from '../../domain/report.js';
import { csvLine, plural, visibleText } from '../../domain/text.js';
import type { Deliveries, DeliveryDays, DeliveryPosition } from '../../state/delivery/deliveries.js';
import { journalCoverage, readReport } from '../../sync/read-report.js';
import { commandContext } from '../command-context.js';
import type { Handler } from '../common-options.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { runSettings, withState } from '../compose/open-state.js';
import { systemClock } from '../compose/package-info.js';
import { fittedTable, table } from '../output/table.js';
import { printRecords, writeRecordsCsv, writeRecordsJson } from './report-records.js';
import { cutText, moreText, say, widthOf, writeAndWait, writeJson, writeOut } from '../output/write.js';
import { io } from '../io.js';

/** Rows by day and parent: on a terminal, and in a document that a program reads as a whole. */
const PRINTED_LINES = 200;
const JSON_LINES = 10_000;

interface ReportFlags {
  readonly from?: string;
  readonly to?: string;
  readonly entity: string[];
  readonly records?: boolean;
  readonly company?: string;
  readonly csv?: boolean;
  readonly json?: boolean;
}

export const reportCommand: Handler = async ({ command, signal }) => {
  const {
    entity,
    records = false,
    company,
    csv = false,
    json = false,
    ...asked
  } = command.opts<ReportFlags>();
  if (company !== undefined && !records)
    throw usageError(
      '--company chooses among records, so it needs --records.',
      'Without --records the report counts requests by day and company.',
    );
  const { config } = commandContext(command);
  const { timeZone } = config.settings.platform;
  const entities = configuredEntities(config, entity).map(({ name }) => name);
  const days = reportDays(asked, platformDay(systemClock.now(), timeZone));
  if (days === null) {
    throw usageError(
      'The last day of the report is before the first.',
      'Without --to the report ends today.',
    );
  }
  return withState(config, signal, async (state) => {
    const of = { ...days, timeZone, entities };
    if (records) {
      const text = company?.trim() ?? '';
      const chosen = { ...of, company: text === '' ? null : text };
      const write = csv ? writeRecordsCsv : json ? writeRecordsJson : printRecords;
      await write(state.deliveries, chosen, { settings: runSettings(config), signal });
    } else if (csv) await writeDeliveryCsv(state.deliveries, of, signal);
    else {
      const report = await readReport(state, of, json ? JSON_LINES : PRINTED_LINES);
      if (json) writeJson(reportJson(report));
      else printReport(report, timeZone);
    }
    return 0;
  });
};

const COUNTS = ['accepted', 'new', 'updated', 'closed', 'deleted', 'rejected', 'failed'];

/** Columns before the counts: day, entity and parent. */
const BEFORE_COUNTS = 3;

const LONGEST = 40;

function printReport(
  { from, to, entities, days, leftOut, expired = {}, takenDown = {}, coverage }: Report,
  timeZone: string,
): void {
  say(`Requests from ${from} to ${to}, by how the platform answered (days in ${timeZone})`);
  writeOut(
    table(
      ['', ...COUNTS],
      Object.entries(entities).map(([name, one]) => [name, ...cells(one)]),
    ),
  );
  for (const line of unknownLines(ENGLISH.report, coverage, timeZone)) say(line);
  for (const [name, count] of Object.entries(expired))
    say(
      `${name}: ${plural(count, 'one record', `${count} records`)} left your query because the last day was over (expired). Nothing was sent about that.`,
    );
  for (const [name, count] of Object.entries(takenDown))
    say(
      `${name}: the platform took down ${plural(count, 'one record', `${count} records`)} that it had accepted.`,
    );
  const rows = days.flatMap(({ day, rows: ofDay }) =>
    ofDay.map(({ entity, parent, ...one }) => [day, entity, parentText(parent), ...cells(one)]),
  );
  if (rows.length === 0) {
    say(ENGLISH.report.nothing[coverage.known]);
    return;
  }
  writeOut('');
  // On a terminal without what no line counts: a column of zeros takes the room of names.
  const terminal = widthOf(io().stdout) !== undefined;
  const kept = COUNTS.flatMap((_, column) =>
    !terminal || rows.some((row) => row[column + BEFORE_COUNTS] !== 0) ? column : [],
  );
  const shown = rows.map((row) => [
    ...row.slice(0, BEFORE_COUNTS),
    ...kept.map((column) => row[column + BEFORE_COUNTS] ?? ''),
  ]);
  const head = ['day', 'entity', 'of', ...kept.map((column) => COUNTS[column] ?? '')];
  writeOut(fittedTable(head, shown, [BEFORE_COUNTS - 1]));
  if (leftOut > 0) say(`${moreText(leftOut, 'line')}. Choose fewer days with --from and --to, or use --csv.`);
  say(
    'Accepted is the sum of new, updated, closed and deleted. --csv lists every request with its Request-Id.',
  );
}

function cells({ accepted, created, closed, deleted, rejected, failed }: ReportCounts): number[] {
  return [accepted, created, accepted - created - closed - deleted, closed, deleted, rejected, failed];
}

function parentText(parent: DeliveryParent | null): string {
  if (parent === null) return '-';
  return cutText(visibleText(oneLine([parent.name ?? '', parent.key].join(' '))), LONGEST);
}

const HINT =
  'The counts of days and entities are complete. Choose fewer days with --from and --to, or use --csv for every request.';

/** What `report --json` prints: public interface. */
function reportJson({ from, to, entities, days, leftOut, expired = {}, takenDown = {}, coverage }: Report) {
  const each = (all: Readonly<Record<string, DeliveryCounts>>) =>
    Object.fromEntries(Object.entries(all).map(([name, one]) => [name, counts(one)]));
  return {
    from,
    to,
    entities: each(entities),
    days: days.map(({ day, entities: ofDay, rows }) => ({
      day,
      entities: each(ofDay),
      parents: rows.map(({ entity, parent, ...rest }) => ({ entity, parent, ...counts(rest) })),
    })),
    knownFrom: coverage.knownFrom?.toISOString() ?? null,
    unknown: coverage.unknown.map((gap) => ({
      from: gap.from?.toISOString() ?? null,
      to: gap.to.toISOString(),
    })),
    ...(Object.keys(expired).length > 0 ? { expired } : {}),
    ...(Object.keys(takenDown).length > 0 ? { takenDown } : {}),
    ...(leftOut > 0 ? { leftOut: { parents: leftOut, hint: HINT } } : {}),
  };
}

function counts({ accepted, closed, deleted, rejected, failed }: DeliveryCounts): DeliveryCounts {
  return { accepted, closed, deleted, rejected, failed };
}

const PAGE_SIZE = 5_000;

const HEAD = [
  ...['day', 'time', 'entity', 'key', 'parent_entity', 'parent_key', 'parent_name', 'kind', 'operation'],
  ...['outcome', 'status_code', 'reason', 'request_id', 'platform_id', 'payload_hash', 'run_id'],
  ...['claimed_at', 'answered_at', 'known_from'],
];

/**
 * Every request of these days as CSV on standard output, the oldest first. `known_from` is the time from which the journal
 * has every request. A row of the kind `not-known` stands for what it lacks: a stretch in the middle, and the beginning
 * in a file that has no request, which would else look like days on which nothing was sent. Errors: SyncError `interrupted` when the
 * signal aborts.
 */
async function writeDeliveryCsv(
  deliveries: Pick<Deliveries, 'ofDays' | 'parents' | 'gaps'>,
  days: DeliveryDays,
  signal: AbortSignal,
): Promise<void> {
  // Standard output may be slower than the database; when nobody reads it any more, the rest is not read either.
  const coverage = journalCoverage(await deliveries.gaps(), days);
  const knownFrom = coverage.knownFrom?.toISOString() ?? '';
  let read = await writeAndWait(csvLine(HEAD));
  let isEmpty = true;
  let after: DeliveryPosition | null = null;
  do {
    const page = await deliveries.ofDays(days, { after, limit: PAGE_SIZE });
    const parents = await deliveries.parents([
      ...new Set(page.deliveries.map(({ parentPlatformId, platformId }) => parentPlatformId ?? platformId)),
    ]);
    read = await writeAndWait(
      page.deliveries.map((one) => csvLine([...csvCells(one, parents, days.timeZone), knownFrom])).join(''),
    );
    isEmpty &&= page.deliveries.length === 0;
    after = page.next;
    if (read && after !== null && signal.aborted)
      throw new SyncError('interrupted', 'A signal stopped the report before its end.', { scope: 'run' });
  } while (read && after !== null);
  const lacks = coverage.unknown.filter(({ from }) => isEmpty || from !== null);
  const notes = lacks.map((gap) => csvLine([...noteCells(gap, coverage, days.timeZone), knownFrom]));
  if (read && notes.length > 0) await writeAndWait(notes.join(''));
}

/** A row for what is not known: its end as day and time, and the sentence as the reason. */
function noteCells(
  gap: JournalGap,
  coverage: JournalCoverage,
  timeZone: string,
): readonly (string | number | null)[] {
  const [day = '', time = ''] = platformTimestamp(gap.to.getTime(), timeZone).split(' ');
  const [reason = ''] = unknownLines(ENGLISH.report, { ...coverage, unknown: [gap] }, timeZone);
  const filled = new Map<string, string>([
    ['day', day],
    ['time', time],
    ['kind', 'not-known'],
    ['outcome', 'not-known'],
    ['reason', reason],
    ['claimed_at', gap.from?.toISOString() ?? ''],
    ['answered_at', gap.to.toISOString()],
  ]);
  return HEAD.slice(0, -1).map((name) => filled.get(name) ?? null);
}

function csvCells(
  delivery: Delivery,
  parents: ReadonlyMap<string, DeliveryParent>,
  timeZone: string,
): readonly (string | number | null)[] {
  const [day = '', time = ''] = platformTimestamp(delivery.answeredAt.getTime(), timeZone).split(' ');
  const parent = parents.get(delivery.parentPlatformId ?? delivery.platformId);
  return [
    ...[day, time, delivery.entity, delivery.key],
    ...[parent?.entity ?? null, parent?.key ?? null, parent?.name ?? null],
    ...[delivery.kind, delivery.operation, delivery.outcome, delivery.statusCode, delivery.reason],
    ...[delivery.requestId, delivery.platformId, delivery.payloadHash, delivery.runId],
    ...[delivery.claimedAt.toISOString(), delivery.answeredAt.toISOString()],
  ];
}
