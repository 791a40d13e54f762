import type { DeliveryKind } from '../../domain/delivery/delivery.js';
import { operationOf } from '../../entities/operation-of.js';
import type { Claim, SentRequest } from '../../ports/queue.js';
import type { ConfiguredEntity } from '../configured-entity.js';

type Sending = Pick<ConfiguredEntity, 'put' | 'delete' | 'repeatable' | 'statusField' | 'closedStatus'>;

/** What the journal notes of the request for a claim. Pure. */
export function sentRequest(entity: Sending, claim: Claim): SentRequest {
  const { platformId, parentPlatformId, hash, claimedAt } = claim;
  const { operation, method } = operationOf(entity, hash);
  const kind = method === 'DELETE' ? 'delete' : kindOf(entity, claim);
  return { platformId, parentPlatformId, kind, operation, payloadHash: hash, claimedAt };
}

/** A payload that says "closed" closes, whether the source says so or the record vanished. */
function kindOf({ statusField, closedStatus }: Sending, { payload, unacknowledged }: Claim): DeliveryKind {
  if (statusField !== null && payload[statusField] === closedStatus) return 'close';
  return unacknowledged ? 'new' : 'update';
}
