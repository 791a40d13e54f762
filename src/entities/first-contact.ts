import { AREAS, type Area } from '../domain/area.js';
import type { Entity } from './entity.js';
import { childrenOf, ENTITIES } from './index.js';

/** The area of a first contact. */
export const FIRST_CONTACT_AREA: Area = AREAS[0];

/** The kinds of record that a first contact sends: a parent of the job-placement area, and the child that names it. */
export function firstContact(): { readonly parent: Entity; readonly child: Entity } {
  for (const parent of ENTITIES.filter(({ area }) => area === FIRST_CONTACT_AREA)) {
    const [child] = childrenOf(parent.name);
    if (child) return { parent, child };
  }
  throw new TypeError('no entity of the area has children');
}
