import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { readApplication } from '../../src/features/webhook/contract/read-application.js';
import { migrate, migrateDown } from '../../src/core/ledger/database/migrate.js';
import { createStateDatabase } from '../../src/core/ledger/database/state-database.js';
import { fixture } from '../features/webhook/state/open-test-inbox.js';
import { addCompanies, addVacancies, createWorld, unbalanced, type World } from './world.js';
import { block } from './world-settings.js';

interface Status {
  readonly status: string;
  readonly timestamp: string;
  readonly salary?: { readonly currency: string; readonly amount: number };
}

const SQL = `select application as key, status, at as timestamp, pay as salary_amount from hiring`;

/** A world with a synced vacancy v01 and a table of the partner's own for what became of applications. */
async function hiringWorld(): Promise<World> {
  const world = await createWorld();
  await world.sql(
    'create table hiring (id serial primary key, application text, status text, at timestamptz, pay numeric)',
  );
  await addCompanies(world, 1);
  await addVacancies(world, 1);
  world.blocks['application-statuses'] = { ...block(SQL), onVanished: 'ignore' };
  await world.run();
  world.requests();
  return world;
}

/** An application that came by webhook; gives its id. */
async function applied(world: World, email = 'budi@example.com', id: string = randomUUID()): Promise<string> {
  const job = await world.state.recordViews.find('vacancies', 'v01');
  const body = { ...fixture('flat'), id, email, job: { id: job?.remoteId, title: 'Vacancy 1' } };
  await world.state.inbox.store({
    application: readApplication(body),
    body: Buffer.from(JSON.stringify(body)),
    requestId: randomUUID(),
    requestTimestampMs: Date.now(),
  });
  return id;
}

const hire = (world: World, key: string | null, status = 'hired', at: string | null = null) =>
  world.sql('insert into hiring (application, status, at, pay) values ($1, $2, $3, 5500000.5)', [
    key,
    status,
    at,
  ]);
const heldStatuses = (world: World) => world.held<Status>('application-statuses');

test('the status of an application that came by webhook is sent once, as local time, and its payload dropped', async () => {
  const world = await hiringWorld();
  const id = await applied(world);
  await hire(world, id, 'hired', '2026-02-01T20:30:00.75Z');
  const report = await world.run();
  expect(report).toMatchObject({
    exitCode: 0,
    outcome: 'complete',
    entities: { 'application-statuses': { read: 1, new: 1, foreign: 0, sent: 1, accepted: 1 } },
  });
  expect(unbalanced(report)).toEqual([]);
  expect(world.requests()).toEqual([`PATCH /api/v1/job-applications/${id}/status`]);
  expect(heldStatuses(world)[id]).toEqual({
    status: 'hired',
    timestamp: '2026-02-02 03:30:00',
    salary: { currency: 'IDR', amount: 5500000.5 },
  });
  expect(
    await world.sql(
      `select desired_payload, acknowledged_payload, acknowledged_reply, desired_hash = acknowledged_hash as equal
       from placement_sync.sync_state where entity = 'application-statuses'`,
    ),
  ).toEqual([
    {
      desired_payload: null,
      acknowledged_payload: null,
      acknowledged_reply: { status: 'hired', hired_at: expect.any(String) as string },
      equal: true,
    },
  ]);
  expect(await world.run()).toMatchObject({
    entities: { 'application-statuses': { unchanged: 1, sent: 0 } },
  });
  // Everything read again, as after another mapping, still finds the same hash.
  await world.state.entityStates.requestFullSweep('application-statuses');
  expect(await world.run()).toMatchObject({
    entities: { 'application-statuses': { unchanged: 1, sent: 0 } },
  });
});

test('a status without a time gets that of the sweep which first saw it, and keeps it', async () => {
  const world = await hiringWorld();
  const id = await applied(world);
  await hire(world, id);
  await world.run();
  const { timestamp } = heldStatuses(world)[id]!;
  expect(timestamp).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  await world.sql(
    `update placement_sync.sync_state set noted = jsonb_set(noted, '{timestamp}', '"2026-01-01 08:00:00"'), desired_hash = null
     where entity = 'application-statuses'`,
  );
  await world.state.entityStates.requestFullSweep('application-statuses');
  await world.run();
  expect(heldStatuses(world)[id]).toMatchObject({ status: 'hired', timestamp: '2026-01-01 08:00:00' });

  await world.sql(`update hiring set status = 'rejected'`);
  expect(await world.run()).toMatchObject({
    entities: { 'application-statuses': { changed: 1, accepted: 1 } },
  });
  expect(heldStatuses(world)[id]).toMatchObject({ status: 'rejected' });
  expect(heldStatuses(world)[id]!.timestamp).not.toBe('2026-01-01 08:00:00');
});

