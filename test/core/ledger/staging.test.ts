import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { whenWritten } from '../../postgres/test-database.js';
import type { Fence } from '../../../src/core/ports/clock.js';
import type { Outcome } from '../../../src/core/ledger/queue/types.js';
import { checkLease } from '../../../src/core/ledger/lease.js';
import {
  accepted,
  deferred,
  hashOf,
  only,
  NEVER,
  openTestState,
  refused,
  says,
  wants,
  otherNonce,
  otherToken,
  type TestState,
} from './open-test-state.js';

const STAMP = { fingerprint: 'f1', full: false, startedAt: '2000-01-01' };
const SWEEP = { renamings: [], expected: 0, stamp: STAMP, signal: NEVER };
const UPPER = 'AAAAAAAA-0000-4000-8000-000000000001';
const lowerCase = (key: string, name: string) => ({
  ...wants('x', name),
  key,
  platformId: UPPER.toLowerCase(),
});

test('a new record is desired and nothing is acknowledged', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  expect(await state.row('a')).toMatchObject({
    desired_hash: hashOf('1'),
    desired_payload: { name: '1' },
    acknowledged_hash: null,
    acknowledged_at: null,
    attempts: 0,
  });
});

test('what was acknowledged is kept while something else is desired, and is equal again on the way back', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', 'A'));
  await state.acceptAll();
  await state.publish('companies', wants('a', 'B', null, 'changed'));
  expect(await state.row('a')).toMatchObject({
    acknowledged_hash: hashOf('A'),
    acknowledged_payload: { name: 'A' },
  });
  await state.publish('companies', wants('a', 'C', null, 'changed'));
  expect(await state.row('a')).toMatchObject({ acknowledged_payload: { name: 'A' } });
  await state.publish('companies', wants('a', 'A', null, 'changed'));
  expect(await state.row('a')).toMatchObject({ acknowledged_payload: null, acknowledged_hash: hashOf('A') });
  expect(await state.claim()).toEqual([]);
});

test('on the way back after an attempt without reply the record is sent again', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', 'A'));
  await state.acceptAll();
  await state.publish('companies', wants('a', 'B', null, 'changed'));
  await state.record(deferred(only(await state.claim()), { known: false }));
  await state.publish('companies', wants('a', 'A', null, 'changed'));
  expect(only(await state.claim()).payload).toEqual({ name: 'A' });
});

test.each(['touched', 'invalid', 'vanished'] as const)(
  'a %s record keeps its acknowledged payload while its hash is unknown',
  async (kind) => {
    const state = await openTestState();
    await state.publish('companies', wants('a', 'A'));
    await state.acceptAll();
    await state.publish('companies', wants('a', 'B', null, 'changed'));
    await state.record(deferred(only(await state.claim()), { known: false }));
    await state.publish('companies', says(kind, 'a'));
    expect(await state.row('a')).toMatchObject({
      acknowledged_hash: null,
      acknowledged_payload: { name: 'A' },
    });
  },
);

test('another payload starts attempts and refusals again; a touched row does not', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'), wants('b', '1'));
  const [a, b] = await state.claim();
  if (!a || !b) throw new Error('two claims');
  await state.record(refused(a), deferred(b));
  await state.publish('companies', says('touched', 'a'), says('touched', 'b'));
  expect(await state.row('a')).toMatchObject({
    refused_hash: hashOf('1'),
    row_version: 'touched',
    desired_hash: hashOf('1'),
  });
  expect(await state.row('b')).toMatchObject({ attempts: 1 });
  await state.publish('companies', wants('a', '2', null, 'changed'), wants('b', '2', null, 'changed'));
  expect(await state.row('a')).toMatchObject({ refused_hash: null });
  expect(await state.row('b')).toMatchObject({ attempts: 0, next_attempt_at: null });
});

test('an invalid record keeps what was desired and acknowledged, and is desired again once it is valid', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  await state.acceptAll();
  await state.publish('companies', says('invalid', 'a'));
  expect(await state.row('a')).toMatchObject({
    desired_hash: hashOf('1'),
    acknowledged_hash: hashOf('1'),
    invalid_reason: [{ field: 'name' }],
  });
  await state.publish('companies', wants('a', '1', null, 'changed'));
  expect(await state.row('a')).toMatchObject({ invalid_reason: null });
  expect(await state.claim()).toEqual([]);
});

