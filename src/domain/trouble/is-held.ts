import type { EntityName } from '../entity-name.js';
import type { Trouble } from './trouble.js';

/** Whether a guard holds the entity, its sweep or its push. Pure. */
export function isHeld(troubles: readonly Trouble[], entity: EntityName): boolean {
  return troubles.some(
    (trouble) =>
      (trouble.kind === 'held' || trouble.kind === 'push-held') && trouble.subject.entity === entity,
  );
}
