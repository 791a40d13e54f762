import { describe, expect, test } from 'vitest';
import { shownIssue } from '../../../src/core/domain/issue.js';
import { companies } from '../../../src/core/entities/companies.js';
import { queryColumns } from '../../../src/core/entities/columns.js';
import { readLookup } from '../../../src/core/entities/lookup.js';
import { vacancies } from '../../../src/core/entities/vacancies.js';
import { wayOut } from '../../../src/core/entities/way-out.js';
import { checkColumns } from '../../../src/core/source/query.js';

const CONTEXT = {
  lookups: {},
  plainText: [],
  required: null,
  namespace: '6f1a3c1e-9d6c-4b58-8f5e-2a4f4d1b7c11',
};
const WAY =
  'If the platform accepts companies without region_id, write under entities.companies: required: []';
const ROW = { key: 'c1', name: 'PT Satu' };

const hints = (region: string | null, csv?: string) =>
  companies
    .map(
      { ...ROW, region_id: region },
      csv === undefined ? CONTEXT : { ...CONTEXT, lookups: { region_id: readLookup(csv, 'cities.csv') } },
    )
    .issues.map(shownIssue)
    .map(({ code, hint }) => [code, hint]);

describe('a column that is required by assumption names its way out', () => {
  test('when the row has no value', () => {
    expect(hints(null)).toEqual([['required', `Fill region_id in the query. ${WAY}`]]);
  });

  test('when its lookup leaves out this code, or every code', () => {
    const hint = `Give its code an id in cities.csv. ${WAY}`;
    expect(hints('SBY', 'code,id\nSBY,-\n')).toEqual([['required', hint]]);
    expect(hints('SBY', 'code,id\n*,-\n')).toEqual([['required', hint]]);
  });

  test('when its code has no id yet, because - is not possible there', () => {
    expect(hints('SBY', 'code,id\nSBY,\n')).toEqual([
      [
        'undecided',
        `Fill in the id in cities.csv; region_id is required, so - is not possible there. ${WAY}`,
      ],
    ]);
  });

  test('when the query does not return it', () => {
    const query = {
      entity: 'companies',
      sql: '',
      file: 'companies.sql',
      columns: queryColumns(companies, null),
    };
    const check = () => checkColumns(query, ['key', 'name']);
    expect(check).toThrow('the required column "region_id" is missing');
    try {
      check();
    } catch (error) {
      expect(error).toMatchObject({ hint: expect.stringContaining(`${WAY}.`) as string });
    }
  });

  test('when a file that another entity shares refuses - for it', () => {
    expect(() =>
      readLookup('code,id\n*,-\n', 'cities.csv', { column: 'region_id', required: true, wayOut: WAY }),
    ).toThrow(
      `cities.csv: line 2: the id of "*" is -, but region_id is required and cannot be left out. ${WAY}. If another entity shares the file: give each a file of its own`,
    );
  });

  test('and keeps the other columns of the setting', () => {
    expect(wayOut(vacancies, 'quota', ['quota', 'region_id'])).toMatch(/vacancies: required: \[region_id\]$/);
  });
});

test('the line that is named works: the company is sent without a region', () => {
  const mapped = companies.map(ROW, { ...CONTEXT, required: [] });
  expect(mapped).toMatchObject({ issues: [], payload: { name: 'PT Satu' } });
  expect(mapped.payload).not.toHaveProperty('region');
});

test('key, parent and name have no way out, and neither has a column that is not required', () => {
  expect(wayOut(companies, 'name', ['region_id'])).toBeNull();
  expect(wayOut(companies, 'phone', ['region_id'])).toBeNull();
  expect(companies.map({ key: 'c1', region_id: null }, { ...CONTEXT, required: [] }).issues).toMatchObject([
    { field: 'name', code: 'required', hint: undefined },
  ]);
});
