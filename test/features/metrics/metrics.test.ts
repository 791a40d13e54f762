import { beforeEach, describe, expect, it, test } from 'vitest';
import { fleetReport, type JobCounts } from '../../../src/features/fleet/fleet-report.js';
import type { TenantSummary } from '../../../src/features/fleet/state/types.js';
import {
  FLEET_METRICS,
  METRIC_PREFIX,
  type MetricDescription,
  METRICS,
} from '../../../src/features/metrics/metric-list.js';
import {
  createFleetMetrics,
  createMetrics,
  type Metrics,
  metricsText,
} from '../../../src/features/metrics/metrics.js';
import type { StateReading } from '../../../src/features/metrics/state-gauges.js';
import { minutesAgo, NOW, sampleRun, sampleTenant } from '../fleet/sample-tenant.js';
import { GAUGES, metricNames } from '../notices/receivers.js';
import { words } from '../../words.js';

const BUILD = { version: '1', commit: null };

describe('metrics', () => {
  const NOW = Date.parse('2026-03-01T12:00:00Z');
  const COUNTS = { synced: 7, pending: 2, invalid: 0, rejected: 0, waiting: 0, deferred: 0, vanished: 0 };
  const READING: StateReading = {
    entities: {
      companies: {
        ...COUNTS,
        held: true,
        drifted: 3,
        lastSuccessAt: '2026-03-01T11:00:00Z',
        oldestPendingAt: '2026-03-01T11:59:00Z',
      },
    },
    lastRun: {
      startedAt: '2026-03-01T11:58:00Z',
      finishedAt: '2026-03-01T11:58:30Z',
      exitCode: 4,
      entities: { companies: { read: 9, held: true, error: null } },
    },
  };

  /** Name and type of each metric that a text has a heading for. */
  function headings(text: string): string[] {
    return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`);
  }

  const listed = (inFile: boolean) =>
    Object.entries<MetricDescription>(METRICS)
      .filter(([, metric]) => metric.inFile || !inFile)
      .map(([name, { type }]) => `${METRIC_PREFIX}${name} ${type}`)
      .sort();

  test('a scrape has every metric of the list, and no other', async () => {
    const metrics = createMetrics({ ...BUILD, now: () => NOW, read: () => Promise.resolve(READING) });
    const { text } = await metrics.render();
    expect(headings(text).sort()).toEqual(listed(false));
  });

  test('the file has those of the list that belong into it, with the values of a scrape', async () => {
    const build = { version: '1', commit: 'abc1234' };
    const metrics = createMetrics({ ...build, now: () => NOW, read: () => Promise.resolve(READING) });
    const scraped = (await metrics.render()).text.split('\n');
    const text = await metricsText(build, NOW, { ...READING, before: '' });
    expect(text).toContain('placement_sync_build_info{version="1",commit="abc1234"} 1\n');
    expect(headings(text).sort()).toEqual(listed(true));
    for (const line of text.trim().split('\n')) expect(scraped).toContain(line);
    expect(text).toContain('placement_sync_held{entity="companies"} 1\n');
    expect(text).toContain('placement_sync_drifted{entity="companies"} 3\n');
    expect(text).toContain('placement_sync_oldest_pending_seconds{entity="companies"} 60\n');
    expect(text).toContain('placement_sync_last_run_duration_seconds 30\n');
    expect(text).toContain('placement_sync_last_run_exit_code 4\n');
    expect(text.match(/last_run_records\{/g), 'what is no number is no counter').toHaveLength(1);
  });

  test('nothing is said of a run that never was', async () => {
    const metrics = createMetrics({
      ...BUILD,
      now: () => NOW,
      read: () => Promise.resolve({ ...READING, lastRun: null }),
    });
    expect((await metrics.render()).text).not.toMatch(/^placement_sync_last_run/m);
  });

  test('without the state the file keeps the time of the last success, and no counts from before', async () => {
    const before = await metricsText(BUILD, NOW, { ...READING, before: '' });
    const lastRun = { ...READING.lastRun!, exitCode: 1, entities: {} };
    const once = await metricsText(BUILD, NOW + 60_000, { entities: null, lastRun, before });
    expect(once).toContain('placement_sync_last_success_timestamp_seconds{entity="companies"} 1772362800\n');
    expect(once).toContain('placement_sync_last_run_exit_code 1\n');
    expect(once).not.toContain('placement_sync_records');
    expect(await metricsText(BUILD, NOW + 60_000, { entities: null, lastRun, before: once }), 'again').toBe(
      once,
    );
  });

  const GAUGES_OF_NOW = /^placement_sync_(records|held|oldest_pending_seconds)\{/m;

  test.each([
    ['cannot be read', () => Promise.reject(new Error('gone'))],
    ['does not answer', () => new Promise<never>(() => undefined)],
  ])('while the state %s a scrape has counters and times, and no counts from before', async (_case, lost) => {
    let read = (): Promise<StateReading> => Promise.resolve(READING);
    const metrics = createMetrics({ ...BUILD, now: () => NOW, read: () => read(), readTimeoutMs: 50 });
    metrics.emit({ type: 'run-finished', runId: 'r', exitCode: 0, outcome: 'complete', elapsedMs: 5 });
    expect((await metrics.render()).text).toMatch(GAUGES_OF_NOW);
    read = lost;
    const { text } = await metrics.render();
    expect(text).not.toMatch(GAUGES_OF_NOW);
    expect(text).toContain('placement_sync_runs_total{outcome="complete"} 1\n');
    expect(text).toContain('placement_sync_last_success_timestamp_seconds{entity="companies"} 1772362800\n');
    expect(text).toContain('placement_sync_last_run_exit_code 4\n');
  });
});

describe('create fleet metrics', () => {
  const JOBS: JobCounts = {
    sync: { ready: 7, active: 3, longestWait: 41 },
    large: { ready: 0, active: 2, longestWait: 0 },
  };

  function metricsOf(tenants: readonly TenantSummary[], jobs: JobCounts | null = JOBS) {
    return createFleetMetrics({
      version: '1.2.3',
      commit: 'abc1234',
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
        'event_loop_delay_seconds',
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
      'placement_sync_fleet_longest_wait_seconds{lane="sync"} 41',
      'placement_sync_fleet_jobs_ready{lane="large"} 0',
      'placement_sync_fleet_jobs_active{lane="large"} 2',
      'placement_sync_build_info{version="1.2.3",commit="abc1234"} 1',
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
    const metrics = createFleetMetrics({ ...BUILD, read: () => Promise.resolve(report) });
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
      ...BUILD,
      read: () =>
        away
          ? Promise.reject(new Error('away'))
          : Promise.resolve(fleetReport([sampleTenant('a')], NOW, JOBS)),
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
      ...BUILD,
      readTimeoutMs: 20,
      read: (signal) => {
        asked += 1;
        signals.push(signal);
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('late'))));
      },
    });
    const rendered = await Promise.all([metrics.render(), metrics.render()]);
    expect(rendered[0].text).toContain('placement_sync_build_info{version="1",commit="unknown"} 1');
    expect(asked).toBe(1);
    expect(signals[0]?.aborted).toBe(true);
  });
});

describe('create metrics', () => {
  let metrics: Metrics;

  beforeEach(() => {
    metrics = createMetrics({
      version: '1.2.3',
      commit: null,
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
    const documented = words(`
      area_paused_until_timestamp_seconds area_stopped build_info change_to_accepted_seconds_bucket
      change_to_accepted_seconds_count change_to_accepted_seconds_sum clock_skew_seconds drifted event_loop_delay_seconds held
      last_run_duration_seconds last_run_exit_code last_run_records last_run_timestamp_seconds
      last_success_timestamp_seconds learned_rate oldest_pending_seconds rate_limit_wait_seconds_total records
      request_duration_seconds_bucket request_duration_seconds_count request_duration_seconds_sum
      requests_total run_duration_seconds_bucket run_duration_seconds_count run_duration_seconds_sum
      runs_total stale_row_versions_total sweep_period_seconds webhook_events_total`);
    expect([...(await metricNames())].sort()).toEqual(documented.map((name) => `placement_sync_${name}`));
  });

  it('counts outcomes from 0 on, so that the first one is an increase', async () => {
    const told = await lines();
    expect(told).toContain('placement_sync_runs_total{outcome="failed"} 0');
    expect(told).toContain('placement_sync_webhook_events_total{outcome="storage-failed"} 0');
    expect(told).toContain('placement_sync_stale_row_versions_total{entity="companies"} 0');
  });

  it('times changes from the sweep that found them to their acceptance, and nothing else', async () => {
    const sent = { type: 'record-sent', area: 'jobs', entity: 'companies', key: 'k', message: null } as const;
    metrics.emit({ ...sent, outcome: 'accepted', statusCode: 200, pendingMs: 1_000_000 });
    metrics.emit({ ...sent, outcome: 'accepted', statusCode: 200 });
    const told = await lines();
    for (const [le, count] of [
      [900, 0],
      [1_800, 1],
    ])
      expect(told).toContain(
        `placement_sync_change_to_accepted_seconds_bucket{le="${le}",entity="companies"} ${count}`,
      );
    expect(told).toContain('placement_sync_change_to_accepted_seconds_count{entity="companies"} 1');
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

  it('tells for how long the process stood still since the last scrape', async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const until = performance.now() + 200;
    while (performance.now() < until);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const longest = async () =>
      Number(
        (await lines())
          .find((line) => line.startsWith('placement_sync_event_loop_delay_seconds{statistic="max"}'))
          ?.split(' ')[1],
      );
    expect(await longest()).toBeGreaterThan(0.15);
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
      ...BUILD,
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
});
