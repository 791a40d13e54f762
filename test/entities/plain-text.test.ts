import { describe, expect, test } from 'vitest';
import { readLookup } from '../../src/entities/lookup.js';
import { plainText } from '../../src/entities/row-reader.js';

describe('plain text', () => {
  test.each([
    ['<p>satu</p><p>dua<br>tiga</p>', 'satu\n\ndua\ntiga'],
    ['<h2>Syarat</h2>&eacute; &lt; &#8211;', 'Syarat\n\né < –'],
    ['lihat <a href="https://a.id">situs</a> <img src="x.png" alt="logo">', 'lihat situs'],
    ['<script>alert(1)</script><style>p{}</style>isi', 'isi'],
    [`<p>${'kata '.repeat(60).trim()}</p>`, 'kata '.repeat(60).trim()],
  ])('%j becomes %j', (html, text) => {
    expect(plainText(html)).toEqual({ value: text });
  });

  test('leaves the lines of text without tags alone', () => {
    expect(plainText('a\n\n  b < c')).toEqual({ value: 'a\n\n  b < c' });
    expect(plainText('a\n\n  b &amp; c')).toEqual({ value: 'a\n\n  b & c' });
  });

  test('cuts endless nesting instead of overflowing the stack', () => {
    expect(plainText(`${'<div>'.repeat(9_000)}x`)).toEqual({ value: '…' });
  });

  test('a text says nothing of the one before, because the options are compiled once for all', () => {
    const html = ['<ul><li>satu<li>dua</ul>', '<p>tiga', `${'<div>'.repeat(300)}x`, 'a &amp; b'];
    const first = html.map(plainText);
    const again = [...html].reverse().map(plainText).reverse();
    expect(again).toEqual(first);
  });

  test.each([
    ['<table><tr><td>a<td>b<tr><th>c<th>d</table>e', 'a   b\nc   d\n\ne'],
    ['<table><tr><td colspan="Infinity">x', 'x'],
    ['<table><tr><td rowspan="20000" colspan="100000000">x', 'x'],
    ['<table><tr><td rowspan="-1">x', 'x'],
  ])('a table is a line for each row, whatever its cells say about their size: %j', (html, text) => {
    expect(plainText(html)).toEqual({ value: text });
  });

  test.each([
    ['a table of 60,000 rows', `<table>${'<tr><td>a<td>b'.repeat(60_000)}`],
    ['a megabyte of <', `<p>${'<'.repeat(1_000_000)}`],
    ['100,000 levels', '<div>'.repeat(100_000)],
    ['100,000 lines', `<pre>${'\n'.repeat(100_000)}`],
    ['100,000 lines as entities', `<ul><li><pre>${'&#10;'.repeat(100_000)}`],
    ['a text of more than two million characters', `<p>${'a'.repeat(2_000_000)}`],
  ])('%s is refused before it is parsed', (_what, html) => {
    expect(plainText(html)).toMatchObject({
      fault: { code: 'range', message: expect.stringContaining('is HTML that is too large') as string },
    });
  });

  test('a picture inside of the text may be large', () => {
    expect(plainText(`<p>a<img src="data:image/png;base64,${'A'.repeat(1_000_000)}"></p>`)).toEqual({
      value: 'a',
    });
  });
});

describe('reading a lookup', () => {
  const ID = '898b0b80-4ce3-4b6f-3413-f6b518e9c557';

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
    ['kode,id\na,1\n', /header/],
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
