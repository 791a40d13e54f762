import { Counter, Histogram, Registry } from 'prom-client';
import type { Area } from '../domain/names.js';
import { stopMatters } from '../domain/trouble/trouble.js';
import type { Emit, WebhookOutcome } from '../domain/events.js';
import type { RunOutcome } from '../domain/run-ending.js';
import { METRIC_PREFIX, METRICS, type MetricName } from './metric-list.js';
import { readingInTime } from './reading-in-time.js';
import { createRequestCounters } from './request-counters.js';
import { createStateGauges, listedGauge, type StateReading } from './state-gauges.js';

export interface Metrics {
  /** Listens to the event union. */
  readonly emit: Emit;
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

export interface MetricsOptions {
  readonly version: string;
  /** Read at every scrape, so that a CronJob and a worker show the same. The signal aborts after `readTimeoutMs`. */
  readonly read: (signal: AbortSignal) => Promise<StateReading>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Longest wait for `read`, milliseconds; default 5 s. */
  readonly readTimeoutMs?: number;
}

/** Seconds. */
const RUN_BUCKETS = [0.5, 1, 5, 15, 60, 300, 900, 3_600];

/** Counted from 0 on: Prometheus sees no increase in a counter that first appears with a 1. */
const RUN_OUTCOMES = Object.keys({
  complete: 0,
  partial: 0,
  held: 0,
  aborted: 0,
  failed: 0,
  busy: 0,
} satisfies Record<RunOutcome, 0>);
const WEBHOOK_OUTCOMES = Object.keys({
  stored: 0,
  repeat: 0,
  unrecognised: 0,
  'refused-size': 0,
  'refused-signature': 0,
  'refused-time': 0,
  'refused-not-json': 0,
  'refused-load': 0,
  'storage-failed': 0,
} satisfies Record<WebhookOutcome, 0>);

/** Metrics for Prometheus: counters from events, gauges from the state. No key and no personal data in a label. */
export function createMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry();
  const described = (name: MetricName) => {
    const { help, labels } = METRICS[name];
    return { name: METRIC_PREFIX + name, help, labelNames: [...labels], registers: [registry] };
  };
  const counter = (name: MetricName) => new Counter<string>(described(name));
  const histogram = (name: MetricName, buckets: number[]) =>
    new Histogram<string>({ ...described(name), buckets });

  const setGauges = createStateGauges(registry, options.version);
  const countRequest = createRequestCounters(registry);
  const runDurations = histogram('run_duration_seconds', RUN_BUCKETS);
  const runs = counter('runs_total');
  const stale = counter('stale_row_versions_total');
  const skew = listedGauge('clock_skew_seconds', registry);
  const stopped = listedGauge('area_stopped', registry);
  const webhooks = counter('webhook_events_total');
  for (const outcome of RUN_OUTCOMES) runs.inc({ outcome }, 0);
  for (const outcome of WEBHOOK_OUTCOMES) webhooks.inc({ outcome }, 0);

  /** Why each area is stopped. */
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
      } else if (event.type === 'stale-row-versions') stale.inc({ entity: event.entity }, event.count);
      else if (event.type === 'webhook-event') webhooks.inc({ outcome: event.outcome });
    },
    async render() {
      // The counters are useful even without the state database.
      const reading = await readInTime();
      setGauges(reading, options.now());
      setStopped(reading);
      if (reading) {
        for (const entity of Object.keys(reading.entities)) stale.inc({ entity }, 0);
      }
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
