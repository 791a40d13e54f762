import type { EntityName } from '../../domain/names.js';
import type { WaitingReason } from '../../domain/reason.js';
import type { StateDatabase } from '../database/state-database.js';
import { recordNameSql } from './record-name-sql.js';
import { joinParent, parentBlockedSql, statusSql } from './status-sql.js';

const SAMPLE_KEYS = 3;

/** Why records wait for a parent that does not come, counted. */
export async function waitingReasons(
  database: StateDatabase,
  entity: EntityName,
): Promise<readonly WaitingReason[]> {
  const rows = await database.query<Omit<WaitingReason, 'count'> & { count: string }>(
    `select problem, count(*) as count, (array_agg(key order by key))[1:${SAMPLE_KEYS}] as "sampleKeys"
     from (select ${recordNameSql(entity)} as key,
             case when p.entity is null then 'parent-absent' when p.vanished_at is not null then 'parent-vanished'
               when p.invalid_reason is not null then 'parent-invalid' else 'parent-rejected' end as problem
           from :schema:.sync_state s ${joinParent('s', 'p', entity)}
           where s.entity = :entity and s.sendable and s.parent_platform_id is not null
             and ${statusSql('s', 'p')} = 'waiting' and ${parentBlockedSql('p')}) records
     group by problem order by count(*) desc, problem`,
    { entity },
  );
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}
