import { setTimeout as wait } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { CheckedAssumption } from '../../src/features/probe/checks.js';
import { onTerminal } from './run-cli.js';
import { filledWorld, NAMED, onPut, others, otherWorld, probe, row } from './other-platform.js';

vi.setConfig({ testTimeout: 60_000 });

test('its Puts are in the journal, and the ledger has what the platform holds', async () => {
  const world = await filledWorld();
  await probe(world, ...NAMED);
  const delivered = await world.sql(
    `select entity, kind, outcome from placement_sync.delivery order by answered_at, request_id`,
  );
  expect(delivered.filter(({ entity }) => entity === 'companies')).toHaveLength(2);
  expect(delivered.filter(({ entity }) => entity === 'vacancies')).toEqual([
    { entity: 'vacancies', kind: 'new', outcome: 'accepted' },
  ]);
  for (const key of ['c001', 'v001']) {
    const held = await row(world, key);
    expect([held?.acknowledged_hash, held?.claim_token, held?.confirm_at]).toEqual([
      held?.desired_hash,
      null,
      null,
    ]);
  }
  expect(await world.sql('select key from placement_sync.sync_state order by key')).toEqual([
    { key: 'c001' },
    { key: 'v001' },
  ]);
});

test('probing records that the platform already holds leaves ledger, fingerprint and other records as they are', async () => {
  const world = await filledWorld();
  expect(await world.run()).toMatchObject({ code: 0 });
  const states = () =>
    world.sql(`select entity, fingerprint, last_full_sweep_at from placement_sync.entity_state order by 1`);
  const before = await states();
  expect(others(await probe(world, ...NAMED))).toEqual({});
  expect(await states()).toEqual(before);
  world.sandbox.clearRequests();
  expect(await world.run()).toMatchObject({ code: 0, entities: { companies: { unchanged: 3, sent: 0 } } });
  expect(world.sandbox.requests()).toEqual([]);
});

test('without a vacancy only what needs one is unknown', async () => {
  const world = await filledWorld();
  const probed = await probe(world, '--company', 'c001');
  expect([others(probed), probed.exitCode]).toEqual([{ 'parent-reference': 'unknown' }, 0]);
});

test('it asks first, and without a terminal it needs --yes', async () => {
  const world = await filledWorld();
  const asked = await world.cli('probe', ...NAMED);
  expect(asked.exitCode).toBe(2);
  expect(asked.stdout).toMatch(/probe writes to http:.*sandbox-client:\n.*company "c001" \(Company 1\)/);
  expect(asked.stderr).toContain('--yes');
  expect(world.sandbox.requests()).toEqual([]);
  expect(await row(world, 'c001')).toBeUndefined();
});

test.each([
  ['n\n', 1, 'Nothing was sent.', 0],
  ['y\n', 0, '11 confirmed, 0 different, 0 unknown.', 7],
])('the answer %j on a terminal gives exit code %i', async (answer, exitCode, words, requests) => {
  const world = await filledWorld();
  const asked = await onTerminal(world, ['probe', ...NAMED], () => answer);
  expect([asked.exitCode, asked.shown]).toEqual([exitCode, expect.stringContaining(words)]);
  expect(asked.shown).toMatch(/probe writes to .*Continue\? \[y\/N\]/s);
  expect(world.sandbox.requests()).toHaveLength(requests);
});

test.each([
  [['--company', 'nobody'], 2, 'The query has no company "nobody"'],
  [['--company', 'c002', '--vacancy', 'v001'], 2, 'does not belong to company "c002"'],
  [['--vacancy', 'v001'], 2, "required option '--company <key>' not specified"],
  [['--last'], 2, "option '--last' cannot be used with option '-y, --yes'"],
])('%j is refused plainly, and nothing is sent', async (args, exitCode, words) => {
  const world = await filledWorld();
  const refused = await world.cli('probe', '--yes', ...args);
  const said = refused.stderr.replaceAll('\\"', '"');
  expect([refused.exitCode, said]).toEqual([exitCode, expect.stringContaining(words)]);
  expect(world.sandbox.requests()).toEqual([]);
});

