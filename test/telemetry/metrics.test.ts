import { expect, test } from 'vitest';
import { createMetrics, metricsText } from '../../src/telemetry/metrics.js';
import { METRIC_PREFIX, type MetricDescription, METRICS } from '../../src/telemetry/metric-list.js';
import type { StateReading } from '../../src/telemetry/state-gauges.js';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const COUNTS = { synced: 7, pending: 2, invalid: 0, rejected: 0, waiting: 0, deferred: 0, vanished: 0 };
const READING: StateReading = {
  entities: {
    companies: {
      ...COUNTS,
      held: true,
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
  (Object.entries(METRICS) as [string, MetricDescription][])
    .filter(([, metric]) => metric.inFile || !inFile)
    .map(([name, { type }]) => `${METRIC_PREFIX}${name} ${type}`)
    .sort();

test('a scrape has every metric of the list, and no other', async () => {
  const metrics = createMetrics({ version: '1', now: () => NOW, read: () => Promise.resolve(READING) });
  const { text } = await metrics.render();
  expect(headings(text).sort()).toEqual(listed(false));
});

test('the file has those of the list that belong into it, with the values of a scrape', async () => {
  const metrics = createMetrics({ version: '1', now: () => NOW, read: () => Promise.resolve(READING) });
  const scraped = (await metrics.render()).text.split('\n');
  const text = await metricsText('1', NOW, { ...READING, before: '' });
  expect(headings(text).sort()).toEqual(listed(true));
  for (const line of text.trim().split('\n')) expect(scraped).toContain(line);
  expect(text).toContain('placement_sync_held{entity="companies"} 1\n');
  expect(text).toContain('placement_sync_oldest_pending_seconds{entity="companies"} 60\n');
  expect(text).toContain('placement_sync_last_run_duration_seconds 30\n');
  expect(text).toContain('placement_sync_last_run_exit_code 4\n');
  expect(text.match(/last_run_records\{/g), 'what is no number is no counter').toHaveLength(1);
});

test('nothing is said of a run that never was', async () => {
  const metrics = createMetrics({
    version: '1',
    now: () => NOW,
    read: () => Promise.resolve({ ...READING, lastRun: null }),
  });
  expect((await metrics.render()).text).not.toMatch(/^placement_sync_last_run/m);
});

test('without the state the file keeps the time of the last success, and no counts from before', async () => {
  const before = await metricsText('1', NOW, { ...READING, before: '' });
  const lastRun = { ...READING.lastRun!, exitCode: 1, entities: {} };
  const once = await metricsText('1', NOW + 60_000, { entities: null, lastRun, before });
  expect(once).toContain('placement_sync_last_success_timestamp_seconds{entity="companies"} 1772362800\n');
  expect(once).toContain('placement_sync_last_run_exit_code 1\n');
  expect(once).not.toContain('placement_sync_records');
  expect(await metricsText('1', NOW + 60_000, { entities: null, lastRun, before: once }), 'again').toBe(once);
});

const GAUGES_OF_NOW = /^placement_sync_(records|held|oldest_pending_seconds)\{/m;

test.each([
  ['cannot be read', () => Promise.reject(new Error('gone'))],
  ['does not answer', () => new Promise<never>(() => undefined)],
])('while the state %s a scrape has counters and times, and no counts from before', async (_case, lost) => {
  let read = (): Promise<StateReading> => Promise.resolve(READING);
  const metrics = createMetrics({ version: '1', now: () => NOW, read: () => read(), readTimeoutMs: 50 });
  metrics.emit({ type: 'run-finished', runId: 'r', exitCode: 0, outcome: 'complete', elapsedMs: 5 });
  expect((await metrics.render()).text).toMatch(GAUGES_OF_NOW);
  read = lost;
  const { text } = await metrics.render();
  expect(text).not.toMatch(GAUGES_OF_NOW);
  expect(text).toContain('placement_sync_runs_total{outcome="complete"} 1\n');
  expect(text).toContain('placement_sync_last_success_timestamp_seconds{entity="companies"} 1772362800\n');
  expect(text).toContain('placement_sync_last_run_exit_code 4\n');
});
