import { makeReport } from '../../domain/delivery/make-report.js';
import type { Report } from '../../domain/delivery/report.js';
import type { DeliveryDays } from '../../ports/deliveries.js';
import type { State } from '../../ports/state.js';

/** What was sent on these days, by day and parent, from the journal. */
export async function readReport(
  { deliveries }: Pick<State, 'deliveries'>,
  days: DeliveryDays,
): Promise<Report> {
  const rows = await deliveries.report(days);
  const ids = new Set(rows.flatMap(({ parentId }) => parentId ?? []));
  return makeReport(days, rows, await deliveries.parents([...ids]));
}
