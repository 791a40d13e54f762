import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  accepted,
  deferred,
  hashOf,
  only,
  openTestState,
  otherNonce,
  otherToken,
  TAKING_OVER,
  wants,
} from '../open-test-state.js';

describe('claim record', () => {
  const sending = (key: string, name: string) => ({
    ...{ entity: 'companies', key, requestId: randomUUID(), hash: hashOf(name), payload: { name } },
  });

  test('a record is claimed whatever its status, and what was sent is acknowledged instead of what is desired', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('a', 'whole'));
    await state.acceptAll();
    expect(await state.claim()).toEqual([]);
    const claim = await state.queue.claimRecord({ fence: state.push, ...sending('a', 'part') });
    expect(claim).toMatchObject({ key: 'a', hash: hashOf('part'), unacknowledged: false, confirming: false });
    expect(
      await state.queue.claimRecord({ fence: state.push, ...sending('a', 'part') }),
      'claimed',
    ).toBeNull();
    if (claim) await state.record(accepted(claim));
    expect(await state.row('a')).toMatchObject({
      desired_hash: hashOf('whole'),
      acknowledged_hash: hashOf('part'),
      acknowledged_payload: { name: 'part' },
      claim_token: null,
    });
    expect(await state.claim(), 'the next push sends the desired one').toMatchObject([
      { hash: hashOf('whole') },
    ]);
  });

  test('a claim that nobody ended is confirmed later, like that of a push', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('a', 'whole'));
    await state.acceptAll();
    await state.queue.claimRecord({ fence: state.push, ...sending('a', 'part') });
    expect(await state.queue.takeOver(state.push, null, TAKING_OVER)).toBe(1);
    const row = await state.row('a');
    expect([row?.acknowledged_hash, row?.confirm_at]).toEqual([null, expect.any(Date)]);
  });

  test('a record that is not there is not claimed, and without the lease none is', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('a', 'whole'));
    expect(await state.queue.claimRecord({ fence: state.push, ...sending('b', 'x') })).toBeNull();
    const lost = state.queue.claimRecord({ fence: otherNonce(state.push), ...sending('a', 'x') });
    await expect(lost).rejects.toMatchObject({ code: 'lease-lost' });
    expect(await state.row('a')).toMatchObject({ claim_token: null, attempted_at: null });
  });

  test('single records are published without the stamp of a sweep', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('a', 'one'));
    await state.staging.clear(state.sweep);
    const before = await state.entityStates.read('companies');
    await state.staging.stage(state.sweep, 'companies', [wants('b', 'two')]);
    const { signal } = new AbortController();
    await state.staging.publish(state.sweep, 'companies', {
      renamings: [],
      expected: 1,
      stamp: null,
      signal,
    });
    expect({ ...(await state.entityStates.read('companies')), readAt: null }).toEqual({
      ...before,
      readAt: null,
    });
    expect(await state.claim()).toHaveLength(2);
  });
});

describe('claim', () => {
  const keysOf = (claims: readonly { key: string }[]) => claims.map(({ key }) => key);

  test('changes are claimed before new records, each in the byte order of its keys', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('b', '1'), wants('Ａ', '1'), wants('a', '1'));
    await state.acceptAll();
    await state.publish(
      'companies',
      wants('c', '1'),
      wants('B', '1'),
      wants('Ａ', '2', null, 'changed'),
      wants('b', '2', null, 'changed'),
    );
    expect(keysOf(await state.claim())).toEqual(['b', 'Ａ', 'B', 'c']);
  });

  test('a change goes before new records also where the limit leaves room for one', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('z', '1'));
    await state.acceptAll();
    await state.publish('companies', wants('a', '1'), wants('z', '2', null, 'changed'));
    expect(keysOf(await state.claim('companies', { limit: 1 }))).toEqual(['z']);
  });

  test('a claimed record is not claimed again before its outcome', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('a', '1'));
    expect(await state.claim()).toHaveLength(1);
    expect(await state.claim()).toEqual([]);
  });

  test('a claim goes on after its position and takes no more than its limit', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('a', '1'), wants('b', '1'), wants('c', '1'));
    expect(
      keysOf(await state.claim('companies', { position: { unacknowledged: true, key: 'a' }, limit: 1 })),
    ).toEqual(['b']);
  });

  test('a child waits until its parent has a reference, then carries it with the acknowledged payload', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('p', 'parent'));
    await state.publish('vacancies', wants('v', 'child', 'p'));
    expect(await state.claim('vacancies')).toEqual([]);
    const parent = only(await state.claim());
    expect(await state.claim('vacancies')).toEqual([]);
    await state.record(accepted(parent, 'R1'));
    await state.publish('companies', wants('p', 'newer', null, 'changed'));
    expect(only(await state.claim('vacancies')).parent).toEqual({
      reference: 'R1',
      payload: { name: 'parent' },
    });
  });

  test('a child is not claimed while its parent is under way, even with a reference', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('p', '1'));
    await state.acceptAll();
    await state.publish('companies', wants('p', '2', null, 'changed'));
    await state.publish('vacancies', wants('v', '1', 'p'));
    const parent = only(await state.claim());
    expect(await state.claim('vacancies')).toEqual([]);
    await state.record(accepted(parent));
    expect(await state.claim('vacancies')).toHaveLength(1);
  });

  test('a claim under a lease that expired or went to somebody else takes nothing, and says so', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('a', '1'));
    const lost = { code: 'lease-lost', scope: 'run' };
    for (const fence of [otherToken(state.push), otherNonce(state.push)])
      await expect(state.claim('companies', { fence })).rejects.toMatchObject(lost);
    await state.sql(
      "update placement_sync.lease set expires_at = now() - interval '1 ms' where name = 'push'",
    );
    await expect(state.claim()).rejects.toMatchObject(lost);
    expect(await state.row('a')).toMatchObject({ claim_token: null, attempted_at: null });
  });

  test('a claim says what the last attempt of this push came to', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('a', '1'), wants('b', '1'), wants('c', '1'));
    const [a, b] = await state.claim('companies', { limit: 2 });
    if (!a || !b) throw new Error('two claims');
    expect(a.previousOutcome).toBeNull();
    await state.record(accepted(a), deferred(b, { delayMs: 0 }));
    await state.publish('companies', wants('a', '2', null, 'changed'));
    const outcomes = async (since: string) =>
      (await state.claim('companies', { since })).map(({ key, previousOutcome }) => [key, previousOutcome]);
    expect(await outcomes('2000-01-01')).toEqual([
      ['a', 'accepted'],
      ['b', 'deferred'],
      ['c', null],
    ]);
  });

  test('a claim of an earlier push says nothing about this one', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('a', '1'));
    await state.record(deferred(only(await state.claim()), { delayMs: 0 }));
    expect(only(await state.claim('companies', { since: '2999-01-01' })).previousOutcome).toBeNull();
  });

  test('a record that a publication has locked is passed over and not waited for', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('a', '1'), wants('b', '1'));
    await state.transaction(async (statements) => {
      await statements.query("select 1 from :schema:.sync_state where key = 'a' for update");
      expect(keysOf(await state.claim())).toEqual(['b']);
    });
    expect(keysOf(await state.claim())).toEqual(['a']);
  });
});
