import type { Marks } from '../../ports/marks.js';
import { confirmLater } from './confirm-later.js';
import { fenceParameters, heldLeaseSql } from '../lease/held-lease-sql.js';
import { requireLease } from '../lease/require-lease.js';
import type { StateDatabase } from '../database/state-database.js';

/** Records in one statement. */
const BATCH_SIZE = 5_000;

/**
 * SQL: when a record becomes due again, as a share of the period: between half of it and all of it, the same for ever
 * for one key, so that what was loaded together is not sent again together.
 */
const SHARE = '(0.5 + (hashtextextended(s.key, 0) & 65535) / 131072.0)';

/** Marks what is older than it may become, batch by batch. Gives how many records. */
export function createRefresh(database: StateDatabase): Marks['refresh'] {
  return async (fence, entity, { afterMs, today, lastDay, statusField, closedStatus, timeoutMs }) => {
    const open = [
      lastDay === null ? '' : 'and coalesce(s.desired_payload ->> :lastDay, :today) >= :today',
      statusField === null ? '' : 'and s.desired_payload ->> :statusField is distinct from :closedStatus',
    ].join(' ');
    for (let marked = 0; ;) {
      const [batch] = await database.query<{ count: number }>(
        `with batch as materialized (
           select s.key from :schema:.sync_state s
           where s.entity = :entity and s.settled
             and s.acknowledged_at < now() - 0.5 * :after * interval '1 millisecond'
             and s.acknowledged_at < now() - ${SHARE} * :after * interval '1 millisecond' ${open}
             and exists (select 1 from :schema:.lease where ${heldLeaseSql('sweep')})
           order by s.acknowledged_at limit ${BATCH_SIZE} for update skip locked
         ), marked as (
           update :schema:.sync_state s set
             confirm_at = ${confirmLater('s', ':timeout')},
             acknowledged_hash = null, claim_token = null, desired_at = now()
           from batch where s.entity = :entity and s.key = batch.key returning 1
         ) select cast(count(*) as integer) as count from marked`,
        {
          ...fenceParameters(fence),
          entity,
          after: afterMs,
          today,
          lastDay,
          statusField,
          closedStatus,
          timeout: timeoutMs,
        },
      );
      const count = batch?.count ?? 0;
      marked += count;
      if (count === 0) await requireLease(database, 'sweep', fence);
      if (count < BATCH_SIZE) return marked;
    }
  };
}
