import type { Entity, MapContext } from '../../entities/entity.js';
import type { EntityQuery } from '../../ports/source.js';

/** An entity with what the partner configured for it. */
export interface DoctorEntity extends Entity {
  readonly query: EntityQuery;
  readonly mapContext: MapContext;
  /** Application statuses: sends only those whose application came by webhook. */
  readonly requireInbox: boolean;
}
