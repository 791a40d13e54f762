import type { OperationName } from '../../contract/operation.js';
import type { JsonObject } from '../../domain/json.js';
import { ABSENT_HASH } from '../../domain/payload/hash-payload.js';
import type { Entity } from '../../entities/entity.js';
import type { Claim } from '../../ports/queue.js';
import { composeBody } from './compose-body.js';

/** The request that brings the platform to what a claim wants. Pure. */
export function requestFor(
  entity: Entity,
  claim: Pick<Claim, 'hash' | 'payload' | 'parent'>,
): {
  readonly operation: OperationName;
  readonly method: 'PUT' | 'PATCH' | 'DELETE';
  readonly body: JsonObject | null;
} {
  if (claim.hash === ABSENT_HASH && entity.delete !== null) {
    return { operation: entity.delete, method: 'DELETE', body: null };
  }
  return {
    operation: entity.put,
    method: entity.repeatable ? 'PUT' : 'PATCH',
    body: composeBody(claim.payload, entity.parent, claim.parent),
  };
}
