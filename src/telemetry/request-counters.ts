import { Counter, Histogram, type Registry } from 'prom-client';
import type { SyncEvent } from '../domain/events.js';
import { METRIC_PREFIX, METRICS, type MetricName } from './metric-list.js';

/** Seconds. */
const REQUEST_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type RequestFinished = Extract<SyncEvent, { readonly type: 'request-finished' }>;

/** The class of a status in a label: `2xx`; `none`: no reply. */
export type StatusClass = `${number}xx` | 'none';

/** Counts requests to the platform by operation and reply, and how long they took and waited. Gives the class of the reply. */
export function createRequestCounters(registry: Registry): (event: RequestFinished) => StatusClass {
  const described = (name: MetricName) => {
    const { help, labels } = METRICS[name];
    return { name: METRIC_PREFIX + name, help, labelNames: [...labels], registers: [registry] };
  };
  const requests = new Counter<string>(described('requests_total'));
  const durations = new Histogram<string>({
    ...described('request_duration_seconds'),
    buckets: REQUEST_BUCKETS,
  });
  const waits = new Counter<string>(described('rate_limit_wait_seconds_total'));
  return ({ area, operation, statusCode, elapsedMs, waitedMs }) => {
    const statusClass: StatusClass = statusCode === null ? 'none' : `${Math.floor(statusCode / 100)}xx`;
    requests.inc({ operation, status_class: statusClass });
    durations.observe({ operation }, elapsedMs / 1000);
    waits.inc({ area }, Math.max(0, waitedMs) / 1000);
    return statusClass;
  };
}