test('while another process holds the leases it ends with 6 and touches nothing', async () => {
  const world = await filledWorld();
  const worker = world.start('start');
  await world.requested(5);
  world.sandbox.clearRequests();
  const busy = await probe(world, ...NAMED);
  expect([busy.exitCode, new Set(Object.values(busy.results))]).toEqual([6, new Set(['unknown'])]);
  expect(busy.stderr).toContain('lease');
  expect(world.sandbox.requests()).toEqual([]);
  worker.child.kill('SIGTERM');
  await worker.done;
});

test('a kill while its first Put is under way leaves a record that the next run settles', async () => {
  const world = await filledWorld();
  const arrived = new Promise<void>((resolve) => {
    world.intercept = async ({ operation }) => {
      if (operation !== 'putCompany') return;
      resolve();
      // Longer than a kill takes.
      await wait(1_000);
    };
  });
  const killed = world.start('probe', '--yes', '--json', ...NAMED);
  await Promise.race([arrived, killed.done.then(({ stderr }) => expect.unreachable(stderr))]);
  killed.child.kill('SIGKILL');
  await killed.done;
  world.intercept = null;
  // When its lease has ended by itself, and then the doubt about its last request.
  await vi.waitFor(
    async () => {
      expect((await world.run()).code).toBe(0);
      const held = await row(world, 'c001');
      expect([held?.acknowledged_hash, held?.confirm_at]).toEqual([held?.desired_hash, null]);
    },
    { timeout: 120_000, interval: 500 },
  );
}, 180_000);

test('the rate of the area is kept, also after an earlier run', async () => {
  const world = await filledWorld();
  world.configure('ratePerSecond: null', 'ratePerSecond: 2');
  expect(await world.run('--entity', 'companies')).toMatchObject({ code: 0 });
  await probe(world, '--company', 'c001');
  const times = world.sandbox.requests().map(({ at }) => Date.parse(at));
  expect(times.length).toBeGreaterThan(6);
  // Two at once, then one each half second. A busy machine may note the first of them late, so one is left out.
  const took = (times.at(-1) ?? 0) - (times[0] ?? 0);
  expect(took).toBeGreaterThanOrEqual((times.length - 3) * 500);
});

test('a child names a reference that is a number as a number, as a run does', async () => {
  const { world, platform } = await otherWorld({
    reply: onPut((reply) => ((reply.body as { data: { reference: unknown } }).data.reference = 4711)),
  });
  await probe(world, ...NAMED);
  const put = platform.received.find(({ method, url }) => method === 'PUT' && url.includes('/jobs/'));
  expect(JSON.parse(put?.body ?? '{}')).toMatchObject({ employer: { id: 4711 } });
});

test('a platform that refuses every signature is asked once', async () => {
  const { world, platform } = await otherWorld({
    reply: (reply) => Object.assign(reply, { status: 401, body: { message: 'Unauthorized' } }),
  });
  const probed = await probe(world, ...NAMED);
  expect(probed.exitCode).toBe(3);
  expect(platform.received).toHaveLength(1);
  expect(probed.checks['wrong-signature']).toMatchObject({
    result: 'differs',
    seen: 'the right signature is refused: HTTP 401, {message text}: “Unauthorized”',
  });
  const rest = Object.entries(probed.results).filter(
    ([id]) => !['reachable', 'clock', 'rate-headers'].includes(id),
  );
  expect(rest.filter(([, result]) => result !== 'unknown')).toEqual([['wrong-signature', 'differs']]);
});

test('a web page in place of the platform ends it before it writes', async () => {
  const { world, platform } = await otherWorld({
    reply: (reply) => Object.assign(reply, { status: 200, body: '<html>Welcome</html>' }),
  });
  const probed = await probe(world, ...NAMED);
  expect([probed.exitCode, platform.received.length]).toEqual([3, 1]);
  expect(probed.checks.reachable).toMatchObject({
    result: 'differs',
    seen: expect.stringContaining('a web page') as string,
  });
  const differing = Object.entries(probed.results).filter(([, result]) => result === 'differs');
  expect(differing.map(([id]) => id)).toEqual(['reachable']);
  expect(await row(world, 'c001')).toBeUndefined();
});

