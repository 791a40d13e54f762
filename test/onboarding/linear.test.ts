import { expect, test } from 'vitest';
import { checkValues } from '../../src/onboarding/catalog/check-values.js';
import { createHtmlTally } from '../../src/onboarding/doctor/rows/html-tally.js';
import { reservedName } from '../../src/onboarding/doctor/rows/reserved-name.js';
import { mentions } from '../../src/onboarding/doctor/sql/flag-columns.js';
import { leftOutOnPurpose } from '../../src/onboarding/doctor/sql/left-out-on-purpose.js';
import { openDecisions } from '../../src/onboarding/doctor/sql/open-decisions.js';
import { queryShape } from '../../src/onboarding/doctor/sql/query-shape.js';
import { innerQuery } from '../../src/onboarding/doctor/read/base-tables.js';
import { csvText } from '../../src/onboarding/init/csv-text.js';
import { isPersonalColumn } from '../../src/onboarding/init/people.js';
import { guessCity } from '../../src/onboarding/init/prefill/guess-city.js';
import { guessWord } from '../../src/onboarding/init/prefill/guess-word.js';
import { entity } from '../../src/entities/index.js';

const seeHtml = (text: string) => {
  const tally = createHtmlTally(entity('vacancies'), { plainText: [], lookups: {} });
  const mapped = { payload: null, issues: [], warnings: [], parentPlatformId: null };
  tally.see({ name: '1', row: { description: text }, mapped });
};
const places = [{ id: '1', code: '3273', name: 'Kota Bandung' }];

interface Case {
  readonly of: string;
  readonly work: (text: string) => unknown;
  /** Repeated, between the two others: as hard for the work as can be. */
  readonly part: string;
  readonly begin?: string;
  readonly end?: string;
}

const state = (sql: string) => mentions(sql, 'state');
const CASES: readonly Case[] = [
  { of: 'HTML in a value', work: seeHtml, part: '<p ' },
  { of: 'HTML in a value', work: seeHtml, part: '\t/', begin: '<p ' },
  { of: 'HTML in a value', work: seeHtml, part: '&#1' },
  { of: 'an address', work: reservedName, part: 'example.' },
  { of: 'an address', work: reservedName, part: 'a@', begin: 'http://' },
  { of: 'a key of JSON', work: isPersonalColumn, part: 'A' },
  { of: 'a code', work: (code) => guessCity(code, null, places), part: '0', begin: '3273' },
  { of: 'a code', work: (code) => guessCity(code, null, places), part: 'kota ' },
  { of: 'a code', work: (code) => guessWord('gender', code, null, []), part: '_ ' },
  {
    of: 'a code',
    work: (code) => csvText({ lines: [{ code, id: '', name: code, count: 1, note: '' }] }),
    part: '\n ',
  },
  { of: 'a rule', work: checkValues, part: "''", begin: "CHECK ((a = '", end: '))' },
  { of: 'a rule', work: checkValues, part: "'b', ", begin: 'CHECK ((a = ANY (ARRAY[', end: "'c'" },
  { of: 'columns of a query', work: state, part: 'a', begin: "select '" },
  { of: 'columns of a query', work: state, part: ' state', begin: 'select as' },
  { of: 'columns of a query', work: state, part: '--  ', begin: 'select 1 ' },
  { of: 'columns of a query', work: state, part: '\n', begin: 'select 1 ' },
  { of: 'questions in a query', work: openDecisions, part: '-', begin: 'select 1 -- ' },
  {
    of: 'questions in a query',
    work: openDecisions,
    part: ' ',
    begin: 'select x as y',
    end: 'z -- decide: this?',
  },
  { of: 'questions in a query', work: openDecisions, part: '-- decide: this?\nx\n' },
  { of: 'questions in a query', work: openDecisions, part: 'as a ', begin: '-- decide: this?\n' },
  {
    of: 'joins in a query',
    work: (sql) => leftOutOnPurpose(sql, ['hr.firm']),
    part: 'join ',
    begin: '-- ',
  },
  {
    of: 'a subquery',
    work: (baseSql) => innerQuery({ baseSql }, new Map()),
    part: ')',
    begin: '(',
    end: 'x',
  },
  { of: 'a query', work: queryShape, part: 'a', begin: "select '", end: "' from t" },
];

const SIZES = [16_000, 64_000, 256_000, 1_024_000];
/** Each is four times as long; what is quadratic takes 16 times as much. */
const MOST = 12;
/** Below it the clock says nothing. */
const LEAST_MS = 25;

test.each(CASES)('the work for $of is linear: $part', ({ work, part, begin = '', end = '' }) => {
  const took = (size: number): number => {
    const text = begin + part.repeat(Math.ceil(size / part.length)) + end;
    const from = performance.now();
    work(text);
    return performance.now() - from;
  };
  /** The shortest of three, and of more while it seems too long: other programs only ever make it longer. */
  const shortest = (size: number, enough: number): number => {
    let least = Infinity;
    for (let tries = 0; tries < 3 || (least >= enough && tries < 12); tries += 1)
      least = Math.min(least, took(size));
    return least;
  };
  let before = LEAST_MS;
  for (const size of SIZES) {
    const now = shortest(size, MOST * before);
    expect(now).toBeLessThan(MOST * before);
    before = Math.max(LEAST_MS, now);
  }
});
