import { uuidsOf } from '../domain/key.js';
import type { EntityName } from '../domain/names.js';
import { ABSENT_HASH } from '../domain/payload.js';
import type { Fence } from '../ports/clock.js';
import { countOf, inBatches, type StateDatabase } from './database/state-database.js';
import { fenceParameters, heldLeaseSql, requireLease } from './lease.js';
import { confirmLater, type EndingEntity, refreshDueSql, takenDownSql } from './status-sql.js';

/**
 * What makes records be sent again although nothing changed: `resync` forgets what was acknowledged, `refresh` does so for
 * records that were sent long ago, and `retry` (`rearm`) gives rejected and deferred records a new try. All go batch by
 * batch, and an open claim ends like an attempt without reply, because its request may still arrive.
 */

interface RetryOptions extends Narrowed {
  /** Only counts them. */
  readonly preview: boolean;
  readonly status: Rearmable;
}

/** What the platform said of a record that it refused. */
export interface Refusal {
  readonly statusCode: number;
  readonly message: string;
}

/**
 * SQL: what the platform deleted is not deleted once more; under a policy that only closes, it would be pending
 * forever, or created again to be closed.
 */
const UNLESS_DELETED = `and (desired_hash is distinct from '${ABSENT_HASH}' or acknowledged_hash is distinct from '${ABSENT_HASH}')`;

/**
 * SQL: the records that a resync of everything includes. Of the vanished only those with something to send, and those
 * that the platform keeps (policy `report`): they are sent again if they return. What the platform took down is sent
 * again only by name.
 */
const TO_RESYNC = `((vanished_at is null or sendable or (desired_hash is null and acknowledged_hash is not null))
  and not ${takenDownSql('sync_state')})`;

/** Records that one statement changes: short transactions, so that a running push never waits. */
const BATCH_SIZE = 5_000;

/**
 * SQL: a payload that was dropped after its acknowledgement. Only a sweep can make it again, from a row that still
 * exists; until then nothing is desired.
 */
const DROPPED = `(s.desired_payload is null and s.desired_hash is distinct from '${ABSENT_HASH}')`;

/** Resend requests by a person, for age, or because a refusal was not about its record. Each ends open claims like an attempt without reply. */
export function createResendRequests(database: StateDatabase) {
  return {
    /** Everything (or these keys) is sent again, links kept; the next sweep reads it again. Gives the number. */
    async resync(entity: EntityName, keys: readonly string[] | null, timeoutMs: number) {
      let requested = 0;
      for (let after: string | null = null; ;) {
        const batch: { key: string; requested: boolean }[] = await database.query(
          `with batch as materialized (
             select key from :schema:.sync_state
             where entity = :entity ${keys ? `and (key = any(:keys) or platform_id = any(cast(:uuids as uuid[]))) ${UNLESS_DELETED}` : `and ${TO_RESYNC}`} ${after === null ? '' : 'and key > :after'}
             order by key limit ${BATCH_SIZE} for update
           )
           update :schema:.sync_state s set
             confirm_at = ${confirmLater('s', ':timeout')},
             desired_at = case when s.settled then now() else s.desired_at end,
             acknowledged_hash = null, claim_token = null, refused_hash = null, attempts = 0, next_attempt_at = null,
             platform_state = null, platform_word = null, platform_state_at = null,
             desired_hash = case when ${DROPPED} then null else s.desired_hash end,
             row_version = ${keys ? 'null' : `case when ${DROPPED} then null else s.row_version end`}
           from batch where s.entity = :entity and s.key = batch.key
           returning s.key, s.desired_hash is not null and s.invalid_reason is null as requested`,
          { entity, keys: keys ?? [], uuids: uuidsOf(keys ?? []), after, timeout: timeoutMs },
        );
        requested += batch.filter((row) => row.requested).length;
        if (batch.length < BATCH_SIZE) return requested;
        after = batch.reduce(
          (last, { key }) => (Buffer.compare(Buffer.from(key), Buffer.from(last)) > 0 ? key : last),
          '',
        );
      }
    },

    /** Records of that status become pending again, with all attempts. Gives their number. */
    retry: (entity: EntityName, { preview, status, ...narrowed }: RetryOptions) =>
      preview
        ? countRearmable(database, entity, status, narrowed)
        : rearm(database, entity, status, narrowed),

    refresh: createRefresh(database),
  };
}

/** `removed`: what the platform took down after it had accepted it; it is in neither of the others. */
type Rearmable = 'rejected' | 'deferred' | 'removed';

