import { entity } from '../entities/index.js';
import { parentReference, type RequestContext } from './request-context.js';
import type { StoredRecord } from './store.js';

/** The record that the body of this one names as its parent; null: it names none, or one that is gone. */
export function parentOf<Body>(
  { body }: StoredRecord<object>,
  { operation, store }: RequestContext,
): StoredRecord<Body> | null {
  const { parent } = entity(operation.entity);
  const reference = parentReference(body as StoredRecord['body'], parent);
  if (parent === null || reference === null) return null;
  return store.findByReference(parent.entity, reference) as StoredRecord<Body> | null;
}