test('a vanished record that the platform cannot have leaves the ledger, one that it may have stays', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('never', '1'));
  const keys = ['never', 'no', 'has', 'other', 'silent', 'lately'];
  for (const key of keys.slice(1)) await state.publish('companies', wants(key, '1'));
  const claims = new Map((await state.claim()).map((claim) => [claim.key, claim]));
  const claimOf = (key: string) => only([...claims.values()].filter((claim) => claim.key === key));
  await state.record(
    { ...claimOf('never'), kind: 'handed-back', known: true, reply: null },
    refused(claimOf('no')),
    { ...refused(claimOf('has')), statusCode: 409 } as Outcome,
    // A 2xx that says failure.
    { ...refused(claimOf('other')), statusCode: 200 } as Outcome,
    deferred(claimOf('silent'), { known: false }),
    deferred(claimOf('lately'), { known: false }),
  );
  // Refused after an attempt without a reply, which the platform may have taken.
  await state.sql(
    `update placement_sync.sync_state set refused_hash = desired_hash, request_open = false, last_status_code = 422 where key = 'lately'`,
  );
  await state.publish('companies', ...keys.map((key) => says('vanished', key)));
  expect(await state.row('never')).toBeUndefined();
  for (const key of keys.slice(1))
    expect(await state.row(key), key).toMatchObject({
      desired_hash: null,
      vanished_at: expect.any(Date) as Date,
    });
});

test('a vanished record whose request is under way stays, and its outcome counts', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  const claim = only(await state.claim());
  await state.publish('companies', says('vanished', 'a'));
  await state.record(accepted(claim));
  expect(await state.row('a')).toMatchObject({ acknowledged_hash: hashOf('1'), reference: 'ref-a' });
  expect((await state.recordViews.find('companies', 'a'))?.status).toBe('vanished');
  await state.publish('companies', wants('a', '1', null, 'changed'));
  expect(await state.claim()).toEqual([]);
});

test.each(['token = token + 1', 'nonce = gen_random_uuid()'])(
  'once the sweep lease is lost (%s) nothing is staged, cleared or published',
  async (change) => {
    const state = await openTestState();
    const lost = { code: 'lease-lost' };
    await state.staging.stage(state.sweep, 'companies', [wants('a', '1')]);
    await state.sql(`update placement_sync.lease set ${change} where name = 'sweep'`);
    const { staging, sweep } = state;
    await expect(staging.stage(sweep, 'companies', [wants('b', '1')])).rejects.toMatchObject(lost);
    await expect(staging.clear(sweep)).rejects.toMatchObject(lost);
    await expect(staging.publish(sweep, 'companies', { ...SWEEP, expected: 1 })).rejects.toMatchObject(lost);
    expect(await state.sql('select key from placement_sync.staged_finding')).toEqual([{ key: 'a' }]);
    expect(await state.row('a')).toBeUndefined();
  },
);

test('a publication looks at its lease before every batch: of what follows a loss nothing is applied', async () => {
  const state = await openTestState();
  const findings = Array.from({ length: 4_500 }, (_, number) => wants(`k${number}`, '1'));
  await state.staging.stage(state.sweep, 'companies', findings);
  await whenWritten(
    state.sql,
    'placement_sync.sync_state',
    `update placement_sync.lease set token = token + 1 where name = 'sweep';`,
  );
  const publishing = state.staging.publish(state.sweep, 'companies', { ...SWEEP, expected: 4_500 });
  await expect(publishing).rejects.toMatchObject({ code: 'lease-lost' });
  const [found] = await state.sql('select count(*)::int as applied from placement_sync.sync_state');
  // One batch, and another one that had begun beside it.
  expect([1_000, 2_000]).toContain(found?.applied);
});

