import type { Entity, MapContext } from '../entities/entity.js';
import type { EntityQuery } from '../ports/source.js';

/**
 * How records that left the source are treated.
 * - `report`: counted and listed; nothing more of them is sent.
 * - `ignore`: never counted as vanished.
 * - `close`: sent once more with another status, where the entity has one.
 * - `delete`: deleted at the platform.
 */
export type VanishedPolicy = 'report' | 'ignore' | 'close' | 'delete';

/** An entity of the registry together with everything that the partner configured for it. */
export interface ConfiguredEntity extends Entity {
  readonly query: EntityQuery;
  readonly mapContext: MapContext;
  readonly onVanished: VanishedPolicy;
  /** The status that `close` sends. */
  readonly closedStatus: string;
  /** Application statuses: sends only those whose application came by webhook. */
  readonly requireInbox: boolean;
  /** Unchanged records are sent again when older than this, milliseconds; null: never. */
  readonly refreshAfterMs: number | null;
  /** The mapping fingerprint. */
  readonly fingerprint: string;
}
