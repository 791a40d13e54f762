import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coordinate } from '../../../src/entities/values.js';

test.each([
  ['-6.2000', '-6.2000'],
  ['106.8', '106.8'],
  ['0', '0'],
  [' -6.2 ', '-6.2'],
  ['180', '180'],
  ['1e-05', '0.00001'],
  ['-1.5e-07', '-0.00000015'],
  ['1e2', '100'],
  ['1.06E+2', '106'],
  ['+6.2', '6.2'],
  ['.5', '0.5'],
  ['5.', '5'],
])('writes %j as %j', (text, value) => {
  expect(coordinate(text, 180)).toEqual({ value });
});

test.each([
  ['90.0000001', 90],
  ['-91', 90],
  ['180.5', 180],
  ['1e999999999', 180],
  ['1e-999999999', 180],
] as const)('refuses %j as more than %i', (text, limit) => {
  expect(coordinate(text, limit)).toMatchObject({ fault: { code: 'range' } });
});

test.each(['6°12′S', '-6,2', 'NaN', 'Infinity', '(1,2)', ''])('refuses %j as no decimal degrees', (text) => {
  expect(coordinate(text, 90)).toMatchObject({ fault: { code: 'format' } });
});

test('never writes an exponent and never changes the number', () => {
  fc.assert(
    fc.property(fc.double({ min: -90, max: 90, noNaN: true }), (degrees) => {
      const { value = '' } = coordinate(String(degrees), 90);
      expect(value).toMatch(/^-?\d+(\.\d+)?$/);
      expect(Number(value)).toBe(degrees === 0 ? 0 : degrees);
    }),
  );
});

test('says what to do about NaN', () => {
  const hint = expect.stringContaining("nullif(column, 'NaN')") as string;
  expect(coordinate('NaN', 90)).toMatchObject({ fault: { hint } });
});
