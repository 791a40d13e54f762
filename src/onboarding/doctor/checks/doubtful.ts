import { entityCheck } from '../check.js';
import { pass } from '../finding.js';
import { judgedRows } from '../judged-rows.js';
import { groupVerdicts } from './grouped.js';

export const doubtful = entityCheck({
  id: 'doubtful',
  levels: ['warn'],
  looksAt:
    'values that can be sent and are probably wrong: fractions, salary 0, pay that nobody earns in its currency, minimum above maximum, reversed ages, expiry in the past while open, negative numbers, UUIDs not in a list',
  remedy: 'Correct the query or the data. Null leaves a field out.',
  judge: ({ rows }) =>
    judgedRows(rows, ({ groups }) => {
      const found = groups.filter(
        ({ kind, code }) => kind === 'doubtful' && code !== 'word' && code !== 'zone',
      );
      return found.length > 0
        ? groupVerdicts('warn', found, 'Correct the query or the data; null leaves the field out.')
        : [
            pass(
              groups.some(({ kind }) => kind === 'doubtful')
                ? 'no other doubtful values'
                : 'no doubtful values',
            ),
          ];
    }),
});
