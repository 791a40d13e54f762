import type { Entity, MapContext } from '../entities/entity.js';

/** How records that left the source are treated. */
export type VanishedPolicy = 'report' | 'ignore';

/** One configured entity: what the project knows of it, and what the partner said. */
export interface EntityPlan {
  readonly entity: Entity;
  /** The partner's SQL and the file it came from. */
  readonly sql: string;
  readonly queryFile: string;
  readonly mapContext: MapContext;
  readonly onVanished: VanishedPolicy;
  /** Hash over everything that decides how a row becomes a payload. */
  readonly fingerprint: string;
}
