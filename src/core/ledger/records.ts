import type { Issue } from '../domain/issue.js';
import { uuidText } from '../domain/key.js';
import { type EntityName, RECORD_STATUSES, type RecordStatus } from '../domain/names.js';
import { ABSENT_HASH } from '../domain/payload.js';
import type { BlockedRecord } from '../domain/reason.js';
import type { PlatformState, ShownState, StateCounts } from '../domain/reply/reply.js';
import type { JsonObject } from '../domain/row.js';
import { MOST_COUNTED } from '../domain/trouble/trouble.js';
import { ENTITIES, shownError } from '../entities/index.js';
import { countOf, type StateDatabase } from './database/state-database.js';
import type { DeliveryDays } from '../domain/delivery.js';
import {
  DRIFTED,
  type EndingEntity,
  joinParent,
  parentBlockedSql,
  parentProblemSql,
  referenceSql,
  statusSql,
  takenDownSql,
} from './status-sql.js';

/**
 * Answers questions about records, for `status`, `explain` and the end of a run: how many have which status, all about one of
 * them, what expires, and what waits for a parent.
 */

export interface StatusCounts extends Record<RecordStatus, number> {
  /** What the platform shows of records that it accepted; absent: all are live, or nothing is known. */
  readonly atPlatform?: StateCounts;
  /** Waiting records whose parent is absent, vanished, invalid or rejected. */
  readonly blocked: number;
  /** Vanished records whose last day was over when they left the source. */
  readonly expired: number;
  /** When the oldest pending or deferred record was first desired as it is. */
  readonly oldestPendingAt: Date | null;
}

export interface RecordView {
  readonly entity: EntityName;
  readonly key: string;
  readonly platformId: string;
  readonly status: RecordStatus;
  readonly reference: string | null;
  readonly remoteId: string | null;
  readonly parentPlatformId: string | null;
  readonly rowVersion: string | null;
  readonly desiredHash: string | null;
  readonly desiredPayload: JsonObject | null;
  readonly acknowledgedHash: string | null;
  readonly acknowledgedAt: Date | null;
  /** When it was read back last; null: never. */
  readonly lookedAt: Date | null;
  /** A read-back found that the platform lacks it or holds another, and has not got it since. */
  readonly drifted: boolean;
  readonly invalidReason: readonly Issue[] | null;
  readonly vanishedAt: Date | null;
  /** What the platform shows of it since then; null: nothing is known. */
  readonly atPlatform: (ShownState & { readonly since: Date }) | null;
  /** It vanished when its last day was over. */
  readonly expired: boolean;
  readonly attempts: number;
  readonly attemptedAt: Date | null;
  readonly confirmAt: Date | null;
  readonly nextAttemptAt: Date | null;
  readonly claimed: boolean;
  readonly lastReply: {
    readonly statusCode: number | null;
    readonly requestId: string | null;
    readonly error: string | null;
    /** The beginning of the body of a reply that did not accept it or has warnings, personal data masked. */
    readonly body: string | null;
  } | null;
  /** Of a child: its parent as the ledger knows it; null when it is not there. */
  readonly parent: {
    readonly key: string;
    readonly status: RecordStatus;
    readonly reference: string | number | null;
    readonly payload: JsonObject | null;
  } | null;
}

export type Records = ReturnType<typeof createRecords>;

/** Unsettled records that are looked at for one that waits in vain. */
const MOST_LOOKED_AT = 20_000;

/** Records that left the source are counted so far. */
const MOST_OPEN = 10_000;

interface RecordRow extends Omit<RecordView, 'lastReply' | 'parent' | 'atPlatform'>, ParentRow {
  platformState: PlatformState | null;
  platformWord: string | null;
  platformStateAt: Date | null;
  lastStatusCode: number | null;
  lastRequestId: string | null;
  lastError: string | null;
  lastBody: string | null;
}

interface ParentRow {
  parentKey: string | null;
  parentStatus: RecordStatus;
  parentReference: string | number | null;
  parentPayload: RecordView['desiredPayload'];
}

