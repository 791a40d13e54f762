import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { CheckedAssumption } from '../../src/domain/probe/checks.js';
import { onTerminal } from './run-cli.js';
import { filledWorld, NAMED, onPut, others, otherWorld, probe, row } from './other-platform.js';

vi.setConfig({ testTimeout: 60_000 });

test('its Puts are in the journal, and the ledger has what the platform holds', async () => {
  const world = await filledWorld();
  await probe(world, ...NAMED);
  const delivered = await world.sql(
    `select entity, kind, outcome from placement_sync.delivery order by answered_at, request_id`,
  );
  expect(delivered.filter(({ entity }) => entity === 'companies')).toHaveLength(4);
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
  ['y\n', 0, '13 confirmed, 0 different, 0 unknown.', 11],
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
  [['--company', 'c003'], 3, 'company "c003" is not valid'],
  [['--vacancy', 'v001'], 2, "required option '--company <key>' not specified"],
  [['--last'], 2, "option '--last' cannot be used with option '-y, --yes'"],
])('%j is refused plainly, and nothing is sent', async (args, exitCode, words) => {
  const world = await filledWorld();
  await world.sql(`update company set name = null where id = 'c003'`);
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

test.each([
  ['while the Put without a field is under way', 'putCompany'],
  ['after it', 'findCompany'],
])(
  'a kill %s leaves a record that the next run sends whole',
  async (_, killedAt) => {
    const world = await filledWorld();
    const reduced = new Promise<void>((resolve) => {
      let without = false;
      world.intercept = async ({ operation, body }) => {
        without ||= operation === 'putCompany' && !('about' in (body as object));
        if (!without || operation !== killedAt) return undefined;
        resolve();
        // Longer than a kill takes.
        await wait(1_000);
        return undefined;
      };
    });
    const killed = world.start('probe', '--yes', '--json', ...NAMED);
    await Promise.race([reduced, killed.done.then(({ stderr }) => expect.unreachable(stderr))]);
    killed.child.kill('SIGKILL');
    await killed.done;
    world.intercept = null;
    // When its lease has ended by itself, and then the doubt about its last request.
    await vi.waitFor(async () => expect((await world.run()).code).toBe(0), {
      timeout: 60_000,
      interval: 500,
    });
    await vi.waitFor(
      async () => {
        await world.run();
        const held = await row(world, 'c001');
        expect([held?.acknowledged_hash, held?.confirm_at]).toEqual([held?.desired_hash, null]);
      },
      { timeout: 60_000, interval: 500 },
    );
    expect(world.sandbox.records('jobs', 'companies').map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ name: 'Company 1', about: 'What Company c001 does' }),
    );
  },
  180_000,
);

test('the rate of the area is kept, also after an earlier run', async () => {
  const world = await filledWorld();
  world.configure('ratePerSecond: null', 'ratePerSecond: 2');
  expect(await world.run('--entity', 'companies')).toMatchObject({ code: 0 });
  await probe(world, '--company', 'c001');
  const times = world.sandbox.requests().map(({ at }) => Date.parse(at));
  expect(times.length).toBeGreaterThan(10);
  // Two at once, then one each half second. A busy machine may note the first of them late, so one is left out.
  const took = (times.at(-1) ?? 0) - (times[0] ?? 0);
  expect(took).toBeGreaterThanOrEqual((times.length - 3) * 500);
});

test('with the setting that it names a difference is confirmed', async () => {
  const { world } = await otherWorld({
    reply: onPut((reply) => {
      const { data } = reply.body as { data: { reference?: string; employer_no?: string } };
      data.employer_no = data.reference ?? '';
      delete data.reference;
      reply.status = 202;
    }),
    onWrongSignature: { status: 400, body: { error: 'INVALID_SIGNATURE' } },
  });
  world.configure(
    'entities:',
    `  replies:
    accepted: [202]
    reference: employer_no
    judge: [{ status: 400, match: INVALID_SIGNATURE, as: authentication-refused }]
entities:`,
  );
  const probed = await probe(world, ...NAMED);
  expect([others(probed), probed.exitCode]).toEqual([{}, 0]);
});

test('a platform that merges clears a field that is sent as null, when the setting says so', async () => {
  const { world, platform } = await otherWorld({ merges: true });
  world.configure('companies.sql }', 'companies.sql, absent: { about: null } }');
  const probed = await probe(world, ...NAMED);
  expect([others(probed), probed.exitCode]).toEqual([{}, 0]);
  expect(probed.checks['absent-field'].seen).toBe('about as null: the platform cleared it');
  expect(platform.received.filter(({ body }) => body.includes('"about":null'))).toHaveLength(1);
});

test('a whole number is a reference, also one that children do not need', async () => {
  const { world } = await otherWorld({
    reply: onPut((reply) => ((reply.body as { data: { reference: unknown } }).data.reference = 4711)),
  });
  const probed = await probe(world, '--company', 'c001');
  expect(probed.checks.reference).toMatchObject({
    result: 'confirmed',
    seen: 'data.reference is whole number',
  });
  world.configure('entities:', '  replies: { reference: platform-id }\nentities:');
  expect((await probe(world, '--company', 'c001')).checks['same-reference']).toMatchObject({
    result: 'confirmed',
    seen: expect.stringContaining('not needed') as string,
  });
});

