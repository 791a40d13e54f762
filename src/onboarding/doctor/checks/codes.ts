import { LOOKUP_CODES } from '../../../domain/issue-group/issue-cause.js';
import { entityCheck } from '../check.js';
import { pass } from '../finding.js';
import { judged } from '../learned.js';
import { groupVerdicts } from './grouped.js';

export const codes = entityCheck({
  id: 'codes',
  levels: ['fail'],
  looksAt:
    'codes of the lookups that have no id yet, with the records that have them and those that wait for these',
  remedy:
    'Add the id in the file that is named, or `-` to leave the field out where the column may be absent; a row with code `*` stands for every other code.',
  judge: ({ entity, rows }) =>
    judged(rows, ({ groups }) => {
      const open = groups.filter(({ kind, code }) => kind === 'invalid' && LOOKUP_CODES.includes(code));
      if (open.length > 0) return groupVerdicts('fail', open, 'Add its id to the file of the lookup.');
      const lookups = Object.keys(entity.mapContext.lookups);
      return [pass(lookups.length === 0 ? 'no lookups' : `every code has its id: ${lookups.join(', ')}`)];
    }),
});
