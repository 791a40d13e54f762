import { platformDay } from '../../contract/time.js';
import { ENGLISH } from '../../dashboard/text/english.js';
import { unknownLines } from '../../dashboard/text/format.js';
import { SyncError } from '../../domain/errors.js';
import type { EntityName } from '../../domain/names.js';
import type { ReportedRecord } from '../../domain/record-report.js';
import { oneLine } from '../../domain/reply/reply.js';
import { visibleText } from '../../domain/text.js';
import { entity as entityNamed } from '../../entities/index.js';
import type { Deliveries, DeliveryPosition } from '../../state/delivery/deliveries.js';
import {
  clientIdOf,
  readRecords,
  recordCoverage,
  type RecordDays,
  recordsCsv,
  type RecordsPage,
} from '../../sync/read-report.js';
import type { RunSettings } from '../../sync/run-context.js';
import { type Cell, fittedTable, statusColour } from '../output/table.js';
import { say, writeAndWait, writeOut } from '../output/write.js';

/**
 * `report --records`: one line for each record. On a terminal the first ones as a table that fits it (`printRecords`); all of
 * them, page by page, as CSV and as JSON.
 */

type Journal = Pick<Deliveries, 'records' | 'parentsOf' | 'gaps'>;

interface RecordsOptions {
  readonly settings: Pick<RunSettings, 'areas'>;
  readonly signal: AbortSignal;
}

const PRINTED = 200;

export async function printRecords(
  deliveries: Journal,
  days: RecordDays,
  { settings }: RecordsOptions,
): Promise<void> {
  const { from, to, timeZone, company, entities } = days;
  const of = company === null ? '' : ` of companies and institutions with "${company}"`;
  say(`Records sent from ${from} to ${to}${of}: when they were reported and closed (days in ${timeZone})`);
  for (const line of platformLines(settings, entities)) say(line);
  const coverage = recordCoverage(await deliveries.gaps(), days);
  for (const line of unknownLines(ENGLISH.report, coverage, timeZone)) say(line);
  const { records, next } = await readRecords(deliveries, days)({ after: null, limit: PRINTED });
  if (records.length === 0) {
    say(company === null ? ENGLISH.report.nothing[coverage.known] : ENGLISH.report.noneOfCompany);
    return;
  }
  for (const name of entities) {
    const own = records.filter(({ entity }) => entity === name);
    if (own.length === 0) continue;
    writeOut('');
    say(name, { part: name, colour: 'bold' });
    writeOut(recordTable(own, timeZone));
  }
  writeOut('');
  if (next !== null) say('There are more. Choose with --from, --to, --entity or --company, or use --csv.');
  if (records.some(({ reportedAtLatest }) => reportedAtLatest !== null))
    say('by: the platform had accepted it by that day; the journal does not know since when.');
  say('--csv lists all with times, numbers of updates, platform ids and the last Request-Ids.');
}

/** With which client id the records are sent, for each platform that they belong to. */
function platformLines(
  { areas }: Pick<RunSettings, 'areas'>,
  entities: readonly EntityName[],
): readonly string[] {
  const own = new Set(entities.map((name) => entityNamed(name).area));
  return Object.entries(areas).flatMap(([area, { baseUrl, clientId }]) =>
    [...own].some((one) => one === area) ? [`Platform ${baseUrl}, client id ${clientId}`] : [],
  );
}

/** A column that no record fills is left out, and so is the outcome where everything was accepted. */
function recordTable(records: readonly ReportedRecord[], timeZone: string): string {
  const day = (time: Date | null) => (time === null ? '' : platformDay(time.getTime(), timeZone));
  const line = (text: string | null) => visibleText(oneLine(text ?? ''));
  const columns: readonly (readonly [name: string, cell: (record: ReportedRecord) => Cell])[] = [
    ['key', ({ key }) => line(key)],
    ['title', ({ title }) => line(title)],
    [
      'company',
      ({ entity, parent }) => (parent?.entity === entity ? '' : line(parent?.name ?? parent?.key ?? '')),
    ],
    [
      'reported',
      ({ reportedAt, reportedAtLatest }) =>
        reportedAtLatest === null ? day(reportedAt) : `by ${day(reportedAtLatest)}`,
    ],
    ['updated', ({ updatedAt }) => day(updatedAt)],
    ['closed', ({ closedAt }) => day(closedAt)],
    ['deleted', ({ deletedAt }) => day(deletedAt)],
    [
      'last',
      ({ lastOutcome }) =>
        lastOutcome === 'accepted' ? '' : { text: lastOutcome, colour: statusColour(lastOutcome) },
    ],
  ];
  const filled = columns.filter(
    ([name, cell]) => ['key', 'reported', 'closed'].includes(name) || records.some((one) => cell(one) !== ''),
  );
  const cut = ['title', 'company'].map((name) => filled.findIndex(([column]) => column === name));
  return fittedTable(
    filled.map(([name]) => name),
    records.map((record) => filled.map(([, cell]) => cell(record))),
    cut.filter((column) => column >= 0),
  );
}

export async function writeRecordsCsv(
  deliveries: Journal,
  days: RecordDays,
  { settings, signal }: RecordsOptions,
): Promise<void> {
  const sentence: Parameters<typeof recordsCsv>[2]['sentence'] = (gap, coverage) =>
    unknownLines(ENGLISH.report, { ...coverage, unknown: [gap] }, days.timeZone)[0] ?? '';
  for await (const part of recordsCsv(deliveries, days, { settings, sentence })) {
    if (!(await writeAndWait(part))) return;
    refuseAfter(signal);
  }
}

const PAGE_SIZE = 2_000;

/** One JSON object, written in parts with a line for each record: public interface. */
export async function writeRecordsJson(
  deliveries: Journal,
  days: RecordDays,
  { settings, signal }: RecordsOptions,
): Promise<void> {
  const { from, to, company } = days;
  const { knownFrom, unknown } = recordCoverage(await deliveries.gaps(), days);
  const head = JSON.stringify({
    ...{ from, to, company },
    knownFrom: knownFrom?.toISOString() ?? null,
    unknown: unknown.map((gap) => ({ from: gap.from?.toISOString() ?? null, to: gap.to.toISOString() })),
  });
  let reading = await writeAndWait(`${visibleText(head).slice(0, -1)},\n"records": [`);
  const read = readRecords(deliveries, days);
  let between = '\n';
  for (let after: DeliveryPosition | null = null; reading;) {
    const page: RecordsPage = await read({ after, limit: PAGE_SIZE });
    const lines = page.records.map((record) => visibleText(JSON.stringify(recordJson(record, settings))));
    if (lines.length > 0) reading = await writeAndWait(between + lines.join(',\n'));
    if (lines.length > 0) between = ',\n';
    after = page.next;
    if (after === null) break;
    refuseAfter(signal);
  }
  if (reading) await writeAndWait('\n]}\n');
}

function recordJson(
  { lastAt, lastRequestId, lastOutcome, ...record }: ReportedRecord,
  settings: RecordsOptions['settings'],
) {
  return {
    ...record,
    lastRequestAt: lastAt,
    lastRequestId,
    outcome: lastOutcome,
    clientId: clientIdOf(settings, record.entity),
  };
}

function refuseAfter(signal: AbortSignal): void {
  if (signal.aborted)
    throw new SyncError('interrupted', 'A signal stopped the report before its end.', { scope: 'run' });
}
