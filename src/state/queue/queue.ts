import type { EntityName } from '../../domain/names.js';
import type { Queue } from '../../ports/queue.js';
import { takeOverClaims } from './take-over-claims.js';
import { createClaim } from './claim.js';
import { createClaimRecord } from './claim-record.js';
import { createRecordOutcomes } from './record-outcomes.js';
import type { StateDatabase } from '../database/state-database.js';
import { checkLease } from '../lease/held-lease.js';

/** The queue: claims, outcomes, and ending the claims of a dead push. */
export function createQueue(database: StateDatabase): Queue {
  return {
    claim: createClaim(database),
    claimRecord: createClaimRecord(database),
    record: createRecordOutcomes(database),

    // Every claim, by any token: a database that went back in time has old claims of our own.
    async takeOver(fence, among, options) {
      const entities = await database.query<{ entity: EntityName }>(
        `select distinct entity from :schema:.sync_state
         where claim_token is not null ${among === null ? '' : 'and entity = any(:among)'}`,
        { among },
      );
      let ended = 0;
      for (const { entity } of entities) {
        ended += await database.transaction(async (statements) => {
          await checkLease(statements, 'push', fence);
          return takeOverClaims(statements, fence, entity, options);
        });
      }
      return ended;
    },

    async forgiveAttempts(entity, keys) {
      await database.query(
        `update :schema:.sync_state s set attempts = greatest(s.attempts - failed.times, 0), refused_hash = null
         from (select key, cast(count(*) as integer) as times from unnest(cast(:keys as text[])) as key group by key) failed
         where s.entity = :entity and s.key = failed.key and s.claim_token is null`,
        { entity, keys },
      );
    },

    async leastRecentlyTried(among) {
      const rows = await database.query<{ entity: EntityName }>(
        `select entity from :schema:.sync_state
         where entity = any(:among) and not settled and sendable and claim_token is null
         group by entity order by min(attempted_at), entity`,
        { among },
      );
      return rows.map(({ entity }) => entity);
    },

    // Not null: they have been tried, so a probe of the stopped area prefers others.
    async retryBlameless(entity) {
      await database.query(
        `update :schema:.sync_state set next_attempt_at = clock_timestamp()
         where entity = :entity and not settled and sendable and claim_token is null
           and attempts = 0 and next_attempt_at > now()`,
        { entity },
      );
    },
  };
}
