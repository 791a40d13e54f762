import { describe, expect, it } from 'vitest';
import { SyncError } from '../../../src/core/domain/errors.js';
import { fleetReport, TENANT_STATES } from '../../../src/features/fleet/fleet-report.js';
import { FLEET_TEXTS } from '../../../src/features/fleet/texts.js';
import type { TenantSummary } from '../../../src/features/fleet/state/types.js';
import { linkTo, pageWords } from '../../dashboard/open-test-dashboard.js';
import { JOBS, openFleetDashboard } from './open-fleet-dashboard.js';
import { minutesAgo, NOW, sampleRun, sampleTenant } from './sample-tenant.js';

const FAILED = sampleRun({
  outcome: 'failed',
  exitCode: 5,
  message: 'The platform refused our credentials.',
});
const RUNNING = { running: { replica: 'pod-b', since: minutesAgo(1) } };
const TENANTS = [
  sampleTenant('acme'),
  sampleTenant('beta', { lastRun: FAILED, lastSuccessAt: minutesAgo(60) }),
  sampleTenant('gamma', { lastRun: sampleRun({ exitCode: 3, pending: 4 }) }),
  sampleTenant('delta', RUNNING),
];

/** The names in the table of a page, in its order. */
function listed(page: string): string[] {
  return [...page.matchAll(/<a href="\/tenant\?name=([^"]*)"/g)].map(([, name = '']) => name);
}

function many(count: number, differs: Partial<TenantSummary> = {}): TenantSummary[] {
  return Array.from({ length: count }, (_, index) => sampleTenant(`t${1_000 + index}`, differs));
}

