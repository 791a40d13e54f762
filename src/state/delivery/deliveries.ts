import type { Delivery, JournalGap } from '../../domain/report.js';
import type { Deliveries, DeliveryPage, PageOptions } from '../../ports/deliveries.js';
import type { Parameters, StateDatabase } from '../database/state-database.js';
import { namedParents, OF_DAYS, reportRows } from './report-rows.js';

/** Rows that one statement deletes: short transactions, so that a running push never waits. */
const BATCH_SIZE = 5_000;

const COLUMNS = `d.entity, d.key, d.platform_id as "platformId", d.parent_platform_id as "parentPlatformId", d.kind,
  d.operation, d.request_id as "requestId", d.payload_hash as "payloadHash", d.run_id as "runId",
  d.claimed_at as "claimedAt", d.answered_at as "answeredAt", d.status_code as "statusCode", d.outcome, d.reason`;

/** SQL: the rows in alias `d` behind a `DeliveryPosition`. */
const AFTER = `(d.answered_at, d.request_id) >
  (timestamptz 'epoch' + cast(:micros as bigint) * interval '1 microsecond', cast(:requestId as uuid))`;

/** Reads the journal, and deletes what is old. */
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
         and coalesce(d.run_id, cast(:runId as uuid)) = cast(:runId as uuid)
         ${outcome === null ? '' : 'and d.outcome = :outcome'}`,
        { ...run, runId, outcome },
        options,
      );
    },

    ofDays: (days, options) => page(OF_DAYS, { ...days }, options),

    report: (days, most) => reportRows(database, days, most),

    gaps: () =>
      database.query<JournalGap>(
        `select case when begins = '-infinity' then null else begins end as "from", ends as "to"
         from :schema:.journal_gap g
         where not exists (select 1 from :schema:.journal_gap o where o.begins < g.begins and o.ends >= g.ends)
         order by g.begins`,
      ),

    parents: (ids) => namedParents(database, ids),

    async prune(retentionMs) {
      for (let deleted = 0; ;) {
        // What a report knows begins later from the same moment on.
        const [batch] = await database.query<{ count: number }>(
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
           select cast(count(*) as integer) as count from gone`,
          { retention: retentionMs },
        );
        const count = batch?.count ?? 0;
        deleted += count;
        if (count < BATCH_SIZE) return deleted;
      }
    },
  };
}
