import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareUtf8 } from '../../../src/core/domain/key.js';
import { ABSENT_HASH, canonicalJson } from '../../../src/core/domain/payload.js';
import { joinParent, statusSql } from '../../../src/core/ledger/status-sql.js';
import { createTestDatabase } from '../../postgres/test-database.js';
import { openTestState } from './open-test-state.js';

describe('text laws', () => {
  /** Both sides of the surrogates, where UTF-16 and UTF-8 order differently, and what sorts oddly under a locale. */
  const unit = fc.constantFrom(
    ...[
      'a',
      'A',
      'á',
      '-',
      ' ',
      "'",
      '\\',
      '\u007f',
      '\u0080',
      '\u07ff',
      '\ud7ff',
      '\ue000',
      '\uff21',
      '\uffff',
    ],
    ...['\u{10000}', '\u{1f600}', '\u{10ffff}'],
  );
  const keys = fc.sample(fc.string({ unit, maxLength: 5 }), { numRuns: 3_000, seed: 7 });

  test('keys are ordered as the database orders them under COLLATE "C", and not as JavaScript does', async () => {
    const database = await createTestDatabase();
    try {
      const rows = await database.query<{ key: string }>(
        'select key from unnest($1::text[]) key order by key collate "C"',
        [keys],
      );
      const sorted = rows.map(({ key }) => key);
      expect([...keys].sort(compareUtf8)).toEqual(sorted);
      expect([...keys].sort(), 'some keys differ in the two orders').not.toEqual(sorted);
    } finally {
      await database.drop();
    }
  });

  test('canonical JSON is the same after a stay in the database', async () => {
    const database = await createTestDatabase();
    const storable = fc
      .jsonValue({ stringUnit: 'grapheme' })
      .filter((value) => !JSON.stringify(value).includes('\\u0000'));
    const numbers = [-0, 0, 1e21, 1e-7, 1.1, 5e-324, 1.7976931348623157e308, 2 ** 53, -1e400 / 1e308].filter(
      Number.isFinite,
    );
    const values = [...fc.sample(storable, { numRuns: 500, seed: 11 }), ...numbers];
    try {
      const rows = await database.query<{ value: unknown }>(
        'select value from unnest($1::jsonb[]) with ordinality as v (value, at) order by at',
        [values.map((value) => JSON.stringify(value))],
      );
      expect(rows.map(({ value }) => canonicalJson(value))).toEqual(values.map(canonicalJson));
    } finally {
      await database.drop();
    }
  });
});

describe('status laws', () => {
  type Moment = 'past' | 'future' | null;

  interface LedgerRow extends Record<string, unknown> {
    readonly key: string;
    readonly vanished: boolean;
    readonly invalid: boolean;
    readonly desired: string | null;
    readonly acknowledged: string | null;
    readonly refused: string | null;
    readonly confirm: Moment;
    readonly next: Moment;
    readonly parent: 'none' | 'absent' | 'without reference' | 'with reference';
    readonly derived: string;
    readonly viewed: string;
  }

  /** The documented order, written out by hand: the first that applies. */
  function expected(row: LedgerRow): string {
    const { vanished, invalid, desired, acknowledged, refused, confirm, next, parent } = row;
    const differs = desired !== null && desired !== acknowledged;
    if (vanished && (desired === null || (!differs && confirm === null))) return 'vanished';
    if (invalid) return 'invalid';
    if (refused !== null && refused === desired) return 'rejected';
    const due = differs || confirm === 'past';
    if (!due) return 'synced';
    const needsParent = parent === 'absent' || parent === 'without reference';
    if (needsParent && desired !== ABSENT_HASH) return 'waiting';
    return next === 'future' ? 'deferred' : 'pending';
  }

  test('every combination of columns has the documented status, in the expression and in the view', async () => {
    const state = await openTestState();
    await state.sql(`insert into placement_sync.sync_state (entity, key, platform_id, reference) values
    ('companies', 'without', '00000000-0000-4000-8000-000000000001', null),
    ('companies', 'with', '00000000-0000-4000-8000-000000000002', 'reference')`);
    const moments = `(values (null), ('past'), ('future'))`;
    const at = (moment: string) =>
      `case ${moment} when 'past' then now() - interval '1 hour' when 'future' then now() + interval '1 hour' end`;
    await state.sql(`create table combination as
    select row_number() over ()::text as key, * from
      (values (true), (false)) as v (vanished), (values (true), (false)) as i (invalid),
      (values (null), ('v1:a'), ('${ABSENT_HASH}')) as d (desired),
      (values (null), ('v1:a'), ('v1:b'), ('${ABSENT_HASH}')) as a (acknowledged),
      (values (null), ('v1:a'), ('v1:b'), ('${ABSENT_HASH}')) as r (refused),
      ${moments} as c (confirm), ${moments} as n (next),
      (values ('none'), ('absent'), ('without reference'), ('with reference')) as p (parent)`);
    await state.sql(`insert into placement_sync.sync_state (entity, key, platform_id, parent_platform_id, desired_hash,
      acknowledged_hash, refused_hash, vanished_at, invalid_reason, confirm_at, next_attempt_at)
    select 'vacancies', key, gen_random_uuid(), case parent when 'absent' then gen_random_uuid()
        when 'without reference' then '00000000-0000-4000-8000-000000000001'::uuid
        when 'with reference' then '00000000-0000-4000-8000-000000000002'::uuid end,
      desired, acknowledged, refused, case when vanished then now() end, case when invalid then '[]'::jsonb end,
      ${at('confirm')}, ${at('next')} from combination`);
    const own = (sql: string) => sql.replaceAll(':schema:', 'placement_sync');
    const rows = await state.sql<LedgerRow>(`select c.*, ${statusSql('s', 'p')} as derived, v.status as viewed
    from combination c join placement_sync.sync_state s on s.entity = 'vacancies' and s.key = c.key
    ${own(joinParent('s', 'p'))} join placement_sync.record v on v.entity = 'vacancies' and v.key = c.key`);
    expect(rows).toHaveLength(2 * 2 * 3 * 4 * 4 * 3 * 3 * 4);
    const wrong = rows.filter((row) => row.derived !== expected(row) || row.viewed !== row.derived);
    expect(wrong.slice(0, 3)).toEqual([]);
    const { oldestPendingAt: _, blocked: __, ...counts } = await state.records.counts('vacancies');
    expect(Object.values(counts).reduce((sum, count) => Number(sum) + Number(count), 0)).toBe(rows.length);
  });
});
