import { describe, expect, test } from 'vitest';
import { readLookup } from '../../../src/core/entities/lookup.js';
import { plainText } from '../../../src/core/entities/plain-text.js';

function reading(html: string) {
  const result = plainText(html);
  if ('fault' in result) throw new Error(result.fault.message);
  return result;
}

describe('plain text', () => {
  test.each([
    ['<p>satu</p><p>dua<br>tiga</p>', 'satu\n\ndua\ntiga'],
    ['<h2>Syarat</h2>&eacute; &lt; &#8211;', 'Syarat\n\né < –'],
    [
      'lihat <a href="https://a.id">situs</a> <img src="x.png" alt="logo">',
      'lihat situs (https://a.id) logo',
    ],
    ['<script>alert(1)</script><style>p{}</style>isi', 'isi'],
    [`<p>${'kata '.repeat(60).trim()}</p>`, 'kata '.repeat(60).trim()],
  ])('%j becomes %j', (html, text) => {
    expect(plainText(html)).toEqual({ value: text });
  });

  test.each([
    ['Gaji <UMR dan lembur> 2 jam', 'Gaji <UMR dan lembur> 2 jam'],
    ['<p>Gaji <UMR dan lembur> 2 jam</p>', 'Gaji <UMR dan lembur> 2 jam'],
    ['<p>Suhu <minus 20 derajat</p><p>dua</p>', 'Suhu <minus 20 derajat\n\ndua'],
    ['Budi <budi@contoh.id>', 'Budi <budi@contoh.id>'],
    ['<https://contoh.id/x>', '<https://contoh.id/x>'],
    ['<b>Usia</b> <35 tahun, >2 tahun', 'Usia <35 tahun, >2 tahun'],
    ['a<b dan c>d<br>', 'a<b dan c>d\n'],
    ['a<b', 'a<b'],
    ['<p>a<b</p>', 'a<b'],
    [
      'Yth. <nama perusahaan>, <title>, <data diri>, <area>',
      'Yth. <nama perusahaan>, <title>, <data diri>, <area>',
    ],
    [
      '<p>Posisi <script writer>, <style> bebas, <mailto:budi@contoh.id></p>',
      'Posisi <script writer>, <style> bebas, <mailto:budi@contoh.id>',
    ],
    ['<!-- <p>x --> isi <!-- tanpa akhir', 'isi <!-- tanpa akhir'],
    ['Mulai <body>isi</body> akhir', 'Mulai isi akhir'],
    ['<p>1 <<b>tebal</b>>', '1 <tebal>'],
    ['&lt;35 tahun &amp; sehat', '<35 tahun & sehat'],
  ])('what is no tag is text: %j', (html, text) => {
    const { value, warning } = reading(html);
    expect(value).toBe(text);
    // What looks like a tag all the same is doubtful.
    expect(warning === undefined).toBe(!/<!--|<script|<style|<b dan/.test(text));
  });

  test.each([
    ['<div data-v-7ba5bd90 class="a>b" style=\'x:"y"\'>isi</div>', 'isi'],
    [
      '<o:p>Kerja</o:p><?xml:namespace prefix = o ns = "urn:x" /><![if !vml]>di sini<![endif]>',
      'Kerjadi sini',
    ],
    ['<td nowrap>a<hr noshade/><input disabled>b', 'a\n\n----------------------------------------\n\nb'],
    ['<!DOCTYPE html><html><head><title>x</title><style>p{}</style></head><body>isi</body></html>', 'isi'],
    ['<h3 id=x>Kasir</h3><label for="a">Usia</label>', 'Kasir\n\nUsia'],
    ['&lt;p&gt;Kasir&lt;/p&gt;', 'Kasir'],
    [
      '&amp;lt;ul&amp;gt;&amp;lt;li&amp;gt;Kasir &amp;amp; admin&amp;lt;/li&amp;gt;&amp;lt;/ul&amp;gt;',
      '- Kasir & admin',
    ],
    ['&#60;b&#62;Kasir&#60;/b&#62; &lt;35 tahun', 'Kasir <35 tahun'],
    ['<![CDATA[<p>Kasir</p>]]>', 'Kasir'],
    ['<p>a</p><![CDATA[b < c]]>', 'a\n\nb < c'],
    ['<img src="x.png" alt="Poster lowongan">', 'Poster lowongan'],
    ['<p><br></p>', '\n'],
    ['<p>&nbsp;</p><!-- StartFragment -->', '\u00a0'],
  ])('markup is no text: %j', (html, text) => {
    expect(reading(html)).toEqual({ value: text });
  });

  test.each([
    [
      '<a href="https://contoh.id/lamar?id=7&amp;x=1">Lamar di sini</a>',
      'Lamar di sini (https://contoh.id/lamar?id=7&x=1)',
    ],
    ['<a href="https://www.contoh.id/">contoh.id</a>', 'contoh.id'],
    ['<a href="https://contoh.id/x">https://contoh.id/x</a>', 'https://contoh.id/x'],
    ['<a href="mailto:hr@contoh.id?subject=x">Email</a>', 'Email (hr@contoh.id)'],
    ['<a href="mailto:hr@contoh.id">HR@contoh.id</a>', 'HR@contoh.id'],
    ['<a href="tel:+62812-3456">+62 812 3456</a>', '+62 812 3456'],
    ['<a href="/lamar">Lamar</a> <a href="#x">x</a> <a href="javascript:alert(1)">y</a>', 'Lamar x y'],
    ['<a href="https://contoh.id"><b></b></a>', 'https://contoh.id'],
    ['<a href="//contoh.id/x"><img alt="Lamar"></a>', 'Lamar (https://contoh.id/x)'],
  ])('a link keeps the address that people can use: %j', (html, text) => {
    expect(reading(html)).toEqual({ value: text });
  });

  test.each([
    ['<img src="x.png">', 'becomes nothing'],
    ['<script>alert(1)</script>', 'becomes nothing'],
    ['<iframe src="https://contoh.id"></iframe>', 'becomes nothing'],
    ['<div>&lt;p&gt;Kasir&lt;/p&gt;</div>', 'still has HTML'],
    ['<p class="x', 'still has HTML'],
    ['Menguasai &lt;p&gt; dan &lt;div&gt;', 'still has HTML'],
    ['<p>a &amp;nbsp; b</p>', 'still has HTML'],
  ])('%j is doubtful: it %s', (html, message) => {
    expect(reading(html).warning?.message).toContain(message);
  });

  test('leaves the lines of text without tags alone', () => {
    expect(plainText('a\n\n  b < c')).toEqual({ value: 'a\n\n  b < c' });
    expect(plainText('a\n\n  b &amp; c')).toEqual({ value: 'a\n\n  b & c' });
  });

  test('cuts endless nesting instead of overflowing the stack', () => {
    expect(plainText(`${'<div>'.repeat(9_000)}x`)).toMatchObject({
      value: '…',
      warning: { message: expect.stringContaining('a part of it is cut') as string },
    });
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
