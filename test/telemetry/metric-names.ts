import { createMetrics } from '../../src/telemetry/metrics.js';
import type { EntityGauges } from '../../src/telemetry/state-gauges.js';

/** One entity as the state may tell it. */
export const GAUGES: EntityGauges = {
  synced: 5,
  pending: 1,
  invalid: 0,
  rejected: 0,
  waiting: 0,
  deferred: 0,
  vanished: 0,
  held: false,
  lastSuccessAt: '2026-11-01T00:00:00Z',
  oldestPendingAt: null,
};

/** Every name that a query may use: of a histogram its three series. */
export async function metricNames(): Promise<Set<string>> {
  const metrics = createMetrics({
    version: '0.0.0',
    now: () => 0,
    read: () => Promise.resolve({ entities: { companies: GAUGES }, lastRun: null }),
  });
  const { text } = await metrics.render();
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  return new Set(
    types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
}

/** The names of metrics of ours in a query. */
export function namesIn(query: string): string[] {
  return query.match(/placement_sync_\w+/g) ?? [];
}
