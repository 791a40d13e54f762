import type { Area } from '../../domain/names.js';
import type { AreaStop } from '../../domain/area-condition.js';
import type { AreaState, AreaStates } from '../../ports/area-states.js';
import type { StateDatabase } from '../database/state-database.js';
import { checkLease } from '../lease/held-lease.js';

interface AreaRow extends Omit<AreaState, 'stop' | 'pause'> {
  readonly code: AreaStop['code'] | null;
  readonly message: string;
  readonly hint: string;
  readonly stoppedAt: Date;
  readonly pausedUntil: Date | null;
  readonly leftMs: number | null;
}

export function createAreaStates(database: StateDatabase): AreaStates {
  const read = async (area: Area | null): Promise<readonly AreaState[]> => {
    const rows = await database.query<AreaRow>(
      `select area, failures_in_a_row as "failuresInARow", failing_since as "failingSince",
         answered_at as "answeredAt", last_error as "lastError",
         stop_code as code, stop_message as message, stop_hint as hint, stopped_at as "stoppedAt",
         case when paused_until > clock_timestamp() then paused_until end as "pausedUntil",
         cast(extract(epoch from paused_until - clock_timestamp()) * 1000 as double precision) as "leftMs"
       from :schema:.area_state where area = coalesce(:area, area) order by area`,
      { area },
    );
    return rows.map(({ code, message, hint, stoppedAt, pausedUntil, leftMs, ...state }) => ({
      ...state,
      pause: pausedUntil && { until: pausedUntil, leftMs: Math.max(1, leftMs ?? 0) },
      stop: code && { code, message, hint, since: stoppedAt },
    }));
  };
  return {
    read: async (area) => (await read(area))[0] ?? null,
    all: () => read(null),
    save: (fence, { area, answered, failuresInARow, lastError, stop }) =>
      database.transaction(async (statements) => {
        await checkLease(statements, 'push', fence);
        await statements.query(
          `insert into :schema:.area_state as a
             (area, failures_in_a_row, answered_at, failing_since, last_error, stop_code, stop_message, stop_hint, stopped_at, paused_until)
           values (:area, cast(:failures as integer), case when cast(:answered as boolean) then clock_timestamp() end,
             case when cast(:failures as integer) > 0 then clock_timestamp() end,
             cast(:lastError as text), cast(:code as text), cast(:message as text), cast(:hint as text),
             case when cast(:code as text) is not null then clock_timestamp() end,
             clock_timestamp() + cast(:pauseMs as double precision) * interval '1 millisecond')
           on conflict (area) do update set
             failures_in_a_row = excluded.failures_in_a_row, answered_at = coalesce(excluded.answered_at, a.answered_at),
             last_error = excluded.last_error,
             failing_since = case when excluded.failures_in_a_row = 0 then null
               when cast(:answered as boolean) then excluded.failing_since
               else coalesce(a.failing_since, excluded.failing_since) end,
             stop_code = excluded.stop_code, stop_message = excluded.stop_message, stop_hint = excluded.stop_hint,
             paused_until = excluded.paused_until,
             stopped_at = case when excluded.stop_code is null then null
               when cast(:answered as boolean) then excluded.stopped_at
               else coalesce(a.stopped_at, excluded.stopped_at) end`,
          {
            area,
            answered,
            failures: failuresInARow,
            lastError,
            code: stop?.code ?? null,
            message: stop?.message ?? null,
            hint: stop?.hint ?? null,
            pauseMs: stop?.delayMs ?? null,
          },
        );
      }),
    async endPauses(areas) {
      const rows = await database.query<{ area: Area }>(
        `update :schema:.area_state set paused_until = null
         where area = any(:areas) and paused_until > clock_timestamp() returning area`,
        { areas },
      );
      return rows.map(({ area }) => area);
    },
  };
}
