import type { Claim, Queue } from '../../ports/queue.js';
import type { StateDatabase } from '../database/state-database.js';
import { fenceParameters, heldLeaseSql, requireLease } from '../lease/held-lease.js';

/**
 * Claims one record whatever its status, for a payload that need not be the desired one. From then on it is protected
 * like every claim: until an outcome is written, nobody may rely on what the platform holds of it.
 */
export function createClaimRecord(database: StateDatabase): Queue['claimRecord'] {
  return async ({ fence, entity, key, requestId, hash, payload }) => {
    const [claimed] = await database.query<
      Omit<Claim, 'parent' | 'previousOutcome' | 'reused' | 'hash' | 'payload' | 'failsAlone'>
    >(
      `with record as materialized (
         select s.key, s.attempted_at, s.unacknowledged from :schema:.sync_state s
         where s.entity = :entity and s.key = :key and s.claim_token is null
           and exists (select 1 from :schema:.lease where ${heldLeaseSql('push')})
         for update of s
       )
       update :schema:.sync_state s
       set claim_token = :token, claim_nonce = :nonce, attempted_at = now(), sent_hash = :hash,
         request_open = true, last_request_id = :requestId
       from record r
       where s.entity = :entity and s.key = r.key
       returning s.entity, s.key, s.platform_id as "platformId", s.last_request_id as "requestId",
         cast(s.attempted_at as text) as "claimedAt", s.attempts, r.unacknowledged,
         s.acknowledged_hash is not distinct from s.sent_hash as confirming,
         s.parent_platform_id as "parentPlatformId", cast(r.attempted_at as text) as "previousAttemptAt"`,
      { ...fenceParameters(fence), entity, key, requestId, hash },
    );
    if (claimed === undefined) {
      await requireLease(database, 'push', fence);
      return null;
    }
    return {
      ...claimed,
      hash,
      payload,
      reused: false,
      failsAlone: false,
      parent: null,
      previousOutcome: null,
    };
  };
}
