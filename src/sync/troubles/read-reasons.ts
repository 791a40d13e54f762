import type { EntityName } from '../../domain/entity-name.js';
import type { RecordReasons } from '../../domain/trouble/reason.js';
import type { StatusCounts } from '../../ports/records.js';
import type { State } from '../../ports/state.js';

/** How many reasons are shown, and how many records that wait for a parent. */
const REASONS = 5;
const BLOCKED = 3;

/** Why records of an entity need your action. Reads only the statuses that have records. */
export async function readReasons(
  { records, recordLists }: Pick<State, 'records' | 'recordLists'>,
  entity: EntityName,
  { rejected, invalid, blocked }: StatusCounts,
): Promise<RecordReasons> {
  return {
    rejected: rejected === 0 ? [] : await recordLists.rejectedReasons(entity, REASONS),
    invalid:
      invalid === 0
        ? { codes: [], others: [], onlyCodes: 0 }
        : await recordLists.invalidReasons(entity, REASONS),
    blocked: blocked === 0 ? [] : await records.blocked(entity, BLOCKED),
  };
}
