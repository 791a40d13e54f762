import { expect, test, vi } from 'vitest';
import { type CliWorld, SECRET } from '../cli/cli-world.js';
import { companyBody, companyPath, send } from '../sandbox/signed-request.js';
import { deviatingWorld, held, runUntilDone, set, WHOLE } from './deviating-world.js';

vi.setConfig({ testTimeout: 60_000 });

/** Everything has arrived at a platform that wants `If-Match` for every change. */
async function syncedWorld(setting = 'precondition: if-match'): Promise<CliWorld> {
  const world = await deviatingWorld({ deviations: { requests: { etags: 'required' } } });
  set(world, setting);
  await runUntilDone(world);
  world.sandbox.clearRequests();
  return world;
}

const idOf = (world: CliWorld, name: string): string =>
  world.sandbox.records('jobs', 'companies').find(({ body }) => (body as { name: string }).name === name)?.id ??
  '';

/** Another program of the partner, or a person at the platform, puts this body. */
async function somebodyPuts(world: CliWorld, id: string, body: unknown): Promise<void> {
  const reply = await send(world.sandbox.url, {
    ...{ method: 'PUT', path: companyPath(id), secret: SECRET, body },
    headers: { 'If-Match': '*' },
  });
  expect(reply.status).toBe(200);
  world.sandbox.clearRequests();
}

const sent = (world: CliWorld) => world.sandbox.requests().map(({ method, status }) => `${method} ${status}`);

const rename = (world: CliWorld, name: string) =>
  world.sql(`update company set name = '${name}' where id = 'c003'`);

const etags = async (world: CliWorld) =>
  (await world.sql<{ etag: string }>(`select etag from placement_sync.sync_state where key = 'c003'`))[0]?.etag;

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
  const company = world.sandbox.records('jobs', 'companies').find(({ id }) => id === idOf(world, 'Company 3'));
  await somebodyPuts(world, company?.id ?? '', company?.body);
  await rename(world, 'Company 3, renamed');
  const run = await world.run();
  expect([run.code, run.entities.companies]).toMatchObject([0, { sent: 1, accepted: 1, deferred: 0 }]);
  expect(sent(world)).toEqual(['PUT 412', 'GET 200', 'PUT 200']);
  expect(held(world)).toContain('Company 3, renamed');
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
async function killedWhileRenaming(world: CliWorld, name: string): Promise<string> {
  const company = world.sandbox.records('jobs', 'companies').find(({ id }) => id === idOf(world, 'Company 3'));
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
  await somebodyPuts(world, company?.id ?? '', { ...(company?.body as object), name });
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
  await runUntilDone(world);
  expect(sent(world)).toEqual(['PUT 412', 'GET 200', 'PUT 200']);
  expect(held(world)).toContain('From the process after it');
  const possible = `select 1 from placement_sync.sync_state where possible_payload is not null`;
  expect(await world.sql(possible)).toEqual([]);
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
  expect(world.sandbox.records('jobs', 'companies').find(({ id }) => id === first)?.body).toEqual(bodies[first]);
  expect(held(world)).toContain('Of somebody else');
  const { stdout } = await world.cli('records', '--status', 'rejected', '--json');
  expect(stdout).toContain('The platform has it already, with other content (name');
});

test.each([
  ['none', 'platform.precondition sends the ETag of each record'],
  ['if-match', 'platform.precondition: if-match-or-none-match'],
])('under precondition %s a condition for new records is named, and nobody is rejected', async (value, says) => {
  const world = await deviatingWorld({ deviations: { requests: { etags: 'all' } } });
  set(world, `precondition: ${value}`);
  const run = await world.run();
  expect([run.code, run.entities.companies]).toMatchObject([5, { rejected: 0 }]);
  expect(run.stderr.replace(/\s+/g, ' ')).toContain(says);
});
