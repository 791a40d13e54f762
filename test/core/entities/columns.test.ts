import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import type { Row } from '../../../src/core/domain/row.js';
import { queryColumns } from '../../../src/core/entities/columns.js';
import { companies } from '../../../src/core/entities/companies.js';
import type { MapContext } from '../../../src/core/entities/entity.js';
import { ENTITIES, entity } from '../../../src/core/entities/index.js';
import { readLookup } from '../../../src/core/entities/lookup.js';
import { ENTITY_NAMES } from '../../../src/core/entities/registry.js';
import { vacancies } from '../../../src/core/entities/vacancies.js';

describe('extra fields', () => {
  const CITY = '73c670c2-3f0a-4f4e-9f0a-5b8d6a1c2e30';
  const ROW = { key: '1', name: 'PT Satu', region_id: CITY };
  const context = (change: Partial<MapContext> = {}): MapContext => ({
    lookups: {},
    plainText: [],
    required: null,
    namespace: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    extraFields: {
      size: 'headcount',
      'contact.name': 'contact_name',
      'contact.tags': 'tags',
      verified: 'ok',
    },
    ...change,
  });

  test('extra fields carry the value of their column as it is, at their path', () => {
    const row = { ...ROW, headcount: 12, contact_name: 'Budi ', tags: { a: [1, 'x'] }, ok: false };
    expect(companies.map(row, context())).toMatchObject({
      payload: {
        name: 'PT Satu',
        size: 12,
        contact: { name: 'Budi ', tags: { a: [1, 'x'] } },
        verified: false,
      },
      issues: [],
    });
  });

  test('an extra field without a value is left out, and so is the object around it', () => {
    const { payload } = companies.map({ ...ROW, headcount: null, contact_name: '  ', ok: '' }, context());
    expect(Object.keys(payload ?? {})).toEqual(['region', 'name']);
  });

  test.each([
    ['a number that lost digits', { headcount: 2 ** 53 + 2 }, 'size', 'range'],
    ['text that no database holds, deep inside', { tags: { a: ['\0'] } }, 'contact.tags', 'format'],
  ])('%s makes the record invalid and names the field', (_, change, field, code) => {
    const { payload, issues } = companies.map({ ...ROW, ...change }, context());
    expect(payload).toBeNull();
    expect(issues).toMatchObject([{ field, code }]);
  });

  test('an extra column may be required, and its HTML made plain', () => {
    const { issues } = companies.map(ROW, context({ required: ['headcount'] }));
    expect(issues).toMatchObject([{ field: 'size', code: 'required' }]);
    const mapped = companies.map(
      { ...ROW, contact_name: '<b>Budi</b>' },
      context({ plainText: ['contact_name'] }),
    );
    expect(mapped.payload).toMatchObject({ contact: { name: 'Budi' } });
  });

  test('the columns of extra fields are part of the row contract: a query must return them', () => {
    expect(queryColumns(companies, null, { size: 'headcount', crew: 'headcount' }).slice(-1)).toEqual([
      { name: 'headcount', required: true, typed: true },
    ]);
  });
});

describe('query columns', () => {
  const needed = (required: readonly string[] | null) =>
    queryColumns(companies, required)
      .filter((column) => column.required)
      .map((column) => column.name);

  test('a query must return key, name and what the entity assumes to be required', () => {
    expect(needed(null)).toEqual(['key', 'name', 'region_id']);
  });

  test('the setting takes the place of the assumption, never that of key and name', () => {
    expect(needed([])).toEqual(['key', 'name']);
    expect(needed(['phone'])).toEqual(['key', 'name', 'phone']);
  });

  test('a column of any value, or of numbers, is asked for with its type', () => {
    expect(queryColumns(entity('vacancies'), null).filter(({ typed }) => typed)).toEqual([
      { name: 'quota', typed: true },
      { name: 'min_salary_amount', typed: true },
      { name: 'max_salary_amount', typed: true },
      { name: 'min_age', typed: true },
      { name: 'max_age', typed: true },
      { name: 'min_experience', typed: true },
    ]);
  });

  test('every entity names each of its columns once, and parents come before their children', () => {
    const seen = new Set<string>();
    for (const { name, columns, parent } of ENTITIES) {
      expect(new Set(columns.map((column) => column.name)).size).toBe(columns.length);
      if (parent) expect(seen).toContain(parent.entity);
      seen.add(name);
    }
  });
});

const CITY = '73c670c2-bd42-491a-a76b-f17c2edb6680';

