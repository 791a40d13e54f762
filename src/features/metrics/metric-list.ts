import type { Registry } from 'prom-client';

/** One metric; its full name begins with `placement_sync_`. */
export interface MetricDescription {
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
  /** Whether `run --metrics-file` writes it too: what the state knows, not what a process counts. */
  readonly inFile: boolean;
}

const gauge = metricOf('gauge', false);
const fileGauge = metricOf('gauge', true);
const counter = metricOf('counter', false);
const histogram = metricOf('histogram', false);

function metricOf(type: MetricDescription['type'], inFile: boolean) {
  return (labels: readonly string[], help: string): MetricDescription => ({ type, labels, help, inFile });
}

/** Every metric. `createMetrics` and the list in docs/reference/metrics.md are made from it. Names are public interface. */
export const METRICS = {
  last_success_timestamp_seconds: fileGauge(
    ['entity'],
    'End of the last complete sweep after which nothing was left to send, and fewer than five records or one of 20 needed a correction.',
  ),
  records: fileGauge(
    ['entity', 'status'],
    'Records by derived status; of application statuses also `foreign`: rows whose application never came by webhook.',
  ),
  oldest_pending_seconds: fileGauge(['entity'], 'Age of the oldest pending or deferred record; 0: none.'),
  held: fileGauge(['entity'], '1 while a guard or rejections hold the entity.'),
  drifted: fileGauge(
    ['entity'],
    'Records that a verify found missing or otherwise at the platform, until they are repaired.',
  ),
  last_run_timestamp_seconds: fileGauge([], 'End of the last run, whatever its outcome.'),
  last_run_duration_seconds: fileGauge([], 'How long the last run took.'),
  last_run_exit_code: fileGauge([], 'Exit code of the last run.'),
  last_run_records: fileGauge(
    ['entity', 'counter'],
    'Counters of the last run: read, new, sent and so on. `start`: with what was sent after it.',
  ),
  requests_total: counter(['operation', 'status_class'], 'Requests to the platform.'),
  request_duration_seconds: histogram(['operation'], 'Time from sending a request to its reply.'),
  rate_limit_wait_seconds_total: counter(['area'], 'Time that requests waited for the rate limiter.'),
  run_duration_seconds: histogram([], 'Duration of runs.'),
  runs_total: counter(['outcome'], 'Runs by outcome.'),
  sweep_period_seconds: gauge([], 'The shortest time between two sweeps by schedule.sync. Only of `start`.'),
  change_to_accepted_seconds: histogram(
    ['entity'],
    'From the sweep that found a change (or the request to send again) to its acceptance, of accepted records.',
  ),
  stale_row_versions_total: counter(['entity'], 'Rows that changed under an unchanged row version.'),
  clock_skew_seconds: gauge(['area'], 'Our clock minus the clock of the platform, by its last reply.'),
  area_stopped: gauge(
    ['area', 'code'],
    '1 while the area is stopped, for the reason in the label; 0 again at its next success. An area that does not answer, or that asked for a pause, counts only while something is left to send.',
  ),
  area_paused_until_timestamp_seconds: gauge(
    ['area'],
    'Until when the platform asked for a pause that is longer than retry.maxPause; no value without such a pause.',
  ),
  learned_rate: gauge(
    ['area'],
    'Requests a second that the platform takes, if that is less than ratePerSecond; no value otherwise.',
  ),
  webhook_events_total: counter(['outcome'], 'Webhooks received, by outcome.'),
  event_loop_delay_seconds: gauge(
    ['statistic'],
    'How late the timers of this process came since the last scrape: median, p99, max. A max above 0.1 says that it lacks processor time.',
  ),
  build_info: fileGauge(
    ['version', 'commit'],
    'Always 1. The labels are the version and the commit that it was built from, or `unknown`.',
  ),
};

export type MetricName = keyof typeof METRICS;

export const METRIC_PREFIX = 'placement_sync_';

/**
 * Metrics that only a replica of a fleet has; `createFleetMetrics` and a list in docs/reference/metrics.md are made from
 * it. Names are public interface. No label holds a credential.
 */
export const FLEET_METRICS = {
  fleet_tenants: gauge(['state'], 'Tenants by state.'),
  fleet_pending_records: gauge([], 'Records that the last runs left to be sent, of all tenants.'),
  fleet_jobs_ready: gauge(['lane'], 'Jobs that wait for a replica. The deployment is scaled by it.'),
  fleet_jobs_active: gauge(['lane'], 'Jobs that run.'),
  fleet_longest_wait_seconds: gauge(
    ['lane'],
    'Seconds for which a due tenant has waited for a free slot, the longest; 0: none waits.',
  ),
  fleet_oldest_success_seconds: gauge(
    [],
    'Seconds since the last success of the stalest tenant, or since it is in the fleet. Without paused and disabled ones.',
  ),
  fleet_tenant_seconds_since_success: gauge(
    ['tenant'],
    'The same for each of the 20 stalest tenants. Others have no series of their own.',
  ),
  fleet_runs_total: counter(
    ['outcome'],
    'Runs of tenants that this replica ended, by outcome; `slice`: its time was over with work left.',
  ),
};

export type FleetMetricName = keyof typeof FLEET_METRICS;

export function described(name: MetricName | FleetMetricName, registry: Registry) {
  const { help, labels }: MetricDescription = { ...METRICS, ...FLEET_METRICS }[name];
  return { name: METRIC_PREFIX + name, help, labelNames: [...labels], registers: [registry] };
}
