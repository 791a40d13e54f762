import type { JsonObject } from '../../domain/json.js';
import type { ParentLink } from '../../entities/entity.js';

/**
 * The body as it is sent: the payload, and for a child its parent's last acknowledged payload with the `reference`
 * that the platform gave it as `id` (interface §2, `employer`). Composed when sending, so that it is never stale.
 */
export function composeBody(
  payload: JsonObject,
  link: ParentLink | null,
  parent: { readonly reference: string; readonly payload: JsonObject } | null,
): JsonObject {
  if (link === null || parent === null) return payload;
  return { ...payload, [link.field]: { ...parent.payload, id: parent.reference } };
}
