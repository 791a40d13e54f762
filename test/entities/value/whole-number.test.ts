import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wholeNumber } from '../../../src/entities/values.js';

test.each([
  ['0', 0],
  ['-0', 0],
  ['+7', 7],
  [' 12 ', 12],
  ['007', 7],
  ['5.', 5],
  ['5000000.00', 5_000_000],
  ['1e3', 1000],
  ['1.5E+3', 1500],
  ['12000e-3', 12],
  ['0e999999999', 0],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ['-9007199254740991.000', Number.MIN_SAFE_INTEGER],
])('reads %j as %i, without a warning', (text, value) => {
  expect(wholeNumber(text)).toEqual({ value });
});

test.each([
  ['2.5', 3],
  ['2.4999999999999999999', 2],
  ['0.5', 1],
  ['.5', 1],
  ['0.05', 0],
  ['-0.5', 0],
  ['-0.50000000000000000001', -1],
  ['-2.5', -2],
  ['-2.6', -3],
  ['1e-999999999', 0],
  ['1.0005e3', 1001],
  // Binary floating point has no such number: it would round to 9007199254740992.
  ['9007199254740990.5', Number.MAX_SAFE_INTEGER],
])('rounds %j half up to %i and says so', (text, value) => {
  const reading = wholeNumber(text);
  expect(reading).toMatchObject({
    value,
    warning: { code: 'doubtful', message: 'has a fraction and is rounded' },
  });
  expect(Object.is(reading.value, -0)).toBe(false);
});

test.each([
  'abc',
  '',
  '.',
  'e5',
  '1.000.000',
  '1,000',
  'Rp 5',
  '0x10',
  'NaN',
  'Infinity',
  '1 000',
  '1e',
  '１２',
])('refuses %j as no number', (text) => {
  expect(wholeNumber(text)).toMatchObject({ fault: { code: 'type' } });
});

test.each([
  '9007199254740992',
  '-9007199254740992',
  '9007199254740991.5',
  '1e999999999',
  '-1e20',
  '9'.repeat(5000),
])('refuses %s as beyond what JSON readers hold exactly', (text) => {
  expect(wholeNumber(text)).toMatchObject({ fault: { code: 'range' } });
});

test('rounds every number of hundredths like whole arithmetic', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), (hundredths) => {
      const sign = hundredths < 0 ? '-' : '';
      const digits = String(Math.abs(hundredths)).padStart(3, '0');
      const { value } = wholeNumber(`${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`);
      expect(value).toBe(Number((BigInt(hundredths) + 1_000_050n) / 100n) - 10_000);
    }),
  );
});

test.each(['NaN', 'Infinity', '-Infinity'])('says what to do about %s', (text) => {
  const hint = expect.stringContaining(`nullif(column, '${text}')`) as string;
  expect(wholeNumber(text)).toMatchObject({ fault: { code: 'type', hint } });
});
