import { expect, test } from 'vitest';
import { planSummary } from '../../../src/cli/output/print-plan.js';
import { type PlannedActions, sumOfActions } from '../../../src/sync/plan/plan-entity.js';

const NONE: PlannedActions = {
  create: 0,
  update: 0,
  close: 0,
  delete: 0,
  before: 0,
  waiting: 0,
  kept: 0,
  held: 0,
  invalid: 0,
};

test.each([
  [{ create: 1, update: 2, close: 1, invalid: 18 }, '1 create, 2 update, 1 close, 18 with errors'],
  [{ delete: 1200, before: 3 }, '1,200 delete, 3 pending from before'],
  [{ invalid: 1 }, 'nothing to send, 1 with errors'],
  [{ create: 2, waiting: 356 }, '2 create, 356 wait for their parents'],
  [{ waiting: 1 }, 'nothing to send, 1 waits for its parent'],
  [{ held: 7 }, 'nothing to send, 7 held back by a guard'],
  [{}, 'nothing to send'],
])('%j is: %s', (some, text) => {
  expect(planSummary({ ...NONE, ...some })).toBe(text);
});

test('the actions of all entities are added up, each by itself', () => {
  const one = {
    create: 1,
    update: 2,
    close: 3,
    delete: 4,
    before: 5,
    waiting: 6,
    kept: 7,
    held: 8,
    invalid: 9,
  };
  expect(sumOfActions([one, { ...NONE, create: 1 }])).toEqual({ ...one, create: 2 });
  expect(sumOfActions([])).toEqual(NONE);
});
