import { expect, it } from 'vitest';
import { emptyTally, tallyExamined } from '../../../src/sync/sweep/change-tally.js';

it('shows of the first warning the key and the field', () => {
  const tally = emptyTally();
  const warnings = [{ field: 'quota', code: 'format' as const, message: 'was rounded to 3', value: '2.5' }];
  const examined = { standing: 'new' as const, finding: null, warnings };
  tallyExamined(tally, { name: 'v1', rowVersion: null }, null, examined, true);
  expect(tally.warningSample).toBe('v1: quota was rounded to 3');
});
