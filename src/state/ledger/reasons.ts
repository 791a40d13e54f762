import type { EntityName } from '../../domain/entity-name.js';
import type { InvalidReasons, Reason } from '../../domain/trouble/reason.js';
import { recordNameSql } from './record-name-sql.js';
import type { StateDatabase } from '../database/state-database.js';
import { joinParent, statusSql } from './status-sql.js';
import { withoutParticulars } from '../database/without-particulars.js';

/** Most records that are read: of a whole ledger the first are enough. */
const EXAMINED = 20_000;

/** Most keys shown per reason. */
const SAMPLE_KEYS = 3;

/** SQL: codes of issues that an entry in a lookup fixes. */
const LOOKUP_CODES = `'unmapped', 'undecided'`;

interface ReasonRow extends Omit<Reason, 'count'> {
  readonly count: string;
}

/** Why records are invalid: the errors of single fields, counted. */
export async function invalidReasons(
  database: StateDatabase,
  entity: EntityName,
  limit: number,
): Promise<InvalidReasons> {
  const rows = await database.query<ReasonRow & { ofCode: boolean; onlyCodes: string }>(
    `with invalid as materialized (
       ${firstOf(entity, 'invalid', 's.invalid_reason is not null', 's.invalid_reason as issues')}
     ),
     parts as materialized (
       select key, field, code, hint, message, code in (${LOOKUP_CODES}) as of_code,
         case when code in (${LOOKUP_CODES}) then message else ${withoutParticulars('message')} end as kind
       from invalid
         cross join jsonb_to_recordset(issues) as issue(field text, code text, message text, hint text)
     ),
     ranked as (
       select field, code, min(hint) as hint, of_code, ${GROUPED},
         row_number() over (partition by of_code order by count(distinct key) desc, field, min(message)) as place
       from parts group by field, code, of_code, kind
     )
     select field, code, message, hint, count, "sampleKeys", of_code as "ofCode",
       (select count(*) from (select key from parts group by key having every(of_code)) only_codes) as "onlyCodes"
     from ranked where place <= :limit order by place`,
    { entity, limit },
  );
  return {
    codes: rows.filter(({ ofCode }) => ofCode).map(asReason),
    others: rows.filter(({ ofCode }) => !ofCode).map(asReason),
    onlyCodes: Number(rows[0]?.onlyCodes ?? 0),
  };
}

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

/** SQL: what a group shows; the exact message where all have the same. */
const GROUPED = `case when count(distinct message) = 1 then min(message) else kind end as message,
  count(distinct key) as count, (array_agg(distinct key order by key))[1:${SAMPLE_KEYS}] as "sampleKeys"`;

/** SQL: the first records of that status. `narrowed`: a condition that they all meet and that an index has. */
function firstOf(
  entity: EntityName,
  status: 'invalid' | 'rejected',
  narrowed: string,
  column: string,
): string {
  return `select ${recordNameSql(entity)} as key, ${column} from :schema:.sync_state s ${joinParent('s', 'p', entity)}
    where s.entity = :entity and not s.settled and ${narrowed} and ${statusSql('s', 'p')} = '${status}'
    order by s.key limit ${EXAMINED}`;
}

/** Each field once, and only existing ones. */
function asReason({ field, code, message, hint, count, sampleKeys }: ReasonRow): Reason {
  return { field, code, message, hint, count: Number(count), sampleKeys };
}