/** No parent has a parent (yet), so its status needs no further join. */
const PARENT_COLUMNS = `p.key as "parentKey", ${referenceSql('p')} as "parentReference", ${statusSql('p', 'pp')} as "parentStatus",
  case when p.acknowledged_at is not null then coalesce(p.acknowledged_payload, p.desired_payload) end as "parentPayload"`;

export function createRecords(database: StateDatabase) {
  const countAll = (entity: EntityName) =>
    countOf(
      database,
      `select count(*) as count from (
         select 1 from :schema:.sync_state where entity = :entity and vanished_at is null limit :most) counted`,
      { entity, most: MOST_COUNTED + 1 },
    );
  return {
    async counts(entity: EntityName): Promise<StatusCounts> {
      // Filtered counts in one pass: grouping by the status text would sort a million rows on disk.
      const [rest] = await database.query<
        Record<RecordStatus | 'blocked' | 'expired' | 'settled', string> & {
          oldest: Date | null;
          shown: StateCounts | null;
        }
      >(
        `select ${RECORD_STATUSES.map((status) => `count(*) filter (where status = '${status}') as ${status}`).join(', ')},
           count(*) filter (where status = 'waiting' and blocked) as blocked,
           count(*) filter (where status = 'vanished' and expired) as expired,
           min(desired_at) filter (where status in ('pending', 'deferred')) as oldest,
           (select count(*) from :schema:.sync_state where entity = :entity and settled) as settled,
           (select jsonb_object_agg(state, count order by state) from (
              select s.platform_state as state, count(*) as count from :schema:.sync_state s
              where s.entity = :entity and s.platform_state <> 'live' and s.vanished_at is null and s.invalid_reason is null
                and (s.platform_state not in ('refused', 'removed') or ${takenDownSql('s')})
              group by s.platform_state) states) as shown
         from (select ${statusSql('s', 'p')} as status, ${parentBlockedSql('p')} as blocked, s.expired, s.desired_at
               from :schema:.sync_state s ${joinParent('s', 'p', entity)}
               where s.entity = :entity and not s.settled) records`,
        { entity },
      );
      const count = (name: RecordStatus | 'blocked' | 'expired' | 'settled') => Number(rest?.[name] ?? 0);
      const statuses = Object.fromEntries(RECORD_STATUSES.map((status) => [status, count(status)]));
      return {
        ...(statuses as Record<RecordStatus, number>),
        synced: count('synced') + count('settled'),
        blocked: count('blocked'),
        expired: count('expired'),
        ...(rest?.shown ? { atPlatform: rest.shown } : {}),
        oldestPendingAt: rest?.oldest ?? null,
      };
    },

    /** By key; a UUID also by platform id, so that its case does not matter. */
    async find(entity: EntityName, key: string): Promise<RecordView | null> {
      const [row] = await database.query<RecordRow>(
        `select s.entity, s.key, s.platform_id as "platformId", ${statusSql('s', 'p')} as status, s.reference,
           s.remote_id as "remoteId", s.parent_platform_id as "parentPlatformId", s.row_version as "rowVersion",
           s.desired_hash as "desiredHash", s.desired_payload as "desiredPayload",
           s.acknowledged_hash as "acknowledgedHash", s.acknowledged_at as "acknowledgedAt",
           s.looked_at as "lookedAt", (${DRIFTED}) as drifted, s.invalid_reason as "invalidReason", s.vanished_at as "vanishedAt", s.expired, s.attempts, s.attempted_at as "attemptedAt",
           s.confirm_at as "confirmAt", s.next_attempt_at as "nextAttemptAt", s.claim_token is not null as claimed,
           s.last_status_code as "lastStatusCode", s.last_request_id as "lastRequestId", s.last_error as "lastError",
           s.last_reply as "lastBody", s.platform_state as "platformState", s.platform_word as "platformWord",
           s.platform_state_at as "platformStateAt", ${PARENT_COLUMNS}
         from :schema:.sync_state s ${joinParent('s', 'p')} ${joinParent('p', 'pp')}
         where s.entity = :entity and (s.key = :key or s.platform_id = cast(:uuid as uuid))
         order by s.key = :key desc limit 1`,
        { entity, key, uuid: uuidText(key) },
      );
      if (!row) return null;
      const { lastStatusCode, lastRequestId, lastError, lastBody, ...rest } = row;
      const { parentKey, parentStatus, parentReference, parentPayload, ...others } = rest;
      const { platformState: state, platformWord: word, platformStateAt: since, ...view } = others;
      const answered = lastRequestId !== null || lastStatusCode !== null || lastError !== null;
      const lastReply = {
        statusCode: lastStatusCode,
        requestId: lastRequestId,
        error: lastError,
        body: lastBody,
      };
      const parent = parentOf({ parentKey, parentStatus, parentReference, parentPayload });
      const atPlatform = state === null || since === null ? null : { state, word, since };
      return { ...view, atPlatform, lastReply: answered ? lastReply : null, parent };
    },

    /** The parent of a record that is not in the ledger yet. */
    async parent(entity: EntityName, platformId: string) {
      const parentEntity = ENTITIES.find(({ name }) => name === entity)?.parent?.entity ?? null;
      const [row] = await database.query<ParentRow>(
        `select ${PARENT_COLUMNS} from :schema:.sync_state p ${joinParent('p', 'pp')}
         where p.entity = :parentEntity and p.platform_id = :platformId`,
        { parentEntity, platformId },
      );
      return row ? parentOf(row) : null;
    },

    /**
     * Records in the source whose last day is between two days, `YYYY-MM-DD`, and that are not closed; the soonest
     * first. None of an entity that has no last day.
     */
    async expiring(
      { name: entity, lastDay, statusField, closedStatus }: EndingEntity,
      { from, to, limit }: { readonly from: string; readonly to: string; readonly limit: number },
    ) {
      if (lastDay === null) return [];
      return database.query<{ readonly key: string; readonly lastDay: string }>(
        `select key, desired_payload ->> :lastDay as "lastDay" from :schema:.sync_state
         where entity = :entity and vanished_at is null and invalid_reason is null
           and desired_payload ->> :lastDay between :from and :to
           ${statusField === null ? '' : 'and desired_payload ->> :statusField is distinct from :closedStatus'}
         order by 2, key limit :limit`,
        { entity, lastDay, statusField, closedStatus, from, to, limit },
      );
    },

    /** How many records left the source on these days because their last day was over; an entity with none is missing. */
    async expired(days: DeliveryDays) {
      const rows = await database.query<{ entity: EntityName; count: string }>(
        `select s.entity, count(*) as count from :schema:.sync_state s
         where s.entity = any(cast(:entities as text[])) and not s.settled and s.expired
           and s.vanished_at >= cast(cast(:from as date) as timestamp) at time zone :timeZone
           and s.vanished_at < cast(cast(:to as date) + 1 as timestamp) at time zone :timeZone
         group by s.entity order by s.entity`,
        { ...days },
      );
      return Object.fromEntries(rows.map(({ entity, count }) => [entity, Number(count)]));
    },

    /**
     * How many records have left the source and are still open at the platform, counted up to 10,000; not those whose last day
     * is over. 0 of an entity without a status. `today`: `YYYY-MM-DD`.
     */
    leftOpen: ({ name, lastDay, statusField, closedStatus }: EndingEntity, today: string) =>
      statusField === null
        ? Promise.resolve(0)
        : countOf(
            database,
            `select count(*) as count from (select 1 from :schema:.sync_state s
             where s.entity = :entity and s.vanished_at is not null and not s.expired and s.acknowledged_at is not null
               and s.acknowledged_hash is distinct from '${ABSENT_HASH}' and coalesce(s.platform_state, 'live') not in ('refused', 'removed')
               and coalesce(s.acknowledged_payload, s.desired_payload) ->> :statusField is distinct from :closedStatus
               and coalesce(coalesce(s.acknowledged_payload, s.desired_payload) ->> cast(:lastDay as text), :today) >= :today
             limit ${MOST_OPEN}) open`,
            { entity: name, statusField, closedStatus, lastDay, today },
          ),

    /** What the platform took down. */
    async takenDown(entity: EntityName) {
      const [row] = await database.query<{ refused: string; removed: string; since: Date | null }>(
        `select count(*) filter (where s.platform_state = 'refused') as refused,
           count(*) filter (where s.platform_state = 'removed') as removed, min(s.platform_state_at) as since
         from :schema:.sync_state s where s.entity = :entity and s.platform_state <> 'live' and ${takenDownSql('s')}`,
        { entity },
      );
      return {
        refused: Number(row?.refused ?? 0),
        removed: Number(row?.removed ?? 0),
        since: row?.since ?? null,
      };
    },

    /** What the platform rejects, without what it took down. */
    async rejections(entity: EntityName) {
      const rows = await database.query<{ status: number | null; count: string }>(
        `select status, count(*) as count from (
           select s.last_status_code as status from :schema:.sync_state s
           where s.entity = :entity and s.refused_hash is not null and s.refused_hash is not distinct from s.desired_hash
           and s.vanished_at is null and s.invalid_reason is null and not ${takenDownSql('s')} limit :most) refused
         group by 1 order by count(*) desc, 1`,
        { entity, most: MOST_COUNTED + 1 },
      );
      const rejected = rows.reduce((sum, { count }) => sum + Number(count), 0);
      const [most] = rows;
      const statusCode = most && Number(most.count) * 2 > rejected ? most.status : null;
      return { rejected, of: rejected === 0 ? 0 : await countAll(entity), statusCode };
    },

    /** What cannot be sent. Where very many are to be sent, only the first of them are looked at. */
    async unsendable(entity: EntityName) {
      const count = (records: string) =>
        countOf(database, `select count(*) as count from (${records} limit :most) counted`, {
          entity,
          most: MOST_COUNTED + 1,
        });
      const invalid = await count(
        `select 1 from :schema:.sync_state where entity = :entity and not settled and not sendable
           and vanished_at is null and invalid_reason is not null`,
      );
      const hasParent = ENTITIES.some(({ name, parent }) => name === entity && parent !== null);
      // While a first load is sent, all of it is unsettled.
      const blocked = hasParent
        ? await count(
            `select 1 from (select * from :schema:.sync_state where entity = :entity and not settled limit ${MOST_LOOKED_AT}) s
             ${joinParent('s', 'p', entity)} where ${statusSql('s', 'p')} = 'waiting' and ${parentBlockedSql('p')}`,
          )
        : 0;
      return { invalid, blocked, of: invalid + blocked === 0 ? 0 : await countAll(entity) };
    },

    /** Since when the platform lacks the oldest deferred record, and the latest failure; null: none is deferred. */
    async deferral(entity: EntityName) {
      const [row] = await database.query<{
        since: Date | null;
        error: string | null;
        statusCode: number | null;
      }>(
        `select min(desired_at) over () as since, last_error as error, last_status_code as "statusCode"
         from (select s.desired_at, s.last_error, s.last_status_code, s.attempted_at, ${statusSql('s', 'p')} as status
               from :schema:.sync_state s ${joinParent('s', 'p', entity)}
               where s.entity = :entity and not s.settled and s.next_attempt_at > now()) records
         where status = 'deferred' order by attempted_at desc nulls last limit 1`,
        { entity },
      );
      return row ? { ...row, error: shownError(entity, row.error, row.statusCode) } : null;
    },

    /** The first records that wait for a parent that is absent, vanished, invalid or rejected. */
    blocked(entity: EntityName, limit: number) {
      return database.query<BlockedRecord>(
        `select s.key, p.key as "parentKey", ${parentProblemSql('p')} as problem
         from :schema:.sync_state s ${joinParent('s', 'p', entity)}
         where s.entity = :entity and not s.settled and ${statusSql('s', 'p')} = 'waiting' and ${parentBlockedSql('p')}
         order by s.key limit :limit`,
        { entity, limit },
      );
    },
  };
}

function parentOf(row: ParentRow): RecordView['parent'] {
  const { parentKey, parentStatus, parentReference, parentPayload } = row;
  if (parentKey === null) return null;
  return { key: parentKey, status: parentStatus, reference: parentReference, payload: parentPayload };
}
