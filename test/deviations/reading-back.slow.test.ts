import { describe, expect, test } from 'vitest';
import type { DeviationsInput } from '../../src/config/deviations.js';
import type { VerifyReport } from '../../src/sync/read-back/verify-report.js';
import { type CliWorld, SECRET } from '../cli/cli-world.js';
import { companyBody, companyPath, send } from '../sandbox/signed-request.js';
import { deviatingWorld, held, runUntilDone, set, WHOLE } from './deviating-world.js';

test.each<[string, DeviationsInput, string | null]>([
  ['as they were sent', { find: { shape: 'echo', region: 'reference' } }, null],
  ['under `result`', { replies: { envelope: 'result' } }, 'replies: { data: result }'],
  ['without an envelope', { replies: { envelope: 'none', meta: false } }, "replies: { data: '.' }"],
  ['although only 202 means that a Put was done', {}, 'replies: { accepted: [200, 202] }'],
])('verify compares records that a Find shows %s', { timeout: 60_000 }, async (_, deviations, setting) => {
  const world = await deviatingWorld({ deviations });
  if (setting !== null) set(world, setting);
  await runUntilDone(world);
  const { exitCode, stdout } = await world.cli('verify', '--all', '--json');
  const { entities } = JSON.parse(stdout) as VerifyReport;
  expect([exitCode, entities.companies, entities.vacancies]).toEqual([
    0,
    { checked: 3, same: 3, drifted: 0, missing: 0 },
    { checked: 2, same: 2, drifted: 0, missing: 0 },
  ]);
});

