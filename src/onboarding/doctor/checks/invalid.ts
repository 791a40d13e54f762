import { LOOKUP_CODES } from '../../../domain/issue-group/issue-cause.js';
import { entityCheck } from '../check.js';
import { pass } from '../finding.js';
import { judged } from '../learned.js';
import { groupVerdicts } from './grouped.js';
import { unfilled } from './unfilled.js';

export const invalid = entityCheck({
  id: 'invalid',
  levels: ['warn', 'fail'],
  looksAt: 'rows that cannot be sent for another reason than a code without id, by field and cause',
  remedy:
    'Correct the query or the data. More than `guards.maxInvalidPercent` of the records fails, because nothing would be sent.',
  judge: ({ entity, rows }, { settings }) =>
    judged(rows, (facts) => {
      const { read, invalid: count, groups } = facts;
      // The check `required` has these.
      const known = unfilled(entity, facts).flatMap((each) => each.groups);
      const others = groups.filter(
        (group) => group.kind === 'invalid' && !LOOKUP_CODES.includes(group.code) && !known.includes(group),
      );
      if (others.length === 0)
        return [pass(count === 0 ? 'every row can be sent' : 'nothing else keeps rows from being sent')];
      const share = (100 * Math.max(...others.map((group) => group.count))) / read;
      return groupVerdicts(
        share > settings.maxInvalidPercent ? 'fail' : 'warn',
        others,
        'Correct the query or the data.',
      );
    }),
});
