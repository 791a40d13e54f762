import { countedRecords } from '../../../domain/issue-group/counted-records.js';
import type { IssueGroup } from '../../../domain/issue-group/issue-group.js';
import { entityCheck } from '../check.js';
import { fail, pass } from '../finding.js';
import { judged } from '../learned.js';
import { unfilled } from './unfilled.js';

export const required = entityCheck({
  id: 'required',
  levels: ['fail'],
  looksAt:
    'columns that are assumed to be required and that no row fills, such as a `region_id` where nobody keeps cities',
  remedy:
    'Fill the column, or leave it out of `entities.ENTITY.required`: that the platform requires it is an assumption.',
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
      return [
        fail(
          `${columns.join(', ')} is required, and ${all} has a usable one, so nothing of ${name} can be sent${waiting(found.flatMap(({ groups }) => groups))}`,
          `Fill it. If there is nothing to fill in: entities.${name}.required: [${rest.join(', ')}] (that the platform requires it is assumed).`,
          { count: facts.read },
        ),
      ];
    }),
});

/** Records that wait for these; each counts once per column. */
function waiting(groups: readonly IssueGroup[]): string {
  const follows = new Map<string, number>();
  for (const { entity, count } of groups.flatMap((group) => group.follows))
    follows.set(entity, (follows.get(entity) ?? 0) + count);
  return [...follows]
    .map(([entity, count]) => `; ${countedRecords(count, entity)} ${count === 1 ? 'waits' : 'wait'}`)
    .join('');
}
