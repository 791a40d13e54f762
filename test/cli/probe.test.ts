import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { CheckId } from '../../src/domain/probe/check-id.js';
import type { CheckedAssumption } from '../../src/domain/probe/probe-check.js';
import { addCompanies, addVacancies, createCliWorld, type CliWorld } from './cli-world.js';
import { onTerminal } from './on-terminal.js';
import { startOtherPlatform, type Deviations, type OtherPlatform } from './other-platform.js';

vi.setConfig({ testTimeout: 60_000 });

const NAMED = ['--company', 'c001', '--vacancy', 'v001'];

interface Probed {
  readonly exitCode: number | null;
  readonly stderr: string;
  readonly checks: Readonly<Record<CheckId, CheckedAssumption>>;
  readonly results: Readonly<Record<string, string>>;
}

async function probe(world: CliWorld, ...args: string[]): Promise<Probed> {
  const { exitCode, stdout, stderr } = await world.cli('probe', '--yes', '--json', ...args);
  const { checks } = JSON.parse(stdout) as { checks: CheckedAssumption[] };
  return {
    exitCode,
    stderr,
    checks: Object.fromEntries(checks.map((check) => [check.id, check])) as Probed['checks'],
    results: Object.fromEntries(checks.map(({ id, result }) => [id, result])),
  };
}

/** Checks that are not confirmed. */
const others = ({ results }: Probed) =>
  Object.fromEntries(Object.entries(results).filter(([, result]) => result !== 'confirmed'));

async function filledWorld(): Promise<CliWorld> {
  const world = await createCliWorld();
  await addCompanies(world, 3);
  await addVacancies(world, 2);
  await world.sql(`update company set about = 'What Company ' || id || ' does'`);
  return world;
}

async function otherWorld(deviations: Deviations): Promise<{ world: CliWorld; platform: OtherPlatform }> {
  const world = await filledWorld();
  const platform = await startOtherPlatform(deviations);
  world.env.BASE_URL = platform.url;
  return { world, platform };
}

const row = async (world: CliWorld, key: string) =>
  (await world.sql(`select * from placement_sync.sync_state where key = $1`, [key]))[0];

test('at the sandbox everything is confirmed, with few requests, and the next run sends the other records only', async () => {
  const world = await filledWorld();
  const probed = await probe(world, ...NAMED);
  expect(others(probed), JSON.stringify(probed.checks, null, 1)).toEqual({});
  expect(probed.exitCode).toBe(0);
  expect(Object.keys(probed.results)).toEqual([
    ...['reachable', 'clock', 'wrong-signature', 'unknown-id', 'put-status', 'envelope', 'reference'],
    ...[
      'find-shape',
      'same-reference',
      'absent-field',
      'parent-reference',
      'request-id-reuse',
      'rate-headers',
    ],
  ]);
  expect(Object.keys(probed.checks.reachable)).toEqual(['id', 'assumption', 'result', 'seen', 'setting']);
  const requests = world.sandbox.requests();
  expect(requests.length).toBeLessThanOrEqual(20);
  expect(
    requests.filter(({ status }) => status === 401),
    'one wrong signature',
  ).toHaveLength(1);
  expect(world.sandbox.records('jobs', 'companies').map(({ body }) => body)).toMatchObject([
    { name: 'Company 1', about: 'What Company c001 does' },
  ]);
  expect(world.sandbox.records('jobs', 'vacancies')).toHaveLength(1);

  world.sandbox.clearRequests();
  const run = await world.run();
  expect(run).toMatchObject({
    code: 0,
    entities: {
      companies: { read: 3, unchanged: 1, new: 2, sent: 2 },
      vacancies: { read: 2, unchanged: 1, new: 1, sent: 1 },
    },
  });
  expect(world.sandbox.requests()).toHaveLength(3);
  expect(await world.run()).toMatchObject({ code: 0, entities: { companies: { sent: 0 } } });
});

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
  [['--vacancy', 'v001'], 2, '--company'],
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
])('a kill %s leaves a record that the next run sends whole', async (_, killedAt) => {
  const world = await filledWorld();
  world.configure('leaseTtl: 8s', 'leaseTtl: 2s');
  world.configure('timeout: 5s', 'timeout: 1s');
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
  await reduced;
  killed.child.kill('SIGKILL');
  await killed.done;
  world.intercept = null;
  await vi.waitFor(async () => expect((await world.run()).code).toBe(0), { timeout: 20_000, interval: 500 });
  await vi.waitFor(
    async () => {
      await world.run();
      const held = await row(world, 'c001');
      expect([held?.acknowledged_hash, held?.confirm_at]).toEqual([held?.desired_hash, null]);
    },
    { timeout: 20_000, interval: 500 },
  );
  expect(world.sandbox.records('jobs', 'companies').map(({ body }) => body)).toContainEqual(
    expect.objectContaining({ name: 'Company 1', about: 'What Company c001 does' }),
  );
});

test('the rate of the area is kept, also after an earlier run', async () => {
  const world = await filledWorld();
  world.configure('ratePerSecond: null', 'ratePerSecond: 2');
  expect(await world.run('--entity', 'companies')).toMatchObject({ code: 0 });
  await probe(world, '--company', 'c001');
  const times = world.sandbox.requests().map(({ at }) => Date.parse(at));
  const tooMany = times.filter((time, index) => index >= 2 && time - (times[index - 2] ?? 0) < 1_000);
  expect([times.length > 10, tooMany]).toEqual([true, []]);
});

