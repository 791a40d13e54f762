import { beforeEach, expect, it } from 'vitest';
import { createMetrics, type Metrics } from '../../src/telemetry/metrics.js';
import { GAUGES, metricNames } from './metric-names.js';

let metrics: Metrics;

beforeEach(() => {
  metrics = createMetrics({
    version: '1.2.3',
    now: () => Date.parse('2026-11-01T00:01:00Z'),
    read: () =>
      Promise.resolve({
        entities: { companies: { ...GAUGES, oldestPendingAt: '2026-11-01T00:00:00Z' } },
        lastRun: null,
      }),
  });
});

async function lines(): Promise<string[]> {
  return (await metrics.render()).text.split('\n');
}

function replied(statusCode: number | null, clockSkewMs: number | null = null): void {
  metrics.emit({
    type: 'request-finished',
    area: 'jobs',
    operation: 'putCompany',
    statusCode,
    elapsedMs: 20,
    waitedMs: 500,
    clockSkewMs,
  });
}

it('has the names that dashboards and alert rules of others rely on', async () => {
  const documented = [
    'area_paused_until_timestamp_seconds',
    'area_stopped',
    'build_info',
    'clock_skew_seconds',
    'held',
    'last_run_duration_seconds',
    'last_run_exit_code',
    'last_run_records',
    'last_run_timestamp_seconds',
    'last_success_timestamp_seconds',
    'oldest_pending_seconds',
    'rate_limit_wait_seconds_total',
    'records',
    'request_duration_seconds_bucket',
    'request_duration_seconds_count',
    'request_duration_seconds_sum',
    'requests_total',
    'run_duration_seconds_bucket',
    'run_duration_seconds_count',
    'run_duration_seconds_sum',
    'runs_total',
    'stale_row_versions_total',
    'webhook_events_total',
  ];
  expect([...(await metricNames())].sort()).toEqual(documented.map((name) => `placement_sync_${name}`));
});

it('tells the state of each entity as it is when asked', async () => {
  const told = await lines();
  expect(told).toContain('placement_sync_records{entity="companies",status="synced"} 5');
  expect(told).toContain('placement_sync_oldest_pending_seconds{entity="companies"} 60');
  expect(told).toContain('placement_sync_last_success_timestamp_seconds{entity="companies"} 1793491200');
  expect(told).toContain('placement_sync_held{entity="companies"} 0');
});

it('counts outcomes from 0 on, so that the first one is an increase', async () => {
  const told = await lines();
  expect(told).toContain('placement_sync_runs_total{outcome="failed"} 0');
  expect(told).toContain('placement_sync_webhook_events_total{outcome="storage-failed"} 0');
  expect(told).toContain('placement_sync_stale_row_versions_total{entity="companies"} 0');
});

it('counts requests by class of their status, and the time they waited', async () => {
  replied(200);
  replied(404);
  replied(null);
  const told = await lines();
  for (const status of ['2xx', '4xx', 'none'])
    expect(told).toContain(
      `placement_sync_requests_total{operation="putCompany",status_class="${status}"} 1`,
    );
  expect(told).toContain('placement_sync_rate_limit_wait_seconds_total{area="jobs"} 1.5');
});

it('gives how far our clock is ahead of the platform, and a minus when it is behind', async () => {
  replied(200, 90_500);
  expect(await lines()).toContain('placement_sync_clock_skew_seconds{area="jobs"} 90.5');
  replied(200, -2_000);
  replied(200, null);
  expect(await lines()).toContain('placement_sync_clock_skew_seconds{area="jobs"} -2');
});

const REFUSED = 'placement_sync_area_stopped{area="jobs",code="authentication-refused"}';
const BREAKER = 'placement_sync_area_stopped{area="jobs",code="breaker-open"}';
const stop = (code: 'authentication-refused' | 'breaker-open') =>
  metrics.emit({ type: 'area-stopped', area: 'jobs', code, message: '', hint: '' });

it('tells why an area is stopped until a request to it succeeds', async () => {
  stop('authentication-refused');
  replied(401);
  expect(await lines()).toContain(`${REFUSED} 1`);
  stop('breaker-open');
  expect(await lines()).toEqual(expect.arrayContaining([`${REFUSED} 0`, `${BREAKER} 1`]));
  replied(200);
  expect(await lines()).toEqual(expect.arrayContaining([`${REFUSED} 0`, `${BREAKER} 0`]));
});

it('shows a silent area as stopped only while something is left to send to it, as status does', async () => {
  let left: number | null = 0;
  metrics = createMetrics({
    version: '1',
    now: () => 0,
    read: () => Promise.resolve({ entities: {}, lastRun: null, left: { jobs: left } }),
  });
  stop('breaker-open');
  expect(await lines()).toContain(`${BREAKER} 0`);
  left = 2;
  expect(await lines()).toContain(`${BREAKER} 1`);
  // Refused credentials are a trouble also while nothing is left.
  left = 0;
  stop('authentication-refused');
  expect(await lines()).toEqual(expect.arrayContaining([`${REFUSED} 1`, `${BREAKER} 0`]));
});

it('leaves telling whether an area is stopped to the process that sends', async () => {
  stop('breaker-open');
  metrics.emit({ type: 'worker-standby', holder: 'other', secondsLeft: 3, own: false });
  expect(await lines()).toContain(`${BREAKER} 0`);
});

it('tells its counters when the state database is away', async () => {
  const apart = createMetrics({
    version: '1',
    now: () => 0,
    read: () => Promise.reject(new Error('away')),
  });
  expect((await apart.render()).text).toContain('placement_sync_build_info{version="1"} 1');
});
