import { operationOf } from '../../entities/index.js';
import type { Claim, SentRequest } from '../../ports/queue.js';
import type { ConfiguredEntity } from '../configured-entity.js';
import { deliveryKind } from './delivery-kind.js';

/** What the journal notes of the request for a claim. Pure. */
export function sentRequest(
  entity: Pick<ConfiguredEntity, 'put' | 'delete' | 'repeatable' | 'statusField' | 'closedStatus'>,
  claim: Claim,
): SentRequest {
  const { platformId, parentPlatformId, hash, claimedAt } = claim;
  const { operation } = operationOf(entity, hash);
  return {
    platformId,
    parentPlatformId,
    kind: deliveryKind(entity, claim),
    operation,
    payloadHash: hash,
    claimedAt,
  };
}