test('texts that a Find shortens are doubted, and never sent again', { timeout: 60_000 }, async () => {
  const world = await deviatingWorld({ deviations: { find: { shorten: 12 } } });
  await world.sql(`update company set about = 'A long text about company ' || id`);
  await runUntilDone(world);
  world.sandbox.clearRequests();
  const { stdout } = await world.cli('verify', '--all', '--repair', '--json');
  expect((JSON.parse(stdout) as VerifyReport).doubted).toMatchObject([
    { entity: 'companies', field: 'about', compared: 3, drifted: 3 },
  ]);
  expect(world.sandbox.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
});

test.each<[string, DeviationsInput, string | null]>([
  ['200 and no data', { errors: { unknownId: { status: 200 } } }, null],
  [
    '400 and a word of its own',
    { errors: { unknownId: { status: 400, code: 'UNKNOWN_ID' } } },
    'replies: { judge: [{ status: 400, match: UNKNOWN_ID, as: missing }] }',
  ],
])(
  'an unknown id that is answered with %s is missing',
  { timeout: 60_000 },
  async (_, deviations, setting) => {
    const world = await deviatingWorld({ deviations });
    if (setting !== null) set(world, setting);
    const adopted = await world.cli('adopt', '--json');
    expect([adopted.exitCode, JSON.parse(adopted.stdout)]).toMatchObject([
      0,
      { entities: { companies: { checked: 3, adopted: 0, missing: 3 } } },
    ]);
    const probed = await world.cli('probe', '--company', 'c001', '--yes', '--json');
    const { checks } = JSON.parse(probed.stdout) as { checks: { id: string; result: string }[] };
    expect(checks.find(({ id }) => id === 'unknown-id')).toMatchObject({ result: 'confirmed' });
    await runUntilDone(world);
    expect(held(world).sort()).toEqual(WHOLE);
  },
);

test(
  'a platform that merges keeps a field until it gets null, and verify names the setting',
  { timeout: 60_000 },
  async () => {
    const world = await deviatingWorld({ deviations: { bodies: { merge: true } } });
    await world.sql(`update company set about = 'About ' || id where id = 'c002'`);
    await runUntilDone(world);
    await world.sql(`update company set about = null where id = 'c002'`);
    await runUntilDone(world);
    const about = () =>
      world.sandbox
        .records('jobs', 'companies')
        .map(({ body }) => (body as { about?: string | null }).about ?? null)
        .filter((text) => text !== null);
    expect(about()).toEqual(['About c002']);
    const verified = await world.cli('verify', '--all');
    expect([verified.exitCode, `${verified.stdout}${verified.stderr}`]).toEqual([
      3,
      expect.stringContaining('absent: { about: null }'),
    ]);
    set(world, 'absent: null');
    await runUntilDone(world);
    expect(about()).toEqual([]);
  },
);

test(
  'an application that the platform does not know is rejected alone, and sent once it does',
  { timeout: 60_000 },
  async () => {
    const id = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';
    const world = await deviatingWorld({ deviations: { applications: { accept: 'sent' } } });
    world.write('statuses.sql', `select '${id}'::uuid as key, 'hired' as status, now() as timestamp\n`);
    world.configure(
      'entities:',
      'entities:\n  application-statuses: { query: statuses.sql, requireInbox: false }',
    );
    const { code, entities } = await world.run();
    expect([code, entities['application-statuses'], entities.companies]).toMatchObject([
      3,
      { sent: 1, rejected: 1 },
      { accepted: 3 },
    ]);
    world.sandbox.setDeviations({ applications: { accept: 'sent', known: [id] } });
    await world.cli('retry');
    await runUntilDone(world);
  },
);

test('a signature that is refused with 403 stops the area and no record', { timeout: 60_000 }, async () => {
  const world = await deviatingWorld({ deviations: { errors: { authentication: { status: 403 } } } });
  const secret = world.env.CLIENT_SECRET ?? '';
  world.env.CLIENT_SECRET = `${secret}-wrong`;
  const { code, entities } = await world.run();
  expect([code, entities.companies]).toMatchObject([5, { rejected: 0, pending: 3 }]);
  world.env.CLIENT_SECRET = secret;
  await runUntilDone(world);
  expect(held(world).sort()).toEqual(WHOLE);
});

test('a setting is named in the block of the area that has one', { timeout: 60_000 }, async () => {
  const world = await deviatingWorld({ deviations: { replies: { envelope: 'result' } } });
  world.configure('timeout: 1s', 'timeout: 1s\n    replies: {}');
  const { code, stderr } = await world.run();
  expect([code, stderr]).toEqual([5, expect.stringContaining('platform.jobs.replies.data')]);
});

describe('a platform that checks the ETag of a record first', { timeout: 60_000 }, () => {
  /** Everything has arrived at a platform that wants `If-Match` for every change. */
  async function syncedWorld(setting = 'precondition: if-match'): Promise<CliWorld> {
    const world = await deviatingWorld({ deviations: { requests: { etags: 'required' } } });
    set(world, setting);
    await runUntilDone(world);
    world.sandbox.clearRequests();
    return world;
  }

  const idOf = (world: CliWorld, name: string): string =>
    world.sandbox.records('jobs', 'companies').find(({ body }) => (body as { name: string }).name === name)
      ?.id ?? '';

  /** Another program of the partner, or a person at the platform, puts this body. */
  async function somebodyPuts(world: CliWorld, id: string, body: unknown): Promise<void> {
    const reply = await send(world.sandbox.url, {
      ...{ method: 'PUT', path: companyPath(id), secret: SECRET, body },
      headers: { 'If-Match': '*' },
    });
    expect(reply.status).toBe(200);
    world.sandbox.clearRequests();
  }

  const sent = (world: CliWorld) =>
    world.sandbox.requests().map(({ method, status }) => `${method} ${status}`);

  const rename = (world: CliWorld, name: string) =>
    world.sql(`update company set name = '${name}' where id = 'c003'`);

  const etags = async (world: CliWorld) =>
    (await world.sql<{ etag: string }>(`select etag from placement_sync.sync_state where key = 'c003'`))[0]
      ?.etag;

  test('a change sends the ETag of the reply before, and keeps the one of its own', async () => {
    const world = await syncedWorld();
    const before = await etags(world);
    await rename(world, 'Company 3, renamed');
    expect((await world.run()).code).toBe(0);
    expect(sent(world)).toEqual(['PUT 200']);
    expect(before).toMatch(/^"1-/);
    expect(await etags(world)).toMatch(/^"2-/);
  });

  test('what somebody else has changed is not overwritten, and retry overwrites it', async () => {
    const world = await syncedWorld();
    const id = idOf(world, 'Company 3');
    await somebodyPuts(world, id, companyBody('Changed at the platform'));
    await rename(world, 'Company 3, renamed');
    const run = await world.run();
    expect([run.code, run.entities.companies]).toMatchObject([3, { sent: 1, accepted: 0, rejected: 1 }]);
    expect(sent(world)).toEqual(['PUT 412', 'GET 200']);
    expect(held(world)).toContain('Changed at the platform');
    const explained = (await world.cli('explain', 'companies', 'c003')).stdout.replace(/\s+/g, ' ');
    expect(explained).toContain('Somebody else has changed it at the platform since it was accepted (name');
    expect(explained).toContain('`placement-sync retry` sends it all the same');

    // Nothing more is sent, also not when the row changes again.
    expect((await world.run()).code).toBe(3);
    await rename(world, 'Company 3, once more');
    expect((await world.run()).code).toBe(3);
    expect(held(world)).toContain('Changed at the platform');

    world.sandbox.clearRequests();
    expect((await world.cli('retry', '--entity', 'companies')).exitCode).toBe(0);
    await runUntilDone(world);
    expect(sent(world)).toEqual(['PUT 200']);
    expect(held(world)).toContain('Company 3, once more');
    expect(await etags(world)).toMatch(/^"3-/);
  });

  test('verify --repair overwrites what it found to differ', async () => {
    const world = await syncedWorld();
    await somebodyPuts(world, idOf(world, 'Company 3'), companyBody('Changed at the platform'));
    expect((await world.cli('verify', '--all')).exitCode).toBe(3);
    const repaired = await world.cli('verify', '--all', '--repair');
    expect(repaired.exitCode, repaired.stderr).toBe(0);
    expect(held(world).sort()).toEqual(WHOLE);
  });

  test('another ETag with the content that was accepted is no conflict: the change goes again once', async () => {
    const world = await syncedWorld();
    const company = world.sandbox
      .records('jobs', 'companies')
      .find(({ id }) => id === idOf(world, 'Company 3'));
    await somebodyPuts(world, company?.id ?? '', company?.body);
    await rename(world, 'Company 3, renamed');
    const run = await world.run();
    expect([run.code, run.entities.companies]).toMatchObject([0, { sent: 1, accepted: 1, deferred: 0 }]);
    expect(sent(world)).toEqual(['PUT 412', 'GET 200', 'PUT 200']);
    expect(held(world)).toContain('Company 3, renamed');
  });

  test('a pause of the platform before it could be read back is waited for', async () => {
    const world = await syncedWorld();
    const company = world.sandbox
      .records('jobs', 'companies')
      .find(({ id }) => id === idOf(world, 'Company 3'));
    await somebodyPuts(world, company?.id ?? '', company?.body);
    const wait = { fault: 'retry-after', operation: 'findCompany', limit: 1, after: '100ms' } as const;
    world.sandbox.setFaults({ rules: [wait] });
    await rename(world, 'Company 3, renamed');
    const run = await world.run();
    expect([run.code, run.entities.companies]).toMatchObject([0, { sent: 1, accepted: 1 }]);
    expect(sent(world)).toEqual(['PUT 412', 'GET 429', 'PUT 412', 'GET 200', 'PUT 200']);
  });

  test('without its Find a record whose condition is refused is not overwritten either', async () => {
    const world = await syncedWorld(
      'precondition: if-match\n  operations: { findCompany: { enabled: false } }',
    );
    await somebodyPuts(world, idOf(world, 'Company 3'), companyBody('Changed at the platform'));
    await rename(world, 'Company 3, renamed');
    const run = await world.run();
    expect([run.code, run.entities.companies]).toMatchObject([3, { rejected: 1 }]);
    expect(run.stderr).toContain('platform.operations.findCompany is not enabled');
    expect(held(world)).toContain('Changed at the platform');
    const doctor = await world.cli('doctor');
    expect(doctor.stdout).toContain('companies cannot be read back');
  });

  test('records from before the setting learn their ETag when the platform misses it', async () => {
    const world = await deviatingWorld({ deviations: {} });
    await runUntilDone(world);
    world.sandbox.setDeviations({ requests: { etags: 'required' } });
    set(world, 'precondition: if-match');
    await rename(world, 'Company 3, renamed');
    world.sandbox.clearRequests();
    await runUntilDone(world);
    expect(sent(world)).toEqual(['PUT 428', 'GET 200', 'PUT 200']);
  });

  /** A process put this name and died before it heard the reply: its claim is open, and the ETag of the ledger is old. */
  async function killedWhileRenaming(world: CliWorld, name: string, arrives = true): Promise<string> {
    const [record] = await world.sql<{ id: string }>(
      `select platform_id as id from placement_sync.sync_state where key = 'c003'`,
    );
    const company = world.sandbox.records('jobs', 'companies').find(({ id }) => id === record?.id);
    const url = world.env.BASE_URL ?? '';
    await rename(world, name);
    world.env.BASE_URL = 'http://127.0.0.1:1';
    await world.cli('adopt', '--environment', '--keep');
    await world.run();
    world.env.BASE_URL = url;
    await world.cli('adopt', '--environment', '--keep');
    await world.sql(
      `update placement_sync.sync_state set claim_token = 1, claim_nonce = gen_random_uuid(), request_open = true,
       last_request_id = cast(gen_random_uuid() as text), attempted_at = now() - interval '1 minute',
       sent_hash = desired_hash, attempts = 0, next_attempt_at = null where key = 'c003'`,
    );
    if (arrives) await somebodyPuts(world, company?.id ?? '', { ...(company?.body as object), name });
    return company?.id ?? '';
  }

  test('after a kill the ETag is old, and what the dead process has put is ours', async () => {
    const world = await syncedWorld();
    await killedWhileRenaming(world, 'From the process that died');
    await runUntilDone(world);
    expect(sent(world)).toEqual(['PUT 412', 'GET 200', 'PUT 200']);
    expect(held(world)).toContain('From the process that died');
  });

  test('so it is when the row has changed once more since the kill', async () => {
    const world = await syncedWorld();
    await killedWhileRenaming(world, 'From the process that died');
    await rename(world, 'From the process after it');
    expect((await world.run()).code).toBe(0);
    await runUntilDone(world);
    expect(sent(world)).toEqual(['PUT 412', 'GET 200', 'PUT 200']);
    expect(held(world)).toContain('From the process after it');
    const possible = `select 1 from placement_sync.sync_state where possible_payloads is not null`;
    expect(await world.sql(possible)).toEqual([]);
  });

  test('so it is after several kills, whichever of their requests has arrived', async () => {
    const world = await syncedWorld();
    await killedWhileRenaming(world, 'From the first that died');
    await killedWhileRenaming(world, 'From the second that died', false);
    await rename(world, 'From the one that lives');
    world.sandbox.clearRequests();
    expect((await world.run()).code).toBe(0);
    expect(sent(world).slice(0, 3)).toEqual(['PUT 412', 'GET 200', 'PUT 200']);
    expect(held(world)).toContain('From the one that lives');
  });

  test('what somebody else has put after the kill is not overwritten', async () => {
    const world = await syncedWorld();
    const id = await killedWhileRenaming(world, 'From the process that died');
    await somebodyPuts(world, id, companyBody('Changed at the platform'));
    const run = await world.run();
    expect([run.code, run.entities.companies]).toMatchObject([3, { rejected: 1 }]);
    expect(held(world)).toContain('Changed at the platform');
  });

  test('what somebody else has deleted is not put again, until a person says so', async () => {
    const world = await syncedWorld();
    world.sandbox.forget('companies', idOf(world, 'Company 1'));
    await world.sql(`update company set name = 'Company 1, renamed' where id = 'c001'`);
    const run = await world.run();
    expect([run.code, run.entities.companies]).toMatchObject([3, { rejected: 1 }]);
    const explained = (await world.cli('explain', 'companies', 'c001')).stdout.replace(/\s+/g, ' ');
    expect(explained).toContain('Somebody else has deleted it at the platform');
    await world.cli('retry', '--entity', 'companies');
    await runUntilDone(world);
    expect(held(world)).toContain('Company 1, renamed');
  });

  test('with If-None-Match a record that is there already is compared before anything is put', async () => {
    const world = await deviatingWorld({ deviations: { requests: { etags: 'all' } } });
    set(world, 'precondition: if-match-or-none-match');
    await runUntilDone(world);
    const bodies = Object.fromEntries(
      world.sandbox.records('jobs', 'companies').map(({ id, body }) => [id, body]),
    );
    const [first = '', second = ''] = Object.keys(bodies);
    // A ledger that knows nothing: one record is as it would be sent, the other is not.
    await world.sql(`delete from placement_sync.sync_state where entity = 'vacancies'`);
    await world.sql(
      `update placement_sync.sync_state set etag = null, acknowledged_hash = null, acknowledged_at = null where entity = 'companies'`,
    );
    await somebodyPuts(world, second, companyBody('Of somebody else'));
    const run = await world.run();
    expect([run.code, run.entities.companies]).toMatchObject([3, { accepted: 2, rejected: 1 }]);
    expect(world.sandbox.records('jobs', 'companies').find(({ id }) => id === first)?.body).toEqual(
      bodies[first],
    );
    expect(held(world)).toContain('Of somebody else');
    const { stdout } = await world.cli('records', '--status', 'rejected', '--json');
    expect(stdout).toContain('The platform has it already, with other content (name');
  });

  test.each([
    ['none', 'platform.precondition sends the ETag of each record'],
    ['if-match', 'platform.precondition: if-match-or-none-match'],
  ])(
    'under precondition %s a condition for new records is named, and nobody is rejected',
    async (value, says) => {
      const world = await deviatingWorld({ deviations: { requests: { etags: 'all' } } });
      set(world, `precondition: ${value}`);
      const run = await world.run();
      expect([run.code, run.entities.companies]).toMatchObject([5, { rejected: 0 }]);
      expect(run.stderr.replace(/\s+/g, ' ')).toContain(says);
    },
  );
});
