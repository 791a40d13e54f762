import type { Issue } from '../../core/domain/issue.js';
import type { EntityName, RecordStatus } from '../../core/domain/names.js';
import { ABSENT_HASH } from '../../core/domain/payload.js';
import type { StateDatabase } from '../../core/ledger/database/state-database.js';
import { joinParent, statusSql } from '../../core/ledger/status-sql.js';

/** How a record stands in the ledger, for a plan. */
export interface RecordStanding {
  readonly key: string;
  readonly platformId: string;
  readonly status: RecordStatus;
  /** It has a reference: its children can be sent. */
  readonly referenced: boolean;
  /** Of what the platform accepted last; null: nothing, or not known any more. */
  readonly acknowledgedHash: string | null;
  /** The platform has accepted it once, and has not deleted it since. */
  readonly accepted: boolean;
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
 * wait for which parents, and what was invalid before.
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
           s.acknowledged_hash as "acknowledgedHash",
           s.acknowledged_at is not null and s.acknowledged_hash is distinct from '${ABSENT_HASH}' as accepted,
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
