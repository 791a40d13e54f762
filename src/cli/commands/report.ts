import { platformDay } from '../../core/contract/time.js';
import { ENGLISH } from '../../dashboard/text/english.js';
import { gapSentence, unknownLines } from '../../dashboard/text/format.js';
import { SyncError, usageError } from '../../core/domain/errors.js';
import type { EntityName } from '../../core/domain/names.js';
import type { ReportedRecord } from '../../features/report/record-report.js';
import { oneLine } from '../../core/domain/reply/reply.js';
import {
  countedAs,
  type DeliveryParent,
  type JournalCoverage,
  type Report,
  type ReportCounts,
  reportDays,
} from '../../features/report/report.js';
import { plural, visibleText } from '../../core/domain/text.js';
import { entity as entityNamed } from '../../core/entities/index.js';
import type { DeliveryPosition } from '../../features/report/deliveries.js';
import {
  clientIdOf,
  openReport,
  type RecordsPage,
  type ReportReader,
} from '../../features/report/read-report.js';
import type { RunSettings } from '../../core/context.js';
import { commandContext } from '../command-context.js';
import type { Handler } from '../common-options.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { runSettings, withState } from '../compose/open-state.js';
import { systemClock } from '../compose/package-info.js';
import { type Cell, fittedTable, statusColour, table } from '../output/table.js';
import { cutText, moreText, say, widthOf, writeAndWait, writeJson, writeOut } from '../output/write.js';
import { io } from '../io.js';

/** Rows by day and parent, or records: on a terminal, and rows in a document that a program reads as a whole. */
const PRINTED = 200;
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
  const text = company?.trim() ?? '';
  const chosen = { ...days, timeZone, entities, company: text === '' ? null : text };
  return withState(config, signal, async (state) => {
    const report = openReport(state.deliveries, chosen);
    const settings = runSettings(config);
    if (csv) {
      const words = { settings, sentence: gapSentence(timeZone) };
      for await (const part of report.csv(records ? 'record' : 'day', words)) {
        // When nobody reads it any more, the rest is not read either.
        if (!(await writeAndWait(part))) break;
        refuseAfter(signal);
      }
    } else if (records)
      await (json ? writeRecordsJson(report, settings, signal) : printRecords(report, settings));
    else if (json) writeJson(reportJson(await report.byDay(JSON_LINES)));
    else printReport(await report.byDay(PRINTED), timeZone);
    return 0;
  });
};

function refuseAfter(signal: AbortSignal): void {
  if (signal.aborted)
    throw new SyncError('interrupted', 'A signal stopped the report before its end.', { scope: 'run' });
}

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
      Object.entries(entities).map(([name, one]) => [name, ...countedAs(one)]),
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
    ofDay.map(({ entity, parent, ...one }) => [day, entity, parentText(parent), ...countedAs(one)]),
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

function parentText(parent: DeliveryParent | null): string {
  if (parent === null) return '-';
  return cutText(visibleText(oneLine([parent.name ?? '', parent.key].join(' '))), LONGEST);
}

const HINT =
  'The counts of days and entities are complete. Choose fewer days with --from and --to, or use --csv for every request.';

/** What `report --json` prints: public interface. */
function reportJson({ from, to, entities, days, leftOut, expired = {}, takenDown = {}, coverage }: Report) {
  const each = (all: Readonly<Record<string, ReportCounts>>) =>
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
    ...coverageJson(coverage),
    ...(Object.keys(expired).length > 0 ? { expired } : {}),
    ...(Object.keys(takenDown).length > 0 ? { takenDown } : {}),
    ...(leftOut > 0 ? { leftOut: { parents: leftOut, hint: HINT } } : {}),
  };
}

function counts({ created: _, ...attempts }: ReportCounts): Omit<ReportCounts, 'created'> {
  return attempts;
}

function coverageJson({ knownFrom, unknown }: JournalCoverage) {
  return {
    knownFrom: knownFrom?.toISOString() ?? null,
    unknown: unknown.map(({ from, to }) => ({ from: from?.toISOString() ?? null, to: to.toISOString() })),
  };
}

async function printRecords(report: ReportReader, settings: RunSettings): Promise<void> {
  const { from, to, timeZone, company, entities } = report.days;
  const of = company === null ? '' : ` of companies and institutions with "${company}"`;
  say(`Records sent from ${from} to ${to}${of}: when they were reported and closed (days in ${timeZone})`);
  for (const line of platformLines(settings, entities)) say(line);
  const coverage = await report.coverage('record');
  for (const line of unknownLines(ENGLISH.report, coverage, timeZone)) say(line);
  const { records, next } = await report.byRecord({ after: null, limit: PRINTED });
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

const PAGE_SIZE = 2_000;

/** One JSON object, written in parts with a line for each record: public interface. */
async function writeRecordsJson(
  report: ReportReader,
  settings: RunSettings,
  signal: AbortSignal,
): Promise<void> {
  const { from, to, company } = report.days;
  const head = JSON.stringify({ from, to, company, ...coverageJson(await report.coverage('record')) });
  let reading = await writeAndWait(`${visibleText(head).slice(0, -1)},\n"records": [`);
  let between = '\n';
  for (let after: DeliveryPosition | null = null; reading;) {
    const page: RecordsPage = await report.byRecord({ after, limit: PAGE_SIZE });
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
  settings: RunSettings,
) {
  return {
    ...record,
    lastRequestAt: lastAt,
    lastRequestId,
    outcome: lastOutcome,
    clientId: clientIdOf(settings, record.entity),
  };
}