/** Each platform with what probe says of it: only these are not confirmed. */
const PLATFORMS: readonly [
  name: string,
  deviations: Deviations,
  found: Partial<Record<CheckId, 'differs' | 'unknown'>>,
  seen: RegExp,
][] = [
  ['as assumed', {}, {}, /HTTP 200/],
  [
    '201 without meta',
    { reply: onPut((reply) => ((reply.status = 201), delete (reply.body as { meta?: unknown }).meta)) },
    {},
    /HTTP 201.*without meta/s,
  ],
  [
    '202',
    { reply: onPut((reply) => (reply.status = 202)) },
    { 'put-status': 'differs' },
    /"put-status".*HTTP 202/s,
  ],
  [
    'no reference',
    { reply: onPut((reply) => delete (reply.body as { data: { reference?: string } }).data.reference) },
    { reference: 'differs', 'same-reference': 'unknown', 'parent-reference': 'unknown' },
    /data.reference is nothing; data is \{id uuid, name text\}/,
  ],
  [
    'no envelope',
    { reply: onPut((reply) => (reply.body = (reply.body as { data: unknown }).data)) },
    { envelope: 'differs', reference: 'unknown', 'same-reference': 'unknown', 'parent-reference': 'unknown' },
    /HTTP 200, \{id uuid, reference uuid, name text\}/,
  ],
  ['merging', { merges: true }, { 'absent-field': 'differs' }, /about left out: the platform kept/],
  [
    'another reference at each Put',
    { newReferences: true },
    { 'same-reference': 'differs' },
    /another reference at every Put; data.id stays the same/,
  ],
  [
    '409 for a repeated Request-Id',
    { onRepeat: { status: 409, body: { message: 'again' } } },
    {},
    /HTTP 409/,
  ],
  [
    '400 for a repeated Request-Id',
    { onRepeat: { status: 400, body: { code: 'DUPLICATE' } } },
    { 'request-id-reuse': 'differs' },
    /HTTP 400/,
  ],
  [
    '400 for a wrong signature',
    {
      onWrongSignature: { status: 400, body: { error: { code: 'INVALID_SIGNATURE', text: 'Budi said no' } } },
    },
    { 'wrong-signature': 'differs' },
    /HTTP 400, \{error \{code text, text text\}\}, code INVALID_SIGNATURE/,
  ],
  [
    '200 with a text for an unknown id',
    {
      reply: (reply) => {
        if (reply.status === 404) Object.assign(reply, { status: 200, body: { data: 'none', meta: {} } });
      },
    },
    { 'unknown-id': 'differs' },
    /HTTP 200, \{data text, meta \{\}\}/,
  ],
  [
    'a low limit in its headers',
    {
      reply: (reply) =>
        Object.assign(reply.headers, { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59' }),
    },
    { 'rate-headers': 'differs' },
    /x-ratelimit-limit: 60 requests in a minute/,
  ],
  [
    'a generous limit in its headers',
    { reply: (reply) => Object.assign(reply.headers, { 'RateLimit-Policy': '"default";q=600;w=60' }) },
    {},
    /600 requests in 60 s; ratePerSecond is 10 a second/,
  ],
  [
    'another clock',
    { reply: (reply) => (reply.headers.date = new Date(Date.now() - 600_000).toUTCString()) },
    { clock: 'differs' },
    /your clock is 10 min ahead/,
  ],
];

function onPut(change: (reply: { status: number; body: unknown }) => unknown): Deviations['reply'] {
  return (reply, { method }) => {
    if (method === 'PUT' && reply.status === 200) change(reply);
  };
}

test.each(PLATFORMS)('of a platform with %s it says what differs', async (_, deviations, found, seen) => {
  const { world, platform } = await otherWorld(deviations);
  world.configure('ratePerSecond: null', 'ratePerSecond: 10');
  const probed = await probe(world, ...NAMED);
  expect(others(probed), JSON.stringify(probed.checks, null, 1)).toEqual(found);
  expect(probed.exitCode).toBe(Object.values(found).includes('differs') ? 3 : 0);
  expect(JSON.stringify(probed.checks)).toMatch(new RegExp(seen.source.replaceAll('"', '\\\\?"'), 's'));
  // No value of a record, and nothing that the platform says about it.
  expect(JSON.stringify(probed.checks)).not.toMatch(/Company 1|What Company|Budi/);
  expect(platform.received.length).toBeLessThanOrEqual(20);
  expect([...platform.companies.values()].map(({ body }) => body.about)).toEqual(['What Company c001 does']);
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

test('a platform that refuses every signature is asked once', async () => {
  const { world, platform } = await otherWorld({
    reply: (reply) => Object.assign(reply, { status: 401, body: { message: 'Unauthorized' } }),
  });
  const probed = await probe(world, ...NAMED);
  expect(probed.exitCode).toBe(3);
  expect(platform.received).toHaveLength(1);
  expect(probed.checks['wrong-signature']).toMatchObject({
    result: 'differs',
    seen: 'the right signature is refused: HTTP 401, {message text}',
  });
  const rest = Object.entries(probed.results).filter(
    ([id]) => !['reachable', 'clock', 'rate-headers'].includes(id),
  );
  expect(rest.filter(([, result]) => result !== 'unknown')).toEqual([['wrong-signature', 'differs']]);
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
  expect(probed.checks.reachable).toMatchObject({ result: 'differs', seen: 'no connection (ECONNREFUSED)' });
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
  const { stdout } = await world.cli('coverage');
  expect(stdout).toMatch(
    /differs {4}absent-field: .*\n.*kept the former value \(20\d\d-.*GMT\+7\)\n.*setting: platform.absent/,
  );
  expect(stdout).toContain('GET /api/v1/institutions/{id}');
});
