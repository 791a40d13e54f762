import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../postgres/test-database.js';
import { openTestSource, queryOf, readRows } from './source-fixture.js';

const element = fc.oneof(
  fc.constant(null),
  fc.constantFrom(
    '',
    ' ',
    'NULL',
    'null',
    '{}',
    '{a,b}',
    '"',
    '\\',
    '\\"',
    'a,b',
    "it's",
    '\n',
    '😀',
    '[1]',
    '$1',
  ),
  fc.string({ unit: 'grapheme', maxLength: 6 }).map((text) => text.replaceAll('\0', '')),
);

test('arrays of text come as they are, whatever their elements', async () => {
  const database = await createTestDatabase();
  const source = openTestSource(database.url);
  const arrays = fc.sample(fc.array(element, { maxLength: 5 }), { numRuns: 300, seed: 3 });
  try {
    await database.query('create table skill (key text, list text[])');
    for (const [index, list] of arrays.entries())
      await database.query('insert into skill values ($1, $2)', [String(index), list]);
    const read = await readRows(
      source,
      queryOf('select key, list as name, to_jsonb(list) as about from skill'),
    );
    const byKey = new Map(read.map(({ key, row }) => [key, row]));
    expect(arrays.map((_, index) => byKey.get(String(index))?.name)).toEqual(arrays);
    expect(arrays.map((_, index) => byKey.get(String(index))?.about)).toEqual(arrays);
  } finally {
    await source.close();
    await database.drop();
  }
});
