import { expect, it } from 'vitest';
import { emptyTally, tallyExamined } from '../../../src/sync/sweep/change-tally.js';

it('counts warnings by field, and shows of the first one the record', () => {
  const tally = emptyTally();
  const rounded = { field: 'quota', code: 'format' as const, message: 'was rounded to 3', value: '2.5' };
  const dropped = { field: 'region.country_code', code: 'format' as const, message: 'is not sent' };
  for (const [name, warnings] of [
    ['v1', [rounded]],
    ['v2', [rounded, dropped]],
  ] as const)
    tallyExamined(
      tally,
      { name, rowVersion: null },
      null,
      { standing: 'new', finding: null, warnings },
      true,
    );
  expect([...tally.warnings]).toEqual([
    ['quota', { count: 2, sample: 'v1: quota was rounded to 3' }],
    ['region.country_code', { count: 1, sample: 'v2: region.country_code is not sent' }],
  ]);
});
