/**
 * How records that left the source are treated.
 * - `report`: counted and listed; nothing more of them is sent.
 * - `ignore`: never counted as vanished.
 * - `close`: sent once more with another status, where the entity has one.
 * - `delete`: deleted at the platform.
 */
export type VanishedPolicy = 'report' | 'ignore' | 'close' | 'delete';

/** What the configuration says about records of an entity that left the source. */
export interface VanishedSettings {
  readonly onVanished: VanishedPolicy;
  /** The status that `close` sends. */
  readonly closedStatus: string;
}
