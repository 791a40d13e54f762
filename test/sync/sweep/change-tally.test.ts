import { expect, it } from 'vitest';
import { emptyTally, tallyExamined } from '../../../src/sync/sweep/change-tally.js';

it('counts warnings by field and kind, and shows of the first one the record', () => {
  const tally = emptyTally();
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
    tallyExamined(
      tally,
      { name, rowVersion: null },
      null,
      { standing: 'new', finding: null, warnings },
      'what differs',
    );
  expect([...tally.warnings.values()]).toEqual([
    { field: 'quota', code: 'doubtful', hint: 'round()', count: 2, sample: 'v1: quota is rounded' },
    { field: 'quota', code: 'doubtful', hint: undefined, count: 1, sample: 'v2: quota is negative' },
  ]);
});
