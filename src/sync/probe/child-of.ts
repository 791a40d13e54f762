import type { Entity } from '../../entities/entity.js';

/** What the checks need to know of a record that names its parent. */
export function childOf({ noun, parent }: Entity): { readonly noun: string; readonly parentField: string } {
  return { noun: noun.one, parentField: `${parent?.field ?? ''}.id` };
}
