import { expect, onTestFinished, test, vi } from 'vitest';
import { openFleetListener, shareFleetReport } from '../../src/cli/compose/fleet/open-fleet.js';
import { loadFleet } from '../../src/config/fleet/load-fleet.js';
import type { TenantSummary } from '../../src/ports/tenants.js';
import { createFleetMetrics } from '../../src/telemetry/metrics.js';
import { configFolder } from '../config/config-folder.js';
import { JOBS } from './open-fleet-dashboard.js';
import { sampleTenant } from './sample-tenant.js';

const YAML = `fleet: { database: { url: 'postgres://fleet:pw12345@db.example/fleet' } }
http: { admin: { port: 0 } }
`;

const pauses = () => Promise.resolve([]);

test('a hundred probes, scrapes and pages at once make one list of the tenants', async () => {
  // On a busy machine some of them come a second later.
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let answer = (_all: readonly TenantSummary[]) => {};
  const list = vi.fn(() => new Promise<readonly TenantSummary[]>((resolve) => (answer = resolve)));
  const read = vi.fn(shareFleetReport({ list, pauses }, { counts: () => Promise.resolve(JOBS) }));
  const fleet = loadFleet({ file: 'fleet.yaml', env: {}, cwd: configFolder({ 'fleet.yaml': YAML }) });
  const metrics = createFleetMetrics({ version: '1', read });
  const { url, close } = await openFleetListener(fleet, {
    ...{ read, metrics, replica: 'here pid 1', emit: () => undefined },
  });
  onTestFinished(close);
  const paths = ['/metrics', '/', ...Array.from({ length: 98 }, () => '/readyz')];
  const replies = Promise.all(paths.map((path) => fetch(new URL(path, url))));
  // One that came after the answer might be late enough for a list of its own.
  await expect.poll(() => read.mock.calls.length).toBe(paths.length);
  answer([sampleTenant('acme')]);
  expect(new Set((await replies).map(({ status }) => status))).toEqual(new Set([200]));
  expect(list).toHaveBeenCalledTimes(1);
});

test('a list that fails is not kept, and an engine that does not answer is left out', async () => {
  const list = vi.fn(() => Promise.resolve([sampleTenant('acme')]));
  list.mockRejectedValueOnce(new Error('away'));
  const read = shareFleetReport({ list, pauses }, { counts: () => new Promise(() => undefined) }, 50);
  await expect(read()).rejects.toThrow('away');
  const { jobs, tenants } = await read();
  expect(jobs).toBeNull();
  expect(tenants).toMatchObject([{ name: 'acme' }]);
  expect(list).toHaveBeenCalledTimes(2);
});
