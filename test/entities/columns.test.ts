import { describe, expect, test } from 'vitest';
import { queryColumns } from '../../src/entities/columns.js';
import { companies } from '../../src/entities/companies.js';
import type { MapContext } from '../../src/entities/entity.js';
import { ENTITIES, entity } from '../../src/entities/index.js';

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

  test('a column of any value is asked for with its type', () => {
    expect(queryColumns(entity('vacancies'), null).filter(({ typed }) => typed)).toEqual([
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
