import { expect, test } from 'vitest';
import { companies } from '../../src/entities/companies.js';
import { ENTITIES, entity } from '../../src/entities/index.js';
import { queryColumns } from '../../src/entities/columns.js';

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
