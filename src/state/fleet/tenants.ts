import { SLICE_MS } from '../../domain/fleet.js';
import type { Lane, Tenants } from '../../ports/tenants.js';
import type { StateDatabase } from '../database/state-database.js';
import { applyTenants } from './apply-tenants.js';
import { purgeTenant } from './purge-tenant.js';
import { DEFINITION, SUMMARY, toSummary, toTenant, type SummaryRow, type TenantRow } from './tenant-row.js';

/** SQL: the long runs in a row, or below zero those that were not, after one more run. One that was kept out is none. */
const IN_A_ROW = `case when cast(:busy as boolean) then slices_in_a_row when cast(:isLong as boolean) then greatest(slices_in_a_row, 0) + 1
  else least(slices_in_a_row, 0) - 1 end`;

/** SQL: so many runs in a row move a tenant. */
const MOVES_AFTER = '3';

/** SQL: it may run. */
const MAY_RUN = 'enabled and not paused and removed_at is null';

/** The table of tenants in the fleet's schema. */
export function createTenants(database: StateDatabase): Tenants {
  const changes = async (sql: string, parameters: Readonly<Record<string, unknown>>): Promise<boolean> =>
    (await database.query(sql, parameters)).length > 0;
  const laneBy = async (sql: string, name: string): Promise<Lane | null> =>
    (await database.query<{ lane: Lane }>(sql, { name }))[0]?.lane ?? null;

  return {
    async list({ removed = false } = {}) {
      const rows = await database.query<SummaryRow>(
        `select ${SUMMARY} from :schema:.tenant where removed_at is null or cast(:removed as boolean) order by name`,
        { removed },
      );
      return rows.map(toSummary);
    },

    async read(name) {
      const [row] = await database.query<TenantRow>(
        `select ${SUMMARY}, ${DEFINITION} from :schema:.tenant where name = :name and removed_at is null`,
        { name },
      );
      return row ? toTenant(row) : null;
    },

    apply: (definitions, { removeOthers }) => applyTenants(database, definitions, removeOthers),

    remove: (name) =>
      changes(
        `update :schema:.tenant set removed_at = coalesce(removed_at, clock_timestamp())
         where name = :name returning name`,
        { name },
      ),

    purge: (name) => purgeTenant(database, name),

    setPaused: (name, paused) =>
      changes(
        `update :schema:.tenant set paused = :paused,
           begun_revision = case when cast(:paused as boolean) then begun_revision else 0 end
         where name = :name and removed_at is null returning name`,
        { name, paused },
      ),

    async begin(name, replica) {
      const [row] = await database.query<TenantRow>(
        `update :schema:.tenant set running_replica = :replica, running_since = clock_timestamp(), begun_revision = revision,
           last_run = case when begun_revision = revision then last_run else last_run || '{"usedUpSlice": false}' end
         where name = :name and ${MAY_RUN} returning ${SUMMARY}, ${DEFINITION}`,
        { name, replica },
      );
      return row ? toTenant(row) : null;
    },

    async end(name, replica, run) {
      const [ended] = await database.query<{ lane: Lane }>(
        `update :schema:.tenant set running_replica = null, running_since = null,
           last_run = cast(:run as jsonb) || case when cast(:busy as boolean)
             then jsonb_build_object('usedUpSlice', coalesce(last_run -> 'usedUpSlice', 'false')) else '{}' end,
           last_success_at = case when cast(:succeeded as boolean) then clock_timestamp() else last_success_at end,
           slices_in_a_row = ${IN_A_ROW},
           lane = case when cast(:busy as boolean) then lane when lane_setting <> 'auto' then lane_setting
             when cast(:outgrewLane as boolean) or ${IN_A_ROW} >= ${MOVES_AFTER} then 'large'
             when ${IN_A_ROW} <= -${MOVES_AFTER} then 'sync' else lane end
         where name = :name
           and (running_replica = :replica or (running_replica is null and last_run ->> 'outcome' = 'busy'))
         returning lane`,
        {
          ...{ name, replica, run: JSON.stringify(run), busy: run.outcome === 'busy' },
          succeeded: run.exitCode === 0 && !run.usedUpSlice,
          outgrewLane: run.outgrewLane ?? false,
          // Also if it had nothing to send: its slot was held up.
          isLong: run.usedUpSlice || run.finishedAt.getTime() - run.startedAt.getTime() >= SLICE_MS,
        },
      );
      return (
        ended?.lane ?? (await laneBy('select lane from :schema:.tenant where name = :name', name)) ?? 'sync'
      );
    },

    laneOf: (name) => laneBy(`select lane from :schema:.tenant where name = :name and ${MAY_RUN}`, name),

    mayGoOn: (name, revision) =>
      changes(`select 1 from :schema:.tenant where name = :name and revision = :revision and ${MAY_RUN}`, {
        name,
        revision,
      }),
  };
}
