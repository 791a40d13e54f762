import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../../src/core/ledger/ledger.js';
import {
  accepted,
  deferred,
  hashOf,
  idOf,
  only,
  openTestState,
  refused,
  says,
  TIMEOUT_MS,
  wants,
} from './open-test-state.js';

describe('ledger', () => {
  async function collect(pages: AsyncIterable<readonly LedgerEntry[]>): Promise<LedgerEntry[]> {
    const all: LedgerEntry[] = [];
    for await (const page of pages) all.push(...page);
    return all;
  }

  test('the digest changes with keys and row versions, counts invalid records, and leaves out vanished ones', async () => {
    const { ledger, publish, acceptAll } = await openTestState();
    expect(await ledger.digest('companies')).toEqual({
      count: 0,
      sum0: '0',
      sum1: '0',
      unversioned: 0,
      invalid: 0,
    });
    await publish('companies', wants('a', '1'), wants('b', '1'));
    await acceptAll();
    const first = await ledger.digest('companies');
    await publish('companies', says('touched', 'a'));
    const touched = await ledger.digest('companies');
    expect(touched.count).toBe(2);
    expect(touched.sum0).not.toBe(first.sum0);
    expect(touched.sum1).not.toBe(first.sum1);
    await publish('companies', says('invalid', 'b'));
    expect(await ledger.digest('companies')).toMatchObject({ count: 2, invalid: 1 });
    await publish('companies', says('vanished', 'b'));
    expect(await ledger.digest('companies')).toMatchObject({ count: 1, invalid: 0 });
  });

  test('the digests of all buckets add up to the whole', async () => {
    const { ledger, publish } = await openTestState();
    await publish('companies', ...Array.from({ length: 50 }, (_, number) => wants(`k${number}`, '1')));
    const buckets = [...(await ledger.bucketDigests('companies', 8)).values()];
    const { count, sum0 } = await ledger.digest('companies');
    expect(buckets.reduce((sum, bucket) => sum + bucket.count, 0)).toBe(count);
    expect(buckets.reduce((sum, bucket) => sum + BigInt(bucket.sum0), 0n)).toBe(BigInt(sum0));
  });

  test('entries come in the byte order of their keys, vanished ones too, by bucket or all', async () => {
    const { ledger, publish, acceptAll } = await openTestState();
    await publish('companies', wants('😀', '1'), wants('Ａ', '1'), wants('a', '1'), wants('B', '1'));
    await acceptAll();
    await publish(
      'companies',
      says('vanished', 'a'),
      says('invalid', 'B'),
      wants('Ａ', '2', null, 'changed'),
    );
    const entries = await collect(ledger.entries('companies', null));
    const same = {
      ...{ vanished: false, invalid: false, sendable: false },
      ...{ payloadDropped: false, noted: null, neverThere: false },
    };
    expect(entries).toEqual([
      { ...same, key: 'B', rowVersion: 'touched', invalid: true, desiredHash: hashOf('1') },
      { ...same, key: 'a', rowVersion: '1', vanished: true, desiredHash: null },
      { ...same, key: 'Ａ', rowVersion: '2', desiredHash: hashOf('2'), sendable: true },
      { ...same, key: '😀', rowVersion: '1', desiredHash: hashOf('1') },
    ]);
    const halves = await Promise.all(
      [0, 1].map((number) => collect(ledger.entries('companies', { count: 2, numbers: [number] }))),
    );
    expect(
      halves
        .flat()
        .map(({ key }) => key)
        .sort(),
    ).toEqual(entries.map(({ key }) => key).sort());
  });

  test('a reader that stops early gives its connection back', async () => {
    const { ledger, publish } = await openTestState();
    await publish('companies', wants('a', '1'));
    for (let round = 0; round < 20; round += 1) {
      for await (const page of ledger.entries('companies', null)) {
        expect(page).toHaveLength(1);
        break;
      }
    }
    expect((await ledger.digest('companies')).count).toBe(1);
  });

  test('payloads are those desired and those acknowledged', async () => {
    const { ledger, publish } = await openTestState();
    await publish('companies', wants('a', '1'), says('invalid', 'b'));
    const unknown = {
      ...{ desired: null, acknowledged: null, deleted: false },
      ...{ parentPlatformId: null, acknowledgedParentPlatformId: null },
    };
    expect(await ledger.payloads('companies', ['a', 'b', 'unknown'])).toEqual(
      new Map<string, object>([
        ['a', { ...unknown, desired: { name: '1' } }],
        ['b', unknown],
      ]),
    );
  });

  test('long vanished records are pruned, except parents, those with something left to send, and those being sent', async () => {
    const state = await openTestState();
    const keys = ['gone', 'lost', 'fresh', 'stays', 'parent', 'close', 'claim'];
    await state.publish('companies', ...keys.map((key) => wants(key, '1')));
    await state.publish('vacancies', wants('child', '1', 'parent'));
    const claims = await state.claim();
    await state.record(
      ...claims
        .filter(({ key }) => key !== 'claim')
        .map((claim) => (claim.key === 'lost' ? deferred(claim, { known: false }) : accepted(claim))),
    );
    const closing = {
      ...says('vanished', 'close'),
      desiredHash: hashOf('2'),
      desiredPayload: { name: '2' },
    };
    const gone = ['gone', 'lost', 'fresh', 'parent', 'claim'].map((key) => says('vanished', key));
    await state.publish('companies', ...gone, closing);
    await state.sql(
      "update placement_sync.sync_state set vanished_at = now() - interval '91 days' where key not in ('fresh', 'stays', 'child')",
    );
    await state.ledger.prune(90 * 86_400_000);
    expect(await state.sql('select key from placement_sync.sync_state order by key')).toEqual(
      ['child', 'claim', 'close', 'fresh', 'parent', 'stays'].map((key) => ({ key })),
    );
  });
});

