import { Gauge, type Registry } from 'prom-client';
import { type Area, type EntityName, RECORD_STATUSES, type RecordStatus } from '../../core/domain/names.js';
import { described, type MetricName } from './metric-list.js';

export type EntityGauges = Readonly<Record<RecordStatus, number>> & {
  readonly held: boolean;
  /** ISO 8601; null: never. */
  readonly lastSuccessAt: string | null;
  readonly oldestPendingAt: string | null;
  /** Absent: the entity has no such rows. */
  readonly foreign?: number;
  /** Absent: none. */
  readonly drifted?: number;
};

export interface RunGauges {
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly exitCode: number;
  /** Counters by name; only numbers are counters. */
  readonly entities: Record<EntityName, object>;
}

export interface StateReading {
  readonly entities: Record<EntityName, EntityGauges>;
  /** The last run that ended; null: none has. */
  readonly lastRun: RunGauges | null;
  /** Records that are to be sent to each area; null or absent: not counted. */
  readonly left?: Readonly<Partial<Record<Area, number | null>>>;
  /** Until when areas are paused; absent: none is. */
  readonly pausedUntil?: Readonly<Partial<Record<Area, Date>>>;
  /** Requests a second of areas that take less than the setting allows; absent: none does. */
  readonly learnedRates?: Readonly<Partial<Record<Area, number>>>;
}

/** What runs. */
export interface Build {
  readonly version: string;
  /** Null: unknown. */
  readonly commit: string | null;
}

export function buildLabels({ version, commit }: Build): Readonly<Record<string, string>> {
  return { version, commit: commit ?? 'unknown' };
}

/**
 * The gauges that are read from the state, so that a CronJob and a worker show the same. Returns the function that sets
 * them; `now` is in milliseconds since the Unix epoch. Null: the state cannot be read. Counts and ages are then removed;
 * times of events stay, because they stay true.
 */
export function createStateGauges(
  registry: Registry,
  build: Build,
): (reading: StateReading | null, now: number) => void {
  const gauge = (name: MetricName) => new Gauge<string>(described(name, registry));
  const lastSuccess = gauge('last_success_timestamp_seconds');
  const records = gauge('records');
  const oldestPending = gauge('oldest_pending_seconds');
  const held = gauge('held');
  const drifted = gauge('drifted');
  const pausedUntil = gauge('area_paused_until_timestamp_seconds');
  const learnedRate = gauge('learned_rate');
  const runEnd = gauge('last_run_timestamp_seconds');
  const runDuration = gauge('last_run_duration_seconds');
  const runExitCode = gauge('last_run_exit_code');
  const runRecords = gauge('last_run_records');
  gauge('build_info').set(buildLabels(build), 1);
  // No gauge for a run that has not happened yet; a gauge without labels would show 0.
  [runEnd, runDuration, runExitCode].forEach((each) => each.remove());

  return (reading, now) => {
    for (const each of [records, oldestPending, held, drifted, pausedUntil, learnedRate]) each.reset();
    if (reading === null) return;
    const { entities, lastRun } = reading;
    lastSuccess.reset();
    for (const [entity, read] of Object.entries(entities)) {
      for (const status of RECORD_STATUSES) records.set({ entity, status }, read[status]);
      if (read.foreign !== undefined) records.set({ entity, status: 'foreign' }, read.foreign);
      held.set({ entity }, read.held ? 1 : 0);
      drifted.set({ entity }, read.drifted ?? 0);
      const { oldestPendingAt, lastSuccessAt } = read;
      const age = oldestPendingAt === null ? 0 : Math.max(0, now - Date.parse(oldestPendingAt)) / 1000;
      oldestPending.set({ entity }, age);
      if (lastSuccessAt !== null) lastSuccess.set({ entity }, Date.parse(lastSuccessAt) / 1000);
    }
    for (const [area, until] of Object.entries(reading.pausedUntil ?? {}))
      pausedUntil.set({ area }, until.getTime() / 1000);
    for (const [area, perSecond] of Object.entries(reading.learnedRates ?? {}))
      learnedRate.set({ area }, perSecond);
    runRecords.reset();
    if (lastRun === null) return;
    const end = Date.parse(lastRun.finishedAt);
    runEnd.set(end / 1000);
    runDuration.set(Math.max(0, end - Date.parse(lastRun.startedAt)) / 1000);
    runExitCode.set(lastRun.exitCode);
    for (const [entity, counters] of Object.entries(lastRun.entities)) {
      for (const [counter, value] of Object.entries(counters))
        if (typeof value === 'number') runRecords.set({ entity, counter }, value);
    }
  };
}
