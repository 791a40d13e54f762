import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { openFleetListener, shareFleetReport } from '../../../src/cli/compose/fleet/open-fleet.js';
import { loadFleet } from '../../../src/features/fleet/config/load-fleet.js';
import { fleetReport, TENANT_STATES } from '../../../src/features/fleet/fleet-report.js';
import type { TenantSummary } from '../../../src/features/fleet/state/types.js';
import { createFleetMetrics } from '../../../src/features/metrics/metrics.js';
import { configFolder } from '../../core/config/config-folder.js';
import { JOBS } from './open-fleet-dashboard.js';
import { minutesAgo, NOW, sampleRun, sampleTenant } from './sample-tenant.js';
import { words } from '../../words.js';

function only(differs: Partial<TenantSummary>) {
  const [report] = fleetReport([sampleTenant('acme', differs)], NOW, null).tenants;
  if (!report) throw new Error('no report');
  return report;
}

const failed = sampleRun({
  outcome: 'failed',
  exitCode: 5,
  message: 'The platform refused our credentials',
});

describe('the state of a tenant', () => {
  it('is ok after a run that ended well, and there is nothing to say', () => {
    expect(only({})).toMatchObject({ state: 'ok', reason: null, secondsStale: 300, pending: 0 });
  });

  it('is failing after any exit code but 0, 3 and 4, and after an error', () => {
    for (const exitCode of [1, 2, 5, 6])
      expect(only({ lastRun: sampleRun({ exitCode, outcome: 'failed' }) }).state).toBe('failing');
    expect(only({ lastRun: sampleRun({ message: 'No such file.' }) }).state).toBe('failing');
  });

  it('says of a failed run why, and what to do', () => {
    expect(only({ lastRun: failed }).reason).toBe(
      'The last run failed (exit code 5): The platform refused our credentials. Nothing is lost. Check its credentials, or wait for the platform.',
    );
    expect(only({ lastRun: sampleRun({ exitCode: 70 }) }).reason).toBe(
      'The last run ended with exit code 70. Look at its state, with state.url and state.schema in the file: placement-sync status --config acme.yaml',
    );
  });

  it('stays failing while the next run is under way', () => {
    const running = { replica: 'pod-a', since: minutesAgo(1) };
    expect(only({ lastRun: failed, running }).state).toBe('failing');
  });

  it('is not failing after a slice that ended because its time was over or its replica stops', () => {
    expect(only({ lastRun: sampleRun({ outcome: 'aborted', exitCode: 5 }) }).state).toBe('failing');
    for (const outcome of ['slice', 'aborted'])
      expect(only({ lastRun: sampleRun({ outcome, exitCode: 1 }) }).state).toBe('ok');
  });

  it('waits, and is not failing, while its ledger is at another version than the replica that took it', () => {
    const lastRun = sampleRun({ outcome: 'other-version', exitCode: 2, message: 'It is not migrated yet.' });
    const reason =
      'An update of the fleet is under way. It is not migrated yet. The tenant goes on by itself after that.';
    expect(only({ lastRun })).toMatchObject({ state: 'waiting', reason });
    // Nobody ends the update.
    expect(only({ lastRun, lastSuccessAt: minutesAgo(600) })).toMatchObject({ state: 'stale', reason });
  });

  it('is stale after three periods and five minutes without a success, not before', () => {
    expect(only({ lastSuccessAt: minutesAgo(35) }).state).toBe('ok');
    expect(only({ lastSuccessAt: new Date(minutesAgo(35).getTime() - 1) })).toMatchObject({
      state: 'stale',
      secondsStale: 2_100,
    });
  });

  it('is stale when it was added long ago and never succeeded', () => {
    expect(only({ lastSuccessAt: null, lastRun: null })).toMatchObject({
      state: 'stale',
      since: minutesAgo(10_000).toISOString(),
      reason: expect.stringContaining('No replica has run it') as string,
    });
  });

  it('says of a stale tenant that it still sends, slice after slice', () => {
    const lastRun = sampleRun({ outcome: 'slice', usedUpSlice: true, pending: 12_345 });
    expect(only({ lastSuccessAt: minutesAgo(600), lastRun })).toMatchObject({
      state: 'stale',
      pending: 12_345,
      reason: expect.stringContaining('still sending, one slice after the other (12,345 left)') as string,
    });
  });

  it('says of a stale tenant that its source is slow, when that took its slice', () => {
    const lastRun = sampleRun({
      ...{ outcome: 'slice', exitCode: 1, pending: null },
      ...{ usedUpSlice: true, outgrewLane: true },
    });
    expect(only({ lastSuccessAt: minutesAgo(600), lastRun })).toMatchObject({
      state: 'stale',
      lastRun: { outgrewLane: true },
      reason: expect.stringContaining('takes longer than a slice, or hangs') as string,
    });
  });

  it('needs correction after exit code 3 or 4, however long ago the last success was', () => {
    const lastRun = sampleRun({ exitCode: 3 });
    expect(only({ lastRun, lastSuccessAt: minutesAgo(9_000) })).toMatchObject({
      state: 'needs-correction',
      reason: expect.stringContaining('records need correction') as string,
    });
    expect(only({ lastRun: sampleRun({ exitCode: 4, outcome: 'held' }) })).toMatchObject({
      state: 'needs-correction',
      reason: expect.stringContaining('A guard holds') as string,
    });
  });

  it('is stale when the run that asked for corrections is old itself', () => {
    const lastRun = sampleRun({ exitCode: 3, finishedAt: minutesAgo(100) });
    expect(only({ lastRun, lastSuccessAt: minutesAgo(9_000) }).state).toBe('stale');
  });

  it('is waiting until its first run, running during it', () => {
    const fresh = { lastRun: null, lastSuccessAt: null, addedAt: minutesAgo(2) };
    expect(only(fresh)).toMatchObject({
      state: 'waiting',
      since: minutesAgo(2).toISOString(),
      pending: null,
    });
    expect(only({ ...fresh, running: { replica: 'pod-a', since: minutesAgo(1) } })).toMatchObject({
      state: 'running',
      since: minutesAgo(1).toISOString(),
      reason: 'pod-a runs it.',
    });
  });

  it('is paused or disabled whatever its last run was', () => {
    expect(only({ paused: true, lastRun: failed })).toMatchObject({ state: 'paused', since: null });
    expect(only({ enabled: false, paused: true, lastRun: failed }).state).toBe('disabled');
  });
});

