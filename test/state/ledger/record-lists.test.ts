import { expect, test } from 'vitest';
import { RECORD_STATUSES } from '../../../src/domain/record-status.js';
import type { Issue } from '../../../src/domain/issue.js';
import { deferred, openTestState, refused, says, wants } from '../open-test-state.js';

const ALL = { after: null, limit: 100 };

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

  for (const entity of ['companies', 'vacancies'] as const) {
    const counts = await state.records.counts(entity);
    for (const status of RECORD_STATUSES) {
      const listed = await state.recordLists.page(entity, status, ALL);
      expect([status, listed.length]).toEqual([status, counts[status]]);
      expect(listed.every((record) => record.status === status)).toBe(true);
    }
  }
  expect(await state.recordLists.page('companies', 'rejected', ALL)).toMatchObject([
    { key: 'ref', lastError: 'HTTP 422: no', lastStatusCode: 422, issues: [] },
  ]);
  expect(await state.recordLists.page('vacancies', 'waiting', ALL)).toMatchObject([
    { key: 'v', parentKey: 'ref' },
    { key: 'w', parentKey: null },
  ]);
});

test('a record whose confirmation is not due yet is listed as synced', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  await state.acceptAll();
  await state.sql(`update placement_sync.sync_state set confirm_at = now() + interval '1 hour'`);
  expect(await state.recordLists.page('companies', 'synced', ALL)).toMatchObject([{ key: 'a' }]);
});

test('pages follow each other in the order of the bytes, without gap or repetition', async () => {
  const state = await openTestState();
  const keys = ['A/b?#', 'a', 'é', 'Ａ', '😀'];
  await state.publish('companies', ...keys.map((key) => wants(key, '1')));
  const seen: string[] = [];
  for (let after: string | null = null; ;) {
    const page: readonly { key: string }[] = await state.recordLists.page('companies', 'pending', {
      after,
      limit: 2,
    });
    seen.push(...page.map(({ key }) => key));
    if (page.length < 2) break;
    after = page.at(-1)?.key ?? null;
  }
  expect(seen).toEqual(keys);
});

const issue = (code: Issue['code'], field: string, message: string): Issue => ({
  code,
  field,
  message,
  ...(code === 'unmapped' || code === 'undecided' ? { hint: `Add it for ${field}.` } : {}),
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
    invalid('d', issue('format', 'email', '"one" is no address')),
    invalid('e', issue('format', 'email', '"other" is no address')),
  );
  expect(await state.recordLists.invalidReasons('companies', 10)).toEqual({
    codes: [
      {
        field: 'industry',
        code: 'unmapped',
        message: 'the code "X" is not in i.csv',
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
  });
  const first = await state.recordLists.invalidReasons('companies', 1);
  expect([first.codes.length, first.others.length]).toEqual([1, 1]);
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
  expect(await state.recordLists.rejectedReasons('companies', 5)).toEqual([
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
