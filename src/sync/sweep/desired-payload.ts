import type { JsonObject } from '../../domain/row.js';
import { hashPayload } from '../../domain/payload.js';
import type { Entity, Mapped } from '../../entities/entity.js';

/** What the platform should hold of a valid row. */
export interface Desired {
  readonly payload: JsonObject;
  /** What the map stores for the next sweep; null: nothing. */
  readonly noted: JsonObject | null;
  readonly hash: string;
}

/**
 * The completed payload of a mapped row and its hash, as the ledger has them; null when the row is invalid. `noted`:
 * what was noted of the record before; `now`: `YYYY-MM-DD HH:MM:SS` in the platform's zone. Pure.
 */
export function desiredPayload(
  entity: Entity,
  mapped: Mapped,
  noted: JsonObject | null,
  platformId: string,
  now: string,
): Desired | null {
  if (mapped.payload === null) return null;
  const desired = entity.complete?.(mapped.payload, noted, now) ?? { payload: mapped.payload, noted: null };
  return { ...desired, hash: hashPayload(desired.payload, linkOf(entity, mapped, platformId)) };
}

/**
 * What the hash contains beside the payload: the parent's platform id; and the platform id of a record that is not
 * named by its own key, so that a status goes to the person's latest application.
 */
function linkOf(entity: Entity, { parentPlatformId }: Mapped, platformId: string) {
  if (entity.parent && parentPlatformId !== null) {
    return { field: entity.parent.field, platformId: parentPlatformId };
  }
  return entity.application ? { field: 'application', platformId } : null;
}