describe('the report of a fleet', () => {
  it('lists the worst first: by state, then by the time without a success, then by name', () => {
    const running = { replica: 'pod-a', since: minutesAgo(1) };
    const report = fleetReport(
      [
        sampleTenant('ok'),
        sampleTenant('disabled', { enabled: false }),
        sampleTenant('paused', { paused: true }),
        sampleTenant('waiting', { lastRun: null, lastSuccessAt: null, addedAt: minutesAgo(1) }),
        sampleTenant('running', { running }),
        sampleTenant('correct', { lastRun: sampleRun({ exitCode: 3 }) }),
        sampleTenant('stale', { lastSuccessAt: minutesAgo(900) }),
        sampleTenant('failing-b', { lastRun: failed, lastSuccessAt: minutesAgo(20) }),
        sampleTenant('failing-a', { lastRun: failed, lastSuccessAt: minutesAgo(20) }),
        sampleTenant('failing-long', { lastRun: failed, lastSuccessAt: minutesAgo(21) }),
      ],
      NOW,
      null,
    );
    expect(report.tenants.map(({ name }) => name)).toEqual(
      words(`
        failing-long failing-a failing-b stale correct running waiting paused disabled ok`),
    );
    expect(report.counts).toEqual({
      ...Object.fromEntries(TENANT_STATES.map((state) => [state, 1])),
      failing: 3,
    });
  });

  it('adds up what is pending, and counts the replicas that run something', () => {
    const running = (replica: string) => ({ running: { replica, since: minutesAgo(1) } });
    const jobs = {
      sync: { ready: 4, active: 2, longestWait: 9 },
      large: { ready: 0, active: 1, longestWait: 0 },
    };
    const report = fleetReport(
      [
        sampleTenant('a', { ...running('pod-b'), lastRun: sampleRun({ pending: 7 }) }),
        sampleTenant('b', { ...running('pod-a'), lastRun: sampleRun({ pending: null }) }),
        sampleTenant('c', { ...running('pod-b'), lastRun: sampleRun({ pending: 3 }) }),
        sampleTenant('d', { lastRun: null, addedAt: NOW, lastSuccessAt: null }),
      ],
      NOW,
      jobs,
    );
    expect(report).toMatchObject({
      at: '2026-03-02T12:00:00.000Z',
      pending: 10,
      jobs,
      replicas: [
        { name: 'pod-a', tenants: 1 },
        { name: 'pod-b', tenants: 2 },
      ],
    });
  });

  it('leaves out tenants that were removed', () => {
    expect(fleetReport([sampleTenant('gone', { removed: true })], NOW, null).tenants).toEqual([]);
  });

  it('says for whom a suspect waits, also where the tenant is ok; a paused one waits for nobody', () => {
    const [waits] = fleetReport([sampleTenant('acme', { waitsFor: 'hang' })], NOW, null).tenants;
    expect(waits).toMatchObject({ state: 'ok', waitsFor: 'hang' });
    expect(waits?.reason).toContain('It waits until hang, which has that place,');
    const [paused] = fleetReport(
      [sampleTenant('acme', { waitsFor: 'hang', paused: true })],
      NOW,
      null,
    ).tenants;
    expect(paused).toMatchObject({ state: 'paused', waitsFor: null });
  });

  it('has a JSON form with these names, because programs read it', () => {
    const report: unknown = JSON.parse(
      JSON.stringify(fleetReport([sampleTenant('acme', { lastRun: failed })], NOW, null)),
    );
    expect(report).toEqual({
      at: '2026-03-02T12:00:00.000Z',
      counts: { ...Object.fromEntries(TENANT_STATES.map((state) => [state, 0])), failing: 1 },
      pending: 0,
      jobs: null,
      pauses: [],
      replicas: [],
      tenants: [
        {
          name: 'acme',
          schema: 'placement_sync_acme',
          ledger: 'fleet',
          movingTo: null,
          lane: 'sync',
          periodMs: 600_000,
          state: 'failing',
          since: '2026-03-02T11:55:00.000Z',
          running: null,
          lastRun: {
            startedAt: '2026-03-02T11:54:00.000Z',
            finishedAt: '2026-03-02T11:55:00.000Z',
            outcome: 'failed',
            exitCode: 5,
            message: 'The platform refused our credentials',
            pending: 0,
            usedUpSlice: false,
          },
          lastSuccessAt: '2026-03-02T11:55:00.000Z',
          pending: 0,
          reason: expect.any(String) as string,
          secondsStale: 300,
          ledgerBytes: null,
          waitsFor: null,
        },
      ],
    });
  });

  it('has nothing in it that could be a secret: no configuration and no address', () => {
    const withMore = { ...sampleTenant('acme'), configuration: 'url: postgres://u:SECRET@h/d' };
    expect(JSON.stringify(fleetReport([withMore], NOW, null))).not.toContain('SECRET');
  });
});

