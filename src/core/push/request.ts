import type { OperationName } from '../contract/operation.js';
import type { DeliveryKind } from '../domain/delivery.js';
import type { JsonObject } from '../domain/row.js';
import type { ParentLink } from '../entities/entity.js';
import { operationOf } from '../entities/index.js';
import type { Claim, SentRequest, TakeOver } from '../ledger/queue/types.js';
import type { ConfiguredEntity } from '../context.js';

type SentEntity = Pick<
  ConfiguredEntity,
  'put' | 'delete' | 'repeatable' | 'parent' | 'statusField' | 'closedStatus'
>;

export interface ClaimRequest {
  readonly operation: OperationName;
  readonly method: 'PUT' | 'PATCH' | 'DELETE';
  readonly body: JsonObject | null;
  /** What the journal notes of it. */
  readonly sent: SentRequest;
}

export function requestOf(entity: SentEntity, claim: Claim): ClaimRequest {
  const { platformId, parentPlatformId, hash, claimedAt } = claim;
  const { operation, method } = operationOf(entity, hash);
  const body = method === 'DELETE' ? null : composeBody(claim.payload, entity.parent, claim.parent);
  const kind = deliveryKind(entity, claim);
  const sent = { platformId, parentPlatformId, kind, operation, payloadHash: hash, claimedAt };
  return { operation, method, body, sent };
}

/**
 * The body as it is sent: the payload, and for a child its parent's last acknowledged payload with the `reference`
 * that the platform gave it as `id` (interface §2, `employer`). Composed at sending, so that it is never stale.
 */
export function composeBody(
  payload: JsonObject,
  link: ParentLink | null,
  parent: { readonly reference: string | number; readonly payload: JsonObject } | null,
): JsonObject {
  if (link === null || parent === null) return payload;
  return { ...payload, [link.field]: { ...parent.payload, id: parent.reference } };
}

/**
 * What the journal calls a request: a payload (null: not known any more) or, by its hash, a deletion. A payload that says
 * "closed" closes, whether the source says so or the record vanished.
 */
export function deliveryKind(
  entity: Omit<SentEntity, 'parent'>,
  { hash, payload, unacknowledged }: Parameters<TakeOver['kindOf']>[1],
): DeliveryKind {
  const { statusField, closedStatus } = entity;
  if (operationOf(entity, hash).method === 'DELETE') return 'delete';
  if (statusField !== null && payload?.[statusField] === closedStatus) return 'close';
  return unacknowledged ? 'new' : 'update';
}
