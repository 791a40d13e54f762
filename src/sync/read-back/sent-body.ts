import type { JsonObject } from '../../domain/row.js';
import type { Entity } from '../../entities/entity.js';
import type { ReadBackRecord } from '../../ports/read-backs.js';

/** The body as it is compared: of the parent only the `id` under which it is sent. Pure. */
export function sentBody({ parent }: Pick<Entity, 'parent'>, record: ReadBackRecord): JsonObject {
  const { payload, parentReference } = record;
  return parent === null || parentReference === null
    ? payload
    : { ...payload, [parent.field]: { id: parentReference } };
}
