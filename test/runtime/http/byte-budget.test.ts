import { expect, test } from 'vitest';
import { createByteBudget } from '../../../src/runtime/http/read-body.js';

/** Opens accounts by name; who gave up is listed. */
function budgetOf(limit: number) {
  const budget = createByteBudget(limit);
  const gaveUp: string[] = [];
  return { budget, gaveUp, open: (name: string) => budget.open(() => gaveUp.push(name)) };
}

test('what fits is taken, and what is closed is free again, once', () => {
  const { budget, open } = budgetOf(10);
  const [a, b] = [open('a'), open('b')];
  expect([a.take(6), b.take(4), budget.taken()]).toEqual([true, true, 10]);
  a.close();
  a.close();
  expect([budget.taken(), b.take(6), budget.taken()]).toEqual([4, true, 10]);
  expect(a.take(1), 'a closed account takes nothing').toBe(false);
});

test('the largest gives up for a smaller one, and as many as are needed', () => {
  const { budget, gaveUp, open } = budgetOf(10);
  const [small, large, larger] = [open('small'), open('large'), open('larger')];
  expect([small.take(1), large.take(4), larger.take(5)]).toEqual([true, true, true]);
  expect(small.take(2)).toBe(true);
  expect([gaveUp, budget.taken()]).toEqual([['larger'], 7]);
  expect(larger.take(1), 'who gave up takes nothing').toBe(false);
});

test('who would be the largest itself gives up, also among equals', () => {
  const { budget, gaveUp, open } = budgetOf(10);
  const [first, second] = [open('first'), open('second')];
  expect([first.take(5), second.take(4), second.take(2)]).toEqual([true, true, false]);
  expect([gaveUp, budget.taken()]).toEqual([[], 5]);
  expect(open('third').take(11), 'more than there is').toBe(false);
  expect(budget.taken()).toBe(5);
});

test('what is kept is never given up', () => {
  const { gaveUp, open } = budgetOf(10);
  const kept = open('kept');
  kept.keep();
  expect(kept.take(9)).toBe(true);
  expect(open('newcomer').take(2)).toBe(false);
  expect(gaveUp).toEqual([]);
});

test('what is kept takes from all that is not, however small that is', () => {
  const { gaveUp, open } = budgetOf(100);
  const strangers = Array.from({ length: 9 }, (_, i) => open(`stranger ${i}`));
  expect(strangers.map((each) => each.take(10))).toEqual(Array(9).fill(true));
  const kept = open('kept');
  expect(kept.take(2)).toBe(true);
  kept.keep();
  expect(kept.take(24), 'thirteen times what it is').toBe(true);
  expect(gaveUp).toHaveLength(2);
});