test('a child names a reference that is a number as a number, as a run does', async () => {
  const { world, platform } = await otherWorld({
    reply: onPut((reply) => ((reply.body as { data: { reference: unknown } }).data.reference = 4711)),
  });
  await probe(world, ...NAMED);
  const put = platform.received.find(({ method, url }) => method === 'PUT' && url.includes('/jobs/'));
  expect(JSON.parse(put?.body ?? '{}')).toMatchObject({ employer: { id: 4711 } });
});

test('results that are wrapped otherwise are confirmed with the settings that accept them', async () => {
  const { world } = await otherWorld({
    reply: onPut((reply) => (reply.body = { ok: true, result: (reply.body as { data: unknown }).data })),
  });
  expect(others(await probe(world, ...NAMED))).toMatchObject({ envelope: 'differs', reference: 'unknown' });
  world.configure(
    'entities:',
    `  replies: { reference: result.reference, judge: [{ status: 200, match: '"ok":true', as: accepted }] }\nentities:`,
  );
  expect(others(await probe(world, ...NAMED))).toEqual({});
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

test('a company that is not valid is named with its errors and nothing else; as JSON the checks come too', async () => {
  const world = await filledWorld();
  await world.sql(`update company set name = null where id = 'c003'`);
  const asText = await world.cli('probe', '--yes', '--company', 'c003');
  expect([asText.exitCode, asText.stdout]).toEqual([3, '']);
  expect(asText.stderr).toContain('name is required');
  const asJson = await probe(world, '--company', 'c003');
  expect([asJson.exitCode, new Set(Object.values(asJson.results))]).toEqual([3, new Set(['unknown'])]);
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

test('a platform that is not there ends it with 5, and everything else is unknown', async () => {
  const { world } = await otherWorld({});
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  world.env.BASE_URL = `http://127.0.0.1:${port}`;
  const probed = await probe(world, ...NAMED);
  expect(probed.exitCode).toBe(5);
  expect(probed.checks.reachable).toMatchObject({
    result: 'differs',
    seen: expect.stringMatching(/ECONNREFUSED.*nothing listens/) as string,
  });
  expect(new Set(Object.values(probed.results).slice(1))).toEqual(new Set(['unknown']));
});

test('a platform that goes away after the Put without a field gets the whole record from the next run', async () => {
  let away = false;
  const { world, platform } = await otherWorld({
    reply: (reply, { method, body }) => {
      if (away) Object.assign(reply, { status: 502, body: '<html>gone</html>' });
      if (method === 'PUT' && !body.includes('"about"') && body.includes('Company 1')) away = true;
    },
  });
  const probed = await probe(world, ...NAMED);
  expect([probed.exitCode, probed.checks['absent-field'].result]).toEqual([5, 'unknown']);
  platform.deviate({});
  await wait(10);
  world.configure('timeout: 5s', 'timeout: 1s');
  await vi.waitFor(
    async () => {
      await world.cli('retry', '--status', 'deferred');
      await world.run();
      const held = await row(world, 'c001');
      expect([held?.acknowledged_hash, held?.confirm_at]).toEqual([held?.desired_hash, null]);
    },
    { timeout: 30_000, interval: 500 },
  );
  const held = await row(world, 'c001');
  expect(platform.companies.get(String(held?.platform_id))?.body.about).toBe('What Company c001 does');
});

test('coverage shows what this platform was observed to do, and a probe that finds nothing out keeps it', async () => {
  const { world, platform } = await otherWorld({ merges: true });
  const coverage = async () => {
    const { stdout } = await world.cli('coverage', '--json');
    const { checks } = JSON.parse(stdout) as {
      checks: (CheckedAssumption & { observedAt: string | null })[];
    };
    return Object.fromEntries(checks.map((check) => [check.id, check]));
  };
  const before = await coverage();
  expect(Object.keys(before['absent-field'] ?? {})).toEqual([
    ...['id', 'assumption', 'result', 'seen', 'setting', 'observedAt'],
  ]);
  expect(before['absent-field']).toMatchObject({
    result: 'unknown',
    seen: 'not observed yet: run probe',
    observedAt: null,
  });
  await probe(world, ...NAMED);
  const after = await coverage();
  expect(after['absent-field']).toMatchObject({
    result: 'differs',
    setting: expect.stringContaining('platform.absent') as string,
  });
  expect(Date.parse(after['absent-field']?.observedAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
  platform.deviate({ reply: (reply) => Object.assign(reply, { status: 401 }) });
  await probe(world, ...NAMED);
  expect((await coverage())['absent-field']).toEqual(after['absent-field']);
  expect((await coverage())['wrong-signature']?.result).toBe('differs');
  const { stdout } = await world.cli('probe', '--last');
  expect((await world.cli('coverage')).stdout).toBe(stdout);
  expect(stdout).toMatch(
    /differs {4}absent-field: .*\n.*kept the former value \(20\d\d-.*GMT\+7\)\n.*setting: platform.absent/,
  );
  expect(stdout).toContain('GET /api/v1/institutions/{id}');
});
