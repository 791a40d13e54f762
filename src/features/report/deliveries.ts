import type { Delivery, DeliveryOutcome } from '../../core/domain/delivery.js';
import type { EntityName } from '../../core/domain/names.js';
import type { AcceptedStretch, RecordHistory } from './record-report.js';
import type { DeliveryDays, DeliveryParent, JournalGap, ReportCounts, ReportRows } from './report.js';
import { childrenOf, ENTITIES } from '../../core/entities/index.js';
import {
  countOf,
  inBatches,
  type Parameters,
  type StateDatabase,
} from '../../core/ledger/database/state-database.js';

/**
 * Reads the journal: what was sent of one record (`timeline`), by one run, or on some days, page by page; the sums of a
 * report (`reportRows`) with the names of parents (`namedParents`); and a report by record (`recordHistories`). `prune`
 * deletes old rows and notes the gap that a report then has.
 */

/** A place in the journal, which is read in the order of time and Request-Id. */
export interface DeliveryPosition {
  /** Microseconds since the Unix epoch: a Date would lose digits. */
  readonly micros: string;
  readonly requestId: string;
}

/** A part of the journal, the oldest first. */
export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  /** Where the next page begins; null: there is none. */
  readonly next: DeliveryPosition | null;
}

/** Records with requests on some days, in the order of the first one. */
interface HistoryPage {
  readonly histories: readonly RecordHistory[];
  /** Where the next page begins; null: there is none. */
  readonly next: DeliveryPosition | null;
}

export interface PageOptions {
  readonly after: DeliveryPosition | null;
  readonly limit: number;
}

/** The journal of what was sent. `Queue` writes it, together with the outcomes. */
export type Deliveries = ReturnType<typeof createDeliveries>;

const COLUMNS = `d.entity, d.key, d.platform_id as "platformId", d.parent_platform_id as "parentPlatformId", d.kind,
  d.operation, d.request_id as "requestId", d.payload_hash as "payloadHash", d.run_id as "runId",
  d.claimed_at as "claimedAt", d.answered_at as "answeredAt", d.status_code as "statusCode", d.outcome, d.reason`;

/** SQL: the rows in alias `d` behind a `DeliveryPosition`. */
const AFTER = `(d.answered_at, d.request_id) >
  (timestamptz 'epoch' + cast(:micros as bigint) * interval '1 microsecond', cast(:requestId as uuid))`;

/** SQL: when `DeliveryDays` begin, and the moment behind their end. */
const BEGIN = `cast(cast(:from as date) as timestamp) at time zone :timeZone`;
const END = `cast(cast(:to as date) + 1 as timestamp) at time zone :timeZone`;

/** SQL: the rows in alias `d` of `DeliveryDays`. */
const OF_DAYS = `d.answered_at >= ${BEGIN} and d.answered_at < ${END} and d.entity = any(cast(:entities as text[]))`;

/** SQL: the row in alias `d` is about something that was sent. */
const SENT = `d.outcome <> 'seen'`;

/** SQL: the parent of the request in this alias, or the record itself where it is one. */
const parentIdSql = (d: string) =>
  `coalesce(${d}.parent_platform_id, case when ${d}.entity = any(cast(:parents as text[])) then ${d}.platform_id end)`;

/** Rows that one statement deletes: short transactions, so that a running push never waits. */
const BATCH_SIZE = 5_000;

