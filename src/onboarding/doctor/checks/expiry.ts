import { entityCheck } from '../check.js';
import { pass, warn } from '../finding.js';
import { judged } from '../learned.js';
import { hasExpiryCondition } from '../sql/expiry-condition.js';

export const expiry = entityCheck({
  id: 'expiry',
  levels: ['warn'],
  looksAt: 'a condition on the present time in a query that does not return the last day',
  remedy:
    'Return the last day. Without it, records that end count as vanished, and the guard holds the entity.',
  judge: ({ entity, rows }) => {
    const { lastDay } = entity;
    if (lastDay === null) return [];
    return judged(rows, ({ columns, absent, read }) => {
      const isFilled = columns.includes(lastDay) && (read === 0 || absent.get(lastDay) !== read);
      if (!hasExpiryCondition(entity.query.sql)) return [pass('no condition on the present time')];
      if (isFilled) return [pass(`records end by a condition on the present time, and ${lastDay} says when`)];
      return [
        warn(
          `a condition on the present time leaves ${entity.noun.many} out, and ${columns.includes(lastDay) ? `${lastDay} is null in all rows` : `the query has no ${lastDay}`}: those that end will count as vanished, and the guard may hold them`,
          `Return the day as ${lastDay}: then they count as expired.`,
        ),
      ];
    });
  },
});
