import type { EntityName } from '../domain/names.js';
import type { EntityReport, PushCounters } from '../domain/outcome.js';
import { emptyReport } from '../entities/index.js';
import type { StateDatabase } from './database/state-database.js';

/**
 * What is remembered beside the ledger: runs with their counters (`createRuns`), and when scheduled work is due
 * (`createSchedules`).
 */

export type Trigger = 'cron' | 'manual' | 'catch-up';

export interface FinishedRun {
  readonly outcome: string;
  readonly exitCode: number;
  readonly entities: Record<EntityName, EntityReport>;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** A run as lists show it. */
export interface ListedRun extends Pick<FinishedRun, 'entities' | 'error'> {
  readonly runId: string;
  readonly trigger: Trigger;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly outcome: string | null;
  readonly exitCode: number | null;
  readonly holder: string;
}

interface RunQuery {
  /** Only runs that ended so; null: all, also one under way. */
  readonly outcome: string | null;
  /** Only runs that began before the run of this id (a UUID); null: from the latest on. */
  readonly before: string | null;
  readonly limit: number;
}

export type ScheduleName = 'sync' | 'verify';

export interface DueTime {
  readonly at: Date;
  /** Whether it has passed, by the database's clock. */
  readonly overdue: boolean;
}

const COLUMNS = `run_id as "runId", trigger, started_at as "startedAt", finished_at as "finishedAt", outcome,
  exit_code as "exitCode", coalesce(counters, '{}') as entities, error, holder`;
const NEWEST_FIRST = 'order by started_at desc, run_id desc';

type Counted = Pick<FinishedRun, 'entities'>;

export function createRuns(database: StateDatabase) {
  /** The latest first, as `recent`. Nothing when the run `before` is not stored any more. */
  const page = (query: RunQuery) => {
    const { outcome, before } = query;
    return database.query<ListedRun>(
      `select ${COLUMNS} from :schema:.sync_run
       where true ${outcome === null ? '' : 'and outcome = :outcome'} ${
         // Written so that the index on `started_at` is enough.
         before === null
           ? ''
           : 'and (started_at, run_id) < ((select b.started_at from :schema:.sync_run b where b.run_id = cast(:before as uuid)), cast(:before as uuid))'
       }
       ${NEWEST_FIRST} limit :limit`,
      { ...query },
    );
  };

  /** The latest first; of one under way `outcome` and `exitCode` are null. */
  const recent = (limit: number) => page({ outcome: null, before: null, limit });

  return {
    /** Also ends the row of a run that died. */
    async start({ runId, trigger, holder }: Pick<ListedRun, 'runId' | 'trigger' | 'holder'>) {
      await database.query(
        `update :schema:.sync_run set finished_at = clock_timestamp(), outcome = 'aborted', exit_code = 1,
           error = '{"code": "interrupted", "message": "The process died, or lost its leases, before the run ended."}'
         where finished_at is null`,
      );
      await database.query(
        `insert into :schema:.sync_run (run_id, trigger, holder, started_at) values (:runId, :trigger, :holder, clock_timestamp())`,
        { runId, trigger, holder },
      );
    },

    /** Keeps what `addPushed` has counted for it. */
    async finish(runId: string, { outcome, exitCode, entities, error }: FinishedRun) {
      await database.transaction(async (statements) => {
        const [before] = await statements.query<Counted>(
          `select coalesce(counters, '{}') as entities from :schema:.sync_run where run_id = :runId for update`,
          { runId },
        );
        await statements.query(
          `update :schema:.sync_run set finished_at = clock_timestamp(), outcome = :outcome, exit_code = :exitCode,
             counters = cast(:entities as jsonb), error = cast(:error as jsonb)
           where run_id = :runId`,
          {
            runId,
            outcome,
            exitCode,
            entities: JSON.stringify(addPushed(entities, before?.entities ?? {})),
            error: error && JSON.stringify(error),
          },
        );
      });
    },

    /** Adds what a worker's push sent to the last run, also while that run is under way. Without a run nothing is counted. */
    async addPushed(pushed: Readonly<Record<EntityName, PushCounters>>) {
      await database.transaction(async (statements) => {
        const [last] = await statements.query<Counted & { runId: string }>(
          `select run_id as "runId", coalesce(counters, '{}') as entities from :schema:.sync_run
           ${NEWEST_FIRST} limit 1 for update`,
        );
        if (!last) return;
        await statements.query(
          'update :schema:.sync_run set counters = cast(:entities as jsonb) where run_id = :runId',
          { runId: last.runId, entities: JSON.stringify(addPushed(last.entities, pushed)) },
        );
      });
    },

    last: async () => (await recent(1))[0] ?? null,

    async find(runId: string) {
      const [run] = await database.query<ListedRun>(
        `select ${COLUMNS} from :schema:.sync_run where run_id = cast(:runId as uuid)`,
        { runId },
      );
      return run ?? null;
    },

    recent,
    page,

    /** Together with what was counted per hour. */
    async prune(retentionMs: number) {
      await database.query(
        `delete from :schema:.sync_run where finished_at < now() - :retention * interval '1 millisecond'`,
        { retention: retentionMs },
      );
      await database.query(
        `delete from :schema:.push_hour where hour < now() - :retention * interval '1 millisecond'`,
        { retention: retentionMs },
      );
    },
  };
}

const COUNTERS = ['sent', 'accepted', 'rejected', 'deferred'] as const;

/** The reports with what was pushed added; `balanced` stays so, because each push is. */
function addPushed(
  reports: Readonly<Record<EntityName, EntityReport>>,
  pushed: Readonly<Record<EntityName, PushCounters>>,
): Record<EntityName, EntityReport> {
  const added = Object.entries(pushed).map(([name, counters]) => {
    const report = reports[name] ?? emptyReport(name);
    const sums = COUNTERS.map((counter) => [counter, report[counter] + counters[counter]] as const);
    return [name, { ...report, ...Object.fromEntries(sums) }] as const;
  });
  return { ...reports, ...Object.fromEntries(added) };
}

/** When each schedule is due next, across processes. */
export function createSchedules(database: StateDatabase) {
  return {
    /** Null: none was ever stored. */
    async read(name: ScheduleName) {
      // In milliseconds, the precision of a Date.
      const [row] = await database.query<DueTime>(
        `select date_trunc('milliseconds', due_at) as at, due_at <= clock_timestamp() as overdue
         from :schema:.schedule where name = :name`,
        { name },
      );
      return row ?? null;
    },
    /** Gives the time that it replaces; null: there was none. */
    async setDue(name: ScheduleName, at: Date) {
      // The count forces a read before the write; afterwards the old value is gone.
      const [row] = await database.query<DueTime | { at: null }>(
        `with replaced as materialized (
           select due_at from :schema:.schedule where name = :name for update
         )
         insert into :schema:.schedule (name, due_at)
         select :name, cast(:at as timestamptz) where (select count(*) from replaced) >= 0
         on conflict (name) do update set due_at = excluded.due_at
         returning (select date_trunc('milliseconds', due_at) from replaced) as at,
           (select due_at <= clock_timestamp() from replaced) as overdue`,
        { name, at },
      );
      return row && row.at !== null ? row : null;
    },
    /** The process that works by this schedule begins within a few seconds. */
    async setDueNow(name: ScheduleName) {
      await database.query(
        `insert into :schema:.schedule (name, due_at) values (:name, clock_timestamp())
         on conflict (name) do update set due_at = excluded.due_at`,
        { name },
      );
    },
  };
}
