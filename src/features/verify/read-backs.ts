import type { RunContext, RunState } from '../../core/context.js';
import type { OperationName } from '../../core/contract/operation.js';
import { batched } from '../../core/domain/group-by.js';
import { uuidText } from '../../core/domain/key.js';
import type { EntityName } from '../../core/domain/names.js';
import { ABSENT_HASH } from '../../core/domain/payload.js';
import { isTakenDown, type PlatformState, type ShownState } from '../../core/domain/reply/reply.js';
import type { JsonObject } from '../../core/domain/row.js';
import type { Fence } from '../../core/ports/clock.js';
import { countOf, type StateDatabase } from '../../core/ledger/database/state-database.js';
import { fenceParameters, heldLeaseSql, requireLease } from '../../core/ledger/lease.js';
import { DRIFTED, joinParent, takenDownSql } from '../../core/ledger/status-sql.js';

/**
 * The records that can be read back from the platform and compared: those that count as settled (`verify`), and those of
 * which nothing was acknowledged yet (`adopt`). What a comparison found is stored here, `noteDrift` and `adopt`, unless the
 * record has changed since it was read.
 */

/** A record to be read back, as the ledger knows it. */
export interface ReadBackRecord {
  readonly key: string;
  readonly platformId: string;
  /** What is desired; for a settled record also what the platform accepted. */
  readonly desiredHash: string;
  readonly payload: JsonObject;
  /** Database time of the last acknowledgement, as text so that no digit is lost; null: never. */
  readonly acknowledgedAt: string | null;
  /** Its own reference, as the platform gave it; null: none. */
  readonly reference: string | null;
  /** The parent's reference as it is sent; null without a parent, or while the parent has none. */
  readonly parentReference: string | null;
  /** What the platform made of it when it was read back last; null: nothing is known. */
  readonly platformState: PlatformState | null;
  readonly platformWord: string | null;
  /** It was accepted so lately that the platform may still be about to show it. */
  readonly mayFollow: boolean;
}

/**
 * - `settled`: acknowledged, with nothing to send, to confirm or under way, and what the platform took down; for `verify`.
 * - `not-live`: of these, the ones of which the platform showed another state than `live`, or none yet.
 * - `unknown`: desired and never acknowledged, with nothing under way; for `adopt`. Pages leave out those that wait for a
 *   parent without reference: the platform cannot hold them under it.
 */
export type ReadBackSet = 'settled' | 'not-live' | 'unknown';

/** Records to be compared with what the platform holds. */
export type ReadBacks = ReturnType<typeof createReadBacks>;

const SETTLED = `(s.settled or ${takenDownSql('s')}) and s.claim_token is null and s.desired_payload is not null`;

/** SQL: whether the record in alias `s` belongs to a set. Without records to delete: they have nothing to compare. */
const MEMBER: Readonly<Record<ReadBackSet, string>> = {
  settled: SETTLED,
  'not-live': `s.platform_state <> 'live' and ${SETTLED}`,
  unknown: `s.acknowledged_at is null and s.vanished_at is null and s.invalid_reason is null and s.claim_token is null
    and s.desired_hash <> '${ABSENT_HASH}' and s.desired_payload is not null`,
};

/** SQL: the record has a parent, joined as `p`, without reference. */
const WAITS = 's.parent_platform_id is not null and p.reference is null';

/** How long the platform may take until it shows a record that it accepted: then one that it does not have is missing. */
const PUBLISHING = '24 hours';

const COLUMNS = `s.key, s.platform_id as "platformId", s.desired_hash as "desiredHash", s.desired_payload as payload,
  cast(s.acknowledged_at as text) as "acknowledgedAt", s.reference, p.reference as "parentReference",
  s.platform_state as "platformState", s.platform_word as "platformWord",
  coalesce(s.platform_state = 'pending' and s.acknowledged_at > now() - interval '${PUBLISHING}', false) as "mayFollow"`;

/** The record is unchanged since it was read. */
const UNCHANGED = `s.entity = :entity and s.key = :key and s.claim_token is null and s.desired_hash = :hash
  and s.acknowledged_at is not distinct from cast(:acknowledgedAt as timestamptz)`;

/** Records that one statement marks: short transactions, so that a running push never waits. */
const BATCH_SIZE = 1_000;

