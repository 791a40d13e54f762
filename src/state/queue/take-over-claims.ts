import type { EntityName } from '../../domain/names.js';
import type { JsonObject } from '../../domain/row.js';
import { entity as entityNamed, operationOf } from '../../entities/index.js';
import type { Fence } from '../../ports/leases.js';
import type { TakeOver } from '../../ports/queue.js';
import type { Statements } from '../database/state-database.js';
import { appendDeliveries, type FinishedRequest } from '../delivery/append-deliveries.js';
import { confirmLater } from '../ledger/confirm-later.js';

interface ClaimedRow extends Pick<
  FinishedRequest,
  'key' | 'platformId' | 'parentPlatformId' | 'payloadHash'
> {
  readonly claimedAt: string | null;
  readonly requestId: string | null;
  readonly unacknowledged: boolean;
  readonly payload: JsonObject | null;
}

const REASON = 'The process ended before it wrote the outcome.';

/**
 * Ends all claims of an entity, and notes their requests as `unknown`: nobody knows whether they left, and what the
 * platform did. For a transaction that holds the push lease. Gives their number.
 */
export async function takeOverClaims(
  statements: Statements,
  fence: Fence,
  entity: EntityName,
  { timeoutMs, kindOf }: TakeOver,
): Promise<number> {
  const claims = await statements.query<ClaimedRow>(
    `update :schema:.sync_state s set
       confirm_at = ${confirmLater('s', ':timeout')}, acknowledged_hash = null, claim_token = null
     where s.entity = :entity and s.claim_token is not null
     returning s.key, s.platform_id as "platformId", s.parent_platform_id as "parentPlatformId",
       s.sent_hash as "payloadHash", cast(s.attempted_at as text) as "claimedAt", s.last_request_id as "requestId", s.unacknowledged,
       case when s.sent_hash = s.desired_hash then s.desired_payload end as payload`,
    { entity, timeout: timeoutMs(entity) },
  );
  const requests = claims.flatMap(({ requestId, claimedAt, unacknowledged, payload, ...claim }) =>
    requestId === null || claimedAt === null
      ? []
      : [
          {
            entity,
            ...claim,
            requestId,
            claimedAt,
            kind: kindOf(entity, { hash: claim.payloadHash, payload, unacknowledged }),
            operation: operationOf(entityNamed(entity), claim.payloadHash).operation,
            statusCode: null,
            outcome: 'unknown',
            reason: REASON,
          } satisfies FinishedRequest,
        ],
  );
  await appendDeliveries(statements, { fence, runId: null }, requests);
  return claims.length;
}
