import type { EntityName } from '../../domain/names.js';
import type { RecordReasons } from '../../domain/reason.js';
import type { StatusCounts } from '../../ports/records.js';
import type { State } from '../../ports/state.js';

/** How many reasons are shown, and how many records that wait for a parent. */
const REASONS = 10;
const BLOCKED = 3;

/** Why records of an entity need your action. Reads only the statuses that have records. */
export async function readReasons(
  { records, recordLists }: Pick<State, 'records' | 'recordLists'>,
  entity: EntityName,
  { rejected, invalid, blocked }: StatusCounts,
  limit = REASONS,
): Promise<RecordReasons> {
  return {
    rejected: rejected === 0 ? [] : await recordLists.rejectedReasons(entity, limit),
    invalid:
      invalid === 0
        ? { codes: [], others: [], onlyCodes: 0 }
        : await recordLists.invalidReasons(entity, limit),
    blocked: blocked === 0 ? [] : await records.blocked(entity, BLOCKED),
    waiting: blocked === 0 ? [] : await recordLists.waitingReasons(entity),
  };
}