test('keys of version 1 that were made of an address become ids, and nothing is sent again', async () => {
  const world = await hiringWorld();
  const [first, second] = [await applied(world), await applied(world, 'siti@example.com')];
  await hire(world, first);
  await hire(world, second);
  await world.run();
  world.requests();
  const database = createStateDatabase({ url: world.url, poolMax: 2, schema: 'placement_sync' });
  onTestFinished(() => database.close());
  while (!(await migrateDown(database)).includes('0013-application-ids'));
  // As version 1 left it, in the middle of a sweep.
  const digest = 'a1'.repeat(32);
  await world.sql(
    `update placement_sync.sync_state set key = 'v01:' || case platform_id when cast($1 as uuid) then $2 else $3 end,
       row_version = 'of another query'
     where entity = 'application-statuses'`,
    [first, digest, digest.replaceAll('1', '2')],
  );
  await world.sql(
    `update placement_sync.entity_state set hold = $1, fingerprint = 'of version 1' where entity = 'application-statuses'`,
    [JSON.stringify({ message: 'Held.', sampleKeys: [`v01:${digest}`] })],
  );
  await migrate(database);
  expect(
    await world.sql(
      `select key, cast(platform_id as text) as id from placement_sync.sync_state where entity = 'application-statuses' order by key`,
    ),
  ).toEqual([first, second].toSorted().map((id) => ({ key: id, id })));
  expect(
    await world.sql(`select hold from placement_sync.entity_state where entity = 'application-statuses'`),
  ).toEqual([{ hold: { message: 'Held.', sampleKeys: ['v01:…'] } }]);
  await world.sql(`update placement_sync.entity_state set hold = null where entity = 'application-statuses'`);
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    entities: { 'application-statuses': { read: 2, new: 0, changed: 0, sent: 0, error: null } },
  });
  expect(world.requests()).toEqual([]);
});

test('a row of an application that never came by webhook is foreign: counted, never sent, judged again', async () => {
  const world = await hiringWorld();
  const own = randomUUID();
  await hire(world, own);
  for (let round = 0; round < 2; round += 1) {
    const report = await world.run();
    expect(report).toMatchObject({
      exitCode: 0,
      outcome: 'complete',
      entities: { 'application-statuses': { read: 1, new: 0, foreign: 1, sent: 0, error: null } },
    });
    expect(report.entities.companies).not.toHaveProperty('foreign');
  }
  expect(world.requests()).toEqual([]);
  expect(await world.explain('application-statuses', own)).toMatchObject({
    status: 'foreign',
    platformId: null,
    reason: expect.stringMatching(/foreign: counted, never sent/) as string,
  });
  await applied(world, 'late@example.com', own);
  expect(await world.run()).toMatchObject({
    entities: { 'application-statuses': { new: 1, foreign: 0, accepted: 1 } },
  });
});

test('without requireInbox any UUID is taken for an application', async () => {
  const world = await hiringWorld();
  world.settings.requireInbox = false;
  const id = randomUUID();
  await hire(world, id);
  expect(await world.run()).toMatchObject({
    entities: { 'application-statuses': { foreign: 0, accepted: 1 } },
  });
  expect(Object.keys(heldStatuses(world))).toEqual([id]);
});

test('a PATCH without reply is repeated under its own Request-Id; a 409 to it means that it was processed', async () => {
  const world = await hiringWorld();
  world.settings.retry.baseDelayMs = 60_000;
  world.settings.retry.maxDelayMs = 60_000;
  const id = await applied(world);
  await hire(world, id);
  world.intercept = () => ({ drop: 'after' });
  expect(await world.run()).toMatchObject({ entities: { 'application-statuses': { deferred: 1 } } });
  const requestIds = () =>
    world.sandbox
      .requests()
      .filter(({ method }) => method === 'PATCH')
      .map(({ requestId }) => requestId);
  expect(await world.sql(`select confirm_at from placement_sync.sync_state where key = $1`, [id])).toEqual([
    { confirm_at: null },
  ]);
  await world.sql(
    'update placement_sync.sync_state set next_attempt_at = now() where next_attempt_at is not null',
  );
  world.intercept = null;
  expect(await world.run()).toMatchObject({
    outcome: 'complete',
    entities: { 'application-statuses': { sent: 1, accepted: 1 } },
  });
  const [before, after] = requestIds();
  expect(after).toBe(before);
  expect(world.sandbox.requests().at(-1)).toMatchObject({ status: 409 });
});

