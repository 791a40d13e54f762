import { oneLine } from '../../domain/reply/one-line.js';
import { visibleText } from '../../domain/visible-text.js';
import type { DeliveryParent, Report, ReportCounts } from '../../domain/delivery/report.js';
import { moreText } from './more-text.js';
import { table } from './table.js';
import { cutText } from './wrap-text.js';
import { say, writeOut } from './write.js';

const COUNTS = ['accepted', 'new', 'updated', 'closed', 'deleted', 'rejected', 'failed'];

/** Rows by day and parent that are listed; `--csv` and `--json` have all. */
const LISTED = 200;

/** Longest name of a parent, characters. */
const LONGEST = 40;

/** What was sent between two days, for people. */
export function printReport({ from, to, entities, days }: Report, timeZone: string): void {
  say(`Requests from ${from} to ${to}, by how the platform answered (days in ${timeZone})`);
  writeOut(
    table(
      ['', ...COUNTS],
      Object.entries(entities).map(([name, one]) => [name, ...cells(one)]),
    ),
  );
  const rows = days.flatMap(({ day, rows: ofDay }) =>
    ofDay.map(({ entity, parent, ...one }) => [day, entity, parentText(parent), ...cells(one)]),
  );
  if (rows.length === 0) {
    say('Nothing was sent on these days.');
    return;
  }
  writeOut('');
  writeOut(visibleText(table(['day', 'entity', 'of', ...COUNTS], rows.slice(0, LISTED))));
  if (rows.length > LISTED) say(`${moreText(rows.length - LISTED, 'line')}; --csv and --json have all.`);
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
