import type { KnownDrift } from '../../domain/trouble/trouble.js';
import { DRIFTED } from './status-sql.js';
import type { EntityName } from '../../domain/names.js';
import { covers, type Hold, type PushHold } from '../../domain/guard.js';
import type { EntityState, EntityStates } from '../../ports/entity-states.js';
import type { Fence, LeaseName } from '../../ports/leases.js';
import { recordName } from '../../entities/index.js';
import { checkLease } from '../lease/held-lease.js';
import type { StateDatabase } from '../database/state-database.js';
import { distrustUnsettled } from '../lease/doubt.js';
import { rearm } from './rearm.js';

export function createEntityStates(database: StateDatabase): EntityStates {
  const setHold = (
    lease: LeaseName,
    column: 'hold' | 'push_hold',
    fence: Fence,
    entity: EntityName,
    hold: Hold | PushHold,
  ) =>
    database.transaction(async (statements) => {
      await checkLease(statements, lease, fence);
      await statements.query(
        `insert into :schema:.entity_state (entity, ${column}) values (:entity, cast(:hold as jsonb))
         on conflict (entity) do update set ${column} = excluded.${column}`,
        { entity, hold: JSON.stringify(hold) },
      );
    });
  return {
    async read(entity) {
      const [row] = await database.query<EntityState>(
        `select entity, cast(clock_timestamp() as text) as "readAt", fingerprint, last_sweep_at as "lastSweepAt", last_full_sweep_at as "lastFullSweepAt",
           cast(extract(epoch from clock_timestamp() - last_full_sweep_at) * 1000 as double precision) as "sinceFullSweepMs",
           full_sweep_requested_at is not null as "fullSweepRequested", last_success_at as "lastSuccessAt",
           hold, approval, push_hold as "pushHold", refused_in_a_row as "refusedInARow", accepted_once as "acceptedOnce",
           in_doubt_since as "inDoubtSince", foreign_rows as foreign
         from :schema:.entity_state where entity = :entity`,
        { entity },
      );
      if (row) {
        const drift = await knownDrift(database, entity);
        return {
          ...row,
          hold: named(entity, row.hold),
          pushHold: named(entity, row.pushHold),
          ...(drift === null ? {} : { drift }),
        };
      }
      return {
        entity,
        readAt: '-infinity',
        fingerprint: null,
        lastSweepAt: null,
        lastFullSweepAt: null,
        sinceFullSweepMs: null,
        fullSweepRequested: false,
        lastSuccessAt: null,
        hold: null,
        approval: null,
        pushHold: null,
        refusedInARow: 0,
        acceptedOnce: false,
        inDoubtSince: null,
        foreign: 0,
      };
    },

    hold: (fence, entity, hold) => setHold('sweep', 'hold', fence, entity, hold),
    holdPush: (fence, entity, hold) => setHold('push', 'push_hold', fence, entity, hold),

    async requestFullSweep(entity) {
      await database.query(
        `insert into :schema:.entity_state (entity, full_sweep_requested_at) values (:entity, clock_timestamp())
         on conflict (entity) do update set full_sweep_requested_at = excluded.full_sweep_requested_at`,
        { entity },
      );
    },

    // Re-arm first: nothing is sent until the hold is lifted, so a kill in between loses nothing.
    async approve(entity, seen = null) {
      const [held] = await database.query<{ push: boolean }>(
        'select push_hold is not null as push from :schema:.entity_state where entity = :entity',
        { entity },
      );
      const rearmed = held?.push ? await rearm(database, entity) : 0;
      return database.transaction(async (statements) => {
        const [before] = await statements.query<{
          hold: Hold | null;
          push: PushHold | null;
        }>('select hold, push_hold as push from :schema:.entity_state where entity = :entity for update', {
          entity,
        });
        const hold = before?.hold ?? null;
        const grown = hold !== null && seen !== null && !covers(seen, hold.counts);
        await statements.query(
          `update :schema:.entity_state
           set approval = case when :grown then approval else coalesce(hold -> 'counts', approval) end, push_hold = null,
             refused_in_a_row = case when push_hold is null then refused_in_a_row else 0 end
           where entity = :entity`,
          { entity, grown },
        );
        return { sweep: grown ? null : hold, push: before?.push ?? null, rearmed, grown };
      });
    },

    distrust: (entity, timeoutMs) => distrustUnsettled(database, entity, timeoutMs),

    async endDoubt(entity, checkedFrom, graceMs) {
      const rows = await database.query(
        `update :schema:.entity_state set in_doubt_since = null
         where entity = :entity and in_doubt_since + :grace * interval '1 millisecond' <= cast(:checkedFrom as timestamptz)
         returning 1`,
        { entity, checkedFrom, grace: graceMs },
      );
      return rows.length > 0;
    },

    async noteSuccess(entity) {
      await database.query(
        'update :schema:.entity_state set last_success_at = last_sweep_at where entity = :entity',
        { entity },
      );
    },
  };
}

/** Names of records that differ at the platform, in a sample. */
const NAMED = 5;

async function knownDrift(database: StateDatabase, entity: EntityName): Promise<KnownDrift | null> {
  const [row] = await database.query<{ count: number; since: Date; keys: string[] }>(
    `select cast(count(*) as integer) as count, min(s.drifted_at) as since,
       (array_agg(s.key order by s.key))[1:${NAMED}] as keys
     from :schema:.sync_state s where s.entity = :entity and ${DRIFTED} having count(*) > 0`,
    { entity },
  );
  return row === undefined
    ? null
    : {
        count: row.count,
        since: row.since,
        sampleKeys: row.keys.map((key) => recordName(entity, key, null)),
      };
}

/** A hold for display: former versions stored keys, and the key of an application status is personal. */
function named<H extends { readonly sampleKeys: readonly string[] }>(
  entity: EntityName,
  hold: H | null,
): H | null {
  return hold && { ...hold, sampleKeys: hold.sampleKeys.map((key) => recordName(entity, key, null)) };
}
