import { describe, expect, test } from 'vitest';
import type { Issue } from '../../../src/core/domain/issue.js';
import { type EntityName, RECORD_STATUSES, type RecordStatus } from '../../../src/core/domain/names.js';
import {
  type ListPosition,
  pageSql,
  type RecordPage,
  type RecordSelection,
} from '../../../src/features/look/record-lists.js';
import {
  deferred,
  only,
  openTestState,
  refused,
  says,
  type TestState,
  TIMEOUT_MS,
  wants,
} from '../../core/ledger/open-test-state.js';

describe('record lists', () => {
  const ALL = { after: null, limit: 100 };

  const ANY: RecordSelection = { status: null, search: null, reason: null, sort: 'key', descending: false };

  /** The keys of a list, page by page. */
  async function keysOf(
    state: TestState,
    selection: Partial<RecordSelection>,
    { entity = 'companies', limit = 2 } = {},
  ): Promise<string[]> {
    const keys: string[] = [];
    for (let after: ListPosition | null = null; ;) {
      const page: RecordPage = await state.recordLists.page(
        entity,
        { ...ANY, ...selection },
        { after, limit },
      );
      keys.push(...page.records.map(({ key }) => key));
      if (page.next === null) return keys;
      after = page.next;
    }
  }

  test('a count looks at a bounded number of records, and says so', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('p', '1'));
    await state.acceptAll();
    await state.publish('vacancies', wants('v', '1', 'p'));
    // None waits: their company has its reference.
    await state.sql(
      `insert into placement_sync.sync_state (entity, key, platform_id, parent_platform_id, desired_hash, desired_payload)
     select entity, 'n' || n, gen_random_uuid(), parent_platform_id, desired_hash, desired_payload
     from placement_sync.sync_state, generate_series(1, 20000) n where entity = 'vacancies'`,
    );
    const count = (status: RecordStatus, most = 10_000) => state.recordLists.count('vacancies', status, most);
    expect(await count('waiting')).toEqual({ value: 0, more: true });
    expect(await count('pending')).toEqual({ value: 10_000, more: true });
    expect(await count('pending', 100_000)).toEqual({ value: 20_000, more: true });
    await state.sql(`delete from placement_sync.sync_state where key = 'n1'`);
    expect(await count('waiting')).toEqual({ value: 0, more: false });
  });

  test('each status lists the records that the counts count', async () => {
    const state = await openTestState();
    const keys = ['acc', 'defer', 'gone', 'inv', 'ref', 'unsent'];
    await state.publish('companies', ...keys.map((key) => wants(key, '1')));
    await state.publish('vacancies', wants('v', '1', 'ref'), wants('w', '1', 'none'));
    const claims = await state.claim('companies');
    const claim = (key: string) => claims.find((one) => one.key === key)!;
    await state.record(refused(claim('ref')), deferred(claim('defer')));
    await state.sql(
      `update placement_sync.sync_state set acknowledged_hash = desired_hash, acknowledged_at = now(), claim_token = null
     where key in ('acc', 'gone')`,
    );
    await state.publish('companies', says('vanished', 'gone'), says('invalid', 'inv'));

    const list = async (entity: EntityName, status: RecordStatus | null) =>
      (await state.recordLists.page(entity, { ...ANY, status }, ALL)).records;
    for (const entity of ['companies', 'vacancies'] as const) {
      const counts = await state.records.counts(entity);
      for (const status of RECORD_STATUSES) {
        const listed = await list(entity, status);
        expect([status, listed.length]).toEqual([status, counts[status]]);
        expect(listed.every((record) => record.status === status)).toBe(true);
        expect(await state.recordLists.count(entity, status, 100)).toEqual({
          value: counts[status],
          more: false,
        });
      }
    }
    expect((await list('companies', null)).map(({ key }) => key)).toEqual(keys);
    expect(await state.recordLists.count('companies', null, 4)).toEqual({ value: 4, more: true });
    expect(await state.recordLists.count('companies', null, 6)).toEqual({ value: 6, more: false });
    expect(await list('companies', 'rejected')).toMatchObject([
      { key: 'ref', title: '1', lastError: 'HTTP 422: no', lastStatusCode: 422, issues: [] },
    ]);
    expect(await list('vacancies', 'waiting')).toMatchObject([
      { key: 'v', parentKey: 'ref' },
      { key: 'w', parentKey: null },
    ]);
  });

  test('a record whose confirmation is not due yet is listed as synced', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('a', '1'));
    await state.acceptAll();
    await state.sql(`update placement_sync.sync_state set confirm_at = now() + interval '1 hour'`);
    expect(await keysOf(state, { status: 'synced' })).toEqual(['a']);
  });

  test('pages follow each other in the order of the bytes, without gap or repetition', async () => {
    const state = await openTestState();
    const keys = ['A/b?#', 'a', 'é', 'Ａ', '😀'];
    await state.publish('companies', ...keys.map((key) => wants(key, '1')));
    expect(await keysOf(state, { status: 'pending' })).toEqual(keys);
    expect(await keysOf(state, { status: 'pending', descending: true })).toEqual(keys.toReversed());
  });

  test('numbers in keys follow each other by their value, also long ones; a UUID keeps the order of its bytes', async () => {
    const state = await openTestState();
    const keys = [
      '2',
      '9',
      '010',
      '10',
      '123456789012345678901234',
      '5ffa3c11-0a1b-4c2d-8e3f-9a4b5c6d7e80',
      '60fa3c11-0a1b-4c2d-8e3f-9a4b5c6d7e80',
      'PO-2024-9',
      'PO-2024-10',
      'v9',
      'v10',
      'v10b',
      'v100',
      `${'x'.repeat(70)}10b`,
      `${'x'.repeat(70)}9b`,
    ];
    await state.publish('companies', ...keys.map((key, index) => wants(`k${index}`, key)));
    await state.sql(`update placement_sync.sync_state set key = desired_payload ->> 'name'`);
    expect(await keysOf(state, {})).toEqual(keys);
    expect(await keysOf(state, { descending: true })).toEqual(keys.toReversed());
  });

  test('by last attempt: the latest first or last, and those without one are the oldest', async () => {
    const state = await openTestState();
    const keys = ['a', 'b', 'c', 'd', 'e'];
    await state.publish('companies', ...keys.map((key) => wants(key, '1')));
    for (const [key, seconds] of Object.entries({ c: 1, a: 2.000001, d: 2.000001, b: 2.000002 }))
      await state.sql(
        `update placement_sync.sync_state set attempted_at = timestamptz '2026-01-31 08:00:00Z' + $2::float8 * interval '1 second' where key = $1`,
        [key, seconds],
      );
    const oldest = ['e', 'c', 'a', 'd', 'b'];
    for (const limit of [1, 2, 9]) {
      expect(await keysOf(state, { sort: 'attempt' }, { limit })).toEqual(oldest);
      expect(await keysOf(state, { sort: 'attempt', descending: true }, { limit })).toEqual(
        oldest.toReversed(),
      );
    }
  });

  test('a search finds a part of key or title whatever its case, and to the letter', async () => {
    const state = await openTestState();
    await state.publish(
      'companies',
      wants('k1', 'Warung Sari'),
      wants('sari-2', 'Toko'),
      wants('k3', '100% Beras'),
      wants('k4', '100 Beras'),
      wants('k_5', 'x'),
    );
    expect(await keysOf(state, { search: 'SARI' })).toEqual(['k1', 'sari-2']);
    expect(await keysOf(state, { search: '0% b' })).toEqual(['k3']);
    expect(await keysOf(state, { search: 'k_' })).toEqual(['k_5']);
    expect(await keysOf(state, { search: 'sari', status: 'rejected' })).toEqual([]);
  });

  test('a search by reason finds errors of a row, what the platform answered, and the parent that is waited for', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('a', '1'), wants('b', '1'), wants('c', '1'));
    await state.publish('vacancies', wants('v', '1', 'a'));
    await state.record(...(await state.claim('companies')).slice(0, 1).map((claim) => refused(claim)));
    await state.publish('companies', says('invalid', 'c'));
    expect(await keysOf(state, { reason: '422: NO' })).toEqual(['a']);
    expect(await keysOf(state, { reason: 'name is missing' })).toEqual(['c']);
    expect(await keysOf(state, { reason: 'waits for a' }, { entity: 'vacancies' })).toEqual(['v']);
    expect(await keysOf(state, { reason: 'b' })).toEqual([]);
  });

  test('of an application status the platform’s text cannot be searched', async () => {
    const state = await openTestState();
    await state.publish('application-statuses', wants('v1', 'x'), wants('v2', 'y'));
    await state.sql(
      `update placement_sync.sync_state set refused_hash = desired_hash, last_status_code = 422, last_error = 'HTTP 422: budi@example.com'`,
    );
    const entity = 'application-statuses';
    expect(await keysOf(state, {}, { entity, limit: 1 })).toEqual(['v1', 'v2']);
    expect(await keysOf(state, { search: 'v1' }, { entity })).toEqual(['v1']);
    expect(await keysOf(state, { reason: 'budi' }, { entity })).toEqual([]);
    expect(await keysOf(state, { reason: 'http 422' }, { entity })).toHaveLength(2);
  });

  test('a search for what is rare looks at some records at a time, and says where it goes on', async () => {
    const state = await openTestState();
    await state.sql(
      `insert into placement_sync.sync_state (entity, key, platform_id, desired_hash, desired_payload)
     select 'companies', 'k' || n, gen_random_uuid(), 'h', jsonb_build_object('name', 'Company ' || n) from generate_series(1, 20100) n`,
    );
    const rare = { ...ANY, search: 'company 20050' };
    const first = await state.recordLists.page('companies', rare, ALL);
    expect(first).toEqual({ records: [], next: { key: 'k20000', attemptedUs: null } });
    const second = await state.recordLists.page('companies', rare, { ...ALL, after: first.next });
    expect(second).toMatchObject({ records: [{ key: 'k20050' }], next: null });
  });

  test.each([
    [{}, 'sync_state_natural'],
    [{ descending: true }, 'sync_state_natural'],
    [{ status: 'synced' }, 'sync_state_natural'],
    [{ search: 'x' }, 'sync_state_natural'],
    [{ status: 'pending' }, 'sync_state_natural'],
    [{ status: 'rejected' }, 'sync_state_natural_rest'],
    [{ status: 'invalid' }, 'sync_state_natural_rest'],
    [{ status: 'vanished' }, 'sync_state_natural_rest'],
    [{ sort: 'attempt', descending: true }, 'sync_state_attempted'],
  ] as const)('the list %j is read in the order of the index %s', async (part, index) => {
    const state = await openTestState();
    const selection: RecordSelection = { ...ANY, ...part };
    const values = {
      entity: 'vacancies',
      status: selection.status,
      label: 'title',
      lastDay: 'expire_at',
      search: 'x',
      reason: 'x',
    };
    const plan = await state.transaction(async (statements) => {
      await statements.query('set local enable_seqscan = off');
      await statements.query('set local enable_sort = off');
      return statements.query<{ 'QUERY PLAN': string }>(`explain ${pageSql('vacancies', selection, true)}`, {
        ...values,
        after: 'v1',
        attempted: 1,
        limit: 51,
      });
    });
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toMatch(new RegExp(`Index Scan (Backward )?using ${index} `));
    expect(text).not.toMatch(/Sort|Hash|Seq Scan/);
  });

  const issue = (code: Issue['code'], field: string, message: string): Issue => ({
    code,
    field,
    message,
    ...(code === 'unmapped' || code === 'undecided'
      ? { hint: `for ${field}.`, lookup: { code: message, todo: 'add' } }
      : {}),
  });

  test('a search by reason finds the column that an issue names', async () => {
    const state = await openTestState();
    const found = { ...issue('format', 'region.id', 'must be a UUID'), column: 'region_id' };
    await state.publish('companies', { ...says('invalid', 'a'), invalidReason: [found] });
    expect(await keysOf(state, { reason: 'must be a UUID (column region_id)' })).toEqual(['a']);
    const { others } = await state.recordLists.invalidReasons('companies', 1);
    expect(others).toMatchObject([
      { field: 'region_id', message: 'must be a UUID', issue: { field: 'region.id' } },
    ]);
  });

  test('why records are invalid is counted by field, apart from codes that a lookup fixes', async () => {
    const state = await openTestState();
    const invalid = (key: string, ...issues: Issue[]) => ({ ...says('invalid', key), invalidReason: issues });
    const keys = ['a', 'b', 'c', 'd', 'e'];
    await state.publish('companies', ...keys.map((key) => wants(key, '1')));
    const fishing = issue('unmapped', 'industry', 'the code "X" is not in i.csv');
    await state.publish(
      'companies',
      invalid('a', fishing),
      invalid('b', issue('undecided', 'region.id', 'the code "Y" has no id in r.csv yet'), fishing),
      invalid('c', issue('required', 'name', 'is missing'), fishing),
      invalid('d', { ...issue('format', 'email', '"one" is no address'), common: '"…" is no address' }),
      invalid('e', { ...issue('format', 'email', '"other" is no address'), common: '"…" is no address' }),
    );
    expect(await state.recordLists.invalidReasons('companies', 10)).toMatchObject({
      codes: [
        {
          field: 'industry',
          code: 'unmapped',
          issue: { message: 'the code "X" is not in i.csv' },
          hint: 'Add it for industry.',
          count: 3,
          sampleKeys: ['a', 'b', 'c'],
        },
        expect.objectContaining({ field: 'region.id', code: 'undecided', count: 1, sampleKeys: ['b'] }),
      ],
      others: [
        {
          field: 'email',
          code: 'format',
          message: '"…" is no address',
          hint: null,
          count: 2,
          sampleKeys: ['d', 'e'],
        },
        expect.objectContaining({ field: 'name', message: 'is missing', count: 1, sampleKeys: ['c'] }),
      ],
      onlyCodes: 2,
      found: { codes: 2, others: 2 },
    });
    const first = await state.recordLists.invalidReasons('companies', 1);
    expect([first.codes.length, first.others.length, first.found]).toEqual([1, 1, { codes: 2, others: 2 }]);
  });

  test('a reason counts the children that wait for its records, and they decide the order', async () => {
    const state = await openTestState();
    const keys = ['a', 'b', 'c', 'd', 'known'];
    const required = (field: string) => issue('required', field, 'is missing');
    const invalid = (key: string, ...issues: Issue[]) => ({ ...says('invalid', key), invalidReason: issues });
    await state.publish('companies', ...keys.map((key) => wants(key, '1')));
    await state.sql(
      `update placement_sync.sync_state set reference = 'r', acknowledged_hash = desired_hash where key = 'known'`,
    );
    await state.publish(
      'companies',
      ...['a', 'b', 'c', 'known'].map((key) => invalid(key, required('name'))),
      invalid('d', required('region.id'), required('region.id'), required('email')),
    );
    await state.publish(
      'vacancies',
      wants('v1', '1', 'a'),
      wants('v2', '1', 'known'),
      ...['w1', 'w2', 'w3', 'w4', 'w5'].map((key) => wants(key, '1', 'd')),
      wants('x', '1', 'nobody'),
    );
    const { others } = await state.recordLists.invalidReasons('companies', 10);
    const waiting = (count: number) => [{ entity: 'vacancies', count, standing: 'waiting' }];
    expect(others.map(({ field, count, follows }) => [field, count, follows])).toEqual([
      ['email', 1, waiting(5)],
      ['region.id', 1, waiting(5)],
      // One of them has a reference, so its vacancy can be sent.
      ['name', 4, waiting(1)],
    ]);
    expect(await state.recordLists.waitingReasons('vacancies')).toEqual([
      expect.objectContaining({ code: 'parent-invalid', count: 6, sampleKeys: ['v1', 'w1', 'w2'] }),
      expect.objectContaining({ code: 'parent-absent', count: 1, sampleKeys: ['x'] }),
    ]);
  });

  test('why records were refused is counted by what the platform said, whatever belongs to one of them', async () => {
    const state = await openTestState();
    const keys = ['a', 'b', 'c', 'd', 'e'];
    await state.publish('companies', ...keys.map((key) => wants(key, '1')));
    const claims = await state.claim('companies');
    await state.record(...claims.map((claim) => refused(claim)));
    await state.sql(
      `update placement_sync.sync_state set last_error = case when key < 'e' then 'name: "' || key || '" is taken.' else 'phone: Too long.' end`,
    );
    expect(await state.recordLists.rejectedReasons('companies', 5)).toMatchObject([
      {
        field: null,
        code: 'refused',
        message: 'name: "…" is taken.',
        hint: null,
        count: 4,
        sampleKeys: ['a', 'b', 'c'],
      },
      expect.objectContaining({ message: 'phone: Too long.', count: 1, sampleKeys: ['e'] }),
    ]);
  });
});

describe('read backs', () => {
  test('a record is judged only while it is as it was read: not edited, not sent again, not under way', async () => {
    const state = await openTestState();
    const keys = ['same', 'edited', 'sent', 'open'];
    await state.publish('companies', ...keys.map((key) => wants(key, '1')));
    await state.acceptAll();
    const read = await state.readBacks.page('companies', 'settled', null, 10);
    expect(read.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());

    // The same payload once more: only the time of its acceptance tells that the platform was asked before it.
    await state.resendRequests.resync('companies', ['sent'], TIMEOUT_MS);
    await state.acceptAll();
    await state.publish('companies', ...keys.map((key) => wants(key, key === 'edited' ? '2' : '1')));
    await state.acceptAll();
    await state.resendRequests.resync('companies', ['open'], TIMEOUT_MS);
    expect(only(await state.claim())).toMatchObject({ key: 'open' });

    const unchanged = await Promise.all(
      read.map(async (record) =>
        (await state.readBacks.isUnchanged('companies', record)) ? [record.key] : [],
      ),
    );
    expect(unchanged.flat()).toEqual(['same']);
  });
});
