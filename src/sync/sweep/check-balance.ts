import type { EntityName } from '../../domain/entity-name.js';
import { SyncError } from '../../domain/errors.js';
import type { SweepCounters } from '../../domain/outcome.js';

/** Every row that the source counted must be accounted for: read = unchanged + new + changed + invalid (+ foreign). */
export function checkBalance(entity: EntityName, counters: SweepCounters): void {
  const { read, unchanged, changed, invalid, foreign = 0 } = counters;
  const accounted = unchanged + counters.new + changed + invalid + foreign;
  if (read === accounted) return;
  throw new SyncError(
    'unbalanced',
    `The sweep of ${entity} does not balance: ${read} rows read, ${accounted} accounted for.`,
    {
      scope: 'entity',
      hint: 'Does the query give another result each time it is run (now(), random(), LIMIT without ORDER BY)? Nothing was applied.',
      details: { read, unchanged, new: counters.new, changed, invalid, foreign },
    },
  );
}
