import { entity } from '../entities/index.js';
import type { ParentLink } from '../entities/entity.js';
import { isNamedBy } from './deviations/shown-reference.js';
import type { RequestContext } from './request-context.js';
import type { Store, StoredRecord } from './store.js';
import type { AreaDeviations } from '../config/deviations/deviation-schema.js';

type Body = StoredRecord['body'];

/** What a body names its parent by; null: it names none. */
export function parentReference(body: Body, parent: ParentLink | null): unknown {
  const named = parent === null ? undefined : (body[parent.field] as { readonly id?: unknown } | undefined);
  return named?.id ?? null;
}

/** The record that this link means; null: none that is held. */
export function findParent(
  link: unknown,
  parent: ParentLink,
  store: Store,
  reference: AreaDeviations['reference'],
): StoredRecord | null {
  const usual = reference.form === 'uuid' && (reference.children ?? 'reference') === 'reference';
  // Only the store's own references have an index.
  if (usual) return store.findByReference(parent.entity, String(link));
  return store.list(parent.entity).find((held) => isNamedBy(link, held, reference)) ?? null;
}

/** The record that the body of this one names as its parent; null: it names none, or one that is gone. */
export function parentOf<Body>(
  { body }: StoredRecord<object>,
  { operation, store, deviations }: RequestContext,
): StoredRecord<Body> | null {
  const { parent } = entity(operation.entity);
  const link = parentReference(body as StoredRecord['body'], parent);
  if (parent === null || link === null) return null;
  return findParent(link, parent, store, deviations.reference) as StoredRecord<Body> | null;
}
