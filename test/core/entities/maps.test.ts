import { describe, expect, test } from 'vitest';
import { companies } from '../../../src/core/entities/companies.js';
import type { MapContext } from '../../../src/core/entities/entity.js';
import { readLookup } from '../../../src/core/entities/lookup.js';
import { vacancies } from '../../../src/core/entities/vacancies.js';
import type { Row } from '../../../src/core/domain/row.js';

const CITY = '73c670c2-bd42-491a-a76b-f17c2edb6680';
const MINING = '898b0b80-4ce3-4b6f-3413-f6b518e9c557';
const CONTEXT: MapContext = {
  lookups: {},
  plainText: [],
  required: null,
  namespace: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
};
const vacancy = (row: Row, context: Partial<MapContext> = {}) =>
  vacancies.map({ key: '1', company_key: 'c', title: 'Sopir', ...row }, { ...CONTEXT, ...context });
const company = (row: Row, context: Partial<MapContext> = {}) =>
  companies.map({ key: '1', name: 'PT A', region_id: CITY, ...row }, { ...CONTEXT, ...context });

describe('a company', () => {
  test('leaves absent fields out: null, missing, empty and blank', () => {
    const { payload } = company({ address: null, phone: '', email: '   ' });
    expect(payload).toEqual({ name: 'PT A', region: { type: 'city', id: CITY, country_code: null } });
  });

  test('keeps text as it is', () => {
    const name = '  <b>PT\u00a0"É" &amp; \u{1F600}</b>\n';
    expect(company({ name }).payload?.name).toBe(name);
  });

  test('turns HTML into text only in the columns named for it', () => {
    const html = '<p>Satu &amp; dua</p><ul><li>tiga</li></ul>';
    const { payload } = company({ about: html, address: html }, { plainText: ['about'] });
    expect(payload?.address).toBe(html);
    expect(payload?.about).toMatch(/^Satu & dua\s+- tiga$/);
  });

  test('abroad without a region id has no region', () => {
    expect(company({ region_id: null, region_country_code: 'SG' }).payload).toEqual({ name: 'PT A' });
    expect(company({ region_id: null }).issues).toMatchObject([{ field: 'region.id', code: 'required' }]);
  });

  test.each([
    ['latitude', '91', 'range'],
    ['latitude', 'north', 'format'],
    ['website', 'not a url', 'format'],
    ['industry', 'Mining', 'format'],
    ['name', ' ', 'required'],
  ])('with %s = %s is invalid (%s)', (column, value, code) => {
    const mapped = company({ [column]: value });
    expect(mapped.payload).toBeNull();
    expect(mapped.issues).toMatchObject([{ field: column, code }]);
  });

  test('may be asked for more, or for less', () => {
    expect(company({}, { required: ['phone'] }).issues).toMatchObject([{ field: 'phone', code: 'required' }]);
    expect(company({ region_id: null }, { required: [] }).issues).toEqual([]);
  });
});

describe('a vacancy', () => {
  test('sends nullable fields as null, and open as its status', () => {
    expect(vacancy({}).payload).toEqual({
      title: 'Sopir',
      gender: null,
      marital: null,
      min_experience: null,
      status: 'open',
    });
  });

  test('knows its company by platform id', () => {
    expect(vacancy({ company_key: MINING.toUpperCase() }).parentPlatformId).toBe(MINING);
    expect(vacancy({ company_key: null }).issues).toMatchObject([{ field: 'employer', code: 'required' }]);
  });

  test.each([
    ['5.00', 5, 0],
    ['2.5', 3, 1],
    ['-0.5', 0, 2],
  ])('takes quota %s as %i', (text, quota, warnings) => {
    const mapped = vacancy({ quota: text });
    expect(mapped.payload?.quota).toBe(quota);
    expect(mapped.warnings).toHaveLength(warnings);
  });

  test('leaves a salary without amount out, and warns of 0', () => {
    const { payload, warnings } = vacancy({ min_salary_currency: 'USD', max_salary_amount: '0' });
    expect(payload).toMatchObject({ max_salary: { currency: 'IDR', amount: 0 } });
    expect(payload).not.toHaveProperty('min_salary');
    expect(warnings).toMatchObject([{ field: 'max_salary.amount' }]);
  });

  test.each([
    [2, 2],
    [2.5, 2.5],
    ['2', '2'],
    ['fresh graduate', 'fresh graduate'],
    [true, true],
    [
      { years: 2, unit: 'y' },
      { years: 2, unit: 'y' },
    ],
    [
      ['1', 2],
      ['1', 2],
    ],
    [null, null],
    [' ', null],
  ])('sends the experience %j as it is', (value, sent) => {
    expect(vacancy({ min_experience: value })).toMatchObject({
      issues: [],
      payload: { min_experience: sent },
    });
  });

  test.each([
    ['Junior', 1],
    [2, 2.5],
    ['senior', '5'],
    ['guru', 'more_than_10'],
    ['none', null],
  ])('takes the experience %j by its lookup as %j', (value, sent) => {
    const csv = 'code,id\njunior,1\n2,2.5\nsenior,"""5"""\nguru,more_than_10\nnone,-\n';
    const lookups = { min_experience: readLookup(csv, 'experience.csv') };
    expect(vacancy({ min_experience: value }, { lookups }).payload?.min_experience).toBe(sent);
    expect(vacancy({ min_experience: 'other' }, { lookups }).issues).toMatchObject([
      { field: 'min_experience', code: 'unmapped', value: 'other' },
    ]);
  });

  test('warns of a country code that goes with its region, for whatever reason', () => {
    const types = { lookups: { region_type: readLookup('code,id\nkota,-\n', 'types.csv') } };
    const abroad = { region_country_code: 'SG' };
    const fields = (row: Row, context = {}) => vacancy(row, context).warnings.map(({ field }) => field);
    expect(fields(abroad)).toEqual(['region.country_code']);
    expect(fields({ ...abroad, region_id: CITY, region_type: 'kota' }, types)).toEqual([
      'region.country_code',
    ]);
    expect(fields({ ...abroad, region_id: CITY })).toEqual([]);
    expect(vacancy({ ...abroad, region_id: '31.74' })).toMatchObject({
      warnings: [],
      issues: [{ field: 'region.id' }],
    });
  });

  test.each([
    [
      [' b', 'a', null, '', 'a'],
      ['a', 'b'],
    ],
    ['', []],
    [null, undefined],
  ])('takes skills %j as %j', (skills, expected) => {
    const { payload } = vacancy({ skills: skills });
    // There and not null, even if nothing is in it.
    expect(payload?.skills).toEqual(expected);
  });
});

