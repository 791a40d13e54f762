import { platformDay } from '../contract/time.js';
import { type JournalCoverage, type JournalGap, makeReport, type Report } from '../domain/report.js';
import type { DeliveryDays } from '../ports/queue.js';
import type { State } from '../ports/state.js';

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
