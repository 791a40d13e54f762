import { makeReport } from '../../domain/delivery/make-report.js';
import type { Report } from '../../domain/delivery/report.js';
import type { DeliveryDays } from '../../ports/deliveries.js';
import type { State } from '../../ports/state.js';

/** What was sent on these days, from the journal, and what ended by itself; of the rows by day and parent at most `most`. */
export async function readReport(
  { deliveries, records }: Pick<State, 'deliveries' | 'records'>,
  days: DeliveryDays,
  most: number,
): Promise<Report> {
  const found = await deliveries.report(days, most);
  const ids = new Set(found.rows.flatMap(({ parentId }) => parentId ?? []));
  const report = makeReport(days, found, await deliveries.parents([...ids]));
  return { ...report, expired: await records.expired(days) };
}