test('a record keeps the time at which it vanished first', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  await state.acceptAll();
  await state.publish('companies', says('vanished', 'a'));
  const first = (await state.row('a'))?.vanished_at;
  expect(first).toBeInstanceOf(Date);
  // Under another policy it is judged again.
  await state.publish('companies', { ...says('vanished', 'a'), desiredHash: 'v1:absent' });
  expect(await state.row('a')).toMatchObject({ vanished_at: first, desired_hash: 'v1:absent' });
});

test('a sweep of which staged findings are missing is not marked as done, and the next one finds the rest', async () => {
  const state = await openTestState();
  await state.staging.stage(state.sweep, 'companies', [wants('a', '1')]);
  await expect(
    state.staging.publish(state.sweep, 'companies', { ...SWEEP, expected: 2 }),
  ).rejects.toMatchObject({ code: 'unbalanced', scope: 'entity' });
  expect((await state.entityStates.read('companies')).fingerprint).toBeNull();
});

test('a signal ends a publication between two batches, without its stamp', async () => {
  const state = await openTestState();
  await state.staging.stage(state.sweep, 'companies', [wants('a', '1')]);
  const stopped = state.staging.publish(state.sweep, 'companies', {
    ...SWEEP,
    expected: 1,
    signal: AbortSignal.abort(),
  });
  await expect(stopped).rejects.toMatchObject({ code: 'interrupted' });
  expect(await state.row('a')).toBeUndefined();
  expect((await state.entityStates.read('companies')).fingerprint).toBeNull();
});

/** Changes whose all staged findings are. */
const stagedBy = (state: TestState, { token, nonce }: Fence) =>
  state.sql('update placement_sync.staged_finding set sweep_token = $1, sweep_nonce = $2', [
    String(token),
    nonce,
  ]);

test('clearing takes whatever is staged, by whomever: also what a database that went back in time has of later sweeps', async () => {
  const state = await openTestState();
  await state.staging.stage(state.sweep, 'companies', [wants('a', '1')]);
  await stagedBy(state, { token: state.sweep.token + 5n, nonce: randomUUID() });
  await state.staging.stage(state.sweep, 'companies', [wants('b', '1')]);
  await state.staging.clear(state.sweep);
  expect(await state.sql('select key from placement_sync.staged_finding')).toEqual([]);
});

test('clearing waits for nobody who reads the table, such as a dump', async () => {
  const state = await openTestState();
  await state.transaction(async (statements) => {
    await statements.query('select 1 from placement_sync.staged_finding');
    await state.staging.clear(state.sweep);
  });
});

test.each([otherToken, otherNonce])(
  'findings of another sweep (%o) are neither judged nor published',
  async (other) => {
    const state = await openTestState();
    const { staging, sweep } = state;
    const upper = lowerCase(UPPER, '1');
    await staging.stage(sweep, 'companies', [upper, says('vanished', 'x')]);
    await stagedBy(state, other(sweep));
    await staging.stage(sweep, 'companies', [lowerCase(UPPER.toLowerCase(), '1')]);
    expect(await staging.doubled(sweep, 'companies', true)).toEqual([]);
    expect(await staging.sampleKeys(sweep, 'companies', 'vanished', 9)).toEqual([]);
    await staging.publish(sweep, 'companies', { ...SWEEP, expected: 1 });
    expect(await state.row(UPPER)).toBeUndefined();
    expect(await state.row(UPPER.toLowerCase())).toBeDefined();
  },
);

test('a publication keeps its lease from changing hands until it is over, but not from being renewed', async () => {
  const state = await openTestState();
  const order: string[] = [];
  let taken: Promise<unknown> = Promise.resolve();
  await state.transaction(async (statements) => {
    await checkLease(statements, 'sweep', state.sweep);
    taken = state.leases.acquire('sweep', 'another', 1_000).then(() => order.push('another was answered'));
    await state.leases.renew({ name: 'sweep', fence: state.sweep, idleMs: null }, 1_000);
    order.push('renewed');
    await new Promise((resolve) => setTimeout(resolve, 200));
    order.push('published');
  });
  await taken;
  expect(order).toEqual(['renewed', 'published', 'another was answered']);
});

