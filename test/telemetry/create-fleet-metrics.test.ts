import { expect, it } from 'vitest';
import { fleetReport, type JobCounts } from '../../src/fleet/fleet-report.js';
import type { TenantSummary } from '../../src/ports/tenants.js';
import { createFleetMetrics } from '../../src/telemetry/metrics.js';
import { FLEET_METRICS, METRIC_PREFIX } from '../../src/telemetry/metric-list.js';
import { minutesAgo, NOW, sampleRun, sampleTenant } from '../fleet/sample-tenant.js';

const JOBS: JobCounts = { sync: { ready: 7, active: 3 }, large: { ready: 0, active: 2 } };

function metricsOf(tenants: readonly TenantSummary[], jobs: JobCounts | null = JOBS) {
  return createFleetMetrics({
    version: '1.2.3',
    read: () => Promise.resolve(fleetReport(tenants, NOW, jobs)),
  });
}

async function lines(metrics: ReturnType<typeof metricsOf>): Promise<string[]> {
  return (await metrics.render()).text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

it('has the names that the documentation lists, and those of requests', async () => {
  const { text } = await metricsOf([sampleTenant('acme')]).render();
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
  expect(names.toSorted()).toEqual(
    [
      ...Object.keys(FLEET_METRICS),
      'build_info',
      'rate_limit_wait_seconds_total',
      'request_duration_seconds',
      'requests_total',
    ]
      .map((name) => METRIC_PREFIX + name)
      .toSorted(),
  );
});

it('has tenants by state, what is pending, and the jobs by lane', async () => {
  const found = await lines(
    metricsOf([
      sampleTenant('a', { lastRun: sampleRun({ pending: 40 }) }),
      sampleTenant('b', { lastRun: sampleRun({ exitCode: 5, outcome: 'aborted', pending: 2 }) }),
    ]),
  );
  for (const line of [
    'placement_sync_fleet_tenants{state="ok"} 1',
    'placement_sync_fleet_tenants{state="failing"} 1',
    'placement_sync_fleet_tenants{state="stale"} 0',
    'placement_sync_fleet_pending_records 42',
    'placement_sync_fleet_jobs_ready{lane="sync"} 7',
    'placement_sync_fleet_jobs_ready{lane="large"} 0',
    'placement_sync_fleet_jobs_active{lane="large"} 2',
    'placement_sync_build_info{version="1.2.3"} 1',
  ])
    expect(found).toContain(line);
});

it('names only the twenty stalest tenants that should run, however many there are', async () => {
  const many = Array.from({ length: 200 }, (_, index) =>
    sampleTenant(`t${index}`, { lastSuccessAt: minutesAgo(index) }),
  );
  const found = await lines(
    metricsOf([
      ...many,
      sampleTenant('paused', { paused: true, lastSuccessAt: minutesAgo(9_999) }),
      sampleTenant('disabled', { enabled: false, lastSuccessAt: minutesAgo(9_999) }),
    ]),
  );
  const named = found.filter((line) => line.includes('tenant_seconds_since_success'));
  expect(named.toSorted()).toEqual(
    Array.from(
      { length: 20 },
      (_, index) =>
        `placement_sync_fleet_tenant_seconds_since_success{tenant="t${180 + index}"} ${(180 + index) * 60}`,
    ),
  );
  expect(found).toContain(`placement_sync_fleet_oldest_success_seconds ${199 * 60}`);
});

it('a tenant that is no longer among the stalest loses its series', async () => {
  let report = fleetReport([sampleTenant('old')], NOW, JOBS);
  const metrics = createFleetMetrics({ version: '1', read: () => Promise.resolve(report) });
  expect((await metrics.render()).text).toContain('{tenant="old"}');
  report = fleetReport([sampleTenant('new')], NOW, null);
  const { text } = await metrics.render();
  expect(text).not.toContain('{tenant="old"}');
  expect(text, 'the engine cannot be read').not.toMatch(/^placement_sync_fleet_jobs/m);
});

it('counts ends of runs by outcome from 0 on, and requests without a word about whose they are', async () => {
  const metrics = metricsOf([]);
  expect(await lines(metrics)).toContain('placement_sync_fleet_runs_total{outcome="slice"} 0');
  metrics.ended('slice');
  metrics.emit({
    type: 'request-finished',
    area: 'jobs',
    operation: 'putCompany',
    statusCode: 200,
    elapsedMs: 20,
    waitedMs: 1_500,
    clockSkewMs: null,
  });
  const found = await lines(metrics);
  expect(found).toContain('placement_sync_fleet_runs_total{outcome="slice"} 1');
  expect(found).toContain('placement_sync_requests_total{operation="putCompany",status_class="2xx"} 1');
  expect(found).toContain('placement_sync_rate_limit_wait_seconds_total{area="jobs"} 1.5');
});

it('keeps its counters, and shows no old gauges, while the database cannot be read', async () => {
  let away = false;
  const metrics = createFleetMetrics({
    version: '1',
    read: () =>
      away ? Promise.reject(new Error('away')) : Promise.resolve(fleetReport([sampleTenant('a')], NOW, JOBS)),
  });
  expect((await metrics.render()).text).toMatch(/^placement_sync_fleet_oldest_success_seconds 300$/m);
  away = true;
  const { text } = await metrics.render();
  expect(text).not.toMatch(/^placement_sync_fleet_(tenants|jobs|pending|oldest|tenant_)/m);
  expect(text).toContain('placement_sync_fleet_runs_total{outcome="complete"} 0');
});

it('answers in time when the database does not, and does not ask it twice at once', async () => {
  let asked = 0;
  const signals: AbortSignal[] = [];
  const metrics = createFleetMetrics({
    version: '1',
    readTimeoutMs: 20,
    read: (signal) => {
      asked += 1;
      signals.push(signal);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('late'))));
    },
  });
  const rendered = await Promise.all([metrics.render(), metrics.render()]);
  expect(rendered[0].text).toContain('placement_sync_build_info{version="1"} 1');
  expect(asked).toBe(1);
  expect(signals[0]?.aborted).toBe(true);
});
