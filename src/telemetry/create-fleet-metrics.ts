import { Counter, Gauge, Registry } from 'prom-client';
import type { Emit } from '../domain/events.js';
import type { RunOutcome } from '../domain/run-ending.js';
import { FLEET_METRICS, type FleetMetricName } from './fleet-metric-list.js';
import { METRIC_PREFIX } from './metric-list.js';
import { readingInTime } from './reading-in-time.js';
import { createRequestCounters } from './request-counters.js';
import { listedGauge } from './state-gauges.js';

/** What the gauges are set from: a part of the report of the fleet. */
export interface FleetReading {
  readonly counts: Readonly<Record<string, number>>;
  readonly pending: number;
  /** By lane; null: the engine cannot be read. */
  readonly jobs: Readonly<Record<string, { readonly ready: number; readonly active: number }>> | null;
  readonly tenants: readonly {
    readonly name: string;
    readonly state: string;
    readonly secondsStale: number;
  }[];
}

export interface FleetMetrics {
  /** Listens to the events of all tenants, for what is counted of requests. */
  readonly emit: Emit;
  /** A run of a tenant ended, or a slice of one. */
  ended(outcome: string): void;
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

export interface FleetMetricsOptions {
  readonly version: string;
  /** Read at every scrape. The signal aborts after `readTimeoutMs`. */
  readonly read: (signal: AbortSignal) => Promise<FleetReading>;
  /** Longest wait for `read`, milliseconds; default 5 s. */
  readonly readTimeoutMs?: number;
}

/** Tenants with a series of their own: thousands of them would cost Prometheus more than they help. */
const STALEST = 20;

/** Tenants that somebody took out of the work: their last success is old on purpose. */
const AT_REST: readonly string[] = ['paused', 'disabled'];

/** Counted from 0 on: Prometheus sees no increase in a counter that first appears with a 1. */
const OUTCOMES = Object.keys({
  complete: 0,
  partial: 0,
  held: 0,
  aborted: 0,
  failed: 0,
  busy: 0,
  slice: 0,
} satisfies Record<RunOutcome | 'slice', 0>);

/**
 * Metrics of one replica for Prometheus. The gauges are of the whole fleet, so every replica shows the same: take their
 * maximum. The counters are the replica's own: add them up.
 */
export function createFleetMetrics(options: FleetMetricsOptions): FleetMetrics {
  const registry = new Registry();
  const described = (name: FleetMetricName) => {
    const { help, labels } = FLEET_METRICS[name];
    return { name: METRIC_PREFIX + name, help, labelNames: [...labels], registers: [registry] };
  };
  const gauge = (name: FleetMetricName) => new Gauge<string>(described(name));
  const tenants = gauge('fleet_tenants');
  const pending = gauge('fleet_pending_records');
  const ready = gauge('fleet_jobs_ready');
  const active = gauge('fleet_jobs_active');
  const oldest = gauge('fleet_oldest_success_seconds');
  const stalest = gauge('fleet_tenant_seconds_since_success');
  const runs = new Counter<string>(described('fleet_runs_total'));
  for (const outcome of OUTCOMES) runs.inc({ outcome }, 0);
  const countRequest = createRequestCounters(registry);
  listedGauge('build_info', registry).set({ version: options.version }, 1);
  const readInTime = readingInTime(options.read, options.readTimeoutMs);

  /** Null: the database cannot be read. Old values would be wrong, so there are none then. */
  const setGauges = (reading: FleetReading | null): void => {
    for (const each of [tenants, ready, active, stalest]) each.reset();
    // Without labels, `reset` would set 0.
    for (const each of [pending, oldest]) each.remove();
    if (reading === null) return;
    for (const [state, count] of Object.entries(reading.counts)) tenants.set({ state }, count);
    pending.set(reading.pending);
    for (const [lane, jobs] of Object.entries(reading.jobs ?? {})) {
      ready.set({ lane }, jobs.ready);
      active.set({ lane }, jobs.active);
    }
    const waiting = reading.tenants
      .filter(({ state }) => !AT_REST.includes(state))
      .toSorted((one, other) => other.secondsStale - one.secondsStale);
    oldest.set(waiting[0]?.secondsStale ?? 0);
    for (const { name, secondsStale } of waiting.slice(0, STALEST))
      stalest.set({ tenant: name }, secondsStale);
  };

  return {
    emit(event) {
      if (event.type === 'request-finished') countRequest(event);
    },
    ended: (outcome) => runs.inc({ outcome }),
    async render() {
      setGauges(await readInTime());
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
