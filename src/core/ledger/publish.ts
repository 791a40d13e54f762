import { SyncError } from '../domain/errors.js';
import type { EntityName } from '../domain/names.js';
import type { SourceSight } from '../domain/source-sight.js';
import type { Fence } from '../ports/clock.js';
import type { Parameters, StateDatabase, Statements } from './database/state-database.js';
import { fenceParameters, withLease } from './lease.js';
import { rearm } from './resend-requests.js';
import { OWN_FINDINGS, confirmLater, neverThereSql, notRepeatable } from './status-sql.js';

/**
 * From the findings of a sweep, which the guards have judged (staging.ts), to the ledger: renamed records first, then batch
 * by batch in two lanes, and the stamp of the sweep at the end. After a crash in between the next sweep finds the rest again.
 */

/** A new spelling of a key with the same platform id (a UUID in another case): the record stays. */
export interface Renaming {
  readonly from: string;
  readonly to: string;
  /** Whether the old key counts as vanished in this sweep. */
  readonly vanishedNow: boolean;
  /** Whether the new key counts as new; false: its row is invalid. */
  readonly wasNew: boolean;
}

/** What is stored with the last part of a sweep. */
interface SweepStamp {
  readonly fingerprint: string;
  readonly full: boolean;
  /** Database time when the sweep began, so that a full sweep requested meanwhile is not lost. */
  readonly startedAt: string;
  /** Rows whose application never came by webhook; left out: none. */
  readonly foreign?: number;
  /** Where the rows come from; left out: what is stored stays. */
  readonly source?: SourceSight;
}

/** Transactions at a time: the server works on each in a process of its own. */
const LANES = 2;

/**
 * From this many findings on, refreshes the statistics, because the claim's plan depends on them, and notes the pages
 * that all readers may see: until then a digest looks up each row beside its index. What is dead is left to autovacuum.
 */
const TIDY_FROM = 10_000;
const TIDY = `vacuum (analyze, skip_locked, index_cleanup off) :schema:.sync_state
  (entity, key, platform_id, parent_platform_id, unacknowledged, settled, sendable, vanished_at, claim_token, confirm_at,
   next_attempt_at, attempted_at, acknowledged_at, desired_at, expired)`;

interface StagedSweep {
  readonly renamings: readonly Renaming[];
  readonly expected: number;
  readonly stamp: SweepStamp | null;
  readonly signal: AbortSignal;
  /** What was found of an application that left the inbox since is not stored: its person may have been erased. */
  readonly needsInbox?: boolean;
  /** Called after each transaction with the number of findings published. */
  readonly onPublished?: (count: number) => void;
}

/**
 * Publishes in short transactions, each of which checks the sweep lease; the last one stores `stamp`. Null: these are
 * single records and not the result of a sweep, so fingerprint, times and hold of the entity stay.
 * Errors: SyncError `lease-lost`; `unbalanced` when the number of findings is not `expected` (a crash of the database
 * empties the table); `interrupted` when `signal` aborts in between. In each case the stamp is not stored,
 * and the next sweep finds what is missing.
 */
export function createPublish(database: StateDatabase) {
  return async (fence: Fence, entity: EntityName, sweep: StagedSweep): Promise<void> => {
    const { renamings, expected, stamp, signal, needsInbox = false, onPublished } = sweep;
    const underLease = <T>(work: (statements: Statements) => Promise<T>) =>
      withLease(database, 'sweep', fence, work);
    if (renamings.length > 0) await underLease((statements) => renameRecords(statements, entity, renamings));
    let published = 0;
    const batches = expected > 0 ? await findingBatches(database, entity, fence) : [];
    const publishRest = async () => {
      // Shared by all lanes, and closed by the first of them that throws.
      for (const batch of batches) {
        if (signal.aborted) throw interrupted();
        // Not `published += await`: the other lane adds to it meanwhile.
        const size = await underLease((statements) =>
          publishBatch(statements, entity, fence, { ...batch, needsInbox }),
        );
        published += size;
        onPublished?.(published);
      }
    };
    const lanes = await Promise.allSettled(Array.from({ length: LANES }, publishRest));
    for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason;
    if (published !== expected) throw incomplete(entity, published, expected);
    if (stamp !== null) {
      await rearmUnderNewMapping(database, entity, stamp.fingerprint);
      await underLease((statements) => storeSweepStamp(statements, entity, stamp));
    }
    if (published >= TIDY_FROM && (await isLargeShare(database, published))) await database.tidy(TIDY);
  };
}

/** The longest time-out that can be configured: a sweep does not know the area's time-out. */
const LONGEST_TIMEOUT_MS = String(60 * 60 * 1_000);

