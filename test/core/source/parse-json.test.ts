import { expect, it } from 'vitest';
import { parseJson } from '../../../src/core/source/reader.js';

it.each(['12345678901234567890', '106.80', '-32.10', '0', '1e400'])('keeps the number %s as text', (text) => {
  expect(parseJson(text)).toBe(text);
});

it.each([
  ['[1, 2.5, -3]', [1, 2.5, -3]],
  ['[1.10, 12345678901234567890, 1E5]', ['1.10', '12345678901234567890', '1E5']],
  ['{"a 1.10": {"b": 2.50}}', { 'a 1.10': { b: '2.50' } }],
  [String.raw`["1.10", "\"1.10", "\\", 1.10, "x\\\" 2.20"]`, ['1.10', '"1.10', '\\', '1.10', 'x\\" 2.20']],
  ['[true, null, false]', [true, null, false]],
  ['"1.10"', '1.10'],
  ['true', true],
  ['null', null],
])('reads %s without losing digits', (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

it('reads texts of many megabytes', () => {
  const long = 'x'.repeat(20_000_000);
  expect(parseJson(JSON.stringify([long, '\\'.repeat(2_000_000)]))).toEqual([long, '\\'.repeat(2_000_000)]);
});