describe('the first page', () => {
  it('has the verdict, the counts, jobs and replicas, and the tenants, the worst first', async () => {
    const { ask } = await openFleetDashboard({ tenants: TENANTS });
    const { status, text } = await ask('/');
    expect(status).toBe(200);
    const words = pageWords(text);
    expect(words).toContain('2 tenants need attention');
    expect(words).toContain('1 failing 0 stale 1 needs correction 1 running');
    expect(words).toMatch(/Records to send: 4/);
    expect(words).toMatch(/sync 12 8 75 s large 1 2 0 s/);
    expect(words).toMatch(/Replicas at work .* pod-b 1 /);
    expect(words).toContain('The last run failed (exit code 5): The platform refused our credentials.');
    expect(listed(text)).toEqual(['beta', 'gamma', 'delta', 'acme']);
  });

  it('has no search for records and no menu of a worker', async () => {
    const { ask } = await openFleetDashboard({ tenants: TENANTS });
    const { text } = await ask('/');
    expect(text).not.toContain('role="search"');
    expect(text).not.toMatch(/href="\/(records|runs|inbox|report)/);
    expect(linkTo(text, 'Fleet')).toBe('/');
  });

  it('says of a fleet without tenants, or without the tables of its queue, what to do', async () => {
    const { ask } = await openFleetDashboard({ read: () => Promise.resolve(fleetReport([], NOW, null)) });
    const words = pageWords((await ask('/')).text);
    expect(words).toContain('No tenants yet');
    expect(words).toContain('placement-sync fleet apply DIR');
    expect(words).toContain('A replica creates them when it starts.');
  });

  it('leads from each count to the tenants of that state', async () => {
    const { ask } = await openFleetDashboard({ tenants: TENANTS });
    const link = linkTo((await ask('/')).text, /1 failing/);
    expect(listed((await ask(link)).text)).toEqual(['beta']);
  });

  it('finds tenants by a part of the name, and by state', async () => {
    const { ask } = await openFleetDashboard({ tenants: TENANTS });
    expect(listed((await ask('/?find=ELT')).text)).toEqual(['delta']);
    expect(listed((await ask('/?find=a&state=ok')).text)).toEqual(['acme']);
    const { text } = await ask('/?find=nobody');
    expect(pageWords(text)).toContain('No tenant matches.');
    expect(text).toMatch(/name="find"[^>]*value="nobody"/);
  });

  it('shows a hundred on a page, and has links to the others that keep the choice', async () => {
    const { ask } = await openFleetDashboard({ tenants: [...many(250), sampleTenant('other')] });
    const first = (await ask('/?find=t1')).text;
    expect(listed(first)).toHaveLength(100);
    expect(pageWords(first)).toContain('1 to 100 of 250');
    const second = (await ask(linkTo(first, 'Next page'))).text;
    expect(pageWords(second)).toContain('101 to 200 of 250');
    const third = (await ask(linkTo(second, 'Next page'))).text;
    expect(listed(third)).toHaveLength(50);
    expect(() => linkTo(third, 'Next page')).toThrow('no link');
    expect(linkTo(second, 'Previous page')).toBe('/?find=t1');
  });

  it.each(['/?state=nonsense', '/?page=0', '/?page=1e9', '/?page=-1'])('refuses %s', async (path) => {
    const { ask } = await openFleetDashboard({ tenants: TENANTS });
    expect((await ask(path)).status).toBe(400);
  });
});

describe('the page of a tenant', () => {
  it('has its state and why, its last run, and the commands for it', async () => {
    const { ask } = await openFleetDashboard({ tenants: TENANTS });
    const words = pageWords((await ask('/tenant?name=beta')).text);
    expect(words).toContain('Nothing is lost. Check its credentials, or wait for the platform.');
    expect(words).toContain('failed, exit code 5');
    expect(words).toContain('Last success 1 hour ago');
    expect(words).toContain('placement_sync_beta');
    for (const command of ['fleet sync beta', 'fleet pause beta', 'status --config beta.yaml'])
      expect(words).toContain(`placement-sync ${command}`);
    expect(words).toContain('The file needs state.url and state.schema');
    expect(words).not.toContain('fleet resume');
  });

  it('offers to resume a tenant that is paused, and nothing of both for one that is disabled', async () => {
    const { ask } = await openFleetDashboard({
      tenants: [sampleTenant('p', { paused: true }), sampleTenant('d', { enabled: false })],
    });
    expect(pageWords((await ask('/tenant?name=p')).text)).toContain('placement-sync fleet resume p');
    const disabled = pageWords((await ask('/tenant?name=d')).text);
    expect(disabled).not.toMatch(/fleet (resume|pause|sync) d/);
  });

  it('says that a tenant does not exist', async () => {
    const { ask } = await openFleetDashboard({ tenants: TENANTS });
    for (const path of ['/tenant?name=nobody', '/tenant']) {
      const { status, text } = await ask(path);
      expect([path, status]).toEqual([path, 404]);
      expect(pageWords(text)).toContain('There is no tenant of this name, or it was removed.');
    }
  });

  it('has a page for each state, also before the first run', async () => {
    const states: readonly TenantSummary[] = [
      ...TENANTS,
      sampleTenant('stale', { lastSuccessAt: minutesAgo(999) }),
      sampleTenant('waiting', { lastRun: null, lastSuccessAt: null, addedAt: minutesAgo(1) }),
      sampleTenant('paused', { paused: true }),
      sampleTenant('disabled', { enabled: false }),
    ];
    const report = fleetReport(states, NOW, JOBS);
    expect(new Set(report.tenants.map(({ state }) => state))).toEqual(new Set(TENANT_STATES));
    const { ask } = await openFleetDashboard({ tenants: states });
    for (const { name, state } of report.tenants) {
      const { status, text } = await ask(`/tenant?name=${name}`);
      expect([name, status]).toEqual([name, 200]);
      expect(pageWords(text)).toContain(FLEET_TEXTS.states[state]);
    }
  });
});

describe('every page', () => {
  it('is in English, whatever the reader asks for, and offers no other language', async () => {
    const { ask } = await openFleetDashboard({ tenants: TENANTS });
    const { text } = await ask('/?lang=id', { 'accept-language': 'id' });
    expect(text).toContain('<html lang="en">');
    expect(pageWords(text)).toContain('2 tenants need attention');
    expect(text).not.toContain('lang="id"');
  });

  it('escapes what came from outside: names, messages, replicas, and what was searched for', async () => {
    const bad = '<img src=x onerror=alert(1)>"\'&';
    const tenants = [
      sampleTenant(bad, {
        schema: bad,
        lastRun: sampleRun({ exitCode: 1, message: bad, outcome: bad }),
        running: { replica: bad, since: minutesAgo(1) },
      }),
    ];
    const { ask } = await openFleetDashboard({ tenants });
    const name = encodeURIComponent(bad);
    for (const path of ['/', `/?find=${name}`, `/tenant?name=${name}`, `/tenant?name=${name}x`]) {
      const { text } = await ask(path);
      expect(text).not.toMatch(/<img|onerror=alert\(1\)>"/);
      expect(text).not.toContain(`"'&`);
    }
    expect((await ask(`/tenant?name=${name}`)).text).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });

  it('allows no script and no source from elsewhere, and is not kept by browsers', async () => {
    const { ask } = await openFleetDashboard({ tenants: TENANTS });
    const { headers, text } = await ask('/tenant?name=beta');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['cache-control']).toBe('no-store');
    expect(text).not.toMatch(/<script>|style="|\son\w+="/);
    const [, script = ''] = /<script src="([^"]*)"/.exec(text) ?? [];
    expect((await ask(script)).status).toBe(200);
  });

  it('needs the token, and leads back to its page after the log-in', async () => {
    const token = 'a-long-random-text';
    const { ask, url, reads } = await openFleetDashboard({ tenants: TENANTS, token });
    const refused = await ask('/tenant?name=beta');
    expect(refused.status).toBe(401);
    expect(refused.text).not.toMatch(/placement_sync_beta|class="menu"/);
    expect(refused.text).toContain('name="back" value="/tenant?name=beta"');
    expect(reads()).toBe(0);
    const own = { origin: url, 'sec-fetch-site': 'same-origin' };
    const entered = await ask('/login', own, { token, back: '/tenant?name=beta' });
    expect([entered.status, entered.headers.location]).toEqual([303, '/tenant?name=beta']);
    // Of two cookies of one name a browser keeps the later one.
    const kept = new Map(
      (entered.headers['set-cookie'] ?? []).map((line) => line.split(/[=;]/, 2) as [string, string]),
    );
    const cookie = [...kept].map(([name, value]) => `${name}=${value}`).join('; ');
    expect((await ask('/tenant?name=beta', { cookie })).status).toBe(200);
    expect((await ask('/', { authorization: `Bearer ${token}` })).status).toBe(200);
    expect((await ask('/', { authorization: 'Bearer wrong' })).status).toBe(401);
  });

  it('is switched off where other machines can reach it and there is no token', async () => {
    const { ask } = await openFleetDashboard({ tenants: TENANTS, host: '0.0.0.0' });
    const { status, text } = await ask('/');
    expect(status).toBe(403);
    expect(text).not.toContain('beta');
  });

  it('says that the database is away, and which setting names it', async () => {
    const { ask } = await openFleetDashboard({
      read: () => Promise.reject(new SyncError('state-unavailable', 'no connection', { scope: 'run' })),
    });
    const { status, text } = await ask('/');
    expect(status).toBe(503);
    expect(pageWords(text)).toContain('fleet.database.url');
  });

  it('has no page for an unknown address', async () => {
    const { ask } = await openFleetDashboard({ tenants: TENANTS });
    expect((await ask('/records')).status).toBe(404);
  });
});
