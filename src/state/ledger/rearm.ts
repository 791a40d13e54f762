import type { EntityName } from '../../domain/names.js';
import { uuidsOf } from '../../domain/key.js';
import type { StateDatabase } from '../database/state-database.js';

/** Records in one statement: short transactions, so that a running push never waits. */
const BATCH_SIZE = 5_000;

type Rearmable = 'rejected' | 'deferred';

/** SQL: rejected (by the platform, or after its last attempt), or deferred. */
const STATUS: Readonly<Record<Rearmable, string>> = {
  rejected: 'refused_hash = desired_hash',
  deferred: 'sendable and next_attempt_at > now()',
};

/** Which of them. */
interface Narrowed {
  /** Last tried within this many milliseconds. */
  readonly sinceMs?: number | null;
  /** By key or platform id. */
  readonly keys?: readonly string[] | undefined;
}

function rearmable(status: Rearmable, { sinceMs = null, keys }: Narrowed): string {
  const since =
    sinceMs === null ? '' : `and attempted_at >= clock_timestamp() - :since * interval '1 millisecond'`;
  const named =
    keys === undefined ? '' : 'and (key = any(:keys) or platform_id = any(cast(:uuids as uuid[])))';
  return `entity = :entity and not settled and invalid_reason is null and ${STATUS[status]} ${since} ${named}`;
}

function parametersOf(entity: EntityName, { sinceMs = null, keys = [] }: Narrowed) {
  return { entity, since: sinceMs, keys, uuids: uuidsOf(keys) };
}

/** Makes such records pending again, batch by batch. Gives their number. */
export async function rearm(
  database: StateDatabase,
  entity: EntityName,
  status: Rearmable = 'rejected',
  narrowed: Narrowed = {},
): Promise<number> {
  for (let rearmed = 0; ;) {
    const [batch] = await database.query<{ count: number }>(
      `with batch as materialized (
         select key from :schema:.sync_state where ${rearmable(status, narrowed)} order by key limit ${BATCH_SIZE} for update
       ), rearmed as (
         update :schema:.sync_state s set refused_hash = null, attempts = 0, next_attempt_at = null
         from batch where s.entity = :entity and s.key = batch.key returning 1
       ) select cast(count(*) as integer) as count from rearmed`,
      parametersOf(entity, narrowed),
    );
    const count = batch?.count ?? 0;
    rearmed += count;
    if (count < BATCH_SIZE) return rearmed;
  }
}

/** The number of such records. */
export async function countRearmable(
  database: StateDatabase,
  entity: EntityName,
  status: Rearmable,
  narrowed: Narrowed,
): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select cast(count(*) as integer) as count from :schema:.sync_state where ${rearmable(status, narrowed)}`,
    parametersOf(entity, narrowed),
  );
  return row?.count ?? 0;
}
