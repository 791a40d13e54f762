import type { Outcome } from '../../../../src/core/ledger/queue/types.js';
import { expect, test } from 'vitest';
import type { Fence } from '../../../../src/core/ports/clock.js';
import {
  accepted,
  deferred,
  handedBack,
  hashOf,
  idOf,
  only,
  openTestState,
  refused,
  says,
  TAKING_OVER,
  TIMEOUT_MS,
  wants,
  otherNonce,
  otherToken,
} from '../open-test-state.js';

const keysOf = (claims: readonly { key: string }[]) => claims.map(({ key }) => key);
const seconds = (from: unknown, to: unknown) =>
  Math.round(((to as Date).getTime() - (from as Date).getTime()) / 1000);
const makeDue =
  "update placement_sync.sync_state set confirm_at = now() - interval '1 second', next_attempt_at = null where confirm_at is not null";

test('an acceptance acknowledges the payload that was sent', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  await state.record(accepted(only(await state.claim()), 'R'));
  expect(await state.row('a')).toMatchObject({
    acknowledged_hash: hashOf('1'),
    acknowledged_payload: null,
    reference: 'R',
    remote_id: 'id-a',
    claim_token: null,
    confirm_at: null,
  });
});

test('an acceptance of an older payload is acknowledged as such, and the newer one stays pending', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  const claim = only(await state.claim());
  await state.publish('companies', wants('a', '2', null, 'changed'));
  await state.record(accepted(claim));
  expect(await state.row('a')).toMatchObject({
    acknowledged_hash: hashOf('1'),
    acknowledged_payload: { name: '1' },
    desired_hash: hashOf('2'),
  });
  expect(only(await state.claim()).payload).toEqual({ name: '2' });
});

test.each(['request id', 'token', 'nonce'])('an outcome with another %s does not count', async (what) => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  const claim = only(await state.claim());
  const outcome = accepted(what === 'request id' ? { ...claim, requestId: idOf('x') } : claim);
  const { push } = state;
  const fence = what === 'token' ? otherToken(push) : what === 'nonce' ? otherNonce(push) : push;
  const recorded = state.queue.record({
    fence,
    outcomes: [outcome],
    tallies: [],
    timeoutMs: () => TIMEOUT_MS,
  });
  if (fence === push) await recorded;
  else await expect(recorded).rejects.toMatchObject({ code: 'lease-lost' });
  expect(await state.row('a')).toMatchObject({ acknowledged_at: null, claim_token: String(push.token) });
});

test('without reply what the platform holds is unknown, and confirmed two time-outs after the claim', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  await state.acceptAll();
  await state.publish('companies', wants('a', '2', null, 'changed'));
  await state.record(deferred(only(await state.claim()), { known: false }));
  const row = await state.row('a');
  expect(row).toMatchObject({
    acknowledged_hash: null,
    acknowledged_payload: { name: '1' },
    attempts: 1,
    claim_token: null,
  });
  expect(seconds(row?.attempted_at, row?.confirm_at)).toBe((2 * TIMEOUT_MS) / 1000);
});

test('a known failure leaves the acknowledged hash and needs no confirmation', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  await state.acceptAll();
  await state.publish('companies', wants('a', '2', null, 'changed'));
  await state.record(deferred(only(await state.claim())));
  expect(await state.row('a')).toMatchObject({
    acknowledged_hash: hashOf('1'),
    confirm_at: null,
    attempts: 1,
  });
});

test('a known failure of what was edited back meanwhile leaves nothing to be confirmed', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  await state.acceptAll();
  await state.publish('companies', wants('a', '2', null, 'changed'));
  const claim = only(await state.claim());
  await state.publish('companies', wants('a', '1', null, 'changed'));
  await state.record(deferred(claim, { delayMs: 0 }));
  expect(await state.row('a')).toMatchObject({
    acknowledged_hash: hashOf('1'),
    attempts: 0,
    confirm_at: null,
    claim_token: null,
  });
  expect(await state.claim()).toEqual([]);
});

