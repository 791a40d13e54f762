import type { AreaStop } from '../../domain/area-condition.js';
import type { LearnedRate } from '../../domain/learned-rate.js';
import type { Area } from '../../domain/names.js';
import { countedAs } from '../../domain/push-counters.js';
import type { StopCause } from '../../domain/reply/reply.js';
import type { Fence } from '../../ports/clock.js';
import type { StateDatabase, Statements } from '../database/state-database.js';
import { withLease } from '../lease.js';
import type { Outcome } from './types.js';

/**
 * What is known of the platform's two areas beside single records: whether an area answers, is paused or stopped
 * (`createAreaStates`), and how many records were pushed in each hour (`createPushHours`, `countPushed`).
 */

/** What the pushes so far learned about an area. */
export interface AreaState {
  readonly area: Area;
  /** Transient failures since the last answer, across pushes and runs. */
  readonly failuresInARow: number;
  readonly failingSince: Date | null;
  /** When the worker tries the stopped area again; null: no worker does, or that has passed. */
  readonly retryAt: Date | null;
  /** When a push last ended in which it had answered; null: never. */
  readonly answeredAt: Date | null;
  /** Of the latest failure; null: none. */
  readonly lastError: string | null;
  /** Why the last push stopped, and since when; null: it did not. */
  readonly stop: (AreaStop & { readonly since: Date }) | null;
  /** The platform asked not to be sent anything until then, and it is not over yet; null: it did not. */
  readonly pause: { readonly until: Date; readonly leftMs: number } | null;
  /** The rate that pushes have learned; null: nothing speaks against the setting. */
  readonly learnedRate: LearnedRate | null;
  /** `meta.version` of the latest replies; null: none had one. */
  readonly platformVersion: string | null;
}

/** What a push learned about its area. */
export interface AreaFinding extends Pick<AreaState, 'area' | 'failuresInARow' | 'lastError'> {
  /** Whether the area answered a request in this push: earlier failures no longer count. */
  readonly answered: boolean;
  /** How long ago the first of the failures in a row was, milliseconds; null: it was in an earlier push, or there is none. */
  readonly failingMs: number | null;
  readonly stop: AreaStop | null;
}

/** What is known about the areas of the platform across pushes and runs. */
export type AreaStates = ReturnType<typeof createAreaStates>;

interface AreaRow extends Omit<AreaState, 'stop' | 'pause'> {
  readonly code: AreaStop['code'] | null;
  readonly message: string;
  readonly hint: string;
  readonly cause: StopCause | null;
  readonly stoppedAt: Date;
  readonly pausedUntil: Date | null;
  readonly leftMs: number | null;
}

