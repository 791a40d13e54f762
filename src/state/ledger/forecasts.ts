import { ABSENT_HASH } from '../../domain/payload.js';
import type { Forecasts, RecordStanding, StandingInvalid, WaitingChildren } from '../../ports/ledger.js';
import type { StateDatabase } from '../database/state-database.js';
import { joinParent, statusSql } from './status-sql.js';

const PAGE_SIZE = 5_000;

/** Parents of one page: each page groups what waits once more. */
const PARENTS = 50_000;

/** Keys shown of those that wait for one parent. */
const SAMPLE_KEYS = 3;

/**
 * The ledger's side of a plan, which only reads: how records stand that the source still has (`standings`), which children
 * wait for which parents, and what was invalid before.
 */
export function createForecasts(database: StateDatabase): Forecasts {
  return {
    async standings(entity, { keys, platformIds }) {
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

    async *waiting(entity) {
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

    async *invalid(entity) {
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
