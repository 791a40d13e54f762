import { expect, test } from 'vitest';
import { plainText } from '../../src/entities/row-reader.js';

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
