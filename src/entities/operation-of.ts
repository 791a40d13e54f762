import type { OperationName } from '../contract/operation.js';
import { ABSENT_HASH } from '../domain/payload/hash-payload.js';
import type { Entity } from './entity.js';

/** The operation that brings the platform to what this hash stands for. Pure. */
export function operationOf(
  entity: Pick<Entity, 'put' | 'delete' | 'repeatable'>,
  hash: string | null,
): { readonly operation: OperationName; readonly method: 'PUT' | 'PATCH' | 'DELETE' } {
  if (hash === ABSENT_HASH && entity.delete !== null) return { operation: entity.delete, method: 'DELETE' };
  return { operation: entity.put, method: entity.repeatable ? 'PUT' : 'PATCH' };
}
