import type { EntityName } from '../../domain/names.js';
import type { EntityReport, PushCounters } from '../../domain/outcome.js';
import { emptyReport } from '../../entities/index.js';

const COUNTERS = ['sent', 'accepted', 'rejected', 'deferred'] as const;

/** The reports with what was pushed added; `balanced` stays so, because each push is. Pure. */
export function addPushed(
  reports: Readonly<Record<EntityName, EntityReport>>,
  pushed: Readonly<Record<EntityName, PushCounters>>,
): Record<EntityName, EntityReport> {
  const added = Object.entries(pushed).map(([name, counters]) => {
    const report = reports[name] ?? emptyReport(name);
    const sums = COUNTERS.map((counter) => [counter, report[counter] + counters[counter]] as const);
    return [name, { ...report, ...Object.fromEntries(sums) }] as const;
  });
  return { ...reports, ...Object.fromEntries(added) };
}
