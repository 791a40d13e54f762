import type { EntityName } from '../../domain/entity-name.js';
import { SyncError } from '../../domain/errors.js';
import type { Staging, SweepStamp } from '../../ports/staging.js';
import { checkLease, fenceParameters } from '../lease/held-lease.js';
import { confirmLater, notRepeatable } from './confirm-later.js';
import type { Fence } from '../../ports/leases.js';
import type { Parameters, StateDatabase, Statements } from '../database/state-database.js';
import { rearm } from './rearm.js';

/** Findings in one transaction. Small, so that claims never wait. */
const BATCH_SIZE = 1_000;

/** Transactions at a time: the server works on each in a process of its own. */
const LANES = 2;

/**
 * From this many findings on, refreshes the statistics, because the claim's plan depends on them, and notes the pages
 * that all readers may see: until then a digest looks up each row beside its index. What is dead is left to autovacuum.
 */
const TIDY_FROM = 10_000;
const TIDY = 'vacuum (analyze, skip_locked, index_cleanup off) :schema:.sync_state';

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

/** Publishes staged findings batch by batch; a crash between two leaves a difference that the next sweep finds. */
export function createPublish(database: StateDatabase): Staging['publish'] {
  return async (fence, entity, { renamings, expected, stamp, signal, onPublished }) => {
    if (renamings.length > 0) {
      await database.transaction(async (statements) => {
        await checkLease(statements, 'sweep', fence);
        await rename(statements, entity, renamings);
      });
    }
    let published = 0;
    const batches = expected > 0 ? await batchesOf(database, entity, fence) : [];
    const publishRest = async () => {
      // Shared by all lanes, and closed by the first of them that throws.
      for (const batch of batches) {
        if (signal.aborted) throw interrupted();
        // Not `published += await`: the other lane adds to it meanwhile.
        const size = await database.transaction(async (statements) => {
          await checkLease(statements, 'sweep', fence);
          return publishBatch(statements, entity, fence, batch);
        });
        published += size;
        onPublished?.(published);
      }
    };
    const lanes = await Promise.allSettled(Array.from({ length: LANES }, publishRest));
    for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason;
    if (published !== expected) throw incomplete(entity, published, expected);
    if (stamp !== null) {
      await rearmUnderNewMapping(database, entity, stamp.fingerprint);
      await database.transaction(async (statements) => {
        await checkLease(statements, 'sweep', fence);
        await storeSweepStamp(statements, entity, stamp);
      });
    }
    if (published >= TIDY_FROM) await database.tidy(TIDY);
  };
}

/** Rejected under another mapping, which stopped the push: pending again. Nothing of them is sent before the stamp. */
async function rearmUnderNewMapping(
  database: StateDatabase,
  entity: EntityName,
  fingerprint: string,
): Promise<void> {
  const [state] = await database.query<{ other: boolean }>(
    `select fingerprint is distinct from :fingerprint as other
     from :schema:.entity_state where entity = :entity and push_hold is not null`,
    { entity, fingerprint },
  );
  if (state?.other) await rearm(database, entity);
}

/**
 * Closes a published sweep: stores fingerprint and times, and clears what a publication uses up (hold, approval, a full
 * sweep requested before it began). Another fingerprint is a new try of the contract: a push that refusals had stopped
 * goes on.
 */
async function storeSweepStamp(statements: Statements, entity: EntityName, stamp: SweepStamp): Promise<void> {
  const { fingerprint, full, startedAt, foreign = 0 } = stamp;
  await statements.query(
    `insert into :schema:.entity_state as s (entity, fingerprint, last_sweep_at, last_full_sweep_at, foreign_rows)
     values (:entity, :fingerprint, clock_timestamp(), case when :full then clock_timestamp() end, :foreign)
     on conflict (entity) do update set
       fingerprint = excluded.fingerprint,
       last_sweep_at = excluded.last_sweep_at,
       last_full_sweep_at = coalesce(excluded.last_full_sweep_at, s.last_full_sweep_at),
       full_sweep_requested_at = case
         when :full and s.full_sweep_requested_at <= cast(:startedAt as timestamptz) then null else s.full_sweep_requested_at end,
       foreign_rows = excluded.foreign_rows,
       hold = null,
       approval = null,
       push_hold = case when s.fingerprint is distinct from excluded.fingerprint then null else s.push_hold end,
       refused_in_a_row = case when s.fingerprint is distinct from excluded.fingerprint then 0 else s.refused_in_a_row end,
       accepted_once = case when s.fingerprint is distinct from excluded.fingerprint then false else s.accepted_once end`,
    { entity, fingerprint, full, startedAt, foreign },
  );
}

function interrupted(): SyncError {
  return new SyncError(
    'interrupted',
    'A signal stopped the run while a sweep was applied. The next sweep continues.',
    {
      scope: 'run',
    },
  );
}

function incomplete(entity: EntityName, published: number, expected: number): SyncError {
  return new SyncError(
    'unbalanced',
    `The sweep of ${entity} found ${expected} differences, but only ${published} could be applied.`,
    {
      scope: 'entity',
      hint: 'The state database lost staged rows, probably by a crash or fail-over. The next run finds the rest again.',
    },
  );
}

/** The longest time-out that can be configured: a sweep does not know the area's time-out. */
const LONGEST_TIMEOUT_MS = String(60 * 60 * 1_000);

/** An open claim has the old key, so its outcome would never find the record: it ends like an attempt without reply. */
async function rename(
  statements: Statements,
  entity: EntityName,
  renamings: readonly { from: string; to: string }[],
) {
  await statements.query(
    `update :schema:.sync_state s set key = r."to",
       acknowledged_hash = case when s.claim_token is null then s.acknowledged_hash end,
       confirm_at = ${confirmLater('s', LONGEST_TIMEOUT_MS)},
       claim_token = null
     from jsonb_to_recordset(cast(:renamings as jsonb)) as r("from" text, "to" text)
     where s.entity = :entity and s.key = r."from"`,
    { entity, renamings: JSON.stringify(renamings) },
  );
}

/** Sequence numbers of findings, both included. */
interface Batch {
  readonly first: number;
  readonly last: number;
}

/** Everything that is staged, in batches; some have fewer findings, because numbers are left out where a statement failed. */
async function batchesOf(
  database: Statements,
  entity: EntityName,
  fence: Fence,
): Promise<IterableIterator<Batch>> {
  const [staged] = await database.query<{ first: string | null; last: string | null }>(
    `select cast(min(seq) as text) as first, cast(max(seq) as text) as last from :schema:.staged_finding where ${OWN}`,
    { entity, ...fenceParameters(fence) },
  );
  return inBatches(Number(staged?.first ?? 1), Number(staged?.last ?? 0));
}

function* inBatches(first: number, last: number): IterableIterator<Batch> {
  for (let from = first; from <= last; from += BATCH_SIZE)
    yield { first: from, last: Math.min(last, from + BATCH_SIZE - 1) };
}

/** SQL: a finding of this sweep of this entity. */
const OWN = 'sweep_token = :token and sweep_nonce = :nonce and entity = :entity';

/** Gives how many findings it had. */
async function publishBatch(
  statements: Statements,
  entity: EntityName,
  fence: Fence,
  { first, last }: Batch,
): Promise<number> {
  const values = { entity, ...fenceParameters(fence), first, last };
  const batch = `select * from :schema:.staged_finding where seq between :first and :last and ${OWN}`;
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
