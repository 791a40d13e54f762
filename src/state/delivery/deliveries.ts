import type { EntityName } from '../../domain/names.js';
import type { Delivery, DeliveryParent, JournalGap, ReportCounts, ReportRows } from '../../domain/report.js';
import { childrenOf, ENTITIES } from '../../entities/index.js';
import type { Deliveries, DeliveryDays, DeliveryPage, PageOptions } from '../../ports/queue.js';
import { countOf, inBatches, type Parameters, type StateDatabase } from '../database/state-database.js';

/**
 * Reads the journal: what was sent of one record (`timeline`), by one run, or on some days, page by page; and the sums of a
 * report (`reportRows`) with the names of parents (`namedParents`). `prune` deletes old rows and notes the gap that a
 * report then has.
 */

const COLUMNS = `d.entity, d.key, d.platform_id as "platformId", d.parent_platform_id as "parentPlatformId", d.kind,
  d.operation, d.request_id as "requestId", d.payload_hash as "payloadHash", d.run_id as "runId",
  d.claimed_at as "claimedAt", d.answered_at as "answeredAt", d.status_code as "statusCode", d.outcome, d.reason`;

/** SQL: the rows in alias `d` behind a `DeliveryPosition`. */
const AFTER = `(d.answered_at, d.request_id) >
  (timestamptz 'epoch' + cast(:micros as bigint) * interval '1 microsecond', cast(:requestId as uuid))`;

/** SQL: the rows in alias `d` of `DeliveryDays`. */
const OF_DAYS = `d.answered_at >= cast(cast(:from as date) as timestamp) at time zone :timeZone
  and d.answered_at < cast(cast(:to as date) + 1 as timestamp) at time zone :timeZone
  and d.entity = any(cast(:entities as text[]))`;

/** SQL: the row in alias `d` is about something that was sent. */
const SENT = `d.outcome <> 'seen'`;

/** Rows that one statement deletes: short transactions, so that a running push never waits. */
const BATCH_SIZE = 5_000;

export function createDeliveries(database: StateDatabase): Deliveries {
  const page = async (
    condition: string,
    parameters: Parameters,
    { after, limit }: PageOptions,
  ): Promise<DeliveryPage> => {
    const rows = await database.query<Delivery & { micros: string }>(
      `select ${COLUMNS}, cast(cast(extract(epoch from d.answered_at) * 1000000 as bigint) as text) as micros
       from :schema:.delivery d where ${condition} ${after === null ? '' : `and ${AFTER}`}
       order by d.answered_at, d.request_id limit :rows`,
      { ...parameters, ...after, rows: limit + 1 },
    );
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      deliveries: shown.map(({ micros: _, ...delivery }) => delivery),
      next: rows.length > limit && last ? { micros: last.micros, requestId: last.requestId } : null,
    };
  };

  return {
    async timeline(entity, platformId, limit) {
      const rows = await database.query<Delivery>(
        `select ${COLUMNS} from :schema:.delivery d
         where d.platform_id = cast(:platformId as uuid) and d.entity = :entity
         order by d.answered_at desc, d.request_id desc limit :limit`,
        { entity, platformId, limit },
      );
      return rows.toReversed();
    },

    async ofRun(runId, { outcome, ...options }) {
      const [run] = await database.query<{ began: string; next: string }>(
        `select cast(r.started_at as text) as began, cast(coalesce((
           select min(n.started_at) from :schema:.sync_run n where n.started_at > r.started_at), 'infinity') as text) as next
         from :schema:.sync_run r where r.run_id = cast(:runId as uuid)`,
        { runId },
      );
      if (!run) return { deliveries: [], next: null };
      // The bounds find the rows by time; only the worker's rows have no run of their own.
      return page(
        `d.answered_at >= cast(:began as timestamptz) and d.answered_at < cast(:next as timestamptz)
         and coalesce(d.run_id, cast(:runId as uuid)) = cast(:runId as uuid) and ${SENT}
         ${outcome === null ? '' : 'and d.outcome = :outcome'}`,
        { ...run, runId, outcome },
        options,
      );
    },

    ofDays: (days, options) => page(OF_DAYS, { ...days }, options),

    report: (days, most) => reportRows(database, days, most),

    async takenDown(days) {
      const rows = await database.query<{ entity: EntityName; count: string }>(
        `select d.entity, count(distinct d.platform_id) as count from :schema:.delivery d
         where ${OF_DAYS} and d.shown_state in ('refused', 'removed') group by d.entity order by d.entity`,
        { ...days },
      );
      return Object.fromEntries(rows.map(({ entity, count }) => [entity, Number(count)]));
    },

    gaps: () =>
      database.query<JournalGap>(
        `select case when begins = '-infinity' then null else begins end as "from", ends as "to"
         from :schema:.journal_gap g
         where not exists (select 1 from :schema:.journal_gap o where o.begins < g.begins and o.ends >= g.ends)
         order by g.begins`,
      ),

    parents: (ids) => namedParents(database, ids),

    prune: (retentionMs) =>
      inBatches(BATCH_SIZE, () =>
        countOf(
          database,
          // What a report knows begins later from the same moment on.
          `with gone as (
             delete from :schema:.delivery where (answered_at, request_id) in (
               select answered_at, request_id from :schema:.delivery
               where answered_at < now() - :retention * interval '1 millisecond'
               order by answered_at, request_id limit ${BATCH_SIZE}
             ) returning answered_at
           ), moved as (
             insert into :schema:.journal_gap as g (begins, ends)
             select '-infinity', max(answered_at) from gone having count(*) > 0
             on conflict (begins) do update set ends = greatest(g.ends, excluded.ends)
           )
           select count(*) as count from gone`,
          { retention: retentionMs },
        ),
      ),
  };
}

interface Row extends Counted {
  readonly day: string;
  readonly entity: EntityName;
  readonly parentId: string | null;
  /** Null: a row by parent; else a total of so many of them. */
  readonly lines: string | null;
}

type Counted = Record<(typeof COUNTED)[number], string>;

const COUNTED = ['created', 'accepted', 'closed', 'deleted', 'rejected', 'failed'] as const;
const SUMS = COUNTED.map((name) => `sum(${name})`).join(', ');

const PARENTS = ENTITIES.filter(({ name }) => childrenOf(name).length > 0);
const parents = PARENTS.map(({ name }) => name);

/** How many requests ended how, by day and entity, and of the rows by day, entity and parent the first `most`. */
async function reportRows(database: StateDatabase, days: DeliveryDays, most: number): Promise<ReportRows> {
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
       from :schema:.delivery d where ${OF_DAYS} and ${SENT}
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
  return Object.fromEntries(COUNTED.map((name) => [name, Number(row[name])])) as unknown as ReportCounts;
}

/** The field of a payload that names a record for people. */
const labels = JSON.stringify(Object.fromEntries(PARENTS.map(({ name, label }) => [name, label])));

/** Parents by platform id: from the ledger with their names, else as the journal knows them. */
async function namedParents(
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