export function createDeliveries(database: StateDatabase) {
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
    /** The latest requests about a record, at most `limit`, the oldest first. */
    async timeline(entity: EntityName, platformId: string, limit: number) {
      const rows = await database.query<Delivery>(
        `select ${COLUMNS} from :schema:.delivery d
         where d.platform_id = cast(:platformId as uuid) and d.entity = :entity
         order by d.answered_at desc, d.request_id desc limit :limit`,
        { entity, platformId, limit },
      );
      return rows.toReversed();
    },

    /** What was sent for a run; for one of the worker, what it sent until the next run began. `outcome` null: all. */
    async ofRun(
      runId: string,
      { outcome, ...options }: PageOptions & { readonly outcome: DeliveryOutcome | null },
    ): Promise<DeliveryPage> {
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

    /** How many records left the source on these days because their last day was over; an entity with none is missing. */
    async expired(days: DeliveryDays) {
      const rows = await database.query<{ entity: EntityName; count: string }>(
        `select s.entity, count(*) as count from :schema:.sync_state s
         where s.entity = any(cast(:entities as text[])) and not s.settled and s.expired
           and s.vanished_at >= cast(cast(:from as date) as timestamp) at time zone :timeZone
           and s.vanished_at < cast(cast(:to as date) + 1 as timestamp) at time zone :timeZone
         group by s.entity order by s.entity`,
        { ...days },
      );
      return Object.fromEntries(rows.map(({ entity, count }) => [entity, Number(count)]));
    },

    ofDays: (days: DeliveryDays, options: PageOptions) => page(OF_DAYS, { ...days }, options),

    report: (days: DeliveryDays, most: number) => reportRows(database, days, most),

    /** How many records the platform was seen to take down on these days; an entity with none is missing. */
    async takenDown(days: DeliveryDays) {
      const rows = await database.query<{ entity: EntityName; count: string }>(
        `select d.entity, count(distinct d.platform_id) as count from :schema:.delivery d
         where ${OF_DAYS} and d.shown_state in ('refused', 'removed') group by d.entity order by d.entity`,
        { ...days },
      );
      return Object.fromEntries(rows.map(({ entity, count }) => [entity, Number(count)]));
    },

    /** Of which times the journal lacks requests, in their order. The first is the time before it began. */
    gaps: () =>
      database.query<JournalGap>(
        `select case when begins = '-infinity' then null else begins end as "from", ends as "to"
         from :schema:.journal_gap g
         where not exists (select 1 from :schema:.journal_gap o where o.begins < g.begins and o.ends >= g.ends)
         order by g.begins`,
      ),

    parents: (ids: readonly string[]) => namedParents(database, ids),

    records: (days: DeliveryDays, options: PageOptions & { readonly companies: readonly string[] | null }) =>
      recordHistories(database, days, options),

    /** The parents of what was sent on these days with that text in their name or key, whatever its case: platform ids. */
    async parentsOf(days: DeliveryDays, text: string) {
      const rows = await database.query<{ id: string }>(
        `select p.id from (select distinct ${parentIdSql('d')} as id from :schema:.delivery d where ${OF_DAYS} and ${SENT}) p
         left join :schema:.sync_state s on s.entity = any(cast(:parents as text[])) and s.platform_id = p.id
         where s.key ilike :text or ${NAME} ilike :text
           or (s.key is null and exists (select 1 from :schema:.delivery o
             where o.platform_id = p.id and o.entity = any(cast(:parents as text[])) and o.key ilike :text offset 0))`,
        { ...days, parents, labels, text: `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%` },
      );
      return rows.map(({ id }) => id);
    },

    /** Deletes what is older, batch by batch. Gives how many rows. */
    prune: (retentionMs: number) =>
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
         ${parentIdSql('d')} as "parentId",
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
const labels = JSON.stringify(Object.fromEntries(ENTITIES.map(({ name, label }) => [name, label])));

/** SQL: what the record in alias `s` is called; null: nothing names it. */
const NAME = `coalesce(s.acknowledged_payload, s.desired_payload) ->> (cast(:labels as jsonb) ->> s.entity)`;

/** Parents by platform id: from the ledger with their names, else as the journal knows them. */
async function namedParents(
  database: StateDatabase,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DeliveryParent>> {
  const rows = await database.query<DeliveryParent & { id: string }>(
    `select p.id, coalesce(s.entity, d.entity) as entity, coalesce(s.key, d.key) as key,
       ${NAME} as name
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

interface HistoryRow extends Omit<RecordHistory, 'parent' | 'accepted'> {
  readonly parentId: string | null;
  readonly accepted: readonly (Omit<AcceptedStretch, 'first' | 'last'> & {
    readonly first: string;
    readonly last: string;
  })[];
  readonly micros: string;
  readonly requestId: string;
}

/**
 * Records with requests on these days, in the order of the first one, each with its history until their end. `companies`:
 * only those whose last parent is one of these, by platform id; null: all. The first
 * request never changes, so a record that is sent while pages are read is in none of them twice.
 */
async function recordHistories(
  database: StateDatabase,
  days: DeliveryDays,
  { companies, after, limit }: PageOptions & { readonly companies: readonly string[] | null },
): Promise<HistoryPage> {
  const rows = await database.query<HistoryRow>(historiesSql(companies !== null, after), {
    ...{ ...days, ...after, parents, labels, companies },
    rows: limit + 1,
  });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const named = await namedParents(database, [...new Set(shown.flatMap(({ parentId }) => parentId ?? []))]);
  return {
    histories: shown.map(({ parentId, accepted, micros: _, requestId: __, ...row }) => ({
      ...row,
      parent: parentId === null ? null : (named.get(parentId) ?? null),
      accepted: accepted.map((stretch) => ({
        ...stretch,
        first: new Date(stretch.first),
        last: new Date(stretch.last),
      })),
    })),
    next: rows.length > limit && last ? { micros: last.micros, requestId: last.requestId } : null,
  };
}

/** SQL: the parent of the row in this alias is one of `:companies`. */
const ofCompanies = (d: string) => `${parentIdSql(d)} in (select unnest(cast(:companies as uuid[])))`;

/**
 * SQL: the requests about the record of the row in alias `d`, in alias `e`. `offset 0` makes Postgres find them by the record:
 * with what is asked of their times, it may read all rows of the days instead, for each record.
 */
const OF_RECORD = `(select o.* from :schema:.delivery o
  where o.platform_id = d.platform_id and o.entity = d.entity and o.outcome <> 'seen' offset 0) e`;

/**
 * SQL: a page of histories. What was accepted of a record is folded into stretches of one kind, so that a record that is
 * sent every hour takes no more room than another. `case` looks at the company first: among a million rows, the search for
 * earlier requests would take the longest time.
 */
function historiesSql(ofSome: boolean, after: DeliveryPosition | null): string {
  return `with shown as materialized (
      select d.answered_at, d.request_id, d.entity, d.platform_id, l.key, ${parentIdSql('l')} as parent_id,
        l.answered_at as last_at, l.request_id as last_request_id, l.outcome as last_outcome
      from :schema:.delivery d cross join lateral (
        select e.* from ${OF_RECORD} where e.answered_at < ${END}
        order by e.answered_at desc, e.claimed_at desc, e.request_id desc limit 1) l
      where ${OF_DAYS} and ${SENT} ${after === null ? '' : `and ${AFTER}`}
        and case when true ${ofSome ? `and ${ofCompanies('d')}` : ''} then not exists (select 1 from ${OF_RECORD}
          where e.answered_at >= ${BEGIN} and (e.answered_at, e.request_id) < (d.answered_at, d.request_id)
            ${ofSome ? `and ${ofCompanies('e')}` : ''} offset 0) end
        ${ofSome ? `and ${ofCompanies('l')}` : ''}
      order by d.answered_at, d.request_id limit :rows)
    select d.entity, d.key, d.platform_id as "platformId", ${NAME} as title, d.parent_id as "parentId",
      d.last_at as "lastAt", d.last_request_id as "lastRequestId", d.last_outcome as "lastOutcome",
      coalesce((select json_agg(json_build_object('kind', kind, 'count', count, 'first', first, 'last', last) order by place)
        from (select kind, count(*) as count, min(answered_at) as first, max(answered_at) as last, min(place) as place
          from (select e.kind, e.answered_at, row_number() over ordered as place,
              row_number() over ordered - row_number() over (partition by e.kind order by e.answered_at, e.claimed_at, e.request_id) as stretch
            from ${OF_RECORD} where e.outcome = 'accepted' and e.answered_at < ${END}
            window ordered as (order by e.answered_at, e.claimed_at, e.request_id)) numbered
          group by kind, stretch) stretches), '[]') as accepted,
      cast(cast(extract(epoch from d.answered_at) * 1000000 as bigint) as text) as micros, d.request_id as "requestId"
    from shown d left join :schema:.sync_state s on s.entity = d.entity and s.platform_id = d.platform_id
    order by d.answered_at, d.request_id`;
}