test('a failure that is known does not end the use of a Request-Id whose first attempt got no reply', async () => {
  const world = await hiringWorld();
  world.settings.retry.baseDelayMs = 60_000;
  world.settings.retry.maxDelayMs = 60_000;
  const id = await applied(world);
  await hire(world, id);
  const again = () =>
    world.sql(
      'update placement_sync.sync_state set next_attempt_at = now() where next_attempt_at is not null',
    );
  world.intercept = () => ({ drop: 'before' });
  await world.run();
  await again();
  world.intercept = () => ({ status: 500, body: { message: 'broken' } });
  await world.run();
  expect(await world.explain('application-statuses', id)).toMatchObject({ lastReply: { statusCode: 500 } });
  await again();
  world.intercept = null;
  expect(await world.run()).toMatchObject({ entities: { 'application-statuses': { sent: 1, accepted: 1 } } });
  const patches = world.sandbox.requests().filter(({ method }) => method === 'PATCH');
  expect(patches).toHaveLength(3);
  expect(new Set(patches.map(({ requestId }) => requestId)).size).toBe(1);
});

test('a 409 to a first use is deferred and tried under a new Request-Id', async () => {
  const world = await hiringWorld();
  const id = await applied(world);
  await hire(world, id);
  world.intercept = () => ({ status: 409, body: { message: 'duplicate' } });
  await world.run();
  expect(await world.explain('application-statuses', id)).toMatchObject({
    lastReply: { statusCode: 409, body: null },
  });
  world.intercept = null;
  await expect
    .poll(async () => (await world.run()).entities['application-statuses']?.accepted, { timeout: 60_000 })
    .toBe(1);
  const ids = world.sandbox.requests().map(({ requestId }) => requestId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('resync leaves statuses alone unless they are named; then their payload is made again from the row', async () => {
  const world = await hiringWorld();
  const id = await applied(world);
  await hire(world, id);
  await world.run();
  world.requests();
  await world.resync();
  expect(world.requests().filter((request) => request.startsWith('PATCH'))).toEqual([]);
  await world.resync(null, ['application-statuses']);
  expect(world.requests()).toEqual([`PATCH /api/v1/job-applications/${id}/status`]);
});

test('the view of records shows the same status as the program', async () => {
  const world = await hiringWorld();
  await world.sql(`insert into company (id, name) values ('bad', null)`);
  await world.sql(`insert into vacancy (id, company_id, title) values ('v50', 'nobody', 'Orphan')`);
  await world.run();
  expect(
    await world.sql(
      `select entity, key, status, parent_key from placement_sync.record where status <> 'synced' order by 1, 2`,
    ),
  ).toEqual([
    { entity: 'companies', key: 'bad', status: 'invalid', parent_key: null },
    { entity: 'vacancies', key: 'v50', status: 'waiting', parent_key: null },
  ]);
});

test('a status whose application the inbox has forgotten is foreign again, and does not keep the others from being sent', async () => {
  const world = await hiringWorld();
  const id = await applied(world);
  await hire(world, id);
  await world.run();
  await world.sql('delete from placement_sync.job_application');
  await world.sql(`update hiring set status = 'rejected'`);
  await world.sql(`update company set about = 'edited'`);
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    entities: {
      companies: { accepted: 1 },
      'application-statuses': { read: 1, foreign: 1, changed: 0, sent: 0 },
    },
  });
});

test('a status that went there and back leaves no payload behind', async () => {
  const world = await hiringWorld();
  const id = await applied(world);
  await hire(world, id, 'hired', '2026-02-01T08:00:00Z');
  await world.run();
  world.intercept = () => ({ status: 401 });
  await world.sql(`update hiring set status = 'rejected'`);
  await world.run();
  world.intercept = null;
  await world.sql(`update hiring set status = 'hired'`);
  expect(await world.run()).toMatchObject({ exitCode: 0, entities: { 'application-statuses': { sent: 0 } } });
  expect(
    await world.sql(
      `select desired_payload from placement_sync.sync_state where entity = 'application-statuses'`,
    ),
  ).toEqual([{ desired_payload: null }]);
});

test('a named resync does not wait for ever for a status whose row has left the query', async () => {
  const world = await hiringWorld();
  await hire(world, await applied(world));
  await world.run();
  await world.sql('delete from hiring');
  expect(await world.resync(null, ['application-statuses'])).toMatchObject({ outcome: 'complete' });
});

test('explain knows a status that is in step, whether its time is the source’s or was noted', async () => {
  const world = await hiringWorld();
  const noted = await applied(world);
  const timed = await applied(world, 'siti@example.com');
  await hire(world, noted);
  await hire(world, timed, 'hired', '2026-02-01T20:30:00Z');
  await world.run();
  const { timestamp } = heldStatuses(world)[noted] ?? {};
  for (const id of [noted, timed]) {
    const { status, reason } = await world.explain('application-statuses', id);
    expect(status).toBe('synced');
    expect(reason).not.toContain('changed since');
  }
  expect((await world.explain('application-statuses', noted)).payload).toMatchObject({ timestamp });

  await world.sql(`update hiring set status = 'rejected'`);
  for (const id of [noted, timed]) {
    expect((await world.explain('application-statuses', id)).reason).toContain(
      'The row has changed since the last sweep',
    );
  }
});

test('statuses whose application never came by webhook are counted in status, as the last applied sweep found them', async () => {
  const world = await hiringWorld();
  const counted = async () => (await world.status()).entities['application-statuses'];
  expect(await counted()).toMatchObject({ foreign: 0 });
  await hire(world, randomUUID());
  await hire(world, randomUUID());
  const id = await applied(world);
  await hire(world, id);
  await world.run();
  expect(await counted()).toMatchObject({ synced: 1, foreign: 2 });
  await world.run({ pushOnly: true });
  expect(await counted()).toMatchObject({ foreign: 2 });
  await world.sql('delete from hiring where application <> $1', [id]);
  await world.run();
  expect(await counted()).toMatchObject({ synced: 1, foreign: 0 });
  expect((await world.status()).entities.companies).not.toHaveProperty('foreign');
});

test('an old status leaves with its requests once its application left the inbox, and its row is not sent again', async () => {
  const world = await hiringWorld();
  const forgotten = await applied(world, 'old@example.com');
  const known = await applied(world, 'known@example.com');
  const pending = await applied(world, 'pending@example.com');
  for (const id of [forgotten, known, pending]) await hire(world, id);
  await world.run();
  await world.sql(`update hiring set status = 'rejected' where application = $1`, [pending]);
  world.intercept = ({ method }) => (method === 'PATCH' ? { status: 503, body: {} } : undefined);
  await world.run();
  world.intercept = null;
  world.requests();
  await world.sql(
    `update placement_sync.sync_state set acknowledged_at = acknowledged_at - interval '9 days', attempted_at = attempted_at - interval '9 days',
       desired_at = desired_at - interval '9 days' where entity = 'application-statuses'`,
  );
  await world.sql(`delete from placement_sync.job_application where application_id in ($1, $2)`, [
    forgotten,
    pending,
  ]);
  const left = async () => [
    (
      await world.sql<{ id: string }>(
        `select platform_id as id from placement_sync.sync_state where entity = 'application-statuses'`,
      )
    )
      .map(({ id }) => id)
      .toSorted(),
    (
      await world.sql<{ id: string }>(
        `select distinct platform_id as id from placement_sync.delivery where entity = 'application-statuses'`,
      )
    )
      .map(({ id }) => id)
      .toSorted(),
  ];
  const all = [forgotten, known, pending].toSorted();
  await world.state.ledger.pruneStatuses(10 * 86_400_000);
  expect(await left(), 'not old enough').toEqual([all, all]);
  await world.state.ledger.pruneStatuses(8 * 86_400_000);
  expect(await left()).toEqual([[known, pending].toSorted(), [known, pending].toSorted()]);
  const { entities } = await world.run();
  expect(entities['application-statuses']).toMatchObject({ read: 3, foreign: 1, new: 0 });
  expect(world.requests().filter((request) => request.includes(forgotten))).toEqual([]);
});
