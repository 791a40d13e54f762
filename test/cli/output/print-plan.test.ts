import { describe, expect, test } from 'vitest';
import { diffLine, planSummary } from '../../../src/cli/output/print-plan.js';
import { type PlannedActions, sumOfActions } from '../../../src/sync/plan/plan-entity.js';

describe('print plan', () => {
  const change = (from: string | null, to: string | null) => ({ field: 'about', from, to });

  test('a new record does not show fields that are null', () => {
    expect(diffLine(change(null, null), true, 80)).toBeNull();
    expect(diffLine(change(null, 'x'), true, 80)).toBe('             about: nothing → "x"');
  });

  test('a field that was left out and is null now is not shown as nothing → nothing', () => {
    expect(diffLine(change(null, null), false, 80)).toBe(
      '             about: empty before and after (left out, or sent as null)',
    );
  });

  test.each([
    ['a'.repeat(200), 'b'.repeat(200)],
    ['short', 'b'.repeat(200)],
    ['a'.repeat(200), 'short'],
  ])(
    'values are cut to the width of the terminal, and a short one leaves its room to the other',
    (from, to) => {
      for (const width of [60, 80, 133]) {
        const line = diffLine(change(from, to), false, width) ?? '';
        expect(line.length).toBeGreaterThanOrEqual(width - 1);
        expect(line.length).toBeLessThanOrEqual(width);
        if (from === 'short') expect(line).toContain('"short" →');
        if (to === 'short') expect(line).toMatch(/→ "short"$/);
      }
    },
  );

  test('a terminal that is too narrow still shows the beginning of both, and a pipe more', () => {
    expect(diffLine(change('a'.repeat(99), 'b'.repeat(99)), false, 10)).toMatch(/"aaaaaa… → "bbbbbb…$/);
    expect(diffLine(change('a'.repeat(99), null), false, undefined)).toBe(
      `             about: "${'a'.repeat(58)}… → nothing`,
    );
  });
});

describe('plan summary', () => {
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
});