test('only an attempt claimed when the confirmation was due clears it', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  await state.record(deferred(only(await state.claim()), { known: false, delayMs: 0 }));
  await state.acceptAll();
  expect(await state.row('a')).toMatchObject({
    acknowledged_hash: hashOf('1'),
    confirm_at: expect.any(Date) as Date,
  });
  expect((await state.recordViews.find('companies', 'a'))?.status).toBe('synced');
  await state.sql(makeDue);
  expect((await state.recordViews.find('companies', 'a'))?.status).toBe('pending');
  await state.acceptAll();
  expect(await state.row('a')).toMatchObject({ confirm_at: null });
});

test('an attempt claimed before the confirmation is due does not clear it by being accepted later', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  await state.record(deferred(only(await state.claim()), { known: false, delayMs: 0 }));
  const early = only(await state.claim());
  await state.sql(
    "update placement_sync.sync_state set confirm_at = attempted_at + interval '1 microsecond'",
  );
  await state.record(accepted(early));
  expect((await state.row('a'))?.confirm_at).not.toBeNull();
});

test('a refusal counts only for the payload that is still desired', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'), wants('b', '1'));
  const [a, b] = await state.claim();
  if (!a || !b) throw new Error('two claims');
  await state.publish('companies', wants('b', '2', null, 'changed'));
  await state.record(refused(a), refused(b));
  expect(await state.row('a')).toMatchObject({
    refused_hash: hashOf('1'),
    last_status_code: 422,
    claim_token: null,
  });
  expect(await state.row('b')).toMatchObject({ refused_hash: null, claim_token: null });
  expect(keysOf(await state.claim())).toEqual(['b']);
});

test('the last attempt makes a record rejected; forgiving gives back as many attempts as failed', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  await state.record(deferred(only(await state.claim()), { delayMs: 0 }));
  await state.record(deferred(only(await state.claim()), { exhausted: true }));
  expect((await state.recordViews.find('companies', 'a'))?.status).toBe('rejected');
  await state.queue.forgiveAttempts('companies', ['a', 'a']);
  expect(await state.row('a')).toMatchObject({ attempts: 0, refused_hash: null });
});

test('what is deferred without having used up an attempt can be made due at once', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'), wants('b', '1'));
  const [a, b] = await state.claim();
  if (!a || !b) throw new Error('two claims');
  await state.record(
    { ...deferred(a, { delayMs: 60_000, known: false }), counts: false } as Outcome,
    deferred(b, { delayMs: 60_000 }),
  );
  await state.queue.retryBlameless('vacancies');
  expect((await state.recordViews.find('companies', 'a'))?.status).toBe('deferred');
  await state.queue.retryBlameless('companies');
  expect(await state.recordViews.find('companies', 'a')).toMatchObject({
    status: 'pending',
    acknowledgedHash: null,
  });
  expect((await state.recordViews.find('companies', 'b'))?.status).toBe('deferred');
  // It has been tried, so a probe of the area begins with others.
  expect((await state.row('a'))?.next_attempt_at).not.toBeNull();
});

test('attempts of an older payload are not those of the newer one', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  const claim = only(await state.claim());
  await state.publish('companies', wants('a', '2', null, 'changed'));
  await state.record(deferred(claim, { exhausted: true }));
  expect(await state.row('a')).toMatchObject({ attempts: 0, next_attempt_at: null, refused_hash: null });
});

test('a record that is handed back is as it was before the claim', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'), wants('b', '1'));
  await state.record(deferred(only(await state.claim('companies', { limit: 1 })), { delayMs: 0 }));
  const before = await state.row('a');
  const claims = await state.claim();
  await state.record(...claims.map(handedBack));
  expect(await state.row('a')).toEqual({ ...before, last_request_id: claims[0]?.requestId });
  expect(await state.row('b')).toMatchObject({ attempted_at: null, claim_token: null });
});