test('a UUID key in another case goes on as the same record', async () => {
  const state = await openTestState();
  await state.publish('companies', lowerCase(UPPER, '1'));
  await state.acceptAll();
  await state.staging.clear(state.sweep);
  const renamed = UPPER.toLowerCase();
  await state.staging.stage(state.sweep, 'companies', [lowerCase(renamed, '1'), says('vanished', UPPER)]);
  expect(await state.staging.doubled(state.sweep, 'companies', false)).toEqual([]);
  expect(await state.staging.displaced(state.sweep, 'companies', false)).toEqual([]);
  const { renamings, removed } = await state.staging.resolveRenamings(state.sweep, 'companies', false);
  expect(removed).toBe(1);
  expect(renamings).toMatchObject([{ from: UPPER, to: renamed, vanishedNow: true }]);
  await state.staging.publish(state.sweep, 'companies', { ...SWEEP, renamings, expected: 1 });
  expect(await state.row(UPPER)).toBeUndefined();
  expect(await state.row(renamed)).toMatchObject({ acknowledged_hash: hashOf('1'), vanished_at: null });
});

test('a renamed record whose request is under way ends the claim as unknown', async () => {
  const state = await openTestState();
  await state.publish('companies', lowerCase(UPPER, '1'));
  const claim = only(await state.claim());
  const renamed = UPPER.toLowerCase();
  await state.publish('companies', lowerCase(renamed, '1'), says('vanished', UPPER));
  expect(await state.row(renamed)).toMatchObject({
    claim_token: null,
    acknowledged_hash: null,
    confirm_at: expect.any(Date) as Date,
  });
  await state.record(accepted(claim));
  expect(await state.row(renamed)).toMatchObject({ acknowledged_at: null });
});

test('a renaming takes back the vanishing of its former key, and of no other', async () => {
  const state = await openTestState();
  const renamed = UPPER.toLowerCase();
  await state.publish('companies', lowerCase(UPPER, '1'), wants('other', '1'));
  await state.acceptAll();
  await state.staging.clear(state.sweep);
  await state.staging.stage(state.sweep, 'companies', [
    lowerCase(renamed, '1'),
    says('vanished', UPPER),
    says('vanished', 'other'),
    wants('new', '1'),
  ]);
  expect(await state.staging.resolveRenamings(state.sweep, 'companies', false)).toEqual({
    renamings: [{ from: UPPER, to: renamed, vanishedNow: true, wasNew: true }],
    removed: 1,
  });
  expect(await state.sql('select key, kind from placement_sync.staged_finding order by seq')).toEqual([
    { key: renamed, kind: 'changed' },
    { key: 'other', kind: 'vanished' },
    { key: 'new', kind: 'new' },
  ]);
});

test('a key that vanished in an earlier sweep does not vanish now, whatever comes of it under another key', async () => {
  const state = await openTestState();
  const renamed = UPPER.toLowerCase();
  await state.publish('companies', lowerCase(UPPER, '1'));
  await state.acceptAll();
  await state.publish('companies', says('vanished', UPPER));
  await state.staging.clear(state.sweep);
  // Under another policy the vanished record is judged again, in the sweep in which it comes back.
  const again = { ...says('vanished', UPPER), desiredHash: 'v1:absent' };
  await state.staging.stage(state.sweep, 'companies', [lowerCase(renamed, '1'), again]);
  expect(await state.staging.displaced(state.sweep, 'companies', false)).toEqual([]);
  expect(await state.staging.resolveRenamings(state.sweep, 'companies', false)).toEqual({
    renamings: [{ from: UPPER, to: renamed, vanishedNow: false, wasNew: true }],
    removed: 1,
  });
});

test('a vanished key does not displace the one under which the record comes back', async () => {
  const state = await openTestState();
  await state.publish('companies', lowerCase('one', '1'));
  await state.acceptAll();
  await state.publish('companies', says('vanished', 'one'));
  await state.staging.clear(state.sweep);
  await state.staging.stage(state.sweep, 'companies', [lowerCase('two', '1')]);
  expect(await state.staging.displaced(state.sweep, 'companies', false)).toEqual([]);
  expect(await state.staging.resolveRenamings(state.sweep, 'companies', false)).toEqual({
    renamings: [{ from: 'one', to: 'two', vanishedNow: false, wasNew: true }],
    removed: 0,
  });
});

