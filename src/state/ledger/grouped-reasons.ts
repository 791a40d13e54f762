import type { EntityName } from '../../domain/names.js';
import type { Reason } from '../../domain/reason.js';
import { recordNameSql } from './record-name-sql.js';
import { joinParent, statusSql } from './status-sql.js';

/** Most records that are read: of a whole ledger the first are enough. */
const EXAMINED = 20_000;

/** Most keys shown per reason. */
const SAMPLE_KEYS = 3;

export interface ReasonRow extends Omit<Reason, 'count'> {
  readonly count: string;
}

/** SQL: what a group shows; the exact message where all have the same. */
export const GROUPED = `case when count(distinct message) = 1 then min(message) else kind end as message,
  count(distinct key) as count, (array_agg(distinct key order by key))[1:${SAMPLE_KEYS}] as "sampleKeys"`;

/** SQL: the first records of that status. `narrowed`: a condition that they all meet and that an index has. */
export function firstOf(
  entity: EntityName,
  status: 'invalid' | 'rejected',
  narrowed: string,
  columns: string,
): string {
  return `select ${recordNameSql(entity)} as key, ${columns} from :schema:.sync_state s ${joinParent('s', 'p', entity)}
    where s.entity = :entity and not s.settled and ${narrowed} and ${statusSql('s', 'p')} = '${status}'
    order by s.key limit ${EXAMINED}`;
}

/** Each field once, and only existing ones. */
export function asReason(row: Omit<ReasonRow, 'follows'>): Reason {
  const { field, code, message, hint, count, sampleKeys } = row;
  return { field, code, message, hint, count: Number(count), sampleKeys };
}
