import { expect, test } from 'vitest';
import { createPlaceholderTally, reservedName } from '../../../src/features/doctor/rows/placeholders.js';

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

/** Rows of companies, each with its own reserved host. */
const see = (rows: readonly Record<string, string>[]) => {
  const tally = createPlaceholderTally();
  const mapped = { payload: {}, parentPlatformId: null, issues: [], warnings: [] };
  rows.forEach((row, at) => {
    tally.see({ name: String(at), row, mapped });
  });
  return tally.result();
};

test('reserved names are one finding for all columns and rows, and none of them counts as a repeated value', () => {
  const rows = Array.from({ length: 20 }, (_, n) => ({
    email: n < 10 ? 'info@example.com' : `hr@company-${n}.example`,
    website: `https://company-${n}.example`,
  }));
  expect(see(rows)).toEqual([
    {
      kind: 'reserved',
      columns: [
        { column: 'email', count: 20 },
        { column: 'website', count: 20 },
      ],
      names: ['.example', 'example.com'],
      count: 20,
      sample: ['0', '1', '2', '3', '4'],
    },
  ]);
});

test('all values of a column that many rows share are one finding', () => {
  const rows = Array.from({ length: 20 }, (_, n) => ({ email: `hr@firm-${n % 4}.co.id` }));
  expect(see(rows)).toMatchObject([
    { kind: 'repeated', column: 'email', count: 20, sample: ['0', '4', '8', '12', '16'] },
  ]);
});
