import { withoutAddressDigests } from '../../entities/index.js';
import type { FinishedRun, ListedRun, RunRecord, Runs } from '../../ports/runs.js';
import { addPushed } from './add-pushed.js';
import type { StateDatabase } from '../database/state-database.js';

const COLUMNS = `run_id as "runId", trigger, started_at as "startedAt", finished_at as "finishedAt", outcome,
  exit_code as "exitCode", coalesce(counters, '{}') as entities, error`;
const NEWEST_FIRST = 'order by started_at desc, run_id desc';

type Counted = Pick<FinishedRun, 'entities'>;

export function createRuns(database: StateDatabase): Runs {
  const page: Runs['page'] = async (query) => {
    const { outcome, before } = query;
    const runs = await database.query<ListedRun>(
      `select ${COLUMNS}, holder from :schema:.sync_run
       where true ${outcome === null ? '' : 'and outcome = :outcome'} ${
         // Written so that the index on `started_at` is enough.
         before === null
           ? ''
           : 'and (started_at, run_id) < ((select b.started_at from :schema:.sync_run b where b.run_id = cast(:before as uuid)), cast(:before as uuid))'
       }
       ${NEWEST_FIRST} limit :limit`,
      { ...query },
    );
    return runs.map(shown);
  };

  return {
    async start({ runId, trigger, holder }) {
      await database.query(
        `update :schema:.sync_run set finished_at = clock_timestamp(), outcome = 'aborted', exit_code = 1,
           error = '{"code": "interrupted", "message": "The process died, or lost its leases, before the run ended."}'
         where finished_at is null`,
      );
      const [row] = await database.query<{ startedAt: Date }>(
        `insert into :schema:.sync_run (run_id, trigger, holder, started_at) values (:runId, :trigger, :holder, clock_timestamp())
         returning started_at as "startedAt"`,
        { runId, trigger, holder },
      );
      return { startedAt: row?.startedAt ?? new Date() };
    },

    async finish(runId, { outcome, exitCode, entities, error }) {
      return database.transaction(async (statements) => {
        const [before] = await statements.query<Counted>(
          `select coalesce(counters, '{}') as entities from :schema:.sync_run where run_id = :runId for update`,
          { runId },
        );
        const [row] = await statements.query<{ finishedAt: Date }>(
          `update :schema:.sync_run set finished_at = clock_timestamp(), outcome = :outcome, exit_code = :exitCode,
             counters = cast(:entities as jsonb), error = cast(:error as jsonb)
           where run_id = :runId returning finished_at as "finishedAt"`,
          {
            runId,
            outcome,
            exitCode,
            entities: JSON.stringify(addPushed(entities, before?.entities ?? {})),
            error: error && JSON.stringify(error),
          },
        );
        return { finishedAt: row?.finishedAt ?? new Date() };
      });
    },

    async addPushed(pushed) {
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

    async last() {
      const [run] = await database.query<RunRecord>(
        `select ${COLUMNS} from :schema:.sync_run ${NEWEST_FIRST} limit 1`,
      );
      return run ? shown(run) : null;
    },

    async find(runId) {
      const [run] = await database.query<ListedRun>(
        `select ${COLUMNS}, holder from :schema:.sync_run where run_id = cast(:runId as uuid)`,
        { runId },
      );
      return run ? shown(run) : null;
    },

    recent: (limit) => page({ outcome: null, before: null, limit }),

    page,

    async prune(retentionMs) {
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

/** A run for display: former versions stored errors with keys that contain a hash of an applicant's address. */
function shown<R extends Pick<FinishedRun, 'entities'>>(run: R): R {
  const entities = Object.entries(run.entities).map(([name, { error, ...report }]) => [
    name,
    { ...report, error: error && { ...error, message: withoutAddressDigests(name, error.message) } },
  ]);
  return { ...run, entities: Object.fromEntries(entities) as R['entities'] };
}
