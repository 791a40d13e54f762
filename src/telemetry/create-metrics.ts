import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Area } from '../domain/area.js';
import type { EntityName } from '../domain/entity-name.js';
import type { Emit, WebhookOutcome } from '../domain/events.js';
import { RECORD_STATUSES, type RecordStatus } from '../domain/record-status.js';
import type { RunOutcome } from '../domain/run-verdict.js';

/** What the state says of one entity when it is asked. */
export type EntityGauges = Readonly<Record<RecordStatus, number>> & {
  readonly held: boolean;
  /** ISO 8601; null: never. */
  readonly lastSuccessAt: string | null;
  readonly oldestPendingAt: string | null;
};

export interface Metrics {
  /** Listens to the event union. */
  readonly emit: Emit;
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

export interface MetricsOptions {
  readonly version: string;
  /** Asked at every scrape, so that a CronJob and a worker tell the same. */
  readonly read: () => Promise<Partial<Record<EntityName, EntityGauges>>>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

const PREFIX = 'placement_sync_';
/** Seconds. */
const REQUEST_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
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
  'storage-failed': 0,
} satisfies Record<WebhookOutcome, 0>);

/** Metrics for Prometheus: counters from events, gauges from the state. No key and no personal data in a label. */
export function createMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: PREFIX + name, help, labelNames, registers });
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name: PREFIX + name, help, labelNames, registers });
  const histogram = (name: string, help: string, labelNames: string[], buckets: number[]) =>
    new Histogram({ name: PREFIX + name, help, labelNames, buckets, registers });

  const lastSuccess = gauge(
    'last_success_timestamp_seconds',
    'End of the last complete sweep of which nothing is left to send.',
    ['entity'],
  );
  const records = gauge('records', 'Records by derived status.', ['entity', 'status']);
  const oldestPending = gauge('oldest_pending_seconds', 'Age of the oldest pending record; 0: none.', [
    'entity',
  ]);
  const held = gauge('held', '1 while a guard or refusals hold the entity.', ['entity']);
  const requests = counter('requests_total', 'Requests to the platform.', ['operation', 'status_class']);
  const durations = histogram(
    'request_duration_seconds',
    'Time from sending a request to its reply.',
    ['operation'],
    REQUEST_BUCKETS,
  );
  const waits = counter(
    'rate_limit_wait_seconds_total',
    'Time that requests waited for their place in the rate.',
    ['area'],
  );
  const runDurations = histogram('run_duration_seconds', 'Duration of runs.', [], RUN_BUCKETS);
  const runs = counter('runs_total', 'Runs by outcome.', ['outcome']);
  const stale = counter('stale_row_versions_total', 'Rows that changed under an unchanged row version.', [
    'entity',
  ]);
  const skew = gauge('clock_skew_seconds', 'Our clock less the platform’s, by its last reply.', ['area']);
  const stopped = gauge(
    'area_stopped',
    '1 while nothing is sent to the area, because of what the label says; 0 again at its next success.',
    ['area', 'code'],
  );
  const webhooks = counter('webhook_events_total', 'Webhooks received, by outcome.', ['outcome']);
  gauge('build_info', 'Always 1; the version is in its label.', ['version']).set(
    { version: options.version },
    1,
  );
  for (const outcome of RUN_OUTCOMES) runs.inc({ outcome }, 0);
  for (const outcome of WEBHOOK_OUTCOMES) webhooks.inc({ outcome }, 0);

  /** Why each area is stopped. */
  const stops = new Map<Area, string>();
  const noteStop = (area: Area, code: string | null) => {
    const before = stops.get(area);
    if (before !== undefined && before !== code) stopped.set({ area, code: before }, 0);
    if (code === null) stops.delete(area);
    else {
      stops.set(area, code);
      stopped.set({ area, code }, 1);
    }
  };

  const readState = async () => {
    const entities = Object.entries(await options.read());
    records.reset();
    lastSuccess.reset();
    for (const [entity, now] of entities) {
      for (const status of RECORD_STATUSES) records.set({ entity, status }, now[status]);
      stale.inc({ entity }, 0);
      held.set({ entity }, now.held ? 1 : 0);
      const since = now.oldestPendingAt === null ? null : options.now() - Date.parse(now.oldestPendingAt);
      oldestPending.set({ entity }, since === null ? 0 : Math.max(0, since / 1000));
      if (now.lastSuccessAt !== null) lastSuccess.set({ entity }, Date.parse(now.lastSuccessAt) / 1000);
    }
  };

  return {
    emit(event) {
      if (event.type === 'request-finished') {
        const { area, operation, statusCode, clockSkewMs } = event;
        const statusClass = statusCode === null ? 'none' : `${Math.floor(statusCode / 100)}xx`;
        requests.inc({ operation, status_class: statusClass });
        durations.observe({ operation }, event.elapsedMs / 1000);
        waits.inc({ area }, Math.max(0, event.waitedMs) / 1000);
        if (clockSkewMs !== null) skew.set({ area }, clockSkewMs / 1000);
        if (statusClass === '2xx') noteStop(area, null);
      } else if (event.type === 'area-stopped') noteStop(event.area, event.code);
      // Whether the area is stopped now is for the process that sends to tell.
      else if (event.type === 'worker-standby') for (const area of stops.keys()) noteStop(area, null);
      else if (event.type === 'run-finished') {
        runs.inc({ outcome: event.outcome });
        runDurations.observe(event.elapsedMs / 1000);
      } else if (event.type === 'stale-row-versions') stale.inc({ entity: event.entity }, event.count);
      else if (event.type === 'webhook-event') webhooks.inc({ outcome: event.outcome });
    },
    async render() {
      // Without the state database the counters are worth having all the same.
      await readState().catch(() => undefined);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
