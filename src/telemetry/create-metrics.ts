import { Counter, Histogram, Registry } from 'prom-client';
import type { Emit } from '../domain/events.js';
import { METRIC_PREFIX, METRICS, type MetricName } from './metric-list.js';
import { createStateGauges, listedGauge, type StateReading } from './state-gauges.js';

export interface Metrics {
  /** Listens to the event union. */
  readonly emit: Emit;
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

export interface MetricsOptions {
  readonly version: string;
  /** Asked at every scrape, so that a CronJob and a worker tell the same. */
  readonly read: () => Promise<StateReading>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Seconds. */
const REQUEST_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const RUN_BUCKETS = [0.5, 1, 5, 15, 60, 300, 900, 3_600];

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
  const requests = counter('requests_total');
  const durations = histogram('request_duration_seconds', REQUEST_BUCKETS);
  const waits = counter('rate_limit_wait_seconds_total');
  const runDurations = histogram('run_duration_seconds', RUN_BUCKETS);
  const runs = counter('runs_total');
  const stale = counter('stale_row_versions_total');
  const skew = listedGauge('clock_skew_seconds', registry);
  const webhooks = counter('webhook_events_total');

  return {
    emit(event) {
      if (event.type === 'request-finished') {
        const { area, operation, statusCode, clockSkewMs } = event;
        const statusClass = statusCode === null ? 'none' : `${Math.floor(statusCode / 100)}xx`;
        requests.inc({ operation, status_class: statusClass });
        durations.observe({ operation }, event.elapsedMs / 1000);
        waits.inc({ area }, Math.max(0, event.waitedMs) / 1000);
        if (clockSkewMs !== null) skew.set({ area }, clockSkewMs / 1000);
      } else if (event.type === 'run-finished') {
        runs.inc({ outcome: event.outcome });
        runDurations.observe(event.elapsedMs / 1000);
      } else if (event.type === 'stale-row-versions') stale.inc({ entity: event.entity }, event.count);
      else if (event.type === 'webhook-event') webhooks.inc({ outcome: event.outcome });
    },
    async render() {
      // Without the state database the counters are worth having all the same.
      const reading = await options.read().catch(() => null);
      if (reading) setGauges(reading, options.now());
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
