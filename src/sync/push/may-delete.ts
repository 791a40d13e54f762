import type { EntityName } from '../../domain/entity-name.js';
import type { EntityPlan } from '../entity-plan.js';

/**
 * Whether records of an entity may be deleted: only while its policy says so, because only then the configuration has
 * made sure of the operation. A delete that was wanted under an earlier policy waits for the sweep that judges it anew.
 */
export function mayDelete(plans: readonly EntityPlan[]): (entity: EntityName) => boolean {
  const deleting = new Set(
    plans.filter(({ onVanished }) => onVanished === 'delete').map(({ entity }) => entity.name),
  );
  return (entity) => deleting.has(entity);
}
