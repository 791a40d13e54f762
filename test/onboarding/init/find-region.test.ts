import { expect, it } from 'vitest';
import type { CatalogTable } from '../../../src/onboarding/catalog/catalog.js';
import { findLinks } from '../../../src/onboarding/init/links.js';
import { makeQuery } from '../../../src/onboarding/init/map/make-query.js';
import { NOTHING_KNOWN } from '../../../src/onboarding/init/map/scope.js';
import { catalogOf } from './catalog-of.js';

const PLACES = `
  city 500: id int, name text, province_id int > province
  province 34: id int, name text, capital_city text
  branch 20: id int, name text, province_id int > province
  office 20: id int, name text, city_id int > city, province_id int > province`;

/** The column that the draft takes for the city of a vacancy; null: none. */
function regionOf(columns: string): string | null {
  const catalog = catalogOf(`vacancy 300: id int, title text, ${columns}${PLACES}`);
  const [table] = catalog.tables as [CatalogTable];
  const query = makeQuery('vacancies', table, {
    links: findLinks(catalog),
    chosen: new Map([['vacancies', table]]),
    known: NOTHING_KNOWN,
    ranking: new Map(),
  });
  return query.columns.find(({ target }) => target === 'region_id')?.from ?? null;
}

it.each([
  'province text',
  'provinsi text',
  'region_province text',
  'state_region text',
  'province_id int > province',
  'region_id int > province',
  'location_id int > province',
  'branch_id int > branch',
])('takes no province for a city: %s', (columns) => {
  expect(regionOf(columns)).toBe(null);
});

it.each([
  ['province_id int > province, city_id int > city', 'city_id'],
  ['provinsi text, kota text', 'kota'],
  ['office_id int > office', 'city_id'],
])('finds the city beside a province: %s', (columns, column) => {
  expect(regionOf(columns)).toMatch(new RegExp(`\\b${column}$`));
});
