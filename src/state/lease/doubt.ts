import type { EntityName } from '../../domain/names.js';
import { compareUtf8 } from '../../domain/key.js';
import { ENTITIES } from '../../entities/index.js';
import { confirmLater } from '../ledger/confirm-later.js';
import type { Statements } from '../database/state-database.js';

/** Records that one statement changes: short transactions, so that a running push never waits. */
const BATCH_SIZE = 5_000;

/** Entities that can be read back or sent again without harm; application statuses cannot. */
const DOUBTED = ENTITIES.filter(({ repeatable }) => repeatable).map(({ name }) => name);

/** The database went back in time: what counts as acknowledged may not be what the platform holds. */
export async function noteDoubt(statements: Statements): Promise<void> {
  await statements.query(
    `insert into :schema:.entity_state (entity, in_doubt_since)
     select doubted.name, clock_timestamp() from unnest(cast(:doubted as text[])) as doubted(name)
     where exists (select 1 from :schema:.sync_state s where s.entity = doubted.name)
     on conflict (entity) do update set in_doubt_since = excluded.in_doubt_since`,
    { doubted: DOUBTED },
  );
  await noteJournalGap(statements);
}

/**
 * The journal went back too: it may lack what was sent between its last row and now. Only its rows are proof that this
 * copy was the one in use; the other tables are written also by those that hold no lease.
 */
async function noteJournalGap(statements: Statements): Promise<void> {
  await statements.query(
    `insert into :schema:.journal_gap as g (begins, ends)
     select coalesce(max(answered_at), '-infinity'), clock_timestamp() from :schema:.delivery
     on conflict (begins) do update set ends = greatest(g.ends, excluded.ends)`,
  );
}

/**
 * Clears the acknowledgements of records that are not settled, because they cannot be read back and compared. They are
 * sent when they may be, whatever was acknowledged. Open claims end like an attempt without reply: an earlier request
 * may have arrived after them. Vanished records stay unchanged, unless something of them is to be sent, or they are
 * only reported.
 */
export async function distrustUnsettled(
  database: Statements,
  entity: EntityName,
  timeoutMs: number,
): Promise<void> {
  for (let after = ''; ;) {
    const rows = await database.query<{ key: string }>(
      `with batch as materialized (
         select s.key from :schema:.sync_state s
         where s.entity = :entity and s.key > :after and (s.claim_token is not null
           or (not s.settled and s.acknowledged_hash is not null
             and (s.vanished_at is null or s.desired_hash is distinct from s.acknowledged_hash)))
         order by s.key limit ${BATCH_SIZE} for update
       )
       update :schema:.sync_state s set
         confirm_at = ${confirmLater('s', ':timeout')}, acknowledged_hash = null, claim_token = null
       from batch where s.entity = :entity and s.key = batch.key returning s.key`,
      { entity, after, timeout: timeoutMs },
    );
    if (rows.length < BATCH_SIZE) return;
    after = rows.map(({ key }) => key).reduce((last, key) => (compareUtf8(key, last) > 0 ? key : last));
  }
}
