import type { Area, EntityName } from '../../core/domain/names.js';
import {
  countOf,
  inBatches,
  type StateDatabase,
  type Statements,
} from '../../core/ledger/database/state-database.js';
import {
  createEnvironments,
  type PlatformEnvironment,
  writeEnvironments,
} from '../../core/ledger/entity-states.js';
import { requireLease, withLease } from '../../core/ledger/lease.js';
import type { Fence } from '../../core/ports/clock.js';

/**
 * What a person says by `adopt` of a ledger that does not fit any more: `keep` and `reset` make it belong to another
 * environment, `believeMove` ends the doubt of one that was moved. `reset` forgets everything that the former platform answered.
 */

const REPLACE =
  'do update set base_url = excluded.base_url, client_id = excluded.client_id, namespace = excluded.namespace';

/** What was learned about the former address or credentials says nothing about the new ones. */
function forgetTroubles(statements: Statements, environments: readonly PlatformEnvironment[]) {
  return statements.query('delete from :schema:.area_state where area = any(:areas)', {
    areas: environments.map(({ area }) => area),
  });
}

export type Adoptions = ReturnType<typeof createAdoptions>;

export function createAdoptions(database: StateDatabase) {
  return {
    /** Same platform under a new address or client id. By the holder of the push lease. Errors: SyncError `lease-lost`. */
    keep: (fence: Fence, environments: readonly PlatformEnvironment[]) =>
      withLease(database, 'push', fence, async (statements) => {
        await writeEnvironments(statements, environments, REPLACE);
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
      const known = await createEnvironments(database).read();
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
        await writeEnvironments(statements, environments, REPLACE);
        await forgetTroubles(statements, environments);
      });
      return kept;
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