export function createReadBacks(database: StateDatabase) {
  return {
    count: (entity: EntityName, set: ReadBackSet) =>
      countOf(
        database,
        `select count(*) as count from :schema:.sync_state s where s.entity = :entity and ${MEMBER[set]}`,
        { entity },
      ),

    /** Unknown ones that wait for a parent without reference. */
    countWaiting: (entity: EntityName) =>
      countOf(
        database,
        `select count(*) as count from :schema:.sync_state s ${joinParent('s', 'p', entity)}
         where s.entity = :entity and ${MEMBER.unknown} and ${WAITS}`,
        { entity },
      ),

    /** The next ones after a key, in the order of `key COLLATE "C"`; none after the last. */
    page: (entity: EntityName, set: ReadBackSet, after: string | null, limit: number) =>
      database.query<ReadBackRecord>(
        `select ${COLUMNS} from :schema:.sync_state s ${joinParent('s', 'p')}
         where s.entity = :entity and ${MEMBER[set]} ${set === 'unknown' ? `and not (${WAITS})` : ''} ${after === null ? '' : 'and s.key > :after'}
         order by s.key limit :limit`,
        { entity, after, limit },
      ),

    /** So many settled records that are not `not-live`, picked at random, in any order. */
    sample: (entity: EntityName, count: number) =>
      database.query<ReadBackRecord>(
        // Keys first, so as not to sort the payloads of a million records.
        `with picked as materialized (
           select s.key from :schema:.sync_state s
           where s.entity = :entity and ${MEMBER.settled} and coalesce(s.platform_state, 'live') = 'live'
           order by random() limit :count
         )
         select ${COLUMNS} from picked
         join :schema:.sync_state s on s.entity = :entity and s.key = picked.key ${joinParent('s', 'p')}`,
        { entity, count },
      ),

    /** These settled records, by key or platform id. */
    named: (entity: EntityName, keys: readonly string[]) =>
      database.query<ReadBackRecord>(
        `select ${COLUMNS} from :schema:.sync_state s ${joinParent('s', 'p', entity)}
         where s.entity = :entity and (s.key = any(:keys) or s.platform_id = any(cast(:ids as uuid[]))) and ${MEMBER.settled}`,
        { entity, keys, ids: keys.flatMap((key) => uuidText(key) ?? []) },
      ),

    /** Stores that a record was read back now, unless it was sent meanwhile. */
    async noteLooked(entity: EntityName, { key, acknowledgedAt }: ReadBackRecord) {
      await database.query(
        `update :schema:.sync_state set looked_at = clock_timestamp()
         where entity = :entity and key = :key and acknowledged_at is not distinct from cast(:acknowledgedAt as timestamptz)`,
        { entity, key, acknowledgedAt },
      );
    },

    /** Whether a settled record is still as it was read: neither changed nor sent meanwhile. */
    async isUnchanged(entity: EntityName, { key, desiredHash, acknowledgedAt }: ReadBackRecord) {
      const rows = await database.query(
        `select 1 from :schema:.sync_state s where ${UNCHANGED} and ${MEMBER.settled}`,
        { entity, key, hash: desiredHash, acknowledgedAt },
      );
      return rows.length > 0;
    },

    /** Records that a read-back found to differ or to be missing, and that the platform has not accepted since. */
    async drifted(entity: EntityName) {
      const rows = await database.query<{ key: string }>(
        `select s.key from :schema:.sync_state s where s.entity = :entity and ${DRIFTED}`,
        { entity },
      );
      return rows.map(({ key }) => key);
    },

    /**
     * Stores what a read-back found: `different` of records as they were read (sent meanwhile: not stored), `equal` of
     * records that were known to differ.
     */
    async noteDrift(
      entity: EntityName,
      found: {
        readonly different: readonly Pick<ReadBackRecord, 'key' | 'acknowledgedAt'>[];
        readonly equal: readonly string[];
      },
    ) {
      for (const keys of batched(found.equal, BATCH_SIZE))
        await database.query(
          `update :schema:.sync_state set drifted_at = null
           where entity = :entity and key = any(:keys) and drifted_at is not null`,
          { entity, keys },
        );
      for (const rows of batched(found.different, BATCH_SIZE))
        await database.query(
          `update :schema:.sync_state s set drifted_at = clock_timestamp()
           from jsonb_to_recordset(cast(:rows as jsonb)) as r("key" text, "acknowledgedAt" timestamptz)
           where s.entity = :entity and s.key = r."key"
             and s.acknowledged_at is not distinct from r."acknowledgedAt" and not (${DRIFTED})`,
          { entity, rows: JSON.stringify(rows) },
        );
    },

    /**
     * Stores what the platform shows of a settled record, unless it was sent meanwhile; null: nothing worth storing. A change
     * goes into the journal as `seen`, with the Find that showed it; `reason` null: it does not.
     */
    async noteState(
      entity: EntityName,
      { key, desiredHash, acknowledgedAt }: ReadBackRecord,
      shown: ShownState | null,
      find: { readonly requestId: string; readonly operation: OperationName; readonly reason: string | null },
    ) {
      const down = isTakenDown(shown?.state ?? null);
      await database.query(
        `with before as materialized (
           select s.key, s.platform_state as state from :schema:.sync_state s
           where ${UNCHANGED} and ${MEMBER.settled} for update
         ), changed as (
           update :schema:.sync_state s set
             platform_state = :state, platform_word = :word, platform_state_at = clock_timestamp(),
             refused_hash = ${down ? 's.desired_hash' : `case when ${takenDownSql('s')} then null else s.refused_hash end`},
             drifted_at = ${down ? 'null' : 's.drifted_at'}
           from before where s.entity = :entity and s.key = before.key
             and (s.platform_state is distinct from :state or s.platform_word is distinct from :word)
           returning s.key, s.platform_id, s.parent_platform_id, s.acknowledged_hash, before.state
         )
         insert into :schema:.delivery (entity, key, platform_id, parent_platform_id, kind, operation, request_id,
           payload_hash, claimed_at, answered_at, status_code, outcome, reason, shown_state)
         select :entity, key, platform_id, parent_platform_id, 'state', :operation, cast(:requestId as uuid),
           acknowledged_hash, clock_timestamp(), clock_timestamp(), 200, 'seen', cast(:reason as text), :state
         from changed where cast(:reason as text) is not null and (state is not null or :state <> 'live')
         on conflict do nothing`,
        {
          entity,
          key,
          hash: desiredHash,
          acknowledgedAt,
          state: shown?.state ?? null,
          word: shown?.word ?? null,
          ...find,
        },
      );
    },

    /** How many of these keys are settled now. */
    countSettled: (entity: EntityName, keys: readonly string[]) =>
      countOf(
        database,
        `select count(*) as count from :schema:.sync_state s
         where s.entity = :entity and s.key = any(:keys) and ${MEMBER.settled}`,
        { entity, keys },
      ),

    /**
     * Stores that the platform holds an unknown record. `equal`: the desired payload is acknowledged; if not, only its
     * links are kept. False: the record changed meanwhile. Errors: SyncError `lease-lost`.
     */
    async adopt(
      fence: Fence,
      entity: EntityName,
      { key, desiredHash, acknowledgedAt }: ReadBackRecord,
      found: {
        readonly equal: boolean;
        readonly reference: string | number | null;
        readonly remoteId: string | null;
      },
    ) {
      const { reference, remoteId } = found;
      const acknowledged = found.equal
        ? `acknowledged_hash = s.desired_hash, acknowledged_payload = null, acknowledged_at = clock_timestamp(),
           acknowledged_parent_platform_id = s.parent_platform_id,
           refused_hash = null, attempts = 0, next_attempt_at = null, last_error = null, last_reply = null,`
        : '';
      const rows = await database.query(
        `update :schema:.sync_state s set ${acknowledged} reference = :reference, remote_id = :remoteId,
           acknowledged_reply = cast(:reply as jsonb)
         where ${UNCHANGED} and ${MEMBER.unknown} and exists (select 1 from :schema:.lease where ${heldLeaseSql('push')})
         returning 1`,
        {
          ...fenceParameters(fence),
          entity,
          key,
          hash: desiredHash,
          acknowledgedAt,
          remoteId,
          reference: reference === null ? null : String(reference),
          reply: typeof reference === 'number' ? JSON.stringify({ reference }) : null,
        },
      );
      if (rows.length === 0) await requireLease(database, 'push', fence);
      return rows.length > 0;
    },
  };
}

/** What reading records back works with: a run's context, and what was read back before. */
export interface ReadBackContext extends RunContext {
  readonly state: RunState & { readonly readBacks: ReadBacks };
}
