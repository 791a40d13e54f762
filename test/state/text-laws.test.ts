import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareUtf8 } from '../../src/domain/key.js';
import { canonicalJson } from '../../src/domain/payload.js';
import { createTestDatabase } from '../postgres/test-database.js';

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
