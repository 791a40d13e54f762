import { expect, test } from 'vitest';
import { progressText } from '../../../src/cli/output/progress.js';

const SENDING = { name: 'Sending', done: 1_500, total: 6_000, began: 0 };

test.each([
  [80, 'Sending ██████░░░░░░░░░░░░░░░░░░ 1,500/6,000 · 50/s · 2 min left'],
  [50, 'Sending ██░░░░░░░ 1,500/6,000 · 50/s · 2 min left'],
  [45, 'Sending 1,500/6,000 · 50/s · 2 min left'],
  [30, 'Sending 1,500/6,000'],
  [12, 'Sending 1,…'],
])('fits %i columns', (width, text) => {
  expect(progressText(SENDING, 30_000, width)).toBe(text);
  expect(text.length).toBeLessThan(width);
});

test('without a total it says how much and for how long', () => {
  expect(progressText({ name: 'Reading vacancies', done: 90_000, total: null, began: 0 }, 3_000, 80)).toBe(
    'Reading vacancies 90,000 · 30,000/s · 3 s',
  );
  expect(progressText({ name: 'Migrating', done: 0, total: null, began: 0 }, 61_000, 80)).toBe(
    'Migrating · 2 min',
  );
});

test('before the first reply it promises no end', () => {
  expect(progressText({ ...SENDING, done: 0 }, 4_000, 80)).toMatch(/0\/6,000 · 4 s$/);
});

test('is never as wide as the terminal, so that nothing wraps', () => {
  for (let width = 1; width < 120; width += 1)
    expect(progressText(SENDING, 30_000, width).length).toBeLessThan(Math.max(width, 2));
});
