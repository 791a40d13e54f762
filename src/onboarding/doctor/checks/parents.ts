import { entity as entityNamed } from '../../../entities/index.js';
import { entityCheck } from '../check.js';
import type { DoctorEntity } from '../doctor-entity.js';
import { fail, pass, undone, warn, type Verdict } from '../finding.js';
import { judgedRows } from '../judged-rows.js';
import type { RowFacts } from '../rows/row-facts.js';
import { mustFill } from './must-fill.js';

type Parent = NonNullable<DoctorEntity['parent']>;

export const parents = entityCheck({
  id: 'parents',
  levels: ['warn', 'fail'],
  looksAt:
    'records that name no parent (the company of a vacancy, the institution of a training), or one that is not in the parent’s query',
  remedy:
    'Return the column from the table that links both, and the parents from their query; or leave the records out. Records whose parent is missing wait until it comes, and `run` ends with exit code 3.',
  judge: ({ entity, rows }) => {
    const { parent } = entity;
    if (parent === null) return [];
    return judgedRows(rows, (facts) => [
      ...withoutParent(entity, parent, facts),
      ...withUnknownParent(entity, parent, facts),
    ]);
  },
});

function withoutParent(
  entity: DoctorEntity,
  { entity: name, column }: Parent,
  { parentless, columns, read }: RowFacts,
): readonly Verdict[] {
  if (parentless === null || parentless.count === 0) return [];
  const { one } = entityNamed(name).noun;
  const isReturned = columns.includes(column);
  const { count } = parentless;
  const records =
    count < read
      ? `${count.toLocaleString('en-US')} of ${recordsText(entity, read)}`
      : recordsText(entity, count);
  const why = isReturned ? `${column} is null` : `the query has no column ${column}`;
  const link = `the column of ${entity.noun.many} (or of the table between both) that names the ${one}`;
  const hint = `Return ${link} as ${column}, with the same values as key in the query of ${name}; or leave these ${entity.noun.many} out.`;
  if (mustFill(entity).includes(column))
    return [fail(`${records} cannot be sent without ${withArticle(one)}: ${why}`, hint, parentless)];
  const are = count === 1 ? 'is' : 'are';
  return [warn(`${records} ${are} sent without ${withArticle(one)}: ${why}`, hint, parentless)];
}

function withUnknownParent(
  entity: DoctorEntity,
  { entity: parent, column }: Parent,
  { parentless, orphans, read }: RowFacts,
): readonly Verdict[] {
  if (orphans === null || parentless?.count === read) return [];
  if ('cause' in orphans) return [undone(orphans.cause)];
  const { count, sample } = orphans.value;
  if (count === 0) {
    return parentless !== null && parentless.count > 0
      ? []
      : [pass(`every ${column} is in the query of ${parent}`)];
  }
  return [
    warn(
      `${recordsText(entity, count)} without ${parent}: no such ${column} in the query of ${parent}`,
      `Compare the conditions of both queries: return these ${parent}, or leave their ${entity.noun.many} out.`,
      { count, sample },
    ),
  ];
}

function recordsText({ noun }: DoctorEntity, count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun.one : noun.many}`;
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}