/** One vacancy, with a lookup for one column. */
function vacancy(row: Row, column: string, csv: string, required: MapContext['required'] = null) {
  return vacancies.map(
    { key: '1', company_key: '2', title: 'Sopir', ...row },
    {
      lookups: { [column]: readLookup(`code,id\n${csv}`, `${column}.csv`) },
      plainText: [],
      required,
      namespace: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    },
  );
}

describe('a word that its lookup leaves out', () => {
  test('takes the salary with it, rather than show the amount in another currency', () => {
    const row = { min_salary_currency: 'POIN', min_salary_amount: '500' };
    const mapped = vacancy(row, 'min_salary_currency', 'POIN,-\n');
    expect(mapped.issues).toEqual([]);
    expect(mapped.payload).not.toHaveProperty('min_salary');
  });

  test('takes the region with it, rather than send the id of a province as one of a city', () => {
    const mapped = vacancy({ region_type: 'PROV', region_id: CITY }, 'region_type', 'PROV,-\n');
    expect(mapped.issues).toEqual([]);
    expect(mapped.payload).not.toHaveProperty('region');
  });

  test('is no status at all, where an absent one is open', () => {
    expect(vacancy({ status: 'X' }, 'status', 'X,-\n').payload).not.toHaveProperty('status');
    expect(vacancy({ status: ' ' }, 'status', 'X,-\n').payload).toMatchObject({ status: 'open' });
  });

  test('is null where the field is nullable', () => {
    expect(vacancy({ gender: 'X' }, 'gender', 'X,-\n').payload).toMatchObject({ gender: null });
  });

  test('is refused where the column is required', () => {
    expect(vacancy({ gender: 'X' }, 'gender', 'X,-\n', ['gender']).issues).toMatchObject([
      { field: 'gender', code: 'required' },
    ]);
  });
});

describe('a word of the platform', () => {
  test('comes from the lookup as it is written there', () => {
    expect(vacancy({ gender: ' l ' }, 'gender', 'L,Male\n').payload).toMatchObject({ gender: 'Male' });
  });

  test('is not a UUID that passes by itself', () => {
    expect(vacancy({ gender: CITY }, 'gender', 'L,male\n').issues).toMatchObject([
      { field: 'gender', code: 'unmapped', value: CITY },
    ]);
  });

  test('stands in for an absent currency and an absent region type', () => {
    const row = { max_salary_amount: '5000000.00', region_id: CITY };
    expect(vacancy(row, 'gender', '').payload).toMatchObject({
      max_salary: { currency: 'IDR', amount: 5_000_000 },
      region: { type: 'city', id: CITY, country_code: null },
    });
  });
});

describe('an id by lookup', () => {
  test.each([
    [
      'its own entry before the UUID that it is',
      `${CITY},898B0B80-4CE3-4B6F-3413-F6B518E9C557\n`,
      CITY,
      '898b0b80-4ce3-4b6f-3413-f6b518e9c557',
    ],
    ['a UUID before the entry for every other code', '*,-\n', CITY.toUpperCase(), CITY],
    ['a code that is equal once ß and SS are', `STRASSE,${CITY}\n`, 'straße', CITY],
    ['with tabs and line feeds taken as blanks', `a b,${CITY}\n`, ' A\t\n B ', CITY],
  ])('takes %s', (_name, csv, code, id) => {
    expect(vacancy({ job_type: code }, 'job_type', csv).payload).toMatchObject({ job_type: id });
  });

  test('is refused when the lookup holds something else than a UUID', () => {
    expect(vacancy({ job_type: 'A' }, 'job_type', 'A,full-time\n').issues).toMatchObject([
      { field: 'job_type', code: 'format', hint: expect.stringContaining('job_type.csv') as string },
    ]);
  });

  test('is undecided for every other code when the entry for them is empty', () => {
    expect(vacancy({ job_type: 'B' }, 'job_type', `A,${CITY}\n*,\n`).issues).toMatchObject([
      { field: 'job_type', code: 'undecided', value: 'B' },
    ]);
  });
});

describe('registry', () => {
  it('each entity stands in the registry under its own name', () => {
    expect(ENTITIES.map(({ name }) => name)).toEqual(ENTITY_NAMES);
  });

  it.each(['README.md', 'docs/dev/glossary.md'])('%s names each kind of record', (file) => {
    const text = readFileSync(file, 'utf8').replace(/\s+/g, ' ');
    const unnamed = ENTITY_NAMES.map((name) => name.replaceAll('-', ' ')).filter(
      (name) => !text.includes(name),
    );
    expect(unnamed, `name them in the sentence that lists the kinds of records`).toEqual([]);
  });
});
