import { platformTimestamp } from '../../contract/time.js';
import { oneLine } from '../../domain/reply/reply.js';
import { visibleText } from '../../domain/text.js';
import type { DeliveryParent, JournalCoverage, Report, ReportCounts } from '../../domain/report.js';
import { moreText } from './more-text.js';
import { table } from './table.js';
import { cutText } from './wrap-text.js';
import { say, writeOut } from './write.js';

const COUNTS = ['accepted', 'new', 'updated', 'closed', 'deleted', 'rejected', 'failed'];

/** Longest name of a parent, characters. */
const LONGEST = 40;

/** What a report without a line says, by how much of its days the journal knows. */
const NOTHING: Readonly<Record<JournalCoverage['known'], string>> = {
  all: 'Nothing was sent on these days.',
  part: 'Of the part of these days that the journal knows: nothing was sent.',
  none: 'The journal does not know these days, so it cannot say whether something was sent.',
};

/** Of which parts of its days the report knows nothing, as sentences. Pure. */
export function unknownLines({ knownFrom, unknown }: JournalCoverage, timeZone: string): readonly string[] {
  if (knownFrom === null) return ['The journal does not know when it began, so nothing here is complete.'];
  const at = (time: Date) => platformTimestamp(time.getTime(), timeZone);
  return unknown.map(({ from, to }) =>
    from === null
      ? `The journal begins ${at(to)}. Nothing is known of the time before.`
      : `From ${at(from)} to ${at(to)} the journal is incomplete: the state database went back in time.`,
  );
}

/** What was sent between two days, for people. */
export function printReport(
  { from, to, entities, days, leftOut, expired = {}, coverage }: Report,
  timeZone: string,
): void {
  say(`Requests from ${from} to ${to}, by how the platform answered (days in ${timeZone})`);
  writeOut(
    table(
      ['', ...COUNTS],
      Object.entries(entities).map(([name, one]) => [name, ...cells(one)]),
    ),
  );
  for (const line of unknownLines(coverage, timeZone)) say(line);
  for (const [name, count] of Object.entries(expired))
    say(
      `${name}: ${count === 1 ? 'one record' : `${count} records`} left your query because the last day was over (expired). Nothing was sent about that.`,
    );
  const rows = days.flatMap(({ day, rows: ofDay }) =>
    ofDay.map(({ entity, parent, ...one }) => [day, entity, parentText(parent), ...cells(one)]),
  );
  if (rows.length === 0) {
    say(NOTHING[coverage.known]);
    return;
  }
  writeOut('');
  writeOut(visibleText(table(['day', 'entity', 'of', ...COUNTS], rows)));
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
  return cutText(oneLine([parent.name ?? '', parent.key].join(' ')), LONGEST);
}
