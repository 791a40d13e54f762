import { entityCheck } from '../check.js';
import { fail, pass, undone, type Verdict } from '../finding.js';
import { judged } from '../learned.js';

export const keys = entityCheck({
  id: 'keys',
  levels: ['fail'],
  looksAt: 'whether every row has a key, and no key comes twice',
  remedy:
    'Leave rows without a key out with WHERE. For keys that come twice: look for a join that multiplies rows, and group it.',
  judge: ({ rows }) =>
    judged(rows, ({ read, withoutKey, duplicates }) => {
      if (read + withoutKey === 0) return [undone('the query returns no rows')];
      const verdicts: Verdict[] = [];
      if (withoutKey > 0) {
        verdicts.push(
          fail(
            `${rowsOf(withoutKey)} no key`,
            'Leave them out with WHERE, or give them a key that never changes.',
            { count: withoutKey },
          ),
        );
      }
      if (duplicates.count > 0) {
        verdicts.push(
          fail(
            `${duplicates.count.toLocaleString('en-US')} keys come more than once`,
            'Look for a join that multiplies rows: join a GROUP BY, or take one row with LATERAL … ORDER BY … LIMIT 1.',
            duplicates,
          ),
        );
      }
      return verdicts.length > 0
        ? verdicts
        : [pass(`${read.toLocaleString('en-US')} keys, each once`, { count: read })];
    }),
});

function rowsOf(count: number): string {
  return count === 1 ? 'one row has' : `${count.toLocaleString('en-US')} rows have`;
}