interface Narrowed {
  /** Only those last tried within this many milliseconds; null or absent: whenever. */
  readonly sinceMs?: number | null;
  /** Only these, by key or platform id; absent: all. */
  readonly keys?: readonly string[] | undefined;
  /** Only those that the platform refused like this last; absent: all. */
  readonly refusal?: Refusal | undefined;
}

async function countRearmable(
  database: StateDatabase,
  entity: EntityName,
  status: Rearmable,
  narrowed: Narrowed,
): Promise<number> {
  const sql = `select count(*) as count from :schema:.sync_state where ${rearmable(status, narrowed)}`;
  return countOf(database, sql, parametersOf(entity, narrowed));
}

/** SQL: rejected (by the platform, or after its last attempt), deferred, or taken down by the platform. */
const STATUS: Readonly<Record<Rearmable, string>> = {
  rejected: `refused_hash = desired_hash and not ${takenDownSql('sync_state')}`,
  deferred: 'sendable and next_attempt_at > now()',
  removed: takenDownSql('sync_state'),
};

/** SQL for SET: what was accepted of a record that the platform took down no longer counts. */
const FORGOTTEN: Readonly<Record<Rearmable, string>> = {
  rejected: '',
  deferred: '',
  removed: `, acknowledged_hash = null, desired_at = now(),
    platform_state = null, platform_word = null, platform_state_at = null`,
};

function rearmable(status: Rearmable, { sinceMs = null, keys, refusal }: Narrowed): string {
  const since =
    sinceMs === null ? '' : `and attempted_at >= clock_timestamp() - :since * interval '1 millisecond'`;
  const named =
    keys === undefined ? '' : 'and (key = any(:keys) or platform_id = any(cast(:uuids as uuid[])))';
  const so = refusal === undefined ? '' : 'and last_status_code = :statusCode and last_error = :message';
  return `entity = :entity and not settled and invalid_reason is null and ${STATUS[status]} ${since} ${named} ${so}`;
}

function parametersOf(entity: EntityName, { sinceMs = null, keys = [], refusal }: Narrowed) {
  return { entity, since: sinceMs, keys, uuids: uuidsOf(keys), ...refusal };
}

/** Makes such records pending again, batch by batch. Gives their number. */
export async function rearm(
  database: StateDatabase,
  entity: EntityName,
  status: Rearmable = 'rejected',
  narrowed: Narrowed = {},
): Promise<number> {
  return inBatches(BATCH_SIZE, () =>
    countOf(
      database,
      `with batch as materialized (
         select key from :schema:.sync_state where ${rearmable(status, narrowed)} order by key limit ${BATCH_SIZE} for update
       ), rearmed as (
         update :schema:.sync_state s set refused_hash = null, attempts = 0, next_attempt_at = null
           ${FORGOTTEN[status]}
         from batch where s.entity = :entity and s.key = batch.key returning 1
       ) select count(*) as count from rearmed`,
      parametersOf(entity, narrowed),
    ),
  );
}

interface RefreshTimes {
  readonly afterMs: number;
  /** `YYYY-MM-DD` in the platform's zone. */
  readonly today: string;
  readonly timeoutMs: number;
}

/**
 * Synced records that were accepted longer ago than `afterMs` are sent again, spread by key over the second half of
 * that time; not those past their last day, nor closed ones. Gives how many. Errors: SyncError `lease-lost` of the
 * sweep lease.
 */
function createRefresh(database: StateDatabase) {
  return async (fence: Fence, entity: EndingEntity, { afterMs, today, timeoutMs }: RefreshTimes) => {
    const { name, lastDay, statusField, closedStatus } = entity;
    return inBatches(BATCH_SIZE, async () => {
      const count = await countOf(
        database,
        `with batch as materialized (
           select s.key from :schema:.sync_state s
           where ${refreshDueSql(entity)}
             and exists (select 1 from :schema:.lease where ${heldLeaseSql('sweep')})
           order by s.acknowledged_at limit ${BATCH_SIZE} for update skip locked
         ), requested as (
           update :schema:.sync_state s set
             confirm_at = ${confirmLater('s', ':timeout')},
             acknowledged_hash = null, claim_token = null, desired_at = now()
           from batch where s.entity = :entity and s.key = batch.key returning 1
         ) select count(*) as count from requested`,
        {
          ...fenceParameters(fence),
          entity: name,
          after: afterMs,
          today,
          lastDay,
          statusField,
          closedStatus,
          timeout: timeoutMs,
        },
      );
      if (count === 0) await requireLease(database, 'sweep', fence);
      return count;
    });
  };
}
