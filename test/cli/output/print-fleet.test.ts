import { Writable } from 'node:stream';
import { describe, expect, it, test } from 'vitest';
import { processIo, withIo } from '../../../src/cli/io.js';
import { printFleetList, printFleetStatus, purgedText } from '../../../src/cli/output/print-fleet.js';
import { fleetReport, type FleetReport, type JobCounts } from '../../../src/features/fleet/fleet-report.js';
import type { TenantSummary } from '../../../src/features/fleet/state/types.js';
import { minutesAgo, NOW, sampleRun, sampleTenant } from '../../features/fleet/sample-tenant.js';

describe('print fleet', () => {
  const JOBS: JobCounts = {
    sync: { ready: 1_200, active: 16, longestWait: 130 },
    large: { ready: 0, active: 2, longestWait: 0 },
  };
  const FAILED = sampleRun({
    outcome: 'failed',
    exitCode: 5,
    message: 'The platform refused our credentials.',
  });

  const status = (report: FleetReport) => printFleetStatus(report, 'Asia/Jakarta');
  const list = (report: FleetReport) => printFleetList(report, { timeZone: 'Asia/Jakarta' });

  async function printed(
    print: (report: FleetReport) => void,
    tenants: readonly TenantSummary[],
    jobs: JobCounts | null = JOBS,
  ): Promise<string> {
    let text = '';
    const stdout = new Writable({
      write(part: Buffer, _encoding, done) {
        text += part.toString();
        done();
      },
    });
    const io = { ...processIo(new AbortController().signal), stdout, env: {} };
    await withIo(io, () => {
      print(fleetReport(tenants, NOW, jobs));
      return Promise.resolve();
    });
    return text;
  }

  test('the sizes of ledgers are shown where they are known, and for whom a suspect waits', async () => {
    const sized = (report: FleetReport) =>
      status({
        ...report,
        tenants: report.tenants.map((one) => ({
          ...one,
          ledgerBytes: one.name === 'a' ? 148_200_000 : null,
        })),
      });
    const text = await printed(sized, [sampleTenant('a'), sampleTenant('b', { waitsFor: 'hang' })]);
    expect(text).toMatch(/last success +pending +ledger/);
    expect(text).toMatch(/a +ok .* 149 MB/);
    expect(text).toMatch(/b +ok .* -\n/);
    expect(text).toContain(
      'b: Replicas ended during its run, so it may only run alone. It waits until hang,',
    );
    expect(await printed(status, [sampleTenant('a')])).not.toContain('MB');
  });

  test('status begins with the verdict, and has the worst tenants with their reasons', async () => {
    const text = await printed(status, [
      sampleTenant('acme'),
      sampleTenant('beta', { lastRun: FAILED, lastSuccessAt: null }),
      sampleTenant('gamma', { lastRun: sampleRun({ exitCode: 3, pending: 4 }) }),
      sampleTenant('delta', { running: { replica: 'pod-a', since: NOW } }),
    ]);
    expect(text.split('\n')).toEqual([
      '2 of 4 tenants need attention: 1 failing, 1 needs-correction, 1 running, 1 ok. 4 records left to send.',
      '',
      '       state             lane  last success             pending',
      'beta   failing           sync  never                          0',
      'gamma  needs-correction  sync  2026-03-02 18:55:00 WIB        4',
      'delta  running           sync  2026-03-02 18:55:00 WIB        0',
      'acme   ok                sync  2026-03-02 18:55:00 WIB        0',
      '',
      'beta: The last run failed (exit code 5): The platform refused our credentials. Nothing is lost. Check its credentials, or wait for the platform.',
      'gamma: Some of its records need correction. Their list, with state.url and state.schema in the file: placement-sync status --invalid --config gamma.yaml',
      '',
      'Jobs: in lane sync 1,200 wait and 16 run (longest wait for a slot: 2 min), in lane large 0 wait and 2 run.',
      'Replicas at work: pod-a (1 tenant).',
      '',
    ]);
  });

  test('status lists twenty tenants, the worst, and says how many more there are', async () => {
    const tenants = Array.from({ length: 2_000 }, (_, index) => sampleTenant(`t${1000 + index}`));
    const text = await printed(status, [...tenants, sampleTenant('zz-failing', { lastRun: FAILED })]);
    expect(text).toContain(
      '1 of 2,001 tenants needs attention: 1 failing, 2,000 ok. Nothing is left to send.',
    );
    const lines = text.split('\n');
    expect(lines[3]).toMatch(/^zz-failing +failing/);
    expect(lines.filter((line) => /^t1\d{3} /.test(line))).toHaveLength(19);
    expect(lines).toContain('… 1,981 more tenants: placement-sync fleet list');
  });

  test('what is left to send is not known before the first runs', async () => {
    const waiting = sampleTenant('acme', { lastRun: null, lastSuccessAt: null, addedAt: NOW });
    expect(await printed(status, [waiting])).toMatch(/^No tenant needs attention: 1 waiting\.\n/);
  });

  test('status of a fleet that is fine, and of one without its queue', async () => {
    const text = await printed(status, [sampleTenant('acme')], null);
    expect(text).toMatch(/^No tenant needs attention: 1 ok\. Nothing is left to send\.\n/);
    expect(text).toContain('Jobs: not known, because the tables of the queue cannot be read.');
    expect(text).toContain('No replica runs a tenant at this moment.');
  });

  test('list has every tenant in the order of the names', async () => {
    const text = await printed(list, [
      sampleTenant('gamma', { periodMs: 3_600_000, lane: 'large', lastRun: sampleRun({ pending: null }) }),
      sampleTenant('acme', { lastSuccessAt: null, lastRun: null, addedAt: minutesAgo(1) }),
    ]);
    expect(text.split('\n')).toEqual([
      '       state    period      lane   last success             pending  schema',
      'acme   waiting  10 minutes  sync   never                    -        placement_sync_acme',
      'gamma  ok       1 hour      large  2026-03-02 18:55:00 WIB  -        placement_sync_gamma',
      '',
    ]);
  });

  test('list as JSON has the same tenants as entries of the report', async () => {
    const tenants = [sampleTenant('gamma'), sampleTenant('acme')];
    const text = await printed((report) => printFleetList(report, { json: true }), tenants);
    expect(JSON.parse(text)).toEqual({
      tenants: fleetReport(tenants, NOW, JOBS).tenants.map((tenant) => ({ ...tenant })),
    });
    expect(text).toMatch(/"acme"[^]*"gamma"/);
  });

  test('an empty fleet says what to do', async () => {
    expect(await printed(status, [])).toContain('No tenants yet. Add them: placement-sync fleet apply DIR');
    expect(await printed(list, [])).toBe('No tenants yet. Add one: placement-sync fleet add TENANT.yaml\n');
  });

  test('a message that came from outside cannot act on the terminal', async () => {
    const message = 'refused \u001b[2J';
    const text = await printed(status, [
      sampleTenant('acme', { lastRun: sampleRun({ exitCode: 1, message }) }),
    ]);
    expect(text).toContain('refused \\u001b[2J');
  });
});

