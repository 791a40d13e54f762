import { countedRecords } from '../../../domain/issue-group/counted-records.js';
import { LOOKUP_CODES } from '../../../domain/issue-group/issue-cause.js';
import type { IssueGroup } from '../../../domain/issue-group/issue-group.js';
import { entityCheck } from '../check.js';
import { fail, pass } from '../finding.js';
import { judged } from '../learned.js';
import { unfilled } from './unfilled.js';

export const required = entityCheck({
  id: 'required',
  levels: ['fail'],
  looksAt:
    'columns that are assumed to be required and that no row fills, or whose codes have no ids at all, such as a `region_id` where nobody keeps cities',
  remedy:
    'Fill the column, or the ids of its lookup, or leave it out of `entities.ENTITY.required`: that the platform requires it is an assumption.',
  judge: ({ entity, rows }) =>
    judged(rows, (facts) => {
      const found = unfilled(entity, facts);
      if (found.length === 0) return [pass('what is required is there')];
      const columns = found.map(({ column }) => column);
      const rest = (entity.mapContext.required ?? entity.assumedRequired).filter(
        (column) => !columns.includes(column),
      );
      const { name } = entity;
      const all =
        facts.read === 1 ? `the only one of ${name}` : `none of ${countedRecords(facts.read, name)}`;
      const groups = found.flatMap((each) => each.groups);
      const lookups = found.flatMap(({ column }) => entity.mapContext.lookups[column]?.file ?? []);
      const coded = withoutId(groups);
      const why = coded === 0 ? '' : `; ${codesText(groups, coded, facts.read)}`;
      const fill = coded === 0 ? 'Fill it.' : `Fill in the ids in ${[...new Set(lookups)].join(', ')}.`;
      const instead = coded === 0 ? 'If there is nothing to fill in' : 'If nobody knows the ids';
      return [
        fail(
          `${columns.join(', ')} is required, and ${all} has a usable one, so nothing of ${name} can be sent${why}${waiting(groups)}`,
          `${fill} ${instead}: entities.${name}.required: [${rest.join(', ')}] (that the platform requires it is assumed).`,
          { count: facts.read },
        ),
      ];
    }),
});

/** Records whose row has a value, for which the lookup has no id. */
function withoutId(groups: readonly IssueGroup[]): number {
  return groups.filter(({ code }) => LOOKUP_CODES.includes(code)).reduce((sum, { count }) => sum + count, 0);
}

function codesText(groups: readonly IssueGroup[], coded: number, read: number): string {
  const codes = groups.filter(({ code }) => LOOKUP_CODES.includes(code)).length;
  const missing = `${codes.toLocaleString('en-US')} ${codes === 1 ? 'code has' : 'codes have'} no id yet`;
  if (coded >= read) return `the values are there, but ${missing}`;
  return `${coded.toLocaleString('en-US')} rows have a value, but ${missing}`;
}

/** Records that wait for these; each counts once per column. */
function waiting(groups: readonly IssueGroup[]): string {
  const follows = new Map<string, number>();
  for (const { entity, count } of groups.flatMap((group) => group.follows))
    follows.set(entity, (follows.get(entity) ?? 0) + count);
  return [...follows]
    .map(([entity, count]) => `; ${countedRecords(count, entity)} ${count === 1 ? 'waits' : 'wait'}`)
    .join('');
}
