import { expect, test } from 'vitest';
import { oneLine } from '../../src/domain/reply/reply.js';
import { visibleText } from '../../src/domain/text.js';

const TURNS = [0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069];
const SEPARATES = [0x2028, 0x2029];
const CONTROLS = [0, 7, 8, 0x0d, 0x1b, 0x7f, 0x85, 0x9b, 0x9f];

test.each([...TURNS, ...SEPARATES, ...CONTROLS])('the character %i is shown, and does nothing', (code) => {
  const text = `a${String.fromCharCode(code)}b`;
  expect(visibleText(text)).toBe(`a\\u${code.toString(16).padStart(4, '0')}b`);
  expect(oneLine(text)).toBe('a b');
});

test('what people write stays', () => {
  const text = 'Jl. Mawar 5\n\tRT 01 – “Toko” é 招聘 \u{1F600}\u00a0x';
  expect(visibleText(text)).toBe(text);
});
