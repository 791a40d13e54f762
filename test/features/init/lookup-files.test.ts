import type { ValueCount } from '../../../src/features/init/map/draft-query.js';
import { describe, expect, it } from 'vitest';
import { platformReferences } from '../../../src/cli/compose/configured-entities.js';
import { foldCode, readLookup } from '../../../src/core/entities/lookup.js';
import type { CatalogTable } from '../../../src/features/catalog/catalog.js';
import { findLinks } from '../../../src/features/init/links.js';
import { type JsonKey, unfoldJson } from '../../../src/features/init/map/open-columns.js';
import { makeQuery } from '../../../src/features/init/map/make-query.js';
import { NOTHING_KNOWN } from '../../../src/features/init/map/scope.js';
import { columnSql } from '../../../src/features/init/sql-text.js';
import { csvText, lookupFiles } from '../../../src/features/init/write/lookup-files.js';
import { fillLookup } from '../../../src/features/lookup/fill-lookup.js';
import { catalogOf } from './catalog-of.js';

describe('lookup files', () => {
  /** Ids of the codes of a column, by code: `['P', 'Pria']` is the code P with that name. */
  function idsOf(target: string, codes: readonly (readonly [string, string | null])[]) {
    const file = draftedFile(target, codes);
    return Object.fromEntries(file?.lines.map(({ code, id }) => [code, id]) ?? []);
  }

  /** The drafted lookup of a column; each code stands in one record. */
  function draftedFile(target: string, codes: readonly (readonly [string, string | null])[]) {
    const catalog = catalogOf(`vacancy 3: id int, title text, gender text, city_code text, currency text`);
    const [table] = catalog.tables as [CatalogTable];
    const query = makeQuery('vacancies', table, {
      links: findLinks(catalog),
      chosen: new Map([['vacancies', table]]),
      known: NOTHING_KNOWN,
      ranking: new Map(),
    });
    const counts = codes.map(([value, label]): ValueCount => ({ value, label, count: 1 }));
    const facts = { values: new Map(), conditions: new Map(), codes: new Map([[target, counts]]) };
    return lookupFiles([{ query, facts }], platformReferences())[0];
  }

  it.each([
    [
      { P: 'Pria', L: 'Lainnya' },
      { P: 'male', L: '' },
    ],
    [
      { P: null, L: 'Lainnya' },
      { P: '', L: '' },
    ],
    [
      { P: null, L: null },
      { P: 'female', L: 'male' },
    ],
    [
      { P: 'Perempuan', L: 'Laki-laki' },
      { P: 'female', L: 'male' },
    ],
    // A name that repeats the code says nothing more.
    [
      { P: 'p', L: 'L' },
      { P: 'female', L: 'male' },
    ],
    [
      { P: null, W: null },
      { P: '', W: '' },
    ],
  ])('gender %j is %j', (codes, ids) => {
    expect(idsOf('gender', Object.entries(codes))).toEqual(ids);
  });

  it('takes no city by a number that repeats itself as its name', () => {
    expect(idsOf('region_id', [['3174', '3174']])).toEqual({ '3174': '' });
  });

  it('counts codes that differ in case or blanks as one, with the id that all of them get', () => {
    const file = draftedFile('gender', [
      ['l', null],
      ['P', null],
      ['L', null],
      [' p ', null],
      ['p', null],
    ]);
    expect(file?.lines).toMatchObject([
      { code: 'P', id: 'female', count: 3 },
      { code: 'l', id: 'male', count: 2 },
    ]);
    expect(file?.uses).toMatchObject([{ entity: 'vacancies', records: 5, decided: 5 }]);
  });
});

describe('csv text', () => {
  const line = (code: string, name: string, note = '') => ({ code, id: '', name, count: 1, note });
  const lineOf = (code: string, name: string, note?: string) =>
    csvText({ lines: [line(code, name, note)] }).split('\n')[1];

  it('keeps a spreadsheet from calculating a name or a note', () => {
    expect(lineOf('a', '+cmd|x')).toBe("a,,'+cmd|x,1,");
    expect(lineOf('a', 'b', '=1+1')).toBe("a,,b,1,'=1+1");
  });

  it('shows what a terminal would act on', () => {
    expect(lineOf('a', '\u001b[2Jb', 'c\u202e')).toBe('a,,\\u001b[2Jb,1,c\\u202e');
  });

  it.each(['=HYPERLINK("http://x")', '+1', '-1', '@a'])('leaves the code %s as it is, and warns', (code) => {
    const text = csvText({ lines: [line(code, 'x', 'ambiguous: y')] });
    expect([...readLookup(text, 'x.csv').entries.keys()]).toEqual([foldCode(code)]);
    expect(text).toContain(
      ',x,1,"ambiguous: y; a spreadsheet takes the code for a formula: edit this file as text"\n',
    );
  });

  it('leaves a code with characters that are not seen as it is, and shows them in the note', () => {
    const text = csvText({ lines: [line('\u001b[2J', 'x')] });
    expect([...readLookup(text, 'x.csv').entries.keys()]).toEqual([foldCode('\u001b[2J')]);
    expect(text).toContain(',,x,1,the code has characters that are not seen: \\u001b[2J\n');
  });

  it('has no note for other codes', () => expect(lineOf('7', 'a, b')).toBe('7,,"a, b",1,'));

  it('quotes what a spreadsheet of another language would take for the next column', () =>
    expect(lineOf('7;8', 'a\tb')).toBe('"7;8",,"a\tb",1,'));
});

