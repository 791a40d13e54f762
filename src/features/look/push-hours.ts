import type { EntityName } from '../../core/domain/names.js';
import type { PushCounters } from '../../core/domain/outcome.js';
import type { StateDatabase } from '../../core/ledger/database/state-database.js';

/**
 * What the platform answered within one hour: attempts, not records. sent = accepted + rejected + deferred. Rejected: refused,
 * or failed at the last attempt. Deferred: failed for now, with no reply or no verdict.
 */
export interface PushHour extends Readonly<PushCounters> {
  readonly entity: EntityName;
  /** Its beginning, UTC. */
  readonly hour: Date;
}

/** Outcomes of pushes, per entity and hour; counted by `Queue.record` together with the outcomes themselves. */
export function createPushHours(database: StateDatabase) {
  return {
    /** Of the last `hours`, those in which something was sent, by hour and entity; and the database's time. */
    async recent(hours: number) {
      const [clock] = await database.query<{ now: Date }>('select now() as now');
      const counted = await database.query<PushHour>(
        `select entity, hour, cast(sent as double precision) as sent, cast(accepted as double precision) as accepted,
           cast(rejected as double precision) as rejected, cast(deferred as double precision) as deferred
         from :schema:.push_hour where hour > now() - :hours * interval '1 hour' order by hour, entity`,
        { hours },
      );
      return { now: clock?.now ?? new Date(), hours: counted };
    },
  };
}
