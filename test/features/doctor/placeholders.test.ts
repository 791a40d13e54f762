import { expect, test } from 'vitest';
import { isTestText, reservedName } from '../../../src/features/doctor/rows/placeholders.js';
import { createValueTally } from '../../../src/features/doctor/rows/tallies.js';

test.each([
  ['a.person@example.com', 'example.com'],
  ['hr@mail.EXAMPLE.org.', 'example.org'],
  ['https://www.example.net/logo.png', 'example.net'],
  ['https://pt-satu.example/about?x=a@b.co.id', '.example'],
  ['pt-satu.example', '.example'],
  ['hr@firm.test', '.test'],
  ['http://localhost:3000/logo.png', 'localhost'],
  ['test@mail.co.id', 'test@…'],
  ['Test1@firm.co.id', 'test@…'],
])('%s leads nowhere: %s', (address, name) => {
  expect(reservedName(address)).toBe(name);
});

test.each([
  'hr@firm.co.id',
  'contest@firm.co.id',
  'https://myexample.com',
  'https://example.com.id/x',
  'https://firm.co.id/example.com',
  'https://firm.co.id/?from=https://example.com',
  'example@firm.co.id',
  'example',
  '',
])('%s may be real', (address) => {
  expect(reservedName(address)).toBeNull();
});

test.each([
  'tes',
  'TEST 2',
  'PT Test',
  'Yayasan TES',
  'TES LOWONGAN',
  'Test batch 3',
  'TEST - Cook',
  'coba lowongan',
  'Lorem ipsum dolor',
  'demo',
])('%s was typed for a test', (text) => {
  expect(isTestText(text)).toBe(true);
});

test.each([
  'Test Engineer',
  'Tester',
  'Tes Psikologi dan Wawancara',
  'Software Testing',
  'PT Contoh Jaya Abadi',
  'Penguji Tes Cepat',
  'Demografi',
  'Kelas Memasak',
])('%s may be real', (text) => {
  expect(isTestText(text)).toBe(false);
});

/** What a tally sees in one column. */
const see = (column: string, values: readonly string[]) => {
  const tally = createValueTally([column]);
  const mapped = { payload: {}, parentPlatformId: null, issues: [], warnings: [] };
  for (const [at, value] of values.entries())
    tally.see({ name: String(at), row: { [column]: value }, mapped });
  return tally.result().get(column);
};

test('the values of a column are counted, the most frequent first, and so are the rows without one', () => {
  expect(see('phone', ['1', ' ', '2', '2'])).toMatchObject({
    absent: 1,
    isMore: false,
    values: [
      { value: '2', count: 2, sample: ['2', '3'] },
      { value: '1', count: 1 },
    ],
  });
});

test('where a column has too many values, those that come once are forgotten, and a frequent one is not', () => {
  const found = see(
    'phone',
    Array.from({ length: 5_000 }, (_, n) => (n % 5 === 0 ? '0811' : String(n))),
  );
  expect(found?.isMore).toBe(true);
  expect(found?.values[0]).toMatchObject({ value: '0811', count: 1_000 });
});
