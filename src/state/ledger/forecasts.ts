import type { Issue } from '../../domain/issue.js';
import type { EntityName, RecordStatus } from '../../domain/names.js';
import type { PlatformState } from '../../domain/reply/reply.js';
import { countOf, type StateDatabase } from '../database/state-database.js';
import { type EndingEntity, joinParent, neverThereSql, refreshDueSql, statusSql } from './status-sql.js';

/** What decides whether a record is sent once a sweep has found something of it. */
export interface RecordStanding {
  readonly key: string;
  readonly platformId: string;
  readonly status: RecordStatus;
  /** It has a reference: its children can be sent. */
  readonly referenced: boolean;
  readonly desiredHash: string | null;
  readonly acknowledgedHash: string | null;
  /** The platform has accepted it once, whatever is known of it now. */
  readonly accepted: boolean;
  /** Of the payload that the platform refused. */
  readonly refusedHash: string | null;
  readonly platformState: PlatformState | null;
  /** A confirmation is due. */
  readonly confirming: boolean;
  /** It failed, and is not due again yet. */
  readonly postponed: boolean;
  /** The platform cannot have it: nothing of it was ever sent. */
  readonly neverThere: boolean;
  readonly parentPlatformId: string | null;
}

/** Records of the ledger that wait for one parent. */
interface WaitingChildren {
  readonly parentPlatformId: string;
  readonly count: number;
  /** The first of them. */
  readonly keys: readonly string[];
}

/** An invalid record, as an earlier sweep found it. */
export interface StandingInvalid {
  readonly key: string;
  readonly platformId: string;
  readonly referenced: boolean;
  readonly issues: readonly Issue[];
}

export type Forecasts = ReturnType<typeof createForecasts>;

const PAGE_SIZE = 5_000;

/** Parents of one page: each page groups what waits once more. */
const PARENTS = 50_000;

/** Keys shown of those that wait for one parent. */
const SAMPLE_KEYS = 3;

/**
 * The ledger's side of a plan, which only reads: how records stand that the source still has (`standings`), which children
 * wait for which parents, what is due for a resend, and what was invalid before.
 */
export function createForecasts(database: StateDatabase) {
  return {
    /** The records with one of these keys or platform ids; those that the ledger does not have are missing. */
    async standings(
      entity: EntityName,
      { keys, platformIds }: { readonly keys: readonly string[]; readonly platformIds: readonly string[] },
    ) {
      if (keys.length === 0 && platformIds.length === 0) return [];
      return database.query<RecordStanding>(
        `select s.key, s.platform_id as "platformId", ${statusSql('s', 'p')} as status, s.reference is not null as referenced,
           s.desired_hash as "desiredHash", s.acknowledged_hash as "acknowledgedHash", s.refused_hash as "refusedHash",
           s.acknowledged_at is not null as accepted,
           s.platform_state as "platformState",
           coalesce(s.confirm_at <= now(), false) as confirming, coalesce(s.next_attempt_at > now(), false) as postponed,
           ${neverThereSql('s')} as "neverThere",
           s.parent_platform_id as "parentPlatformId"
         from :schema:.sync_state s ${joinParent('s', 'p', entity)}
         where s.entity = :entity and (s.key = any(:keys) or s.platform_id = any(cast(:platformIds as uuid[])))`,
        { entity, keys, platformIds },
      );
    },

    /** All records that wait, by parent, page by page. */
    async *waiting(entity: EntityName): AsyncIterable<readonly WaitingChildren[]> {
      for (let after: string | null = null; ;) {
        const rows: (Omit<WaitingChildren, 'count'> & { count: string })[] = await database.query(
          `select s.parent_platform_id as "parentPlatformId", count(*) as count,
             (array_agg(s.key order by s.key))[1:${SAMPLE_KEYS}] as keys
           from :schema:.sync_state s ${joinParent('s', 'p', entity)}
           where s.entity = :entity and s.sendable and s.parent_platform_id is not null
             and ${statusSql('s', 'p')} = 'waiting' ${after === null ? '' : 'and s.parent_platform_id > cast(:after as uuid)'}
           group by s.parent_platform_id order by s.parent_platform_id limit ${PARENTS}`,
          { entity, after },
        );
        if (rows.length > 0) yield rows.map((row) => ({ ...row, count: Number(row.count) }));
        if (rows.length < PARENTS) return;
        after = rows.at(-1)?.parentPlatformId ?? null;
      }
    },

    /** How many records a sweep requests a resend of, because they are old; `keys`: only of these. */
    refreshable(
      entity: EndingEntity,
      { afterMs, today }: { readonly afterMs: number; readonly today: string },
      keys?: readonly string[],
    ) {
      const { name, lastDay, statusField, closedStatus } = entity;
      return countOf(
        database,
        `select count(*) as count from :schema:.sync_state s
         where ${refreshDueSql(entity)} ${keys ? 'and s.key = any(:keys)' : ''}`,
        { entity: name, after: afterMs, today, lastDay, statusField, closedStatus, keys: keys ?? [] },
      );
    },

    /** All invalid records in the order of their keys, page by page. */
    async *invalid(entity: EntityName): AsyncIterable<readonly StandingInvalid[]> {
      for (let after: string | null = null; ;) {
        const page: StandingInvalid[] = await database.query<StandingInvalid>(
          `select s.key, s.platform_id as "platformId", s.reference is not null as referenced, s.invalid_reason as issues
           from :schema:.sync_state s
           where s.entity = :entity and not s.settled and s.invalid_reason is not null and s.vanished_at is null
             ${after === null ? '' : 'and s.key > :after'}
           order by s.key limit ${PAGE_SIZE}`,
          { entity, after },
        );
        if (page.length > 0) yield page;
        if (page.length < PAGE_SIZE) return;
        after = page.at(-1)?.key ?? null;
      }
    },
  };
}
