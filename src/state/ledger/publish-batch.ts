import type { EntityName } from '../../domain/names.js';
import type { Fence } from '../../ports/leases.js';
import type { Parameters, Statements } from '../database/state-database.js';
import { fenceParameters } from '../lease/held-lease.js';
import { notRepeatable } from './confirm-later.js';
import type { Batch } from './finding-batches.js';
import { OWN_FINDINGS } from './own-findings.js';

/**
 * SQL: what the acknowledged payload becomes when the finding in alias `e` replaces what is desired of `s`. Kept rule:
 * once `acknowledged_at` is set, null means "equal to the desired payload". A finding without a hash leaves the desired
 * payload unchanged, so this must stay too, even while the acknowledged hash is unknown (null).
 */
const acknowledgedPayload = (e: string) => `case
  when ${e}.desired_hash is null or ${e}.desired_hash is not distinct from s.desired_hash then s.acknowledged_payload
  when ${e}.desired_hash = s.acknowledged_hash then null
  when ${e}.desired_payload is not null and s.acknowledged_at is not null
    then coalesce(s.acknowledged_payload, s.desired_payload)
  else s.acknowledged_payload end`;

/** Whether the finding desires another payload than `s` did; then attempts and rejections start again. */
const OTHER_DESIRED = `(excluded.desired_hash is not null and excluded.desired_hash is distinct from s.desired_hash)`;

/**
 * SQL: the former parents under which the platform may hold `s`, now or later, because an outcome is unknown, once the
 * finding in alias `e` gives it another parent. A confirming acceptance clears them.
 */
const possibleParents = (e: string) => `case
  when (s.claim_token is not null or s.confirm_at is not null)
    and ${e}.parent_platform_id is distinct from s.parent_platform_id and ${e}.desired_hash is not null
    and s.parent_platform_id <> all(coalesce(s.possible_parents, '{}'))
    then array_append(s.possible_parents, s.parent_platform_id)
  else s.possible_parents end`;

/** Publishes what is staged in a batch. Gives how many findings it had. */
export async function publishBatch(
  statements: Statements,
  entity: EntityName,
  fence: Fence,
  { first, last }: Batch,
): Promise<number> {
  const values = { entity, ...fenceParameters(fence), first, last };
  const batch = `select * from :schema:.staged_finding where seq between :first and :last and ${OWN_FINDINGS}`;
  const [found] = await statements.query<{ size: number; vanished: boolean | null }>(
    `select cast(count(*) as integer) as size, bool_or(kind = 'vanished') as vanished from (${batch}) e`,
    values,
  );
  if (!found || found.size === 0) return 0;
  await statements.query(
    `insert into :schema:.sync_state as s
       (entity, key, platform_id, parent_platform_id, row_version, desired_hash, desired_payload, desired_at, invalid_reason, noted)
     select entity, key, platform_id, parent_platform_id, row_version, desired_hash, desired_payload, now(), invalid_reason, noted
     from (${batch}) e where kind <> 'vanished'
     on conflict (entity, key) do update set
       platform_id = coalesce(excluded.platform_id, s.platform_id),
       possible_parents = ${possibleParents('excluded')},
       parent_platform_id = case when excluded.desired_hash is null then s.parent_platform_id else excluded.parent_platform_id end,
       row_version = excluded.row_version,
       acknowledged_payload = ${acknowledgedPayload('excluded')},
       refused_hash = case when ${OTHER_DESIRED} then null else s.refused_hash end,
       attempts = case when ${OTHER_DESIRED} then 0 else s.attempts end,
       next_attempt_at = case when ${OTHER_DESIRED} then null else s.next_attempt_at end,
       desired_at = case when ${OTHER_DESIRED} then now() else s.desired_at end,
       desired_hash = coalesce(excluded.desired_hash, s.desired_hash),
       desired_payload = case when ${notRepeatable('s')} and excluded.desired_hash = s.acknowledged_hash then null
         else coalesce(excluded.desired_payload, s.desired_payload) end,
       invalid_reason = excluded.invalid_reason,
       noted = case when excluded.invalid_reason is null then excluded.noted else s.noted end,
       vanished_at = null, expired = false`,
    values,
  );
  // Without statistics of a ledger that is being filled, the two statements below read all of it for each batch.
  if (found.vanished === true) await publishVanished(statements, batch, values);
  return found.size;
}

/** The records that vanished, of the findings that the SELECT `batch` gives. */
async function publishVanished(statements: Statements, batch: string, values: Parameters): Promise<void> {
  // Never tried, so the platform cannot know it: no row is needed.
  await statements.query(
    `delete from :schema:.sync_state s using (${batch}) e
     where e.kind = 'vanished' and s.entity = e.entity and s.key = e.key
       and s.attempted_at is null and s.acknowledged_at is null and s.claim_token is null`,
    values,
  );
  await statements.query(
    `update :schema:.sync_state s set
       vanished_at = coalesce(s.vanished_at, now()), expired = e.expired,
       acknowledged_payload = ${acknowledgedPayload('e')},
       refused_hash = null, attempts = 0, next_attempt_at = null, invalid_reason = null,
       desired_at = now(),
       desired_hash = e.desired_hash,
       possible_parents = ${possibleParents('e')},
       parent_platform_id = coalesce(e.parent_platform_id, s.parent_platform_id),
       desired_payload = coalesce(e.desired_payload, s.desired_payload)
     from (${batch}) e where e.kind = 'vanished' and s.entity = e.entity and s.key = e.key`,
    values,
  );
}
