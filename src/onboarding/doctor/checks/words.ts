import { entityCheck } from '../check.js';
import { pass } from '../finding.js';
import { judged } from '../learned.js';
import { groupVerdicts } from './grouped.js';

export const words = entityCheck({
  id: 'words',
  levels: ['warn'],
  looksAt:
    'values that were never mapped: words that the interface does not know (gender, marital, skills, employment type, currency, country)',
  remedy:
    'Add a lookup for the column: `entities.ENTITY.lookups.COLUMN`. A strict platform refuses such records.',
  judge: ({ rows }) =>
    judged(rows, ({ groups }) => {
      const found = groups.filter(({ kind, code }) => kind === 'doubtful' && code === 'word');
      return found.length > 0
        ? groupVerdicts('warn', found, 'Add a lookup for the column, or correct the value.')
        : [pass('every word is one of the interface')];
    }),
});
