import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type Emit, type SyncEvent, WEBHOOK_OUTCOMES } from '../../core/domain/events.js';
import type { Area, EntityName } from '../../core/domain/names.js';
import type { RunOutcome } from '../../core/domain/run-ending.js';
import { stopMatters } from '../../core/domain/trouble/trouble.js';
import { untilAborted } from '../../core/runtime/time.js';
import { described, type FleetMetricName, METRIC_PREFIX, type MetricName } from './metric-list.js';
import { type Build, buildLabels, createStateGauges, type StateReading } from './state-gauges.js';

/**
 * Metrics for Prometheus: counters from events, gauges from what is read at every scrape. `createMetrics` is for one
 * configuration, `createFleetMetrics` for a replica of a fleet; both count requests alike (`createRequestCounters`) and do
 * not wait for a database that does not answer (`readingInTime`). `metricsText` writes the gauges of one run to a file. No key
 * and no personal data is in a label.
 */

export interface Metrics {
  readonly emit: Emit;
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

interface MetricsOptions extends Build {
  /** Read at every scrape, so that a CronJob and a worker show the same. The signal aborts after `readTimeoutMs`. */
  readonly read: (signal: AbortSignal) => Promise<StateReading>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Between two sweeps, at least; absent: nobody sweeps on schedule. */
  readonly periodMs?: number;
  /** Entities whose changes are timed, known before the first one. */
  readonly entities?: readonly EntityName[];
  /** Longest wait for `read`, milliseconds; default 5 s. */
  readonly readTimeoutMs?: number;
}

/** Seconds. */
const RUN_BUCKETS = [0.5, 1, 5, 15, 60, 300, 900, 3_600];
const CHANGE_BUCKETS = [10, 60, 300, 900, 1_800, 3_600, 14_400, 86_400];

/** Counted from 0 on: Prometheus sees no increase in a counter that first appears with a 1. */
const RUN_OUTCOMES = Object.keys({
  complete: 0,
  partial: 0,
  held: 0,
  aborted: 0,
  failed: 0,
  busy: 0,
} satisfies Record<RunOutcome, 0>);

export function createMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry();
  const counter = (name: MetricName) => new Counter<string>(described(name, registry));
  const setGauges = createStateGauges(registry, options);
  const countRequest = createRequestCounters(registry);
  watchEventLoop(registry);
  const runDurations = new Histogram({
    ...described('run_duration_seconds', registry),
    buckets: RUN_BUCKETS,
  });
  const changes = new Histogram<string>({
    ...described('change_to_accepted_seconds', registry),
    buckets: CHANGE_BUCKETS,
  });
  for (const entity of options.entities ?? []) changes.zero({ entity });
  const period = new Gauge(described('sweep_period_seconds', registry));
  if (options.periodMs === undefined) period.remove();
  else period.set(options.periodMs / 1_000);
  const runs = counter('runs_total');
  const stale = counter('stale_row_versions_total');
  const skew = new Gauge<string>(described('clock_skew_seconds', registry));
  const stopped = new Gauge<string>(described('area_stopped', registry));
  const webhooks = counter('webhook_events_total');
  for (const outcome of RUN_OUTCOMES) runs.inc({ outcome }, 0);
  for (const outcome of WEBHOOK_OUTCOMES) webhooks.inc({ outcome }, 0);

  const stops = new Map<Area, string>();
  const noteStop = (area: Area, code: string | null) => {
    const before = stops.get(area);
    if (before !== undefined && before !== code) stopped.set({ area, code: before }, 0);
    if (code === null) stops.delete(area);
    else stops.set(area, code);
  };
  const setStopped = (reading: StateReading | null) => {
    for (const [area, code] of stops)
      stopped.set({ area, code }, stopMatters(code, reading?.left?.[area] ?? null) ? 1 : 0);
  };

  const readInTime = readingInTime(options.read, options.readTimeoutMs);

