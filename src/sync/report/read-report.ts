import { makeReport } from '../../domain/delivery/make-report.js';
import type { Report } from '../../domain/delivery/report.js';
import type { DeliveryDays } from '../../ports/deliveries.js';
import type { State } from '../../ports/state.js';

/** What was sent on these days, from the journal; of the rows by day and parent at most `most`. */
export async function readReport(
  { deliveries }: Pick<State, 'deliveries'>,
  days: DeliveryDays,
  most: number,
): Promise<Report> {
  const found = await deliveries.report(days, most);
  const ids = new Set(found.rows.flatMap(({ parentId }) => parentId ?? []));
  return makeReport(days, found, await deliveries.parents([...ids]));
}
