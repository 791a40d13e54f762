import { ABSENT_ENTITY_STATE, type EntityState } from '../domain/entity-state.js';
import { covers, type Hold, type HoldCounts, type PushHold } from '../domain/guard.js';
import type { Area, EntityName } from '../domain/names.js';
import type { KnownDrift } from '../domain/trouble/trouble.js';
import type { Fence, LeaseName } from '../ports/clock.js';
import { countOf, inBatches, type StateDatabase, type Statements } from './database/state-database.js';
import { distrustUnsettled, requireLease, withLease } from './lease.js';
import { rearm } from './resend-requests.js';
import { DRIFTED } from './status-sql.js';

/**
 * What is known of an entity and of a platform beside the records. `createEntityStates`: when it was swept, whether a guard
 * holds it and what a person approved, and whether the ledger is in doubt. `createEnvironments`: which platform the ledger
 * belongs to; `reset` makes it fit another one and forgets everything that the former one answered.
 */

export interface Approved {
  /** The hold of the sweep that was approved; null: none. */
  readonly sweep: Hold | null;
  readonly push: PushHold | null;
  /** Rejected records that are pending again. */
  readonly rearmed: number;
  /** The sweep stays held: it found more than what was seen. */
  readonly grown: boolean;
}

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

    /**
     * A person approves what a guard stopped. `seen`: the counts that were shown; a sweep that found more meanwhile stays
     * held. Null, or left out: whatever is held now. `noteIn`: notes in the same transaction who approved.
     */
    async approve(
      entity: EntityName,
      seen: HoldCounts | null = null,
      noteIn: (statements: Statements, approved: Approved) => Promise<void> = () => Promise.resolve(),
    ): Promise<Approved> {
      // Re-arm first: nothing is sent until the hold is lifted, so a kill in between loses nothing.
      const [held] = await database.query<{ push: boolean }>(
        'select push_hold is not null as push from :schema:.entity_state where entity = :entity',
        { entity },
      );
      const rearmed = held?.push ? await rearm(database, entity) : 0;
      return database.transaction(async (statements) => {
        const [before] = await statements.query<{ hold: Hold | null; push: PushHold | null }>(
          'select hold, push_hold as push from :schema:.entity_state where entity = :entity for update',
          { entity },
        );
        const hold = before?.hold ?? null;
        const grown = hold !== null && seen !== null && !covers(seen, hold.counts);
        await statements.query(
          `update :schema:.entity_state
           set approval = case when :grown then approval else coalesce(hold -> 'counts', approval) end, push_hold = null,
             refused_in_a_row = case when push_hold is null then refused_in_a_row else 0 end
           where entity = :entity`,
          { entity, grown },
        );
        const approved = { sweep: grown ? null : hold, push: before?.push ?? null, rearmed, grown };
        await noteIn(statements, approved);
        return approved;
      });
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

    /** Entities in doubt. */
    async doubted() {
      const rows = await database.query<{ entity: EntityName }>(
        'select entity from :schema:.entity_state where in_doubt_since is not null order by entity',
      );
      return rows.map(({ entity }) => entity);
    },

    /** A person says that nothing is missing since the doubt began: neither in the ledger nor in the journal. */
    async believeMove() {
      await database.transaction(async (statements) => {
        await statements.query(
          `delete from :schema:.journal_gap where begins > '-infinity'
             and ends >= (select min(in_doubt_since) from :schema:.entity_state)`,
        );
        await statements.query('update :schema:.entity_state set in_doubt_since = null');
      });
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
  const write = async (
    statements: Statements,
    environments: readonly PlatformEnvironment[],
    conflict: string,
  ) => {
    for (const { area, baseUrl, clientId, namespace } of environments) {
      await statements.query(
        `insert into :schema:.environment (area, base_url, client_id, namespace) values (:area, :baseUrl, :clientId, :namespace)
         on conflict (area) ${conflict}`,
        { area, baseUrl, clientId, namespace },
      );
    }
  };
  /** What was learned about the former address or credentials says nothing about the new ones. */
  const forgetTroubles = (statements: Statements, environments: readonly PlatformEnvironment[]) =>
    statements.query('delete from :schema:.area_state where area = any(:areas)', {
      areas: environments.map(({ area }) => area),
    });
  const REPLACE =
    'do update set base_url = excluded.base_url, client_id = excluded.client_id, namespace = excluded.namespace';

  const read = () =>
    database.query<PlatformEnvironment>(
      'select area, base_url as "baseUrl", client_id as "clientId", namespace from :schema:.environment',
    );

  return {
    read,
    /** Adds areas that are not stored yet. */
    add: (environments: readonly PlatformEnvironment[]) => write(database, environments, 'do nothing'),
    /** Same platform under a new address or client id. By the holder of the push lease. Errors: SyncError `lease-lost`. */
    keep: (fence: Fence, environments: readonly PlatformEnvironment[]) =>
      withLease(database, 'push', fence, async (statements) => {
        await write(statements, environments, REPLACE);
        await forgetTroubles(statements, environments);
      }),
    /**
     * Another platform: acknowledgements and references of these entities are cleared; under another namespace their
     * records are deleted, because their ids change. Gives how many records stay. By the holder of the push
     * lease. Errors: SyncError `lease-lost`.
     */
    async reset(
      fence: Fence,
      environments: readonly PlatformEnvironment[],
      entities: readonly { readonly name: EntityName; readonly area: Area; readonly repeatable: boolean }[],
    ) {
      // The environment is written last: after a kill before that, the former one remains and the reset runs again.
      const known = await read();
      let kept = 0;
      for (const { name, area, repeatable } of entities) {
        await requireLease(database, 'push', fence);
        const now = environments.find((one) => one.area === area);
        const before = known.find((one) => one.area === area);
        // Ids of another namespace are invalid: a push before the next sweep must not use them.
        // Statuses too: their applications belong to the former platform.
        if (now?.namespace !== before?.namespace || !repeatable) await forgetRecords(database, name);
        else kept += await forgetAcknowledgements(database, name);
      }
      await withLease(database, 'push', fence, async (statements) => {
        await statements.query(
          `update :schema:.entity_state set fingerprint = null, push_hold = null, refused_in_a_row = 0,
             accepted_once = false, last_success_at = null, in_doubt_since = null where entity = any(:entities)`,
          { entities: entities.map(({ name }) => name) },
        );
        await write(statements, environments, REPLACE);
        await forgetTroubles(statements, environments);
      });
      return kept;
    },
  };
}

const BATCH_SIZE = 5_000;

/** Deletes an entity's records from the ledger, batch by batch: all, or those of an SQL condition. */
async function forgetRecords(
  database: StateDatabase,
  entity: EntityName,
  condition = 'true',
): Promise<number> {
  return inBatches(BATCH_SIZE, () =>
    countOf(
      database,
      `with gone as (
         delete from :schema:.sync_state s using (
           select key from :schema:.sync_state where entity = :entity and ${condition} order by key limit ${BATCH_SIZE}
         ) batch where s.entity = :entity and s.key = batch.key returning 1
       ) select count(*) as count from gone`,
      { entity },
    ),
  );
}

/**
 * Clears from an entity's records everything that one platform answered, batch by batch. Deletes vanished records,
 * which mean nothing to another platform. Gives how many records stay. A repetition after a kill does no harm.
 */
async function forgetAcknowledgements(database: StateDatabase, entity: EntityName): Promise<number> {
  await forgetRecords(database, entity, 'vanished_at is not null');
  let kept = 0;
  for (let after: string | null = null; ;) {
    const [batch]: { count: number; last: string | null }[] = await database.query(
      `with batch as materialized (
         select key from :schema:.sync_state where entity = :entity ${after === null ? '' : 'and key > :after'}
         order by key limit ${BATCH_SIZE}
       ), cleared as (
         update :schema:.sync_state s set
           reference = null, remote_id = null, acknowledged_hash = null, acknowledged_payload = null,
           acknowledged_parent_platform_id = null, acknowledged_reply = null, possible_parents = null,
           acknowledged_at = null, drifted_at = null, looked_at = null,
           platform_state = null, platform_word = null, platform_state_at = null, refused_hash = null, attempts = 0, attempted_at = null, claim_token = null,
           claim_nonce = null, sent_hash = null, request_open = false,
           confirm_at = null, next_attempt_at = null, last_request_id = null, last_status_code = null, last_error = null, last_reply = null
         from batch where s.entity = :entity and s.key = batch.key returning 1
       ) select (select cast(count(*) as integer) from cleared) as count, max(key) as last from batch`,
      { entity, after },
    );
    kept += batch?.count ?? 0;
    after = batch?.last ?? null;
    if (after === null || (batch?.count ?? 0) < BATCH_SIZE) return kept;
  }
}
