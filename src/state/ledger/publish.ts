import type { EntityName } from '../../domain/names.js';
import { SyncError } from '../../domain/errors.js';
import type { Staging } from '../../ports/staging.js';
import { checkLease } from '../lease/held-lease.js';
import type { StateDatabase } from '../database/state-database.js';
import { findingBatches } from './finding-batches.js';
import { publishBatch } from './publish-batch.js';
import { rearm } from './rearm.js';
import { renameRecords } from './rename-records.js';
import { storeSweepStamp } from './store-sweep-stamp.js';

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

/** Publishes staged findings batch by batch; a crash between two leaves a difference that the next sweep finds. */
export function createPublish(database: StateDatabase): Staging['publish'] {
  return async (fence, entity, { renamings, expected, stamp, signal, onPublished }) => {
    if (renamings.length > 0) {
      await database.transaction(async (statements) => {
        await checkLease(statements, 'sweep', fence);
        await renameRecords(statements, entity, renamings);
      });
    }
    let published = 0;
    const batches = expected > 0 ? await findingBatches(database, entity, fence) : [];
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
    if (published >= TIDY_FROM && (await isLargeShare(database, published))) await database.tidy(TIDY);
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

function interrupted(): SyncError {
  return new SyncError(
    'interrupted',
    'The run was stopped while a sweep was applied. The next sweep continues.',
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
