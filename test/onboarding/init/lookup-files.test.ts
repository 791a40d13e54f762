import { expect, it } from 'vitest';
import { platformReferences } from '../../../src/cli/compose/configured-entities.js';
import type { CatalogTable } from '../../../src/onboarding/catalog/catalog.js';
import { findLinks } from '../../../src/onboarding/init/links.js';
import type { ValueCount } from '../../../src/onboarding/init/look/look-at-values.js';
import { makeQuery } from '../../../src/onboarding/init/map/make-query.js';
import { NOTHING_KNOWN } from '../../../src/onboarding/init/map/scope.js';
import { lookupFiles } from '../../../src/onboarding/init/write/lookup-files.js';
import { catalogOf } from './catalog-of.js';

/** Ids of the codes of a column, by code: `['P', 'Pria']` is the code P with that name. */
function idsOf(target: string, codes: readonly (readonly [string, string | null])[]) {
  const file = draftedFile(target, codes);
  return Object.fromEntries(file?.lines.map(({ code, id }) => [code, id]) ?? []);
}

/** The drafted lookup of a column; each code stands in one record. */
function draftedFile(target: string, codes: readonly (readonly [string, string | null])[]) {
  const catalog = catalogOf({
    vacancy: [3, 'id int, title text, gender text, city_code text, currency text'],
  });
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