describe('purged text', () => {
  const SCHEMA = { schema: 'tenant_acme', other: null };

  it('says that the ledger is deleted only when it is', () => {
    expect(purgedText('acme', { ...SCHEMA, ledger: 'deleted' })).toBe(
      'acme is removed, and its ledger is deleted.',
    );
    expect(purgedText('acme', { ...SCHEMA, ledger: 'none' })).toBe(
      'acme is removed. No ledger was deleted: the schema "tenant_acme" has none.',
    );
  });

  it('says where a ledger stays, why, and what to do', () => {
    expect(purgedText('acme', { ...SCHEMA, ledger: 'elsewhere' })).toBe(
      'acme is removed. Its ledger stays, the schema "tenant_acme" in the database of its state.url: only a ledger of a file without state.url is deleted. If nobody needs it, drop the schema there.',
    );
    expect(purgedText('acme', { ...SCHEMA, ledger: 'elsewhere', other: 'beta' })).toContain(
      'Before you drop the schema there, check that it is not the ledger of the tenant "beta"',
    );
    expect(purgedText('acme', { ...SCHEMA, ledger: 'of-another', other: 'beta' })).toBe(
      'acme is removed. Its ledger stays, the schema "tenant_acme" of the fleet’s database: the tenant "beta" has this schema too. If the ledger of beta is in another database, drop the schema yourself.',
    );
  });
});
