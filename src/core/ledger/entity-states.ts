import { ABSENT_ENTITY_STATE, type EntityState } from '../domain/entity-state.js';
import type { Hold, PushHold } from '../domain/guard.js';
import type { Area, EntityName } from '../domain/names.js';
import type { KnownDrift } from '../domain/trouble/trouble.js';
import type { Fence, LeaseName } from '../ports/clock.js';
import type { StateDatabase, Statements } from './database/state-database.js';
import { distrustUnsettled, withLease } from './lease.js';
import { DRIFTED } from './status-sql.js';

/**
 * What is known of an entity and of a platform beside the records. `createEntityStates`: when it was swept, whether a guard
 * holds it and what a person approved, and whether the ledger is in doubt. `createEnvironments`: which platform the ledger
 * belongs to.
 */

/** What is known per entity between runs. */
export type EntityStates = ReturnType<typeof createEntityStates>;

/** The area of the platform that a ledger belongs to. */
export interface PlatformEnvironment {
  readonly area: Area;
  readonly baseUrl: string;
  readonly clientId: string;
  readonly namespace: string;
}

export function createEntityStates(database: StateDatabase) {
  const setHold = (
    lease: LeaseName,
    column: 'hold' | 'push_hold',
    fence: Fence,
    entity: EntityName,
    hold: Hold | PushHold,
  ) =>
    withLease(database, lease, fence, async (statements) => {
      await statements.query(
        `insert into :schema:.entity_state (entity, ${column}) values (:entity, cast(:hold as jsonb))
         on conflict (entity) do update set ${column} = excluded.${column}`,
        { entity, hold: JSON.stringify(hold) },
      );
    });
  return {
    async read(entity: EntityName) {
      const [row] = await database.query<EntityState & { drifted: DriftedRow | null }>(
        `select e.entity, cast(clock_timestamp() as text) as "readAt", fingerprint, last_sweep_at as "lastSweepAt", last_full_sweep_at as "lastFullSweepAt",
           cast(extract(epoch from clock_timestamp() - last_full_sweep_at) * 1000 as double precision) as "sinceFullSweepMs",
           full_sweep_requested_at is not null as "fullSweepRequested", last_success_at as "lastSuccessAt",
           hold, approval, push_hold as "pushHold", refused_in_a_row as "refusedInARow", accepted_once as "acceptedOnce",
           in_doubt_since as "inDoubtSince", foreign_rows as foreign, source,
           (select jsonb_build_object('count', count(*), 'since', min(s.drifted_at), 'keys', (array_agg(s.key order by s.key))[1:${NAMED}])
            from :schema:.sync_state s where s.entity = e.entity and ${DRIFTED} having count(*) > 0) as drifted
         from :schema:.entity_state e where e.entity = :entity`,
        { entity },
      );
      if (!row) return { entity, ...ABSENT_ENTITY_STATE };
      const { drifted, ...state } = row;
      return { ...state, ...(drifted === null ? {} : { drift: knownDrift(drifted) }) };
    },

    /** By the holder of the sweep lease. Errors: SyncError `lease-lost`. */
    hold: (fence: Fence, entity: EntityName, hold: Hold) => setHold('sweep', 'hold', fence, entity, hold),
    /** By the holder of the push lease. Errors: SyncError `lease-lost`. */
    holdPush: (fence: Fence, entity: EntityName, hold: PushHold) =>
      setHold('push', 'push_hold', fence, entity, hold),

    async requestFullSweep(entity: EntityName) {
      await database.query(
        `insert into :schema:.entity_state (entity, full_sweep_requested_at) values (:entity, clock_timestamp())
         on conflict (entity) do update set full_sweep_requested_at = excluded.full_sweep_requested_at`,
        { entity },
      );
    },

    distrust: (entity: EntityName, timeoutMs: number) => distrustUnsettled(database, entity, timeoutMs),

    /**
     * All records of the entity were compared or sent again since the database time `checkedFrom`. False: the doubt is
     * not `graceMs` older than that, so an earlier request may have arrived later.
     */
    async endDoubt(entity: EntityName, checkedFrom: string, graceMs: number) {
      const rows = await database.query(
        `update :schema:.entity_state set in_doubt_since = null
         where entity = :entity and in_doubt_since + :grace * interval '1 millisecond' <= cast(:checkedFrom as timestamptz)
         returning 1`,
        { entity, checkedFrom, grace: graceMs },
      );
      return rows.length > 0;
    },

    /** Nothing is due: stores the last sweep as a success. */
    async noteSuccess(entity: EntityName) {
      await database.query(
        'update :schema:.entity_state set last_success_at = last_sweep_at where entity = :entity',
        { entity },
      );
    },
  };
}

/** Names of records that differ at the platform, in a sample. */
const NAMED = 5;

interface DriftedRow {
  readonly count: number;
  /** As JSON has it. */
  readonly since: string;
  readonly keys: readonly string[];
}

function knownDrift({ count, since, keys }: DriftedRow): KnownDrift {
  return { count, since: new Date(since), sampleKeys: keys };
}

/** The platform and client that this ledger belongs to. */
export function createEnvironments(database: StateDatabase) {
  return {
    read: () =>
      database.query<PlatformEnvironment>(
        'select area, base_url as "baseUrl", client_id as "clientId", namespace from :schema:.environment',
      ),
    /** Adds areas that are not stored yet. */
    add: (environments: readonly PlatformEnvironment[]) =>
      writeEnvironments(database, environments, 'do nothing'),
  };
}

/** `conflict`: what becomes of an area that is stored already. */
export async function writeEnvironments(
  statements: Statements,
  environments: readonly PlatformEnvironment[],
  conflict: string,
): Promise<void> {
  for (const { area, baseUrl, clientId, namespace } of environments) {
    await statements.query(
      `insert into :schema:.environment (area, base_url, client_id, namespace) values (:area, :baseUrl, :clientId, :namespace)
       on conflict (area) ${conflict}`,
      { area, baseUrl, clientId, namespace },
    );
  }
}
