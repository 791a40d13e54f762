import {
  type FollowingRecords,
  groupOf,
  type IssueGroup,
  LOOKUP_CODES,
  type SharedIssue,
} from '../../core/domain/issue-group.js';
import type { EntityName } from '../../core/domain/names.js';
import { type InvalidReasons, parentIssue, type LedgerParentProblem } from '../../core/domain/reason.js';
import { childrenOf, entity as entityNamed } from '../../core/entities/index.js';
import type { StateDatabase } from '../../core/ledger/database/state-database.js';
import { withoutParticulars } from '../../core/ledger/database/translate-state-error.js';
import {
  joinParent,
  parentBlockedSql,
  parentProblemSql,
  statusSql,
  takenDownSql,
} from '../../core/ledger/status-sql.js';

/**
 * Why records do not go on, counted: errors of single fields of invalid records, with the children that wait for them
 * (`invalidReasons`); the platform's words about rejected ones (`rejectedReasons`); what is wrong with the parents that
 * children wait for (`waitingReasons`). Equal causes are counted together, without the details of one record.
 */

interface InvalidRow extends CountedRow {
  readonly issue: SharedIssue;
  readonly ofCode: boolean;
  readonly onlyCodes: string;
  readonly found: string;
  readonly follows: readonly FollowingRecords[] | null;
}

interface CountedRow {
  readonly message: string;
  readonly count: number;
  readonly sampleKeys: readonly string[];
}

/** SQL: codes of issues that an entry in a lookup fixes. */
const OF_LOOKUP = LOOKUP_CODES.map((code) => `'${code}'`).join(', ');

const SAMPLE_KEYS = 3;

/** SQL: what a group shows; the exact message where all have the same. */
const GROUPED = `case when count(distinct message) = 1 then min(message) else min(common) end as message,
  cast(count(distinct key) as integer) as count, (array_agg(distinct key order by key))[1:${SAMPLE_KEYS}] as "sampleKeys"`;

export async function invalidReasons(
  database: StateDatabase,
  entity: EntityName,
  limit: number,
): Promise<InvalidReasons> {
  const children = childrenOf(entity).map(({ name }) => name);
  const rows = await database.query<InvalidRow>(
    `with invalid as materialized (
       ${firstOf(entity, 'invalid', 's.invalid_reason is not null', 's.platform_id as id, s.invalid_reason as issues')}
     ),
     parts as materialized (
       select id, key, message, coalesce(common, message) as common, code in (${OF_LOOKUP}) as of_code,
         jsonb_build_array(field, "column", code, coalesce(common, message)) as kind,
         cast(issue - 'value' as text) as issue
       from invalid cross join jsonb_array_elements(issues) as issue
         cross join jsonb_to_record(issue) as its(field text, "column" text, code text, message text, common text)
     ),
     waiting as materialized (
       select s.entity, s.parent_platform_id as id, count(*) as count
       from invalid join :schema:.sync_state s on s.entity = any(:children) and s.parent_platform_id = invalid.id
         join :schema:.sync_state p on p.entity = :entity and p.platform_id = invalid.id
       where s.sendable and ${statusSql('s', 'p')} = 'waiting' group by s.entity, s.parent_platform_id
     ),
     effects as materialized (
       select kind, sum(count) as count,
         jsonb_agg(jsonb_build_object('entity', entity, 'count', count, 'standing', 'waiting') order by entity) as follows
       from (select kind, entity, sum(count) as count
             from (select distinct kind, id from parts) records join waiting using (id) group by kind, entity) by_entity
       group by kind
     ),
     counted as (
       select kind, of_code, cast(min(issue) as jsonb) as issue, ${GROUPED} from parts group by kind, of_code
     ),
     ranked as (
       select c.*, e.follows, count(*) over (partition by c.of_code) as found,
         row_number() over (partition by c.of_code
           order by c.count + coalesce(e.count, 0) desc, kind ->> 0, c.message) as place
       from counted c left join effects e using (kind)
     )
     select issue, message, count, "sampleKeys", of_code as "ofCode", found, follows,
       (select count(*) from (select key from parts group by key having every(of_code)) only_codes) as "onlyCodes"
     from ranked where place <= :limit order by place`,
    { entity, children, limit },
  );
  const grouped = (row: InvalidRow) =>
    groupOf(entity, 'invalid', { ...row.issue, message: row.message }, row);
  const codes = rows.filter(({ ofCode }) => ofCode);
  const others = rows.filter(({ ofCode }) => !ofCode);
  return {
    codes: codes.map(grouped),
    others: others.map(grouped),
    onlyCodes: Number(rows[0]?.onlyCodes ?? 0),
    found: { codes: Number(codes[0]?.found ?? 0), others: Number(others[0]?.found ?? 0) },
  };
}

/** Most records that are read: of a whole ledger the first are enough. */
const EXAMINED = 20_000;

/** SQL: the first records of that status. `narrowed`: a condition that they all meet and that an index has. */
function firstOf(
  entity: EntityName,
  status: 'invalid' | 'rejected',
  narrowed: string,
  columns: string,
): string {
  return `select s.key, ${columns} from :schema:.sync_state s ${joinParent('s', 'p', entity)}
    where s.entity = :entity and not s.settled and ${narrowed} and ${statusSql('s', 'p')} = '${status}'
    order by s.key limit ${EXAMINED}`;
}

/** The platform's message contains its errors of single fields. What it took down later has no message. */
export async function rejectedReasons(
  database: StateDatabase,
  entity: EntityName,
  limit: number,
): Promise<readonly IssueGroup[]> {
  const rows = await database.query<CountedRow>(
    `with rejected as materialized (
       ${firstOf(entity, 'rejected', `s.refused_hash is not null and not ${takenDownSql('s')}`, "coalesce(s.last_error, '') as message")}
     ),
     parts as (select key, message, ${withoutParticulars('message')} as common from rejected)
     select ${GROUPED} from parts group by common order by count(*) desc, min(message) limit :limit`,
    { entity, limit },
  );
  return rows.map((row) =>
    groupOf(entity, 'rejected', { field: null, code: 'refused', message: row.message }, row),
  );
}

export async function waitingReasons(
  database: StateDatabase,
  entity: EntityName,
): Promise<readonly IssueGroup[]> {
  const { parent } = entityNamed(entity);
  if (parent === null) return [];
  const rows = await database.query<
    Omit<CountedRow, 'message'> & {
      readonly problem: LedgerParentProblem;
      readonly parentKeys: readonly string[] | null;
    }
  >(
    `select problem, cast(count(*) as integer) as count, (array_agg(key order by key))[1:${SAMPLE_KEYS}] as "sampleKeys",
       (array_agg(distinct "parentKey") filter (where "parentKey" is not null))[1:${SAMPLE_KEYS}] as "parentKeys"
     from (select s.key, ${parentProblemSql('p')} as problem, p.key as "parentKey"
           from :schema:.sync_state s ${joinParent('s', 'p', entity)}
           where s.entity = :entity and s.sendable and s.parent_platform_id is not null
             and ${statusSql('s', 'p')} = 'waiting' and ${parentBlockedSql('p')}) records
     group by problem order by count(*) desc, problem`,
    { entity },
  );
  return rows.map((row) =>
    groupOf(entity, 'waiting', parentIssue(row.problem, parent.entity, parent.column), {
      ...row,
      parents: { entity: parent.entity, keys: row.parentKeys ?? [] },
    }),
  );
}
