import { describe, expect, test } from 'vitest';
import { readLookup } from '../../src/entities/lookup.js';

const ID = '898b0b80-4ce3-4b6f-3413-f6b518e9c557';

describe('reading a lookup', () => {
  test('names every wrong line at once', () => {
    const csv = `code,id\na,${ID}\n,${ID}\n A ,${ID}\nb,mining\n`;
    expect(() => readLookup(csv, 'industries.csv', { column: 'industry', required: false })).toThrow(
      /^industries\.csv: line 3: .*empty; lines 2 and 4 .*"A".*; line 5: the id "mining" is not a UUID/,
    );
  });

  test('takes undecided codes, codes to leave out, and ids in any case', () => {
    const csv = `code,id\na,\nb,-\n*, ${ID.toUpperCase()} \n`;
    expect([...readLookup(csv, 'x.csv', { column: 'region_id', required: false }).entries]).toEqual([
      ['a', ''],
      ['b', '-'],
      ['*', ID.toUpperCase()],
    ]);
  });

  test('refuses to leave out a column that a row must fill, but a single skill may be left out', () => {
    const csv = `code,id\na,-\nb,${ID}\n*,-\n`;
    expect(() => readLookup(csv, 'cities.csv', { column: 'region_id', required: true })).toThrow(
      /^cities\.csv: line 2: the id of "a" is -, but region_id is required.*; line 4: /,
    );
    expect(readLookup(csv, 'x.csv', { column: 'region_id', required: false }).entries.get('a')).toBe('-');
    expect(readLookup(csv, 'x.csv', { column: 'skills', required: true }).entries.get('a')).toBe('-');
  });

  test('takes any word where the platform wants a word', () => {
    expect(
      readLookup('code,id\nL,male\n', 'x.csv', { column: 'gender', required: false }).entries.get('l'),
    ).toBe('male');
  });

  test('passes over the empty rows that spreadsheets append', () => {
    expect(readLookup('code,id\na,1\n,\n \n', 'x.csv').entries.size).toBe(1);
  });

  test('counts the lines of quoted cells that span several', () => {
    expect(() => readLookup('code,id,note\na,1,"two\nlines"\n,2,x\n', 'x.csv')).toThrow(/line 4/);
  });

  test.each([
    ['', /is empty/],
    ['code,id,Code\na,1,b\n', /two columns code/],
    ['code,id\n"a,1\n', /a quote \("\) is open until the end/],
    ['code,id\na "b",1\n', /line 2: a quote \("\) stands in the middle of a cell/],
    ['code,id\n"a" b,1\n', /line 2: text follows a closing quote/],
  ])('refuses %j', (csv, message) => {
    expect(() => readLookup(csv, 'x.csv')).toThrow(message);
  });

  test('says what a file with other separators needs', () => {
    expect(() => readLookup('code;id\na;1\n', 'x.csv')).toThrow(/semicolons.*CSV with commas/);
  });
});
