import { type EntityName, RECORD_STATUSES, type RecordStatus } from '../domain/names.js';
import { ABSENT_HASH } from '../domain/payload.js';
import type { BlockedRecord, Deferral } from '../domain/reason.js';
import type { StateCounts } from '../domain/reply/reply.js';
import { MOST_COUNTED } from '../domain/trouble/trouble.js';
import { ENTITIES, shownError } from '../entities/index.js';
import { countOf, type StateDatabase } from './database/state-database.js';
import {
  type EndingEntity,
  joinParent,
  parentBlockedSql,
  parentProblemSql,
  statusSql,
  takenDownSql,
} from './status-sql.js';

/**
 * Answers questions about the records of an entity, for `status` and the end of a run: how many have which status, and what
 * stands in the way of the others.
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

export type Records = ReturnType<typeof createRecords>;

/** Unsettled records that are looked at for one that waits in vain. */
const MOST_LOOKED_AT = 20_000;

/** Records that left the source are counted so far. */
const MOST_OPEN = 10_000;

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
      const [row] = await database.query<Deferral>(
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
