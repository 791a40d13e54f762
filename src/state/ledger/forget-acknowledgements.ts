import type { EntityName } from '../../domain/names.js';
import type { StateDatabase } from '../database/state-database.js';

/** Records in one statement. */
const BATCH_SIZE = 5_000;

/**
 * Clears from an entity's records everything that one platform answered, batch by batch. Deletes vanished records,
 * which mean nothing to another platform. Gives how many records stay. A repetition after a kill does no harm.
 */
export async function forgetAcknowledgements(database: StateDatabase, entity: EntityName): Promise<number> {
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
           acknowledged_at = null, drifted_at = null, refused_hash = null, attempts = 0, attempted_at = null, claim_token = null,
           claim_nonce = null, sent_hash = null, request_open = false,
           confirm_at = null, next_attempt_at = null, last_request_id = null, last_status_code = null, last_error = null
         from batch where s.entity = :entity and s.key = batch.key returning 1
       ) select (select cast(count(*) as integer) from cleared) as count, max(key) as last from batch`,
      { entity, after },
    );
    kept += batch?.count ?? 0;
    after = batch?.last ?? null;
    if (after === null || (batch?.count ?? 0) < BATCH_SIZE) return kept;
  }
}

/** Deletes an entity's records from the ledger, batch by batch: all, or those of an SQL condition. */
export async function forgetRecords(
  database: StateDatabase,
  entity: EntityName,
  condition = 'true',
): Promise<number> {
  for (let forgotten = 0; ;) {
    const [batch] = await database.query<{ count: number }>(
      `with gone as (
         delete from :schema:.sync_state s using (
           select key from :schema:.sync_state where entity = :entity and ${condition} order by key limit ${BATCH_SIZE}
         ) batch where s.entity = :entity and s.key = batch.key returning 1
       ) select cast(count(*) as integer) as count from gone`,
      { entity },
    );
    const count = batch?.count ?? 0;
    forgotten += count;
    if (count < BATCH_SIZE) return forgotten;
  }
}
