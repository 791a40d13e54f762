import { oneLine } from '../../domain/reply/one-line.js';
import { visibleText } from '../../domain/visible-text.js';
import type { DeliveryParent, Report, ReportCounts } from '../../domain/delivery/report.js';
import { moreText } from './more-text.js';
import { table } from './table.js';
import { cutText } from './wrap-text.js';
import { say, writeOut } from './write.js';

const COUNTS = ['accepted', 'new', 'updated', 'closed', 'deleted', 'rejected', 'failed'];

/** Longest name of a parent, characters. */
const LONGEST = 40;

/** What was sent between two days, for people. */
export function printReport(
  { from, to, entities, days, leftOut, expired = {} }: Report,
  timeZone: string,
): void {
  say(`Requests from ${from} to ${to}, by how the platform answered (days in ${timeZone})`);
  writeOut(
    table(
      ['', ...COUNTS],
      Object.entries(entities).map(([name, one]) => [name, ...cells(one)]),
    ),
  );
  for (const [name, count] of Object.entries(expired))
    say(
      `${name}: ${count === 1 ? 'one record' : `${count} records`} left your query because the last day was over (expired). Nothing was sent about that.`,
    );
  const rows = days.flatMap(({ day, rows: ofDay }) =>
    ofDay.map(({ entity, parent, ...one }) => [day, entity, parentText(parent), ...cells(one)]),
  );
  if (rows.length === 0) {
    say('Nothing was sent on these days.');
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
