import type { EntityName } from '../../domain/names.js';
import type { Reason } from '../../domain/reason.js';
import type { StateDatabase } from '../database/state-database.js';
import { withoutParticulars } from '../database/without-particulars.js';
import { asReason, firstOf, GROUPED, type ReasonRow } from './grouped-reasons.js';

/** Why records are rejected, counted. The platform's message contains its errors of single fields. */
export async function rejectedReasons(
  database: StateDatabase,
  entity: EntityName,
  limit: number,
): Promise<readonly Reason[]> {
  const rows = await database.query<ReasonRow>(
    `with rejected as materialized (
       ${firstOf(entity, 'rejected', 's.refused_hash is not null', "coalesce(s.last_error, '') as message")}
     ),
     parts as (select key, message, ${withoutParticulars('message')} as kind from rejected)
     select null as field, 'refused' as code, null as hint, ${GROUPED}
     from parts group by kind order by count(*) desc, min(message) limit :limit`,
    { entity, limit },
  );
  return rows.map(asReason);
}