test('an address that a probe has shown to be wrong is corrected without more ado', async () => {
  const { world, platform } = await otherWorld({
    reply: (reply) => Object.assign(reply, { status: 401, body: { message: 'no such client' } }),
  });
  expect((await probe(world, ...NAMED)).exitCode).toBe(3);
  expect(await world.sql('select * from placement_sync.environment')).toEqual([]);
  platform.deviate({});
  world.env.BASE_URL = `${platform.url}/`.replace('127.0.0.1', 'localhost');
  expect(others(await probe(world, ...NAMED))).toEqual({});
  expect(await world.sql('select area from placement_sync.environment')).toHaveLength(1);
});

test('on a terminal continued lines are aligned, and what was not tried for the same reason is one entry', async () => {
  const { world } = await otherWorld({
    reply: (reply) => Object.assign(reply, { status: 401, body: { message: 'Unauthorized' } }),
  });
  const { shown } = await onTerminal(world, ['probe', ...NAMED], () => 'y\n');
  expect(shown.match(/not tried/g)).toHaveLength(1);
  const found = shown.slice(shown.indexOf('[y/N]')).split(/\r?\n/).slice(1);
  const lines = found.map((line) => line.replace(/\u001b\[\d+m/g, ''));
  const until = lines.findIndex((line) => line === '');
  for (const line of lines.slice(0, until)) expect(line).toMatch(/^(confirmed|differs|unknown| {11} *\S)/);
});

test('an adapter that fails ends it with its own words, and nothing is written', async () => {
  const { world } = await otherWorld({});
  world.write('adapter.mjs', 'export default {\n  request() { throw new Error("no key"); },\n};');
  world.configure('platform:', 'platform:\n  adapter: adapter.mjs');
  const probed = await probe(world, ...NAMED);
  expect(probed.exitCode).toBe(5);
  expect(probed.checks.reachable).toMatchObject({
    ...{ result: 'differs', setting: 'platform.adapter' },
    seen: expect.stringContaining('adapter.mjs:2 (request): no key') as string,
  });
  expect(await row(world, 'c001')).toBeUndefined();
});

test('--last shows what this platform was observed to do, and a probe that finds nothing out keeps it', async () => {
  const { world, platform } = await otherWorld({ newReferences: true });
  const last = async () => {
    const { stdout } = await world.cli('probe', '--last', '--json');
    const { checks } = JSON.parse(stdout) as {
      checks: (CheckedAssumption & { observedAt: string | null })[];
    };
    return Object.fromEntries(checks.map((check) => [check.id, check]));
  };
  const before = await last();
  expect(Object.keys(before['same-reference'] ?? {})).toEqual([
    ...['id', 'assumption', 'result', 'seen', 'setting', 'observedAt'],
  ]);
  expect(before['same-reference']).toMatchObject({
    result: 'unknown',
    seen: 'not observed yet: run probe',
    observedAt: null,
  });
  await probe(world, ...NAMED);
  const after = await last();
  expect(after['same-reference']).toMatchObject({ result: 'differs', setting: 'platform.adapter: reply' });
  expect(Date.parse(after['same-reference']?.observedAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
  platform.deviate({ reply: (reply) => Object.assign(reply, { status: 401 }) });
  await probe(world, ...NAMED);
  expect((await last())['same-reference']).toEqual(after['same-reference']);
  expect((await last())['wrong-signature']?.result).toBe('differs');
  const { stdout } = await world.cli('probe', '--last');
  expect(stdout).toMatch(
    /differs {4}same-reference: .*\n.*another reference at every Put.*\(20\d\d-.*WIB\)\n.*setting: platform.adapter: reply/,
  );
});