describe('records', () => {
  const PAST = "now() - interval '1 hour'";
  const LATER = "now() + interval '1 hour'";
  const VANISHED = 'vanished_at = now()';
  const INVALID = `invalid_reason = '[]'`;
  const REFUSED = 'refused_hash = desired_hash';
  const SAME = 'acknowledged_hash = desired_hash, acknowledged_at = now()';
  const ORPHAN = 'parent_platform_id = gen_random_uuid()';

  /** A pending vacancy without parent, changed by SQL. */
  test.each([
    ['synced', SAME],
    ['pending', 'attempts = 0'],
    ['pending', `${SAME}, confirm_at = ${PAST}`],
    ['synced', `${SAME}, confirm_at = ${LATER}`],
    ['pending', `confirm_at = ${LATER}`],
    ['synced', `${SAME}, next_attempt_at = ${LATER}`],
    ['deferred', `next_attempt_at = ${LATER}`],
    ['pending', `next_attempt_at = ${PAST}`],
    ['deferred', `${SAME}, confirm_at = ${PAST}, next_attempt_at = ${LATER}`],
    ['waiting', ORPHAN],
    ['waiting', `${ORPHAN}, next_attempt_at = ${LATER}`],
    ['synced', `${ORPHAN}, ${SAME}`],
    ['waiting', `${ORPHAN}, ${SAME}, confirm_at = ${PAST}`],
    ['rejected', REFUSED],
    ['rejected', `${REFUSED}, ${ORPHAN}, next_attempt_at = ${LATER}`],
    ['pending', "refused_hash = 'v1:another'"],
    ['invalid', INVALID],
    ['invalid', `${INVALID}, ${REFUSED}, ${ORPHAN}`],
    ['invalid', `${INVALID}, desired_hash = null`],
    ['invalid', `${INVALID}, ${SAME}`],
    ['vanished', `${VANISHED}, desired_hash = null`],
    ['vanished', `${VANISHED}, desired_hash = null, ${INVALID}, confirm_at = ${PAST}`],
    ['vanished', `${VANISHED}, ${SAME}`],
    ['pending', VANISHED],
    ['rejected', `${VANISHED}, ${REFUSED}`],
    ['synced', `${VANISHED}, ${SAME}, confirm_at = ${LATER}`],
    ['pending', `${VANISHED}, ${SAME}, confirm_at = ${PAST}`],
  ])('is %s with %s, and is claimed exactly when it is pending', async (status, change) => {
    const state = await openTestState();
    await state.publish('vacancies', wants('v', '1'));
    await state.sql(`update placement_sync.sync_state set ${change}`);
    expect((await state.recordViews.find('vacancies', 'v'))?.status).toBe(status);
    const { blocked, oldestPendingAt, ...counts } = await state.records.counts('vacancies');
    expect(counts).toMatchObject({ [status]: 1 });
    expect(Object.values(counts).filter((count) => count === 1)).toHaveLength(1);
    expect(oldestPendingAt === null).toBe(status !== 'pending' && status !== 'deferred');
    expect(blocked).toBe(status === 'waiting' ? 1 : 0);
    expect(await state.claim('vacancies')).toHaveLength(status === 'pending' ? 1 : 0);
  });

  test.each([
    ['absent', 1, 'delete from placement_sync.sync_state where entity = $1'],
    [
      'vanished',
      1,
      `update placement_sync.sync_state set ${VANISHED}, desired_hash = null where entity = $1`,
    ],
    ['invalid', 1, `update placement_sync.sync_state set ${INVALID} where entity = $1`],
    ['rejected', 1, `update placement_sync.sync_state set ${REFUSED} where entity = $1`],
    ['deferred', 0, `update placement_sync.sync_state set next_attempt_at = ${LATER} where entity = $1`],
    ['pending', 0, 'update placement_sync.sync_state set attempts = 0 where entity = $1'],
  ])('a child of a parent that is %s waits; %i blocked', async (status, blocked, sql) => {
    const state = await openTestState();
    await state.publish('companies', wants('p', '1'));
    await state.publish('vacancies', wants('v', '1', 'p'));
    await state.sql(sql, ['companies']);
    expect(await state.records.counts('vacancies')).toMatchObject({ waiting: 1, blocked });
    expect(await state.records.blocked('vacancies', 5)).toEqual(
      blocked === 0
        ? []
        : [{ key: 'v', parentKey: status === 'absent' ? null : 'p', problem: `parent-${status}` }],
    );
  });

  test('a parent that became invalid after it got its reference does not keep its children back', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('p', '1'));
    await state.acceptAll();
    await state.publish('companies', says('invalid', 'p'));
    await state.publish('vacancies', wants('v', '1', 'p'));
    expect(await state.claim('vacancies')).toHaveLength(1);
  });

  test('a record is found with its last reply and its parent', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('p', '1'));
    await state.acceptAll();
    await state.publish('vacancies', wants('v', '1', 'p'));
    await state.record(...(await state.claim('vacancies')).map(refused));
    expect(await state.recordViews.find('vacancies', 'v')).toMatchObject({
      status: 'rejected',
      claimed: false,
      lastReply: { statusCode: 422, error: 'HTTP 422: no' },
      parent: { key: 'p', status: 'synced', reference: 'ref-p', payload: { name: '1' } },
    });
    expect(await state.recordViews.find('vacancies', 'unknown')).toBeNull();
  });
});