  return {
    emit(event) {
      if (event.type === 'request-finished') {
        const { area, clockSkewMs } = event;
        const statusClass = countRequest(event);
        if (clockSkewMs !== null) skew.set({ area }, clockSkewMs / 1000);
        if (statusClass === '2xx') noteStop(area, null);
      } else if (event.type === 'area-stopped') noteStop(event.area, event.code);
      // Only the process that sends knows whether the area is stopped.
      else if (event.type === 'worker-standby') for (const area of stops.keys()) noteStop(area, null);
      else if (event.type === 'run-finished') {
        runs.inc({ outcome: event.outcome });
        runDurations.observe(event.elapsedMs / 1000);
      } else if (event.type === 'record-sent' && event.pendingMs !== undefined)
        changes.observe({ entity: event.entity }, event.pendingMs / 1_000);
      else if (event.type === 'stale-row-versions') stale.inc({ entity: event.entity }, event.count);
      else if (event.type === 'webhook-event') webhooks.inc({ outcome: event.outcome });
    },
    async render() {
      // The counters are useful even without the state database.
      const reading = await readInTime();
      setGauges(reading, options.now());
      setStopped(reading);
      for (const entity of Object.keys(reading?.entities ?? {})) stale.inc({ entity }, 0);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

type RequestFinished = Extract<SyncEvent, { readonly type: 'request-finished' }>;

/** The class of a status in a label: `2xx`; `none`: no reply. */
type StatusClass = `${number}xx` | 'none';

/** Seconds. */
const REQUEST_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Counts requests to the platform by operation and reply, and how long they took and waited. Gives the class of the reply. */
function createRequestCounters(registry: Registry): (event: RequestFinished) => StatusClass {
  const requests = new Counter<string>(described('requests_total', registry));
  const durations = new Histogram<string>({
    ...described('request_duration_seconds', registry),
    buckets: REQUEST_BUCKETS,
  });
  const waits = new Counter<string>(described('rate_limit_wait_seconds_total', registry));
  return ({ area, operation, statusCode, elapsedMs, waitedMs }) => {
    const statusClass: StatusClass = statusCode === null ? 'none' : `${Math.floor(statusCode / 100)}xx`;
    requests.inc({ operation, status_class: statusClass });
    durations.observe({ operation }, elapsedMs / 1000);
    waits.inc({ area }, Math.max(0, waitedMs) / 1000);
    return statusClass;
  };
}

/** Between two looks at the clock, milliseconds. */
const EVENT_LOOP_LOOK_MS = 20;

/** Measures how long the process stood still: then its requests leave late, and its leases are renewed late. */
function watchEventLoop(registry: Registry): void {
  const delays = monitorEventLoopDelay({ resolution: EVENT_LOOP_LOOK_MS });
  delays.enable();
  const gauge: Gauge<string> = new Gauge<string>({
    ...described('event_loop_delay_seconds', registry),
    collect() {
      for (const [statistic, percent] of [
        ['median', 50],
        ['p99', 99],
        ['max', 100],
      ] as const) {
        // Nanoseconds from one look to the next; none yet: 0.
        const late = delays.percentile(percent) / 1e9 - EVENT_LOOP_LOOK_MS / 1_000;
        gauge.set({ statistic }, Math.max(0, late));
      }
      delays.reset();
    },
  });
}

/** Longest wait, milliseconds: Prometheus waits ten seconds for a scrape. */
const READ_MS = 5_000;

/**
 * A reading for scrapes, one at a time: they must not pile up when the database does not answer. Null: it failed, or took
 * longer than `ms`. The signal of `read` aborts then.
 */
function readingInTime<T>(read: (signal: AbortSignal) => Promise<T>, ms = READ_MS): () => Promise<T | null> {
  let underWay: Promise<T | null> | null = null;
  return () => {
    if (underWay) return underWay;
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), ms);
    const late = untilAborted(over.signal).then(() => null);
    const reading = read(over.signal)
      .catch(() => null)
      .finally(() => {
        clearTimeout(timer);
        underWay = null;
      });
    return (underWay = Promise.race([reading, late]));
  };
}

interface FleetMetricsOptions extends Build, Pick<MetricsOptions, 'readTimeoutMs'> {
  readonly read: (signal: AbortSignal) => Promise<FleetReading>;
}

/** What the gauges are set from: a part of the report of the fleet. */
interface FleetReading {
  readonly counts: Readonly<Record<string, number>>;
  readonly pending: number;
  /** By lane; null: the engine cannot be read. */
  readonly jobs: Readonly<
    Record<string, { readonly ready: number; readonly active: number; readonly longestWait: number }>
  > | null;
  readonly tenants: readonly {
    readonly name: string;
    readonly state: string;
    readonly secondsStale: number;
  }[];
}

/** It listens to the events of all tenants, for what is counted of requests. */
export interface FleetMetrics extends Metrics {
  /** A run of a tenant ended, or a slice of one. */
  ended(outcome: string): void;
}

/** Tenants that somebody took out of the work: their last success is old on purpose. */
const AT_REST: readonly string[] = ['paused', 'disabled'];

/** Tenants with a series of their own: thousands of them would cost Prometheus more than they help. */
const STALEST = 20;

/**
 * Metrics of one replica for Prometheus. The gauges are of the whole fleet, so every replica shows the same: take their
 * maximum. The counters are the replica's own: add them up.
 */
export function createFleetMetrics(options: FleetMetricsOptions): FleetMetrics {
  const registry = new Registry();
  const gauge = (name: FleetMetricName) => new Gauge<string>(described(name, registry));
  const tenants = gauge('fleet_tenants');
  const pending = gauge('fleet_pending_records');
  const ready = gauge('fleet_jobs_ready');
  const active = gauge('fleet_jobs_active');
  const longestWait = gauge('fleet_longest_wait_seconds');
  const oldest = gauge('fleet_oldest_success_seconds');
  const stalest = gauge('fleet_tenant_seconds_since_success');
  const runs = new Counter<string>(described('fleet_runs_total', registry));
  for (const outcome of [...RUN_OUTCOMES, 'slice']) runs.inc({ outcome }, 0);
  const countRequest = createRequestCounters(registry);
  watchEventLoop(registry);
  new Gauge<string>(described('build_info', registry)).set(buildLabels(options), 1);
  const readInTime = readingInTime(options.read, options.readTimeoutMs);

  /** Null: the database cannot be read. Old values would be wrong, so there are none then. */
  const setGauges = (reading: FleetReading | null): void => {
    for (const each of [tenants, ready, active, longestWait, stalest]) each.reset();
    // Without labels, `reset` would set 0.
    for (const each of [pending, oldest]) each.remove();
    if (reading === null) return;
    for (const [state, count] of Object.entries(reading.counts)) tenants.set({ state }, count);
    pending.set(reading.pending);
    for (const [lane, jobs] of Object.entries(reading.jobs ?? {})) {
      ready.set({ lane }, jobs.ready);
      active.set({ lane }, jobs.active);
      longestWait.set({ lane }, jobs.longestWait);
    }
    const waiting = reading.tenants
      .filter(({ state }) => !AT_REST.includes(state))
      .toSorted((one, other) => other.secondsStale - one.secondsStale);
    oldest.set(waiting[0]?.secondsStale ?? 0);
    for (const { name, secondsStale } of waiting.slice(0, STALEST))
      stalest.set({ tenant: name }, secondsStale);
  };

  return {
    emit(event) {
      if (event.type === 'request-finished') countRequest(event);
    },
    ended: (outcome) => runs.inc({ outcome }),
    async render() {
      setGauges(await readInTime());
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

const LAST_SUCCESS = `# HELP ${METRIC_PREFIX}last_success_timestamp_seconds `;

/**
 * The metrics of one run as the text that node-exporter's textfile collector reads. There is no counter among them: a
 * process that ends counts from zero each time, and what it counted would be lost between two equal runs.
 *
 * `entities` null: the state could not be read. Then the last success is taken from `before`, the text of the run
 * before: a time stays true, and the alert for a stale entity needs it most when the state is gone.
 */
export async function metricsText(
  build: Build,
  now: number,
  reading: Pick<StateReading, 'lastRun'> & {
    readonly entities: StateReading['entities'] | null;
    readonly before: string;
  },
): Promise<string> {
  const { entities, lastRun, before } = reading;
  const registry = new Registry();
  createStateGauges(registry, build)({ entities: entities ?? {}, lastRun }, now);
  // Without metrics that have no value: only their heading would be there.
  const filled = blocks(await registry.metrics()).filter((block) => /^[^#\n]/m.test(block));
  if (entities !== null) return filled.join('');
  const kept = blocks(before).filter((block) => block.includes(LAST_SUCCESS));
  return [...kept, ...filled.filter((block) => !block.includes(LAST_SUCCESS))].join('');
}

/** One metric each, from its HELP line to the next one. */
function blocks(text: string): string[] {
  return text.split(/^(?=# HELP )/m).map((block) => `${block.trimEnd()}\n`);
}
