import type { JsonObject } from '../../domain/row.js';
import type { Claim, Queue } from '../../ports/queue.js';
import { entity as entityNamed } from '../../entities/index.js';
import { notRepeatable } from '../ledger/confirm-later.js';
import { fenceParameters, heldLeaseSql, requireLease } from '../lease/held-lease.js';
import type { StateDatabase } from '../database/state-database.js';
import { referenceSql } from '../ledger/reference-sql.js';
import { childrenFirstSql, isDeletion, joinParent, statusSql } from '../ledger/status-sql.js';

interface ClaimedRow extends Omit<Claim, 'parent' | 'previousOutcome'> {
  readonly hasParent: boolean;
  readonly parentReference: string | number | null;
  readonly parentPayload: JsonObject | null;
  readonly previousOutcome: 'accepted' | 'deferred' | null;
}

/**
 * Claims the next pending records, changes before new. A child waits while its parent's own request is under way, so
 * that it never contains a parent that is being replaced. Without a claim it checks the lease, so that a lost lease
 * does not look like an empty queue.
 */
export function createClaim(database: StateDatabase): Queue['claim'] {
  return async ({
    fence,
    entity,
    position,
    changesOnly = false,
    limit,
    deletions,
    untried = false,
    evenDeferred = false,
    since,
  }) => {
    const rows = await database.query<ClaimedRow>(
      `with push as materialized (
         select 1 from :schema:.lease where ${heldLeaseSql('push')} for key share
       ), candidate as materialized (
         select s.key, s.unacknowledged, s.attempted_at, s.acknowledged_at, s.next_attempt_at, p.entity is not null as has_parent,
           (${notRepeatable('s')} and s.request_open and s.sent_hash = s.desired_hash and s.last_request_id is not null) as reused,
           ${referenceSql('p')} as parent_reference, coalesce(p.acknowledged_payload, p.desired_payload) as parent_payload
         from :schema:.sync_state s ${joinParent('s', 'p', entity)}
         where s.entity = :entity and s.sendable and s.claim_token is null and p.claim_token is null
           ${position ? 'and (s.unacknowledged, s.key) > (cast(:unacknowledged as boolean), :key)' : ''}
           ${deletions ? '' : `and not ${isDeletion('s')}`}
           ${changesOnly ? 'and not s.unacknowledged' : ''}
           ${untried ? 'and s.next_attempt_at is null' : ''}
           and ${statusSql('s', 'p')} ${evenDeferred ? `in ('pending', 'deferred')` : `= 'pending'`} and not ${childrenFirstSql('s')}
           and (s.desired_payload is not null or ${isDeletion('s')})
           and exists (select 1 from push)
         order by ${evenDeferred ? 's.attempted_at, ' : ''}s.unacknowledged, s.key limit :limit
         for update of s skip locked
       )
       update :schema:.sync_state s
       set claim_token = :token, attempted_at = now(), claim_nonce = :nonce, sent_hash = s.desired_hash, request_open = true,
         last_request_id = case when c.reused then s.last_request_id else cast(gen_random_uuid() as text) end
       from candidate c
       where s.entity = :entity and s.key = c.key
       returning s.entity, s.key, s.platform_id as "platformId", s.last_request_id as "requestId", cast(s.attempted_at as text) as "claimedAt", c.reused,
         s.desired_hash as hash, s.desired_payload as payload, s.attempts, c.unacknowledged,
           s.parent_platform_id as "parentPlatformId",
           s.acknowledged_hash is not distinct from s.desired_hash as confirming,
         cast(c.attempted_at as text) as "previousAttemptAt",
         c.next_attempt_at is not null and exists (select 1 from :schema:.area_state a
           where a.area = :area and a.answered_at > c.attempted_at) as "failsAlone",
         case when c.attempted_at >= cast(:since as timestamptz) and c.next_attempt_at is not null then 'deferred'
           when c.acknowledged_at >= cast(:since as timestamptz) then 'accepted' end as "previousOutcome",
         c.has_parent as "hasParent", c.parent_reference as "parentReference", c.parent_payload as "parentPayload"`,
      {
        ...fenceParameters(fence),
        entity,
        area: entityNamed(entity).area,
        limit,
        since,
        unacknowledged: position?.unacknowledged ?? false,
        key: position?.key ?? '',
      },
    );
    if (rows.length === 0) await requireLease(database, 'push', fence);
    return rows.map(toClaim).sort(byPosition);
  };
}

function toClaim({ hasParent, parentReference, parentPayload, ...claim }: ClaimedRow): Claim {
  const parent =
    hasParent && parentReference !== null && parentPayload !== null
      ? { reference: parentReference, payload: parentPayload }
      : null;
  return { ...claim, parent };
}

/** An update returns its rows in any order. */
function byPosition(a: Claim, b: Claim): number {
  if (a.unacknowledged !== b.unacknowledged) return a.unacknowledged ? 1 : -1;
  return Buffer.compare(Buffer.from(a.key), Buffer.from(b.key));
}
