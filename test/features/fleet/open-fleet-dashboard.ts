import { request, type IncomingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';
import type { SyncEvent } from '../../../src/core/domain/events.js';
import { fleetReport, type FleetReport, type JobCounts } from '../../../src/features/fleet/fleet-report.js';
import { createFleetDashboard } from '../../../src/dashboard/fleet/create-fleet-dashboard.js';
import type { TenantSummary } from '../../../src/features/fleet/state/types.js';
import { startAdmin } from '../../../src/dashboard/start-admin.js';
import { NOW } from './sample-tenant.js';

export const JOBS: JobCounts = {
  sync: { ready: 12, active: 8, longestWait: 75 },
  large: { ready: 1, active: 2, longestWait: 0 },
};

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface FleetPagesOptions {
  readonly tenants?: readonly TenantSummary[];
  readonly token?: string | null;
  readonly host?: string;
  /** In place of `tenants`. */
  readonly read?: () => Promise<FleetReport>;
}

/** The pages of a fleet on a listener of the test's own. */
export async function openFleetDashboard({
  tenants = [],
  token = null,
  host = '127.0.0.1',
  read = () => Promise.resolve(fleetReport(tenants, NOW, JOBS)),
}: FleetPagesOptions = {}) {
  const events: SyncEvent[] = [];
  let reads = 0;
  const dashboard = createFleetDashboard({
    host,
    token,
    read: () => {
      reads += 1;
      return read();
    },
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    emit: (event) => events.push(event),
    holder: 'pod-a',
    version: '1.2.3',
    runbookUrl: 'https://docs.example/runbook',
    timeZone: 'Asia/Jakarta',
  });
  const admin = await startAdmin({
    host,
    port: 0,
    dashboard,
    notReady: () => Promise.resolve(null),
    metrics: () => Promise.resolve({ contentType: 'text/plain', text: '' }),
  });
  onTestFinished(() => admin.close());
  const url = admin.url.replace('0.0.0.0', '127.0.0.1');
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}, form?: Record<string, string>) =>
    send(url, path, headers, form);
  return { url, events, ask, reads: () => reads };
}

/** Node's own client: fetch would not let a test say Host and Origin. */
function send(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  form?: Record<string, string>,
): Promise<Reply> {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return new Promise((resolve, reject) => {
    const asked = request(
      new URL(url),
      { method: form ? 'POST' : 'GET', path, headers: { ...(form ? type : {}), ...headers } },
      (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (part: string) => (text += part));
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text }));
      },
    );
    asked.on('error', reject).end(form && new URLSearchParams(form).toString());
  });
}