/** An open claim has the old key, so its outcome would never find the record: it ends like an attempt without reply. */
async function renameRecords(
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
async function findingBatches(
  database: Statements,
  entity: EntityName,
  fence: Fence,
): Promise<IterableIterator<Batch>> {
  const [staged] = await database.query<{ first: string | null; last: string | null }>(
    `select cast(min(seq) as text) as first, cast(max(seq) as text) as last from :schema:.staged_finding where ${OWN_FINDINGS}`,
    { entity, ...fenceParameters(fence) },
  );
  return batchesBetween(Number(staged?.first ?? 1), Number(staged?.last ?? 0));
}

/** Findings in one transaction. Small, so that claims never wait. */
const BATCH_SIZE = 1_000;

function* batchesBetween(first: number, last: number): IterableIterator<Batch> {
  for (let from = first; from <= last; from += BATCH_SIZE)
    yield { first: from, last: Math.min(last, from + BATCH_SIZE - 1) };
}

function interrupted(): SyncError {
  const message = 'The run was stopped while a sweep was applied. The next sweep continues.';
  return new SyncError('interrupted', message, { scope: 'run' });
}

/** Whether the finding desires another payload than `s` did; then attempts and rejections start again. */
const OTHER_DESIRED = `(excluded.desired_hash is not null and excluded.desired_hash is distinct from s.desired_hash)`;

/**
 * SQL: the platform took the record down, or refused what is desired again after it had accepted it. A removed record
 * stays so whatever its row says; a refused one may be corrected.
 */
const STAYS_DOWN = `(s.platform_state is not distinct from 'removed'
  or (s.platform_state is not distinct from 'refused' and excluded.desired_hash is not distinct from s.acknowledged_hash))`;

async function publishBatch(
  statements: Statements,
  entity: EntityName,
  fence: Fence,
  { first, last, needsInbox }: Batch & { readonly needsInbox: boolean },
): Promise<number> {
  const values = { entity, ...fenceParameters(fence), first, last, needsInbox };
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
     from (${batch}) e where kind <> 'vanished' and (not cast(:needsInbox as boolean)
       or exists (select 1 from :schema:.job_application a where a.application_id = e.platform_id))
     on conflict (entity, key) do update set
       platform_id = coalesce(excluded.platform_id, s.platform_id),
       possible_parents = ${possibleParents('excluded')},
       parent_platform_id = case when excluded.desired_hash is null then s.parent_platform_id else excluded.parent_platform_id end,
       row_version = excluded.row_version,
       acknowledged_payload = ${acknowledgedPayload('excluded')},
       refused_hash = case when not ${OTHER_DESIRED} then s.refused_hash when ${STAYS_DOWN} then excluded.desired_hash end,
       platform_state = case when s.platform_state = 'refused' and ${OTHER_DESIRED} and not ${STAYS_DOWN} then null else s.platform_state end,
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

/** The records that vanished, of the findings that the SELECT `batch` gives. */
async function publishVanished(statements: Statements, batch: string, values: Parameters): Promise<void> {
  // Nothing of it was sent, so the platform cannot have it: no row is needed.
  await statements.query(
    `delete from :schema:.sync_state s using (${batch}) e
     where e.kind = 'vanished' and s.entity = e.entity and s.key = e.key
       and ${neverThereSql('s')}`,
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
  const { fingerprint, full, startedAt, foreign = 0, source } = stamp;
  await statements.query(
    `insert into :schema:.entity_state as s (entity, fingerprint, last_sweep_at, last_full_sweep_at, foreign_rows, source)
     values (:entity, :fingerprint, clock_timestamp(), case when :full then clock_timestamp() end, :foreign, cast(:source as jsonb))
     on conflict (entity) do update set
       fingerprint = excluded.fingerprint,
       last_sweep_at = excluded.last_sweep_at,
       last_full_sweep_at = coalesce(excluded.last_full_sweep_at, s.last_full_sweep_at),
       full_sweep_requested_at = case
         when :full and s.full_sweep_requested_at <= cast(:startedAt as timestamptz) then null else s.full_sweep_requested_at end,
       foreign_rows = excluded.foreign_rows,
       source = coalesce(excluded.source, s.source),
       hold = null,
       approval = null,
       push_hold = case when s.fingerprint is distinct from excluded.fingerprint then null else s.push_hold end,
       refused_in_a_row = case when s.fingerprint is distinct from excluded.fingerprint then 0 else s.refused_in_a_row end,
       accepted_once = case when s.fingerprint is distinct from excluded.fingerprint then false else s.accepted_once end`,
    { entity, fingerprint, full, startedAt, foreign, source: source ? JSON.stringify(source) : null },
  );
}

/** Of all records: below it, the statistics are still right, and autovacuum comes in time. */
const TIDY_SHARE = 0.1;

async function isLargeShare(database: StateDatabase, published: number): Promise<boolean> {
  const [table] = await database.query<{ records: number }>(
    `select c.reltuples as records from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = :name and c.relname = 'sync_state'`,
    { name: database.schema },
  );
  return published >= (table?.records ?? 0) * TIDY_SHARE;
}
