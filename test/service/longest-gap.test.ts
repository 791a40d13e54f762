import { expect, it } from 'vitest';
import { longestGap } from '../../src/service/schedule.js';

const MINUTE = 60_000;

it.each([
  ['*/10 * * * *', 10 * MINUTE],
  ['* * * * * *', 1_000],
  ['0 1 * * *', 24 * 60 * MINUTE],
  ['0 6-20 * * *', 10 * 60 * MINUTE],
  ['0 1 * * 1-5', 3 * 24 * 60 * MINUTE],
])('%s leaves %i ms between two times at most', (expression, expected) => {
  expect(longestGap(expression, 'Asia/Jakarta')).toBe(expected);
});