describe('unfold json', () => {
  function unfolded(keys: readonly JsonKey[]) {
    const [table] = catalogOf(`job 10: id int, terms jsonb`).tables;
    if (!table) throw new Error('no table');
    const opened = unfoldJson(table, new Map([['terms', keys]]));
    return opened.columns.slice(1).map((column) => [column.name, column.kind, columnSql('v', column)]);
  }

  const key = (path: string, type = 'string', count = 10): JsonKey => ({
    path: path.split('.') as [string],
    type,
    count,
  });

  it('takes texts by language as one text, Indonesian first, then English', () => {
    const columns = unfolded([key('en_US'), key('fr_FR'), key('id_ID', 'string', 3)]);
    expect(columns).toEqual([
      [
        'terms',
        'text',
        "coalesce(nullif(btrim(v.terms ->> 'id_ID'), ''), nullif(btrim(v.terms ->> 'en_US'), ''), v.terms ->> 'fr_FR')",
      ],
    ]);
  });

  it('makes columns of the fields of an object, also one level below', () => {
    const columns = unfolded([
      key('pay', 'object'),
      key('pay.min', 'number'),
      key('note'),
      key('skills', 'array'),
    ]);
    expect(columns).toEqual([
      ['terms_pay_min', 'text', "(v.terms -> 'pay' ->> 'min')"],
      ['terms_note', 'text', "(v.terms ->> 'note')"],
      ['terms_skills', 'json', "(v.terms -> 'skills')"],
    ]);
  });

  it('leaves out fields of people', () => {
    expect(unfolded([key('contact_phone'), key('note'), key('pic', 'object'), key('pic.name')])).toEqual([
      ['terms_note', 'text', "(v.terms ->> 'note')"],
    ]);
  });

  it('leaves a list or a document of many keys as it is', () => {
    expect(unfolded([])).toEqual([['terms', 'json', 'v.terms']]);
    expect(unfolded([...'abcdefghijklmnopqrstuvwxyz12345'].map((letter) => key(`x${letter}`)))).toEqual([
      ['terms', 'json', 'v.terms'],
    ]);
  });

  it('quotes a key that has a quote in it', () => {
    expect(unfolded([key("it's")])).toEqual([["terms_it's", 'text', "(v.terms ->> 'it''s')"]]);
  });
});

describe('filling a lookup', () => {
  const values = platformReferences().get('job_type') ?? [];
  const fill = (text: string, codes: readonly { code: string; count: number }[] = [], target = 'job_type') =>
    fillLookup(text, target, { codes, values: platformReferences().get(target) ?? [] });
  const fullTime = values.find(({ code }) => code === 'full_time')?.id ?? '';
  const partTime = values.find(({ code }) => code === 'part_time')?.id ?? '';

  it('fills empty ids by names, and leaves every other line as it is, to the last byte', () => {
    const id = '11111111-1111-4111-8111-111111111111';
    const text = `\uFEFFCode, ID ,name\r\n"A", ${id} ,Penuh waktu\r\nB,,"Penuh waktu"\r\nC,-,\r\nD,,Sesuatu`;
    const filled = fill(text);
    expect(filled.text).toBe(
      `\uFEFFCode, ID ,name\r\n"A", ${id} ,Penuh waktu\r\nB,${fullTime},Penuh waktu\r\nC,-,\r\nD,,Sesuatu`,
    );
    expect(filled.filled).toEqual([{ code: 'B', name: 'Penuh waktu', id: fullTime }]);
    expect(filled.open).toEqual([{ code: 'D', count: null, note: '' }]);
    expect(readLookup(filled.text, 'x.csv').entries.get('b')).toBe(fullTime);
    expect(fill(filled.text).text).toBe(filled.text);
  });

  it('adds the codes that the rows have and the file lacks, those with most rows first among the open', () => {
    const text = 'code,id,name,count,note,mine\nft,,,2,,keep\n';
    const {
      text: after,
      added,
      open,
    } = fill(text, [
      { code: 'Magang, lain', count: 9 },
      { code: 'FT', count: 5 },
      { code: 'part time', count: 3 },
      { code: ' ', count: 1 },
    ]);
    expect(after).toBe(
      `code,id,name,count,note,mine\nft,${fullTime},,2,,keep\n"Magang, lain",,,9,,\npart time,${partTime},,3,,\n`,
    );
    expect(added).toEqual(['Magang, lain', 'part time']);
    expect(open).toEqual([{ code: 'Magang, lain', count: 9, note: '' }]);
  });

  it('keeps how each line ends, counts codes as a lookup does, and completes a line that is too short', () => {
    expect(fill('code,id\nft,\r\n\nx,-')).toMatchObject({ text: `code,id\nft,${fullTime}\r\n\nx,-` });
    const { text, added, open } = fill('code,id,name\nFull time', [
      { code: 'x', count: 1 },
      { code: ' X', count: 2 },
    ]);
    expect(text).toBe(`code,id,name\nFull time,${fullTime},\nx,,\n`);
    expect([added, open]).toEqual([['x'], [{ code: 'x', count: 3, note: '' }]]);
    expect(readLookup(text, 'x.csv').entries.size).toBe(2);
  });

  it('adds nothing where * stands for every other code: a line without an id would take it away', () => {
    const text = `code,id\n*,${fullTime}\n`;
    expect(fill(text, [{ code: 'part time', count: 3 }])).toEqual({ text, filled: [], added: [], open: [] });
  });

  it('leaves empty what could mean two things, and says why', () => {
    const { text, open } = fill('code,id,name\n1,,Bandung\n2,,Kota Padang\n', [], 'region_id');
    expect(text).toMatch(/^1,,Bandung$/m);
    expect(text).toMatch(/^2,[0-9a-f-]{36},Kota Padang$/m);
    expect(open).toEqual([{ code: '1', count: null, note: expect.stringContaining('ambiguous') as string }]);
  });
});
