import { expect, it } from 'vitest';
import { createGroupTally } from '../../../src/domain/issue-group.js';
import { warningsOf } from '../../../src/sync/sweep/change-tally.js';

it('counts warnings by field and kind, and shows of the first one the record', () => {
  const doubts = createGroupTally('vacancies');
  const rounded = {
    field: 'quota',
    code: 'doubtful' as const,
    message: 'is rounded',
    value: '2.5',
    hint: 'round()',
  };
  const negative = { field: 'quota', code: 'doubtful' as const, message: 'is negative', value: '-1' };
  for (const [name, warnings] of [
    ['v1', [rounded]],
    ['v2', [rounded, negative]],
  ] as const)
    doubts.add('doubtful', name, warnings);
  expect(warningsOf(doubts)).toEqual([
    { field: 'quota', code: 'doubtful', hint: 'round()', count: 2, sample: 'v1: quota is rounded' },
    { field: 'quota', code: 'doubtful', hint: undefined, count: 1, sample: 'v2: quota is negative' },
  ]);
});

it('keeps a bounded number of kinds, and counts all others together, also when each row has a kind of its own', () => {
  const doubts = createGroupTally('vacancies');
  const rows = 20_000;
  for (let row = 0; row < rows; row += 1) {
    const own = {
      field: 'quota',
      code: 'doubtful' as const,
      message: `is ${row}, and hardly anybody means that`,
    };
    doubts.add('doubtful', `v${row}`, [own]);
  }
  const kinds = warningsOf(doubts);
  expect(kinds).toHaveLength(101);
  expect(kinds.reduce((sum, { count }) => sum + count, 0)).toBe(rows);
  expect(kinds.at(-1)).toEqual({
    field: 'further kinds',
    code: 'doubtful',
    count: rows - 100,
    sample: 'v100: quota is 100, and hardly anybody means that',
  });
  // A kind that is known already is still counted as that.
  expect(kinds[0]).toMatchObject({ field: 'quota', count: 1 });
});