describe('lookups', () => {
  test('whose codes are UUIDs take no unlisted UUID for an id of the platform', () => {
    const own = '3f0c1f52-6e0e-4a30-9c7c-2a5a1f7c9d01';
    const unlisted = '3F0C1F52-6e0e-4a30-9c7c-2a5a1f7c9d02';
    const byOwn = { lookups: { industry: readLookup(`code,id\n${own},${MINING}\n`, 'own.csv') } };
    expect(company({ industry: own.toUpperCase() }, byOwn).issues).toEqual([]);
    expect(company({ industry: unlisted }, byOwn)).toMatchObject({
      payload: null,
      issues: [{ field: 'industry', code: 'unmapped', message: `the code "${unlisted}" is not in own.csv` }],
    });
    const byWord = { lookups: { industry: readLookup(`code,id\ntambang,${MINING}\n`, 'word.csv') } };
    expect(company({ industry: unlisted }, byWord).issues).toEqual([]);
  });

  test('whose codes are words doubt a UUID that neither they nor the platform list', () => {
    const listed = '3f0c1f52-6e0e-4a30-9c7c-2a5a1f7c9d01';
    const known = '3f0c1f52-6e0e-4a30-9c7c-2a5a1f7c9d02';
    const own = '3f0c1f52-6e0e-4a30-9c7c-2a5a1f7c9d03';
    const context = {
      lookups: { industry: readLookup(`code,id\ntambang,${listed.toUpperCase()}\n`, 'word.csv') },
      knownIds: new Map([['industry', new Set([known])]]),
    };
    for (const value of ['tambang', listed, known.toUpperCase()])
      expect(company({ industry: value }, context)).toMatchObject({ issues: [], warnings: [] });
    expect(company({ industry: own }, context)).toMatchObject({
      payload: { industry: own },
      issues: [],
      warnings: [
        {
          field: 'industry',
          code: 'doubtful',
          value: own,
          message: expect.stringMatching(/^is a UUID that is neither in word\.csv nor/) as string,
          hint: expect.stringContaining('word.csv') as string,
        },
      ],
    });
    expect(company({ industry: own }, { lookups: {} }).warnings).toEqual([]);
  });

  const lookup = (rows: string) => ({
    lookups: { industry: readLookup(`code,id,name\n${rows}`, 'reference/industries.csv') },
  });

  test.each([
    [' tam  BANG ', MINING],
    [CITY.toUpperCase(), CITY],
    ['other', '9c258121-6f38-42f3-078c-ddfdd060920b'],
  ])('turn %s into %s', (code, id) => {
    const context = lookup(`Tam Bang,${MINING},x\n*,9c258121-6f38-42f3-078c-ddfdd060920b,y\n`);
    expect(company({ industry: code }, context).payload?.industry).toBe(id);
  });

  test('that do not know a code, or have no id yet, make the record invalid and name the file', () => {
    const context = lookup('new,,x\n');
    expect(company({ industry: 'zzz' }, context).issues).toMatchObject([
      {
        field: 'industry',
        code: 'unmapped',
        value: 'zzz',
        hint: expect.stringContaining('reference/industries.csv') as string,
      },
    ]);
    expect(company({ industry: 'NEW' }, context).issues).toMatchObject([
      { field: 'industry', code: 'undecided' },
    ]);
  });

  test('leave the field out with -, unless it is required', () => {
    const context = lookup('none,-,x\n');
    expect(company({ industry: 'none' }, context).payload).not.toHaveProperty('industry');
    expect(company({ industry: 'none' }, { ...context, required: ['industry'] }).issues).toMatchObject([
      { field: 'industry', code: 'required' },
    ]);
  });

  test('map every skill', () => {
    const lookups = { skills: readLookup('code,id\nJS,java_script\nVB,-\nTS,java_script\n', 'skills.csv') };
    expect(vacancy({ skills: ['js', 'TS', 'vb'] }, { lookups }).payload?.skills).toEqual(['java_script']);
    expect(vacancy({ skills: ['cobol'] }, { lookups }).issues).toMatchObject([
      { field: 'skills', code: 'unmapped', value: 'cobol' },
    ]);
  });

  test('may begin with a byte order mark, end lines as on Windows and have further columns', () => {
    const { entries } = readLookup('\uFEFFname,ID,Code\r\n"A, B",7,x\r\n', 'x.csv');
    expect([...entries]).toEqual([['x', '7']]);
  });
});