test('a parent with another reference requests a resend of its children and ends their claims, so that a late outcome does not count', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('p', '1'), wants('q', '1'));
  await state.acceptAll();
  await state.publish('vacancies', wants('v', '1', 'p'), wants('w', '1', 'q'), wants('x', '1', 'p'));
  const claims = await state.claim('vacancies');
  const [v, w, x] = claims;
  if (!v || !w || !x) throw new Error('three claims');
  await state.record(accepted(w), accepted(x));
  await state.publish('companies', wants('p', '2', null, 'changed'));
  await state.record(accepted(only(await state.claim()), 'another'));
  const ended = await state.row('v', 'vacancies');
  expect(ended).toMatchObject({ claim_token: null, acknowledged_hash: null });
  expect(seconds(ended?.attempted_at, ended?.confirm_at)).toBe((2 * TIMEOUT_MS) / 1000);
  await state.record(accepted(v));
  expect(await state.row('v', 'vacancies')).toMatchObject({ acknowledged_at: null });
  expect(await state.row('w', 'vacancies')).toMatchObject({ acknowledged_hash: hashOf('1') });
  expect(await state.row('x', 'vacancies')).toMatchObject({ acknowledged_hash: null, confirm_at: null });
  expect((await state.claim('vacancies')).map(({ key, parent }) => [key, parent?.reference])).toEqual([
    ['x', 'another'],
    ['v', 'another'],
  ]);
});

test('a parent that comes back with the same reference leaves its children alone', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('p', '1'));
  await state.acceptAll();
  await state.publish('vacancies', wants('v', '1', 'p'));
  await state.acceptAll('vacancies');
  await state.publish('companies', wants('p', '2', null, 'changed'));
  await state.record(accepted(only(await state.claim())));
  expect(await state.claim('vacancies')).toEqual([]);
});

test('a take-over ends open claims like attempts without reply, also those of the same token and nonce', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  const claim = only(await state.claim());
  expect(await state.queue.takeOver(state.push, ['vacancies'], TAKING_OVER)).toBe(0);
  // A database that went back in time has claims that this very push knows to be over.
  expect(await state.queue.takeOver(state.push, null, TAKING_OVER)).toBe(1);
  const row = await state.row('a');
  expect(seconds(row?.attempted_at, row?.confirm_at)).toBe((2 * TIMEOUT_MS) / 1000);
  await state.record(accepted(claim));
  expect(await state.row('a')).toMatchObject({ acknowledged_at: null, claim_token: null });
});

test('after a take-over it is unknown what the platform holds, also where something was acknowledged', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  await state.acceptAll();
  await state.publish('companies', wants('a', '2', null, 'changed'));
  await state.claim();
  await state.queue.takeOver(state.push, null, TAKING_OVER);
  expect(await state.row('a')).toMatchObject({
    acknowledged_hash: null,
    acknowledged_payload: { name: '1' },
  });
  // Edited back meanwhile: without that it would count as acknowledged.
  await state.publish('companies', wants('a', '1', null, 'changed'));
  expect(only(await state.claim()).payload).toEqual({ name: '1' });
});

test.each(['token', 'nonce'])('a take-over under another %s ends no claim', async (what) => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  await state.claim();
  const fence = what === 'token' ? otherToken(state.push) : otherNonce(state.push);
  await expect(state.queue.takeOver(fence, null, TAKING_OVER)).rejects.toMatchObject({
    code: 'lease-lost',
  });
  expect(await state.row('a')).toMatchObject({ claim_token: String(state.push.token) });
});

test('what counts of a group of outcomes is written also when the lease is lost, and then that is said', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  const claim = only(await state.claim());
  await state.sql("update placement_sync.lease set token = token + 1 where name = 'push'");
  await expect(state.record(accepted(claim))).rejects.toMatchObject({ code: 'lease-lost', scope: 'run' });
  expect(await state.row('a')).toMatchObject({ acknowledged_hash: hashOf('1'), claim_token: null });
});

