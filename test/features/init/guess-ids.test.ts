import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readReference } from '../../../src/core/entities/lookup.js';
import { draftable } from '../../../src/features/init/draftables.js';
import {
  areCities,
  guessCity,
  guessCountry,
  guessCurrency,
  guessWord,
} from '../../../src/features/init/guess-ids.js';
import { columnMatches } from '../../../src/features/init/rank/column-matches.js';
import { catalogOf } from './catalog-of.js';

describe('guess ids', () => {
  const reference = (name: string) => readReference(readFileSync(`config/reference/${name}.csv`, 'utf8'));
  const cities = reference('cities');
  const nameOf = (id: string, values = cities) => values.find((value) => value.id === id)?.name ?? id;

  it.each([
    ['3276000', 'Kota Depok', 'KOTA DEPOK'],
    ['7', 'Depok', 'KOTA DEPOK'],
    ['Kab. Bogor', null, 'KAB. BOGOR'],
    ['x', 'Kabupaten Bandung', 'KAB. BANDUNG'],
    ['x', 'Bandung Regency', 'KAB. BANDUNG'],
    ['South Jakarta', null, 'KOTA ADM. JAKARTA SELATAN'],
    ['x', 'Kota Administrasi Jakarta Pusat', 'KOTA ADM. JAKARTA PUSAT'],
    ['x', 'KOTA TANJUNGPINANG', 'KOTA TANJUNG PINANG'],
    // The package does not know its id.
    ['x', 'Kota Bogor', ''],
    ['x', 'Surabaya', ''],
    // Looks like a code of the starter file, but the name is another.
    ['3276', 'Surabaya', ''],
    ['3204', 'Kota Bandung', ''],
  ])('a city %s (%s) is %s', (code, label, expected) => {
    expect(nameOf(guessCity(code, label, cities).id)).toBe(expected);
  });

  it.each(['Bogor', 'Bandung', 'bekasi', 'Malang'])('%s is ambiguous: a city and a regency', (name) => {
    expect(guessCity(name, null, cities)).toMatchObject({
      id: '',
      note: expect.stringContaining('ambiguous') as string,
    });
  });

  // 3174 is Jakarta Selatan for the Ministry of Home Affairs, and Jakarta Barat for the statistics office.
  it.each(['3174', '31.74', '3174000'])(
    'takes no id by the code %s alone, and asks which list it is',
    (code) => {
      expect(guessCity(code, null, cities)).toEqual({
        id: '',
        note: 'ambiguous: KOTA ADM. JAKARTA SELATAN in the list of the Ministry of Home Affairs; which code list is yours? That of the statistics office differs',
      });
    },
  );

  it('Jakarta alone is five cities', () => {
    expect(guessCity('Jakarta', null, cities).note).toContain('five cities');
  });

  it.each([
    ['job_type', 'job-types', 'Penuh Waktu', null, 'Full time'],
    ['job_type', 'job-types', 'x', 'Full-Time', 'Full time'],
    ['job_type', 'job-types', 'MAGANG', null, 'Internship'],
    ['job_type', 'job-types', 'freelance', null, ''],
    ['min_education', 'education-levels', 'S1', null, 'Sarjana'],
    ['min_education', 'education-levels', 'x', "Bachelor's Degree", 'Sarjana'],
    ['min_education', 'education-levels', 'S2', null, ''],
    ['industry', 'industries', 'x', 'Education and Training', ''],
    ['industry', 'industries', 'x', 'education & training', 'Education & Training'],
  ])('%s in %s: %s (%s) is %s', (target, file, code, label, expected) => {
    const values = reference(file);
    expect(nameOf(guessWord(target, code, label, values).id, values)).toBe(expected);
  });

  it.each([
    ['gender', 'Laki-laki', 'male'],
    ['gender', 'W', ''],
    ['gender', 'semua', '-'],
    ['marital', 'Belum Menikah', 'single'],
    ['media', 'luring', 'offline'],
    ['difficulty_level', 'Pemula', 'beginner'],
  ])('%s: %s is the word %s', (target, code, expected) => {
    expect(guessWord(target, code, null, []).id).toBe(expected);
  });

  it.each([
    ['job_type', 'job-types', 'PT', 'Pegawai Tetap', ''],
    ['job_type', 'job-types', 'PT', 'Full time / Penuh waktu', 'Full time'],
    ['min_education', 'education-levels', 'MA', 'Magister', ''],
    ['min_education', 'education-levels', 'MA', null, 'SMA atau Sederajat'],
    ['gender', null, 'X', 'Perempuan saja', ''],
    ['gender', null, 'male', 'Perempuan', 'female'],
  ])(
    'where a code has a name, only the name counts: %s in %s: %s (%s) is %s',
    (target, file, code, label, id) => {
      const values = file === null ? [] : reference(file);
      expect(nameOf(guessWord(target, code, label, values).id, values)).toBe(id);
    },
  );

  it('names that mean different things are ambiguous', () => {
    expect(guessWord('gender', 'x', 'Pria / Perempuan', []).note).toContain('ambiguous');
  });

  it.each([
    ['CH', 'China (RRT)', ''],
    ['CH', null, 'CH'],
    ['CH', 'Swiss / Switzerland', 'CH'],
    ['7', 'Jepang', 'JP'],
    ['X', 'Indonesia', '-'],
  ])('a country %s (%s) is %s', (code, label, id) => expect(guessCountry(code, label).id).toBe(id));

  it.each([
    ['usd', null, 'USD'],
    ['USD', 'Dolar Singapura', 'SGD'],
    ['DOL', 'US Dollar', 'USD'],
    ['USD', 'Poin', ''],
    ['RUP', null, ''],
    ['1', 'Rupiah', 'IDR'],
  ])('a currency %s (%s) is %s', (code, label, id) => expect(guessCurrency(code, label).id).toBe(id));

  it('knows a list of cities by its names', () => {
    expect(areCities(['Kota Bogor', 'Kab. Sleman', 'Nowhere'], [])).toBe(true);
    expect(areCities(['Trading', 'Mining', 'Solo artists'], [])).toBe(false);
  });
});

describe('column matches', () => {
  function matched(columns: string): Readonly<Record<string, string>> {
    const [table] = catalogOf(`company 3: id int, ${columns}`).tables;
    if (!table) throw new Error('no table');
    return Object.fromEntries(
      columnMatches(draftable('companies'), table).map(({ target, column }) => [target, column.name]),
    );
  }

  it.each(['lat_long text', 'latlng text', 'latLng text', 'coordinates text', 'geo_lat_lng text'])(
    '%s is no longitude and no latitude',
    (column) => {
      expect(matched(column)).not.toHaveProperty('longitude');
      expect(matched(column)).not.toHaveProperty('latitude');
    },
  );

  it.each([
    ['lat numeric, lng numeric', 'lat', 'lng'],
    ['geo_lat text, geo_long text', 'geo_lat', 'geo_long'],
    ['office_latitude numeric, office_longitude numeric', 'office_latitude', 'office_longitude'],
  ])('%s are both', (columns, latitude, longitude) => {
    expect(matched(columns)).toMatchObject({ latitude, longitude });
  });
});
