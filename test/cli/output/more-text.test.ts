import { expect, test } from 'vitest';
import { moreText } from '../../../src/cli/output/write.js';

test('a list says how many it leaves out', () => {
  expect(moreText(1_845)).toBe('… 1,845 more');
  expect(moreText(1, 'line')).toBe('… one more line');
  expect(moreText(2, 'line')).toBe('… 2 more lines');
});
