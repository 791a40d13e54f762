import type { DeliveryParent, ReportCounts, ReportRows } from '../../domain/report.js';
import type { EntityName } from '../../domain/names.js';
import { childrenOf, ENTITIES } from '../../entities/index.js';
import type { DeliveryDays } from '../../ports/deliveries.js';
import type { StateDatabase } from '../database/state-database.js';

const PARENTS = ENTITIES.filter(({ name }) => childrenOf(name).length > 0);
const parents = PARENTS.map(({ name }) => name);
/** The field of a payload that names a record for people. */
const labels = JSON.stringify(Object.fromEntries(PARENTS.map(({ name, label }) => [name, label])));

/** SQL: the rows in alias `d` of `DeliveryDays`. */
export const OF_DAYS = `d.answered_at >= cast(cast(:from as date) as timestamp) at time zone :timeZone
  and d.answered_at < cast(cast(:to as date) + 1 as timestamp) at time zone :timeZone
  and d.entity = any(cast(:entities as text[]))`;

const COUNTED = ['created', 'accepted', 'closed', 'deleted', 'rejected', 'failed'] as const;
const SUMS = COUNTED.map((name) => `sum(${name})`).join(', ');

type Counted = Record<(typeof COUNTED)[number], string>;

interface Row extends Counted {
  readonly day: string;
  readonly entity: EntityName;
  readonly parentId: string | null;
  /** Null: a row by parent; else a total of so many of them. */
  readonly lines: string | null;
}

/** How many requests ended how, by day and entity, and of the rows by day, entity and parent the first `most`. */
export async function reportRows(
  database: StateDatabase,
  days: DeliveryDays,
  most: number,
): Promise<ReportRows> {
  const found = await database.query<Row>(
    `with line as materialized (
       select to_char(d.answered_at at time zone :timeZone, 'YYYY-MM-DD') as day, d.entity,
         coalesce(d.parent_platform_id, case when d.entity = any(cast(:parents as text[])) then d.platform_id end) as "parentId",
         count(*) filter (where d.outcome = 'accepted' and d.kind = 'new') as created,
         count(*) filter (where d.outcome = 'accepted') as accepted,
         count(*) filter (where d.outcome = 'accepted' and d.kind = 'close') as closed,
         count(*) filter (where d.outcome = 'accepted' and d.kind = 'delete') as deleted,
         count(*) filter (where d.outcome = 'rejected') as rejected,
         count(*) filter (where d.outcome not in ('accepted', 'rejected')) as failed
       from :schema:.delivery d where ${OF_DAYS}
       group by 1, 2, 3
     )
     select * from (
       select day, entity, cast(null as uuid) as "parentId", ${SUMS}, count(*) as lines from line group by day, entity
       union all
       (select day, entity, "parentId", created, accepted, closed, deleted, rejected, failed, null
        from line order by day, entity, "parentId" limit :most)
     ) found (day, entity, "parentId", created, accepted, closed, deleted, rejected, failed, lines)
     order by day, entity, "parentId"`,
    { ...days, parents, most },
  );
  return {
    totals: found.flatMap(({ lines, parentId: _, ...row }) =>
      lines === null ? [] : [{ ...row, ...numbers(row), lines: Number(lines) }],
    ),
    rows: found.flatMap(({ lines, ...row }) => (lines === null ? [{ ...row, ...numbers(row) }] : [])),
  };
}

function numbers(row: Counted): ReportCounts {
  const { created, accepted, closed, deleted, rejected, failed } = row;
  return {
    created: Number(created),
    accepted: Number(accepted),
    closed: Number(closed),
    deleted: Number(deleted),
    rejected: Number(rejected),
    failed: Number(failed),
  };
}

/** Parents by platform id: from the ledger with their names, else as the journal knows them. */
export async function namedParents(
  database: StateDatabase,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DeliveryParent>> {
  const rows = await database.query<DeliveryParent & { id: string }>(
    `select p.id, coalesce(s.entity, d.entity) as entity, coalesce(s.key, d.key) as key,
       coalesce(s.acknowledged_payload, s.desired_payload) ->> (cast(:labels as jsonb) ->> s.entity) as name
     from unnest(cast(:ids as uuid[])) as p(id)
     left join :schema:.sync_state s on s.entity = any(cast(:parents as text[])) and s.platform_id = p.id
     left join lateral (
       select d.entity, d.key from :schema:.delivery d
       where s.key is null and d.platform_id = p.id and d.entity = any(cast(:parents as text[])) limit 1
     ) d on true
     where s.key is not null or d.key is not null`,
    { ids, parents, labels },
  );
  return new Map(rows.map(({ id, ...parent }) => [id, parent]));
}
