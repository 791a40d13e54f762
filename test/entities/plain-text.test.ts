import { expect, test } from 'vitest';
import { plainText } from '../../src/entities/plain-text.js';

test.each([
  ['<p>satu</p><p>dua<br>tiga</p>', 'satu\n\ndua\ntiga'],
  ['<h2>Syarat</h2>&eacute; &lt; &#8211;', 'Syarat\n\né < –'],
  ['lihat <a href="https://a.id">situs</a> <img src="x.png" alt="logo">', 'lihat situs'],
  ['<script>alert(1)</script><style>p{}</style>isi', 'isi'],
  [`<p>${'kata '.repeat(60).trim()}</p>`, 'kata '.repeat(60).trim()],
])('%j becomes %j', (html, text) => {
  expect(plainText(html)).toBe(text);
});

test('leaves the lines of text without tags alone', () => {
  expect(plainText('a\n\n  b < c')).toBe('a\n\n  b < c');
  expect(plainText('a\n\n  b &amp; c')).toBe('a\n\n  b & c');
});

test('cuts endless nesting instead of overflowing the stack', () => {
  expect(plainText(`${'<div>'.repeat(100_000)}x`)).toBe('…');
});

test('a text says nothing of the one before, because the options are compiled once for all', () => {
  const html = ['<ul><li>satu<li>dua</ul>', '<p>tiga', `${'<div>'.repeat(300)}x`, 'a &amp; b'];
  const first = html.map(plainText);
  const again = [...html].reverse().map(plainText).reverse();
  expect(again).toEqual(first);
});
