import type { EntityName } from '../domain/entity-name.js';
import type { Entity } from './entity.js';
import { REGISTRY } from './registry.js';

/** Every kind of record the worker knows, parents before their children. */
export const ENTITIES: readonly Entity[] = await Promise.all(Object.values(REGISTRY).map((load) => load()));

const BY_NAME: ReadonlyMap<EntityName, Entity> = new Map(ENTITIES.map((each) => [each.name, each]));

/** The entity of this name. Throws for a name that is not in the registry: the configuration refuses it first. */
export function entity(name: EntityName): Entity {
  const found = BY_NAME.get(name);
  if (found === undefined) throw new TypeError(`there is no entity ${name} in the registry`);
  return found;
}

/** The entities whose records have a parent of this one; none for most. */
export function childrenOf(parent: EntityName): readonly Entity[] {
  return ENTITIES.filter((each) => each.parent?.entity === parent);
}

/** Whether its records are about job applications, and so personal; false for a name that is not in the registry. */
export function isAboutApplications(name: EntityName): boolean {
  return BY_NAME.get(name)?.application ?? false;
}
