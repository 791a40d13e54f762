import type { StateDatabase } from '../../../core/ledger/database/state-database.js';
import type { JobCounts } from '../fleet-report.js';
import type { Lane } from './types.js';

/** SQL: a job that waits, and might begin now. */
const READY = `state in ('created', 'retry') and start_after <= clock_timestamp()`;

/**
 * Jobs that wait and that run, by lane, in the engine's own table: no engine is needed for that. Errors: also SyncError
 * `state-failed` when no replica has made the table yet.
 */
export async function countJobs(engine: Pick<StateDatabase, 'query'>): Promise<JobCounts> {
  const rows = await engine.query<JobCounts[Lane] & { readonly lane: Lane }>(
    `select name as lane, cast(count(*) filter (where ${READY}) as integer) as ready,
       cast(count(*) filter (where state = 'active') as integer) as active,
       cast(coalesce(floor(extract(epoch from clock_timestamp()
         - min(greatest(created_on, start_after)) filter (where ${READY}))), 0) as integer) as "longestWait"
     from :schema:.job where name in ('sync', 'large') group by name`,
  );
  const countsOf = (lane: Lane) => {
    const { ready = 0, active = 0, longestWait = 0 } = rows.find((row) => row.lane === lane) ?? {};
    return { ready, active, longestWait };
  };
  return { sync: countsOf('sync'), large: countsOf('large') };
}
