import { hash } from 'node:crypto';
import type { JsonObject } from '../json.js';
import { canonicalJson } from './canonical-json.js';

/** The hash of "absent": desired for a record that is to be deleted. */
export const ABSENT_HASH = 'v1:absent';

/**
 * @param payload the request body as mapped, without the parent object
 * @param parent the body's field that will hold the parent when the record is sent, and the parent's platform id
 * @returns `v1:` and the lower-case hex SHA-256 of the canonical JSON. Of the parent only its platform id counts:
 * editing a company must not send its vacancies again, moving a vacancy to another company must.
 */
export function hashPayload(
  payload: JsonObject,
  parent: { readonly field: string; readonly platformId: string } | null = null,
): string {
  const hashed = parent === null ? payload : { ...payload, [parent.field]: { id: parent.platformId } };
  return `v1:${hash('sha256', canonicalJson(hashed))}`;
}
