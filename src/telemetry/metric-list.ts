import type { Registry } from 'prom-client';

/** One metric; its full name begins with `placement_sync_`. */
export interface MetricDescription {
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
  /** Whether `run --metrics-file` writes it too: what the state knows, not what a process counts. */
  readonly inFile: boolean;
}

/** Every metric. `createMetrics` and the list in docs/reference/metrics.md are made from it. Names are public interface. */
export const METRICS = {
  last_success_timestamp_seconds: {
    type: 'gauge',
    labels: ['entity'],
    help: 'End of the last complete sweep after which nothing was left to send.',
    inFile: true,
  },
  records: {
    type: 'gauge',
    labels: ['entity', 'status'],
    help: 'Records by derived status; of application statuses also `foreign`: rows whose application never came by webhook.',
    inFile: true,
  },
  oldest_pending_seconds: {
    type: 'gauge',
    labels: ['entity'],
    help: 'Age of the oldest pending or deferred record; 0: none.',
    inFile: true,
  },
  held: {
    type: 'gauge',
    labels: ['entity'],
    help: '1 while a guard or rejections hold the entity.',
    inFile: true,
  },
  last_run_timestamp_seconds: {
    type: 'gauge',
    labels: [],
    help: 'End of the last run, whatever its outcome.',
    inFile: true,
  },
  last_run_duration_seconds: { type: 'gauge', labels: [], help: 'How long the last run took.', inFile: true },
  last_run_exit_code: { type: 'gauge', labels: [], help: 'Exit code of the last run.', inFile: true },
  last_run_records: {
    type: 'gauge',
    labels: ['entity', 'counter'],
    help: 'Counters of the last run: read, new, sent and so on. `start`: with what was sent after it.',
    inFile: true,
  },
  requests_total: {
    type: 'counter',
    labels: ['operation', 'status_class'],
    help: 'Requests to the platform.',
    inFile: false,
  },
  request_duration_seconds: {
    type: 'histogram',
    labels: ['operation'],
    help: 'Time from sending a request to its reply.',
    inFile: false,
  },
  rate_limit_wait_seconds_total: {
    type: 'counter',
    labels: ['area'],
    help: 'Time that requests waited for the rate limiter.',
    inFile: false,
  },
  run_duration_seconds: { type: 'histogram', labels: [], help: 'Duration of runs.', inFile: false },
  runs_total: { type: 'counter', labels: ['outcome'], help: 'Runs by outcome.', inFile: false },
  stale_row_versions_total: {
    type: 'counter',
    labels: ['entity'],
    help: 'Rows that changed under an unchanged row version.',
    inFile: false,
  },
  clock_skew_seconds: {
    type: 'gauge',
    labels: ['area'],
    help: 'Our clock minus the clock of the platform, by its last reply.',
    inFile: false,
  },
  area_stopped: {
    type: 'gauge',
    labels: ['area', 'code'],
    help: '1 while the area is stopped, for the reason in the label; 0 again at its next success. An area that does not answer, or that asked for a pause, counts only while something is left to send.',
    inFile: false,
  },
  area_paused_until_timestamp_seconds: {
    type: 'gauge',
    labels: ['area'],
    help: 'Until when the platform asked for a pause that is longer than retry.maxPause; no value without such a pause.',
    inFile: false,
  },
  webhook_events_total: {
    type: 'counter',
    labels: ['outcome'],
    help: 'Webhooks received, by outcome.',
    inFile: false,
  },
  build_info: {
    type: 'gauge',
    labels: ['version'],
    help: 'Always 1; the version is in its label.',
    inFile: true,
  },
} as const satisfies Readonly<Record<string, MetricDescription>>;

export type MetricName = keyof typeof METRICS;

export const METRIC_PREFIX = 'placement_sync_';

/**
 * Metrics that only a replica of a fleet has; `createFleetMetrics` and a list in docs/reference/metrics.md are made from
 * it. Names are public interface. No label holds a credential.
 */
export const FLEET_METRICS = {
  fleet_tenants: { type: 'gauge', labels: ['state'], help: 'Tenants by state.', inFile: false },
  fleet_pending_records: {
    type: 'gauge',
    labels: [],
    help: 'Records that the last runs left to be sent, of all tenants.',
    inFile: false,
  },
  fleet_jobs_ready: {
    type: 'gauge',
    labels: ['lane'],
    help: 'Jobs that wait for a replica. The deployment is scaled by it.',
    inFile: false,
  },
  fleet_jobs_active: { type: 'gauge', labels: ['lane'], help: 'Jobs that run.', inFile: false },
  fleet_oldest_success_seconds: {
    type: 'gauge',
    labels: [],
    help: 'Seconds since the last success of the stalest tenant, or since it is in the fleet. Without paused and disabled ones.',
    inFile: false,
  },
  fleet_tenant_seconds_since_success: {
    type: 'gauge',
    labels: ['tenant'],
    help: 'The same for each of the 20 stalest tenants. Others have no series of their own.',
    inFile: false,
  },
  fleet_runs_total: {
    type: 'counter',
    labels: ['outcome'],
    help: 'Runs of tenants that this replica ended, by outcome; `slice`: its time was over with work left.',
    inFile: false,
  },
} as const satisfies Readonly<Record<string, MetricDescription>>;

export type FleetMetricName = keyof typeof FLEET_METRICS;

/** What the library needs of a metric of the lists. */
export function described(name: MetricName | FleetMetricName, registry: Registry) {
  const { help, labels }: MetricDescription = { ...METRICS, ...FLEET_METRICS }[name];
  return { name: METRIC_PREFIX + name, help, labelNames: [...labels], registers: [registry] };
}
