import { countedRecords } from '../../../domain/group-text.js';
import { isOpenCode, type IssueGroup } from '../../../domain/issue-group.js';
import { wayOut } from '../../../entities/way-out.js';
import { entityCheck } from '../check.js';
import type { DoctorEntity } from '../doctor-entity.js';
import { fail, pass, type Verdict } from '../finding.js';
import { judgedRows } from '../judged-rows.js';
import type { RowFacts } from '../rows/row-facts.js';
import { emptyColumns, type EmptyColumn } from './empty-columns.js';
import { mustFill } from './must-fill.js';

export const required = entityCheck({
  id: 'required',
  levels: ['fail'],
  looksAt:
    'columns that are required and that no row fills, or not most of them, or whose codes have no ids at all, such as a `region_id` where nobody keeps cities',
  remedy:
    'Fill the column, or the ids of its lookup. Where the message says that it is assumed, leave it out of `entities.ENTITY.required` if the platform does not require it.',
  judge: ({ entity, rows }) =>
    judgedRows(rows, (facts) => {
      const found = emptyColumns(entity, facts);
      const whole = found.filter(({ isWhole, column }) => isWhole && mayGo(entity, column));
      const verdicts = [
        ...(whole.length === 0 ? [] : [unfilledVerdict(entity, whole, facts)]),
        ...found.filter((each) => !whole.includes(each)).map((each) => absentVerdict(entity, each, facts)),
      ];
      if (verdicts.length > 0) return verdicts;
      // The other checks of rows say which records lack one.
      const isMissing = facts.groups.some(
        ({ kind, code, field }) =>
          kind === 'invalid' &&
          (code === 'required' || mustFill(entity).includes(field?.replaceAll('.', '_') ?? '')),
      );
      return isMissing ? [] : [pass('what is required is there')];
    }),
});

/** Whether the configuration may say that the column is not required. */
function mayGo({ mapContext, assumedRequired }: DoctorEntity, column: string): boolean {
  return (mapContext.required ?? assumedRequired).includes(column);
}

function unfilledVerdict(
  { name, mapContext, assumedRequired }: DoctorEntity,
  whole: readonly EmptyColumn[],
  { read }: RowFacts,
): Verdict {
  const columns = whole.map(({ column }) => column);
  const rest = (mapContext.required ?? assumedRequired).filter((column) => !columns.includes(column));
  const all = read === 1 ? `the only one of ${name}` : `none of ${countedRecords(read, name)}`;
  const groups = whole.flatMap((each) => each.groups);
  const lookups = whole.flatMap(({ column }) => mapContext.lookups[column]?.file ?? []);
  const coded = withoutId(groups);
  const why = coded === 0 ? '' : `; ${codesText(groups, coded, read)}`;
  const fill = coded === 0 ? 'Fill it.' : `Fill in the ids in ${[...new Set(lookups)].join(', ')}.`;
  const instead = coded === 0 ? 'If there is nothing to fill in' : 'If nobody knows the ids';
  return fail(
    `${columns.join(', ')} is required, and ${all} has a usable one, so nothing of ${name} can be sent${why}${waiting(groups)}`,
    `${fill} ${instead}: entities.${name}.required: [${rest.join(', ')}] (that the platform requires it is assumed).`,
    { count: read },
  );
}

/** Most records have no value. */
function absentVerdict(entity: DoctorEntity, { column, groups }: EmptyColumn, { read }: RowFacts): Verdict {
  const { name, mapContext, assumedRequired } = entity;
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  const instead = wayOut(entity, column, mapContext.required ?? assumedRequired);
  return fail(
    `${column} is required, and ${count.toLocaleString('en-US')} of ${countedRecords(read, name)} have none, so these cannot be sent${waiting(groups)}`,
    `Return it from the column or table in which it is filled.${instead === null ? '' : ` ${instead}.`}`,
    { count, sample: groups[0]?.sampleKeys ?? [] },
  );
}

/** Records whose row has a value, for which the lookup has no id. */
function withoutId(groups: readonly IssueGroup[]): number {
  return groups.filter(isOpenCode).reduce((sum, { count }) => sum + count, 0);
}

function codesText(groups: readonly IssueGroup[], coded: number, read: number): string {
  const codes = groups.filter(isOpenCode).length;
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
