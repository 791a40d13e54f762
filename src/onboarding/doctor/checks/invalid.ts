import { isOpenCode } from '../../../domain/issue-group.js';
import { entityCheck } from '../check.js';
import { pass } from '../finding.js';
import { judgedRows } from '../judged-rows.js';
import { groupVerdicts } from './grouped.js';
import { emptyColumns } from './empty-columns.js';

export const invalid = entityCheck({
  id: 'invalid',
  levels: ['warn', 'fail'],
  looksAt: 'rows that cannot be sent for another reason than a code without id, by field and cause',
  remedy:
    'Correct the query or the data. More than `guards.maxInvalidPercent` of the records fails, because nothing would be sent.',
  judge: ({ entity, rows }, { settings }) =>
    judgedRows(rows, (facts) => {
      const { read, invalid: count, withoutKey, groups } = facts;
      // The checks `required` and `parents` have these.
      const known = emptyColumns(entity, facts).flatMap((each) => each.groups);
      const others = groups.filter(
        (group) =>
          group.kind === 'invalid' &&
          !isOpenCode(group) &&
          !known.includes(group) &&
          !(group.code === 'required' && group.field === entity.parent?.column),
      );
      if (others.length === 0)
        return [
          pass(count + withoutKey === 0 ? 'no row is invalid' : 'no row is invalid for another reason'),
        ];
      const share = (100 * Math.max(...others.map((group) => group.count))) / read;
      return groupVerdicts(
        share > settings.maxInvalidPercent ? 'fail' : 'warn',
        others,
        'Correct the query or the data.',
      );
    }),
});