export function createAreaStates(database: StateDatabase) {
  const read = async (area: Area | null): Promise<readonly AreaState[]> => {
    const rows = await database.query<AreaRow>(
      `select area, failures_in_a_row as "failuresInARow", failing_since as "failingSince",
         answered_at as "answeredAt", last_error as "lastError",
         stop_code as code, stop_message as message, stop_hint as hint, stop_cause as cause, stopped_at as "stoppedAt",
         case when paused_until > clock_timestamp() then paused_until end as "pausedUntil",
         cast(extract(epoch from paused_until - clock_timestamp()) * 1000 as double precision) as "leftMs",
         case when retry_at > clock_timestamp() then retry_at end as "retryAt",
         learned_rate as "learnedRate", platform_version as "platformVersion"
       from :schema:.area_state where area = coalesce(:area, area) order by area`,
      { area },
    );
    return rows.map(({ code, message, hint, cause, stoppedAt, pausedUntil, leftMs, ...state }) => ({
      ...state,
      pause: pausedUntil && { until: pausedUntil, leftMs: Math.max(1, leftMs ?? 0) },
      stop: code && { code, message, hint, cause, since: stoppedAt },
    }));
  };
  const set = (fence: Fence, area: Area, column: 'learned_rate' | 'platform_version', value: string | null) =>
    withLease(database, 'push', fence, async (statements) => {
      await statements.query(
        `insert into :schema:.area_state (area, ${column}) values (:area, :value)
         on conflict (area) do update set ${column} = excluded.${column}`,
        { area, value },
      );
    });
  return {
    /** Null: no push has learned anything yet. */
    read: async (area: Area) => (await read(area))[0] ?? null,
    all: () => read(null),
    /** Stores what a push learned, while it holds the push lease. Errors: SyncError `lease-lost`. */
    save: (fence: Fence, { area, answered, failuresInARow, failingMs, lastError, stop }: AreaFinding) =>
      withLease(database, 'push', fence, async (statements) => {
        await statements.query(
          `insert into :schema:.area_state as a
             (area, failures_in_a_row, answered_at, failing_since, last_error, stop_code, stop_message, stop_hint, stop_cause, stopped_at, paused_until)
           values (:area, cast(:failures as integer), case when cast(:answered as boolean) then clock_timestamp() end,
             case when cast(:failures as integer) > 0
               then clock_timestamp() - cast(:failingMs as double precision) * interval '1 millisecond' end,
             cast(:lastError as text), cast(:code as text), cast(:message as text), cast(:hint as text), cast(:cause as text),
             case when cast(:code as text) is not null then clock_timestamp() end,
             clock_timestamp() + cast(:pauseMs as double precision) * interval '1 millisecond')
           on conflict (area) do update set
             failures_in_a_row = excluded.failures_in_a_row, answered_at = coalesce(excluded.answered_at, a.answered_at),
             last_error = excluded.last_error,
             failing_since = case when excluded.failures_in_a_row = 0 then null
               when cast(:answered as boolean) then excluded.failing_since
               else coalesce(a.failing_since, excluded.failing_since) end,
             stop_code = excluded.stop_code, stop_message = excluded.stop_message, stop_hint = excluded.stop_hint,
             stop_cause = excluded.stop_cause,
             paused_until = excluded.paused_until, retry_at = null,
             stopped_at = case when excluded.stop_code is null then null
               when cast(:answered as boolean) then excluded.stopped_at
               else coalesce(a.stopped_at, excluded.stopped_at) end`,
          {
            area,
            answered,
            failures: failuresInARow,
            failingMs: failingMs ?? 0,
            lastError,
            code: stop?.code ?? null,
            message: stop?.message ?? null,
            hint: stop?.hint ?? null,
            cause: stop?.cause ?? null,
            pauseMs: stop?.delayMs ?? null,
          },
        );
      }),
    /** Stores when the worker tries the stopped area again, while it holds the push lease. Errors: SyncError `lease-lost`. */
    saveRetry: (fence: Fence, area: Area, delayMs: number) =>
      withLease(database, 'push', fence, async (statements) => {
        await statements.query(
          `update :schema:.area_state set retry_at = clock_timestamp() + :delayMs * interval '1 millisecond'
           where area = :area`,
          { area, delayMs },
        );
      }),
    /** Stores the rate that a push has learned, while it holds the push lease. Errors: SyncError `lease-lost`. */
    saveLearnedRate: (fence: Fence, area: Area, learned: LearnedRate | null) =>
      set(fence, area, 'learned_rate', learned && JSON.stringify(learned)),
    /** Stores the version that the platform names, while a push holds its lease. Errors: SyncError `lease-lost`. */
    savePlatformVersion: (fence: Fence, area: Area, version: string) =>
      set(fence, area, 'platform_version', version),
    /** Forgets the pauses that the platform asked these areas for; gives the areas that had one. */
    async endPauses(areas: readonly Area[]) {
      const rows = await database.query<{ area: Area }>(
        `update :schema:.area_state set paused_until = null
         where area = any(:areas) and paused_until > clock_timestamp() returning area`,
        { areas },
      );
      return rows.map(({ area }) => area);
    },
  };
}

/** Adds a group of outcomes to this hour, in one statement. Handed-back claims do not count. */
export async function countPushed(statements: Statements, outcomes: readonly Outcome[]): Promise<void> {
  const counts = tally(outcomes);
  if (counts.length === 0) return;
  await statements.query(
    `insert into :schema:.push_hour as h (entity, hour, sent, accepted, rejected, deferred)
     select r.entity, ${hourOf('clock_timestamp()')}, r.accepted + r.rejected + r.deferred, r.accepted, r.rejected, r.deferred
     from jsonb_to_recordset(cast(:counts as jsonb)) as r(entity text, accepted bigint, rejected bigint, deferred bigint)
     order by r.entity
     on conflict (entity, hour) do update set sent = h.sent + excluded.sent, accepted = h.accepted + excluded.accepted,
       rejected = h.rejected + excluded.rejected, deferred = h.deferred + excluded.deferred`,
    { counts: JSON.stringify(counts) },
  );
}

function tally(outcomes: readonly Outcome[]) {
  const entities = [...new Set(outcomes.map(({ entity }) => entity))];
  return entities.flatMap((entity) => {
    const counted = { entity, accepted: 0, rejected: 0, deferred: 0 };
    const kinds = outcomes.flatMap((outcome) =>
      outcome.entity === entity ? (countedAs(outcome) ?? []) : [],
    );
    for (const kind of kinds) counted[kind] += 1;
    return kinds.length === 0 ? [] : [counted];
  });
}

/** SQL: the beginning of an hour, independent of the session's zone. */
const hourOf = (time: string) => `date_trunc('hour', ${time} at time zone 'UTC') at time zone 'UTC'`;