test('tallies are kept with the outcomes, but not those of a push that lost its lease, nor those of another mapping', async () => {
  const state = await openTestState();
  const tally = (fence: Fence, refusedInARow: number, fingerprint: string | null) =>
    state.queue.record({
      fence,
      outcomes: [],
      tallies: [{ entity: 'companies', fingerprint, refusedInARow, acceptedOnce: false }],
      timeoutMs: () => TIMEOUT_MS,
    });
  await tally(state.push, 3, null);
  await expect(tally(otherToken(state.push), 9, null)).rejects.toMatchObject({ code: 'lease-lost' });
  await expect(tally(otherNonce(state.push), 9, null)).rejects.toMatchObject({ code: 'lease-lost' });
  expect(await state.entityStates.read('companies')).toMatchObject({ refusedInARow: 3, acceptedOnce: false });
  // A sweep under the first mapping is published while a push goes on.
  await state.publish('companies', wants('a', '1'));
  const { fingerprint } = await state.entityStates.read('companies');
  await tally(state.push, 4, null);
  expect(await state.entityStates.read('companies')).toMatchObject({ refusedInARow: 0 });
  await tally(state.push, 5, fingerprint);
  expect(await state.entityStates.read('companies')).toMatchObject({ refusedInARow: 5 });
});

test('an invalid record is not claimed, and one that vanished neither', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'), wants('b', '1'));
  await state.acceptAll();
  await state.publish('companies', wants('a', '2', null, 'changed'), wants('b', '2', null, 'changed'));
  await state.publish('companies', says('invalid', 'a'), says('vanished', 'b'));
  expect(await state.claim()).toEqual([]);
});

test('a parent with another reference requests a resend of what vanished while something of it was left to send, but not what was settled', async () => {
  const state = await openTestState();
  const deletion = (key: string) => ({ ...says('vanished', key), desiredHash: 'v1:absent' });
  await state.publish('companies', wants('p', '1'));
  await state.acceptAll();
  await state.publish('vacancies', wants('gone', '1', 'p'), wants('left', '1', 'p'), wants('old', '1', 'p'));
  await state.acceptAll('vacancies');
  await state.publish('vacancies', deletion('old'));
  await state.acceptAll('vacancies');
  await state.publish('vacancies', says('vanished', 'gone'), deletion('left'));
  await state.publish('companies', wants('p', '2', null, 'changed'));
  await state.record(accepted(only(await state.claim()), 'another'));
  expect(await state.row('old', 'vacancies')).toMatchObject({ acknowledged_hash: 'v1:absent' });

  await state.publish('vacancies', wants('gone', '1', 'p', 'changed'), wants('left', '1', 'p', 'changed'));
  expect((await state.claim('vacancies')).map(({ key, parent }) => [key, parent?.reference])).toEqual([
    ['gone', 'another'],
    ['left', 'another'],
  ]);
});

test('a parent with another reference requests a resend of a child that moved away before that was sent, claimed or not', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('p', '1'), wants('q', '1'));
  await state.acceptAll();
  await state.publish('vacancies', wants('v', 'under p', 'p'));
  await state.acceptAll('vacancies');
  await state.publish('vacancies', wants('w', 'under p', 'p'));
  const underWay = only(await state.claim('vacancies'));
  await state.publish(
    'vacancies',
    wants('v', 'under q', 'q', 'changed'),
    wants('w', 'under q', 'q', 'changed'),
  );
  await state.publish('companies', wants('p', '2', null, 'changed'));
  await state.record(accepted(only(await state.claim()), 'another'));
  await state.record(accepted(underWay));

  await state.publish(
    'vacancies',
    wants('v', 'under p', 'p', 'changed'),
    wants('w', 'under p', 'p', 'changed'),
  );
  expect((await state.claim('vacancies')).map(({ key, parent }) => [key, parent?.reference])).toEqual([
    ['v', 'another'],
    ['w', 'another'],
  ]);
});
