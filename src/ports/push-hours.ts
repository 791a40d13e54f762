import type { EntityName } from '../domain/names.js';

/** What the platform answered within one hour: attempts, not records. sent = accepted + rejected + deferred. */
export interface PushHour {
  readonly entity: EntityName;
  /** Its beginning, UTC. */
  readonly hour: Date;
  readonly sent: number;
  readonly accepted: number;
  /** Refused, or failed at the last attempt. */
  readonly rejected: number;
  /** Failed for now: no reply, or no verdict. */
  readonly deferred: number;
}

/** Outcomes of pushes, per entity and hour; counted by `Queue.record` together with the outcomes themselves. */
export interface PushHours {
  /** Of the last `hours`, those in which something was sent, by hour and entity; and the database's time. */
  recent(hours: number): Promise<{ readonly now: Date; readonly hours: readonly PushHour[] }>;
}