describe('share fleet report', () => {
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
    const read = vi.fn(shareFleetReport({ list, pauses, jobs: () => Promise.resolve(JOBS) }));
    const fleet = loadFleet({ file: 'fleet.yaml', env: {}, cwd: configFolder({ 'fleet.yaml': YAML }) });
    const metrics = createFleetMetrics({ version: '1', commit: null, read });
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

  test('the metrics of a replica may have a port of their own, without the pages', async () => {
    const read = () => Promise.resolve(fleetReport([sampleTenant('acme')], NOW, null));
    const yaml = YAML.replace('admin: { port: 0 }', 'admin: { port: 0 }, metrics: { port: 0 }');
    const fleet = loadFleet({ file: 'fleet.yaml', env: {}, cwd: configFolder({ 'fleet.yaml': yaml }) });
    const metrics = createFleetMetrics({ version: '1', commit: null, read });
    const at: Record<string, string> = {};
    const { close } = await openFleetListener(fleet, {
      ...{ read, metrics, replica: 'here pid 1' },
      emit: (event) => void (event.type === 'listening' && (at[event.what] = event.url)),
    });
    onTestFinished(close);
    const status = async (of: string, path: string) => (await fetch(`${at[of]}${path}`)).status;
    expect(await status('metrics', '/metrics')).toBe(200);
    expect(await status('metrics', '/readyz')).toBe(200);
    expect(await status('metrics', '/')).toBe(404);
    expect(await status('admin', '/')).toBe(200);
    expect(await status('admin', '/metrics')).toBe(404);
  });

  test('a list that fails is not kept, and jobs that do not answer are left out', async () => {
    const list = vi.fn(() => Promise.resolve([sampleTenant('acme')]));
    list.mockRejectedValueOnce(new Error('away'));
    const read = shareFleetReport({ list, pauses, jobs: () => new Promise(() => undefined) }, 50);
    await expect(read()).rejects.toThrow('away');
    const { jobs, tenants } = await read();
    expect(jobs).toBeNull();
    expect(tenants).toMatchObject([{ name: 'acme' }]);
    expect(list).toHaveBeenCalledTimes(2);
  });
});
