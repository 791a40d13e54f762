import { describe, expect, test } from 'vitest';
import type { Row } from '../../src/domain/row.js';
import type { MapContext } from '../../src/entities/entity.js';
import { readLookup } from '../../src/entities/lookup.js';
import { vacancies } from '../../src/entities/vacancies.js';

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
