import type { MetricDescription } from './metric-list.js';

/**
 * Metrics that only a replica of a fleet has; `createFleetMetrics` and a table in docs/reference/metrics.md are made from
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
