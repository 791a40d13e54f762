import { LOOKUP_CODES } from '../../../domain/issue-group/issue-cause.js';
import { entityCheck } from '../check.js';
import { pass } from '../finding.js';
import { judgedRows } from '../learned.js';
import { groupVerdicts } from './grouped.js';

export const codes = entityCheck({
  id: 'codes',
  levels: ['fail'],
  looksAt:
    'codes of the lookups that have no id yet, with the records that have them and those that wait for these',
  remedy:
    'Add the id in the file that is named, or `-` to leave the field out where the column may be absent; a row with code `*` stands for every other code.',
  judge: ({ entity, rows }) =>
    judgedRows(rows, ({ groups, columns, absent, read }) => {
      const open = groups.filter(({ kind, code }) => kind === 'invalid' && LOOKUP_CODES.includes(code));
      if (open.length > 0) return groupVerdicts('fail', open, 'Add its id to the file of the lookup.');
      const lookups = Object.keys(entity.mapContext.lookups);
      const filled = lookups.filter((column) => columns.includes(column) && absent.get(column) !== read);
      if (filled.length > 0) return [pass(`every code has its id: ${filled.join(', ')}`)];
      return [pass(lookups.length === 0 ? 'no lookups' : 'no row has a code')];
    }),
});
