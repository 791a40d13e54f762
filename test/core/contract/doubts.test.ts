import { describe, expect, test } from 'vitest';
import { COUNTRY_CODES, findDoubts } from '../../../src/core/contract/doubts.js';
import { ENTITIES, entity } from '../../../src/core/entities/index.js';
import { words } from '../../words.js';

describe('country codes', () => {
  /** Regions that Unicode names and ISO 3166-1 does not assign. */
  const NO_COUNTRIES = words(`
    AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ`);

  test('are the regions that Unicode names, without those that are no countries and former codes', () => {
    const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const named = letters
      .flatMap((first) => letters.map((second) => first + second))
      // A former code is shown under the code that took its place.
      .filter((code) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`)
      .filter((code) => names.of(code) !== undefined && !NO_COUNTRIES.includes(code));
    expect([...COUNTRY_CODES].sort()).toEqual(named);
    expect(COUNTRY_CODES.size).toBe(249);
  });
});

describe('find doubts', () => {
  const TODAY = '2026-06-15';
  const pay = (amount: number, currency = 'IDR') => ({ currency, amount });

  const GENDER = '!gender is not a word that the interface knows (male or female)';
  const COUNTRY = '!region.country_code is not a country code of ISO 3166 (two capital letters, such as SG)';
  const currency = (field: string) =>
    `!${field}.currency is not a currency code of ISO 4217 (three capital letters, such as IDR)`;
  const unlikely = (field: string, amount: string) =>
    `${field}.amount is ${amount}, which is hardly what somebody earns in a month`;

  /** `field: message`, and `!` where a strict platform refuses it. */
  function said(name: string, body: object): string[] {
    return findDoubts(entity(name).doubts, body as Readonly<Record<string, unknown>>, TODAY).map(
      ({ field, message, ruledOut }) => `${ruledOut ? '!' : ''}${field} ${message}`,
    );
  }

  test.each<[string, object, string[]]>([
    ['nothing', {}, []],
    [
      'what the interface shows',
      {
        gender: 'male',
        marital: 'single',
        skills: ['forklift_operation', 'k3'],
        region: { type: 'city', id: 'x', country_code: null },
        min_salary: pay(5_000_000),
        max_salary: pay(5_000_000),
        quota: 1,
        min_age: 18,
        max_age: 18,
        expire_at: TODAY,
        status: 'open',
      },
      [],
    ],
    [
      'nulls',
      {
        gender: null,
        marital: null,
        min_salary: null,
        max_salary: null,
        region: null,
        skills: null,
        quota: null,
      },
      [],
    ],
    [
      'other types',
      { gender: 1, skills: 'a', region: 'city', min_salary: 5, quota: '-1', min_age: [], expire_at: 7 },
      [],
    ],
    ['a gender', { gender: 'Laki-laki' }, [GENDER]],
    ['a gender in capitals', { gender: 'Male' }, [GENDER]],
    [
      'a marital status',
      { marital: 'kawin' },
      ['!marital is not a word that the interface knows (single or married)'],
    ],
    [
      'a status, which `closedStatus` may name',
      { status: 'tutup' },
      ['status is not a word that the interface knows (open or closed)'],
    ],
    [
      'skills',
      { skills: ['ok', 'Public-Speaking', 'two words'] },
      Array(2).fill('!skills must be lower-case snake_case, such as forklift_operation'),
    ],
    ['a country', { region: { type: 'city', id: 'x', country_code: 'Singapore' } }, [COUNTRY]],
    ['a currency', { min_salary: pay(5, 'Rp') }, [currency('min_salary')]],
    ['a salary of zero', { max_salary: pay(0) }, ['max_salary.amount is 0, and job seekers see it as 0']],
    ['a salary below zero', { min_salary: pay(-1) }, ['!min_salary.amount is negative']],
    [
      'a reversed salary',
      { min_salary: pay(9e6), max_salary: pay(8e6) },
      ['!min_salary.amount is above max_salary.amount'],
    ],
    ['salaries in two currencies', { min_salary: pay(9e6), max_salary: pay(8000, 'USD') }, []],
    [
      'salaries that nobody earns',
      { min_salary: pay(1), max_salary: pay(1_000_000_001) },
      [unlikely('min_salary', 'below 10,000 IDR'), unlikely('max_salary', 'above 1,000,000,000 IDR')],
    ],
    ['the least and the most', { min_salary: pay(10_000), max_salary: pay(1_000_000_000) }, []],
    [
      'rupiah called dollars',
      { min_salary: pay(7_500_001, 'USD') },
      [unlikely('min_salary', 'above 1,000,000 USD')],
    ],
    ['pay abroad', { min_salary: pay(2500, 'SGD'), max_salary: pay(400_000, 'JPY') }, []],
    [
      'a flag as pay abroad',
      { min_salary: pay(1, 'MYR'), max_salary: pay(1, 'JPY') },
      [unlikely('min_salary', 'below 2 MYR'), unlikely('max_salary', 'below 50 JPY')],
    ],
    ['a negative quota', { quota: -1 }, ['!quota is negative']],
    ['no places', { quota: 0 }, ['quota is 0']],
    ['many places', { quota: 1_000 }, []],
    ['a telephone number as places', { quota: 628_123_456 }, ['quota is above 1000']],
    ['ages', { min_age: -1, max_age: 999 }, ['!min_age is negative', '!max_age is above 100']],
    ['reversed ages', { min_age: 45, max_age: 18 }, ['!min_age is above max_age']],
    [
      'a last day that is past',
      { expire_at: '2026-06-14', status: 'open' },
      ['expire_at is past while status is open'],
    ],
    ['a last day that is past of a closed one', { expire_at: '2026-06-14', status: 'closed' }, []],
  ])('of a vacancy with %s', (_, body, expected) => {
    expect(said('vacancies', body)).toEqual(expected);
  });

  test.each<[string, object, string[]]>([
    ['companies', { region: { type: 'city', id: 'x', country_code: 'ID' } }, []],
    ['companies', { region: { country_code: 'INA' } }, [COUNTRY]],
    ['institutions', { region: { country_code: 'id' } }, [COUNTRY]],
    [
      'trainings',
      { price: 0, quota: 3, start_date: '2026-01-01', finish_date: '2026-01-01', expired_date: TODAY },
      [],
    ],
    ['trainings', { expired_date: '2020-01-01' }, ['expired_date is past']],
    [
      'trainings',
      { price: -5, quota: -1, start_date: '2026-02-01', finish_date: '2026-01-01' },
      ['!price is negative', '!quota is negative', '!start_date is after finish_date'],
    ],
    ['application-statuses', { status: 'hired', employment_type: 'pkwt', salary: pay(4_500_000.5) }, []],
    [
      'application-statuses',
      { employment_type: 'tetap', salary: pay(0, 'IDR ') },
      [
        currency('salary'),
        'salary.amount is 0, and job seekers see it as 0',
        '!employment_type is not a word that the interface knows (pkwtt or pkwt)',
      ],
    ],
  ])('of %s with %j', (name, body, expected) => {
    expect(said(name, body)).toEqual(expected);
  });

  test('every doubt says what to do, and no message contains the value, so that equal ones are one group', () => {
    const odd = {
      gender: 'Xyz',
      marital: 'Xyz',
      status: 'Xyz',
      skills: ['X-1'],
      employment_type: 'Xyz',
      region: { country_code: 'Xyz' },
      min_salary: pay(77, 'Xyz'),
      max_salary: pay(66, 'Xyz'),
      salary: pay(-77),
      quota: -77,
      price: -77,
      min_age: 777,
      max_age: -77,
      start_date: '2026-07-07',
      finish_date: '2026-06-06',
      expire_at: '2001-07-07',
    };
    for (const { name, doubts } of ENTITIES) {
      const found = findDoubts(doubts, odd, TODAY);
      expect(found.length > 0, name).toBe(doubts.length > 0);
      for (const { hint, message, value } of found) {
        expect(hint).toMatch(/\.$/);
        expect(message).not.toContain(value);
      }
    }
  });

  test('without a day of today nothing is past', () => {
    expect(findDoubts(entity('vacancies').doubts, { expire_at: '2001-01-01', status: 'open' }, null)).toEqual(
      [],
    );
  });
});
