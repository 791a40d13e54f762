import type { OperationName } from '../../contract/operation.js';
import type { JsonObject } from '../../domain/row.js';
import type { Entity, ParentLink } from '../../entities/entity.js';
import { operationOf } from '../../entities/index.js';
import type { Claim } from '../../ports/queue.js';

/** The request that brings the platform to the payload of a claim. Pure. */
export function requestFor(
  entity: Entity,
  claim: Pick<Claim, 'hash' | 'payload' | 'parent'>,
): {
  readonly operation: OperationName;
  readonly method: 'PUT' | 'PATCH' | 'DELETE';
  readonly body: JsonObject | null;
} {
  const { operation, method } = operationOf(entity, claim.hash);
  const body = method === 'DELETE' ? null : composeBody(claim.payload, entity.parent, claim.parent);
  return { operation, method, body };
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
