import type { EntityName } from '../../domain/names.js';
import type { EntityReport } from '../../domain/outcome.js';
import { isUnread } from '../../domain/trouble/find-troubles.js';
import type { TroubleFacts } from '../../domain/trouble/trouble.js';
import { countCell } from './count-cell.js';
import { table } from './table.js';

const OF_SWEEP = ['read', 'unchanged', 'new', 'changed', 'vanished', 'invalid'] as const;
const OF_PUSH = ['sent', 'accepted', 'rejected'] as const;
/** Everything that is not at the platform yet, whichever run found or deferred it. */
const LEFT = ['deferred', 'waiting', 'pending'] as const;

/**
 * What a run did, one row for each entity. An entity that was not read shows that instead of zeros; a run that read
 * nothing has no such columns. What is left comes from the ledger, or from the report if that could not be read.
 */
export function runTable(
  reports: Readonly<Record<EntityName, EntityReport>>,
  read: ReadonlySet<EntityName>,
  facts: Pick<TroubleFacts, 'entities'>,
): string {
  const sweeps = read.size > 0 || Object.values(reports).some(({ error }) => isUnread(error));
  const rows = Object.entries(reports).map(([name, report]) => {
    const left = facts.entities.find((one) => one.name === name)?.counts ?? report;
    return [
      name,
      ...(sweeps
        ? read.has(name)
          ? OF_SWEEP.map((column) => countCell(column, report[column]))
          : NOT_READ
        : []),
      ...OF_PUSH.map((column) => countCell(column, report[column])),
      ...LEFT.map((column) => countCell(column, left[column])),
    ];
  });
  return table(['', ...(sweeps ? OF_SWEEP : []), ...OF_PUSH, ...LEFT], rows);
}

const NOT_READ = OF_SWEEP.map((_, index) => (index === 0 ? 'not read' : '-'));