describe('resend requests', () => {
  test('a resync makes what was synced pending again and keeps the links', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('a', '1'), wants('b', '1'));
    await state.acceptAll();
    await state.sql("update placement_sync.sync_state set desired_at = now() - interval '30 days'");
    expect(await state.resendRequests.resync('companies', null, TIMEOUT_MS)).toBe(2);
    expect(await state.row('a')).toMatchObject({
      acknowledged_hash: null,
      reference: 'ref-a',
      remote_id: 'id-a',
      confirm_at: null,
    });
    const { pending, oldestPendingAt } = await state.records.counts('companies');
    expect(pending).toBe(2);
    expect(Date.now() - (oldestPendingAt?.getTime() ?? 0)).toBeLessThan(3_600_000);
  });

  test('a resync of keys has their rows read again and leaves the others alone', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('a', '1'), wants('b', '1'));
    await state.acceptAll();
    expect(await state.resendRequests.resync('companies', ['a', 'unknown'], TIMEOUT_MS)).toBe(1);
    expect(await state.row('a')).toMatchObject({ row_version: null, acknowledged_hash: null });
    expect(await state.row('b')).toMatchObject({ row_version: '1', acknowledged_hash: hashOf('1') });
  });

  test('a resync ends an open claim like one without reply, so that its outcome no longer counts', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('a', '1'));
    const claim = only(await state.claim());
    await state.resendRequests.resync('companies', null, TIMEOUT_MS);
    expect(await state.row('a')).toMatchObject({ claim_token: null, confirm_at: expect.any(Date) as Date });
    await state.record(accepted(claim));
    expect(await state.row('a')).toMatchObject({ acknowledged_at: null });
    expect(await state.claim()).toHaveLength(1);
  });

  test('a resync sends refused records again, but does not count invalid ones', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('a', '1'), says('invalid', 'b'));
    await state.record(refused(only(await state.claim())));
    expect(await state.resendRequests.resync('companies', null, TIMEOUT_MS)).toBe(1);
    expect(await state.claim()).toHaveLength(1);
  });

  test('a retry re-arms rejected records only; a preview only counts them', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('a', '1'), wants('b', '1'), wants('c', '1'));
    const [a, b, c] = await state.claim();
    if (!a || !b || !c) throw new Error('three claims');
    await state.record(refused(a), accepted(b), refused(c));
    await state.publish('companies', says('invalid', 'c'));
    expect(
      await state.resendRequests.retry('companies', { preview: true, status: 'rejected', sinceMs: null }),
    ).toBe(1);
    expect(await state.claim()).toEqual([]);
    expect(
      await state.resendRequests.retry('companies', { preview: false, status: 'rejected', sinceMs: null }),
    ).toBe(1);
    expect((await state.claim()).map(({ key }) => key)).toEqual(['a']);
  });

  test('retry takes deferred records too, and only those tried within a time', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('old', '1'), wants('new', '1'));
    await state.record(...(await state.claim()).map((claim) => deferred(claim)));
    await state.sql(
      "update placement_sync.sync_state set attempted_at = now() - interval '3 hours' where key = 'old'",
    );
    const recent = { status: 'deferred', sinceMs: 7_200_000 } as const;
    expect(await state.resendRequests.retry('companies', { preview: true, ...recent })).toBe(1);
    expect(await state.claim()).toEqual([]);
    expect(await state.resendRequests.retry('companies', { preview: false, ...recent })).toBe(1);
    expect((await state.claim()).map(({ key, attempts }) => [key, attempts])).toEqual([['new', 0]]);
    expect(
      await state.resendRequests.retry('companies', { preview: false, status: 'deferred', sinceMs: null }),
    ).toBe(1);
  });

  test('a retry of some keys leaves the others; a platform id names a record too', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('a', '1'), wants('b', '1'), wants('c', '1'));
    await state.record(...(await state.claim()).map((claim) => refused(claim)));
    const some = { status: 'rejected', sinceMs: null, keys: ['a', idOf('b').toUpperCase(), 'none'] } as const;
    expect(await state.resendRequests.retry('companies', { preview: true, ...some })).toBe(2);
    expect(await state.resendRequests.retry('companies', { preview: false, ...some })).toBe(2);
    expect((await state.claim()).map(({ key }) => key)).toEqual(['a', 'b']);
  });

  test('a resync of keys leaves what the platform deleted as it is: it is not deleted once more', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('a', '1'), wants('b', '1'));
    await state.acceptAll();
    await state.publish('companies', { ...says('vanished', 'a'), desiredHash: 'v1:absent' });
    // Until the deletion is accepted, it can be sent again.
    expect(await state.resendRequests.resync('companies', ['a'], TIMEOUT_MS)).toBe(1);
    await state.acceptAll();
    const deleted = await state.row('a');
    expect(deleted).toMatchObject({ acknowledged_hash: 'v1:absent' });
    expect(await state.resendRequests.resync('companies', ['a', 'b'], TIMEOUT_MS)).toBe(1);
    expect(await state.row('a')).toEqual(deleted);
    expect((await state.claim()).map(({ key }) => key)).toEqual(['b']);
  });
});
