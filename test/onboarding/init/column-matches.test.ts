import { expect, it } from 'vitest';
import { draftable } from '../../../src/onboarding/init/draftables.js';
import { columnMatches } from '../../../src/onboarding/init/rank/column-matches.js';
import { catalogOf } from './catalog-of.js';

function matched(columns: string): Readonly<Record<string, string>> {
  const [table] = catalogOf({ company: [3, `id int, ${columns}`] }).tables;
  if (!table) throw new Error('no table');
  return Object.fromEntries(
    columnMatches(draftable('companies'), table).map(({ target, column }) => [target, column.name]),
  );
}

it.each([
  'lat_long text',
  'latlng text',
  'latLng text',
  'coordinates text',
  'geo_lat_lng text',
  'long_text text',
])('%s is no longitude and no latitude', (column) => {
  expect(matched(column)).not.toHaveProperty('longitude');
  expect(matched(column)).not.toHaveProperty('latitude');
});

it.each([
  ['lat numeric, lng numeric', 'lat', 'lng'],
  ['geo_lat text, geo_long text', 'geo_lat', 'geo_long'],
  ['office_latitude numeric, office_longitude numeric', 'office_latitude', 'office_longitude'],
])('%s are both', (columns, latitude, longitude) => {
  expect(matched(columns)).toMatchObject({ latitude, longitude });
});
