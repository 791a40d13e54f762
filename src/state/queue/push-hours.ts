import type { EntityName } from '../../domain/names.js';
import { countedAs } from '../../domain/push-counters.js';
import type { PushHour, PushHours } from '../../ports/push-hours.js';
import type { Outcome } from '../../ports/queue.js';
import type { StateDatabase, Statements } from '../database/state-database.js';

/** SQL: the beginning of an hour, independent of the session's zone. */
const hourOf = (time: string) => `date_trunc('hour', ${time} at time zone 'UTC') at time zone 'UTC'`;

interface Counted {
  readonly entity: EntityName;
  accepted: number;
  rejected: number;
  deferred: number;
}

export function createPushHours(database: StateDatabase): PushHours {
  return {
    async recent(hours) {
      const [clock] = await database.query<{ now: Date }>('select now() as now');
      const rows = await database.query<
        Record<'sent' | 'accepted' | 'rejected' | 'deferred', string> & { entity: EntityName; hour: Date }
      >(
        `select entity, hour, sent, accepted, rejected, deferred from :schema:.push_hour
         where hour > now() - :hours * interval '1 hour' order by hour, entity`,
        { hours },
      );
      return {
        now: clock?.now ?? new Date(),
        hours: rows.map(({ entity, hour, sent, accepted, rejected, deferred }): PushHour => ({
          entity,
          hour,
          sent: Number(sent),
          accepted: Number(accepted),
          rejected: Number(rejected),
          deferred: Number(deferred),
        })),
      };
    },
  };
}

/** Adds a group of outcomes to this hour, in one statement. Handed-back claims do not count. */
export async function countPushed(statements: Statements, outcomes: readonly Outcome[]): Promise<void> {
  const counts = tally(outcomes);
  if (counts.length === 0) return;
  await statements.query(
    `insert into :schema:.push_hour as h (entity, hour, sent, accepted, rejected, deferred)
     select r.entity, ${hourOf('clock_timestamp()')}, r.accepted + r.rejected + r.deferred, r.accepted, r.rejected, r.deferred
     from jsonb_to_recordset(cast(:counts as jsonb)) as r(entity text, accepted bigint, rejected bigint, deferred bigint)
     order by r.entity
     on conflict (entity, hour) do update set sent = h.sent + excluded.sent, accepted = h.accepted + excluded.accepted,
       rejected = h.rejected + excluded.rejected, deferred = h.deferred + excluded.deferred`,
    { counts: JSON.stringify(counts) },
  );
}

/** The counts of each entity's outcomes. Pure. */
function tally(outcomes: readonly Outcome[]): readonly Counted[] {
  const counts = new Map<EntityName, Counted>();
  for (const outcome of outcomes) {
    const kind = countedAs(outcome);
    if (kind === null) continue;
    const { entity } = outcome;
    const counted = counts.get(entity) ?? { entity, accepted: 0, rejected: 0, deferred: 0 };
    counted[kind] += 1;
    counts.set(entity, counted);
  }
  return [...counts.values()];
}