test('two keys with one platform id are found, among the staged ones and against the ledger', async () => {
  const state = await openTestState();
  await state.staging.stage(state.sweep, 'companies', [lowerCase('one', '1'), lowerCase('two', '1')]);
  expect(await state.staging.doubled(state.sweep, 'companies', false)).toEqual([
    { from: 'one', to: 'two', platformId: UPPER.toLowerCase() },
  ]);
  await state.publish('companies', lowerCase('one', '1'));
  await state.staging.clear(state.sweep);
  await state.staging.stage(state.sweep, 'companies', [lowerCase('three', '1')]);
  expect(await state.staging.doubled(state.sweep, 'companies', false)).toEqual([]);
  expect(await state.staging.displaced(state.sweep, 'companies', false)).toEqual([
    { from: 'one', to: 'three', platformId: UPPER.toLowerCase() },
  ]);
});

test('many findings leave nothing behind in their table, which every later sweep reads', async () => {
  const state = await openTestState();
  const findings = Array.from({ length: 1_000 }, (_, index) => wants(`k${index}`, '1'));
  await state.staging.stage(state.sweep, 'companies', findings);
  await state.staging.clear(state.sweep, findings.length);
  expect(await state.sql(`select pg_relation_size('placement_sync.staged_finding')::int as bytes`)).toEqual([
    { bytes: 0 },
  ]);
});

test('a sweep that found nothing does not look for findings', async () => {
  const state = await openTestState();
  await state.transaction(async (statements) => {
    await statements.query('lock table :schema:.staged_finding in access exclusive mode');
    await state.staging.publish(state.sweep, 'companies', SWEEP);
  });
  expect(await state.entityStates.read('companies')).toMatchObject({ fingerprint: 'f1' });
});

test('after many publications the ledger is vacuumed, so that a digest needs its index only', async () => {
  const state = await openTestState();
  const findings = Array.from({ length: 10_000 }, (_, index) => wants(`k${index}`, '1'));
  await state.publish('companies', ...findings);
  const vacuums = () =>
    state.sql(
      `select vacuum_count::int as count from pg_stat_user_tables where relid = 'placement_sync.sync_state'::regclass`,
    );
  await expect.poll(vacuums).toEqual([{ count: 1 }]);
});

test('publications that are few beside the ledger leave it to autovacuum', async () => {
  const state = await openTestState();
  const records = () =>
    state.sql(`select reltuples as count from pg_class where oid = 'placement_sync.sync_state'::regclass`);
  // As with a million records. ANALYZE would count them.
  await state.sql(
    `update pg_class set reltuples = 1e6 where oid = 'placement_sync.sync_state'::regclass returning 1`,
  );
  await state.publish('companies', ...Array.from({ length: 10_000 }, (_, index) => wants(`k${index}`, '1')));
  expect(await records()).toEqual([{ count: 1e6 }]);
});

test('what a sweep had read of an application that was erased meanwhile is not stored', async () => {
  const state = await openTestState();
  const entity = 'application-statuses';
  const [here, gone] = [wants('here', '1'), wants('gone', '1')];
  await state.sql(
    `insert into placement_sync.job_application
       (layout, application_ref, application_id, request_id, request_timestamp, body, delivery_hash)
     values ('flat', cast($1 as text), cast($1 as uuid), 'r', now(), '{}', 'h')`,
    [here.platformId],
  );
  const publish = async (needsInbox: boolean) => {
    await state.staging.clear(state.sweep);
    await state.staging.stage(state.sweep, entity, [here, gone]);
    await state.staging.publish(state.sweep, entity, { ...SWEEP, expected: 2, needsInbox });
    return (await state.sql('select key from placement_sync.sync_state order by key')).map(
      ({ key }) => key as string,
    );
  };
  expect(await publish(true)).toEqual(['here']);
  expect(await publish(false)).toEqual(['gone', 'here']);
});
