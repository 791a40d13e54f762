import type { Entity, MapContext } from '../entities/entity.js';
import type { EntityQuery } from '../ports/source.js';
import type { VanishedSettings } from '../domain/guard.js';

/** An entity of the registry together with everything that the partner configured for it. */
export interface ConfiguredEntity extends Entity, VanishedSettings {
  readonly query: EntityQuery;
  readonly mapContext: MapContext;
  /** Application statuses: sends only those whose application came by webhook. */
  readonly requireInbox: boolean;
  /** Unchanged records are sent again when older than this, milliseconds; null: never. */
  readonly refreshAfterMs: number | null;
  /** The mapping fingerprint. */
  readonly fingerprint: string;
}
