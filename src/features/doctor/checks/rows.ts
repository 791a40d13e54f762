import { isOpenCode, type IssueGroup } from '../../../core/domain/issue-group.js';
import { counted, countedRecords, grouped, plural } from '../../../core/domain/text.js';
import { entity as entityNamed } from '../../../core/entities/index.js';
import { wayOut } from '../../../core/entities/way-out.js';
import { entityCheck, judgedRows } from '../check.js';
import { type DoctorEntity, fail, judged, pass, undone, type Verdict, warn } from '../finding.js';
import type { RowFacts } from '../rows/row-tallies.js';
import { keyVerdicts, volatileVerdicts } from './chance.js';
import { linkVerdicts } from './links.js';
import { unorderedAggregates } from '../sql/conditions.js';

/** Checks of what the rows of an entity show as a whole: keys, required columns, parents, applications. */

export const keys = entityCheck({
  id: 'keys',
  levels: ['fail', 'warn'],
  looksAt:
    'whether every row has a key, and no key comes twice, also in a form that looks the same (Unicode form, invisible characters, blanks); keys that change: of a time, a name, a function',
  judge: (facts) =>
    judged(facts.rows, ({ read, withoutKey, duplicates, twins }) => {
      if (read + withoutKey === 0) return [undone('the query returns no rows')];
      const verdicts: Verdict[] = [...keyVerdicts(facts)];
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
            `${grouped(duplicates.count)} keys come more than once`,
            'Look for a join that multiplies rows: join a GROUP BY, or take one row with LATERAL … ORDER BY … LIMIT 1.',
            duplicates,
          ),
        );
      }
      if (twins.count > 0) {
        verdicts.push(
          warn(
            `${counted(twins.count, 'key looks', 'keys look')} the same as another one, and ${plural(twins.count, 'is', 'are')} sent as another record: they differ, ${twins.sample.join('; ')}`,
            'If it is one record, correct the key in the source, or leave one of both out with WHERE.',
            { count: twins.count },
          ),
        );
      }
      return verdicts.length > 0 ? verdicts : [pass(`${grouped(read)} keys, each once`, { count: read })];
    }),
});

function rowsOf(count: number): string {
  return plural(count, 'one row has', `${grouped(count)} rows have`);
}

type Parent = NonNullable<DoctorEntity['parent']>;

export const required = entityCheck({
  id: 'required',
  levels: ['fail'],
  looksAt:
    'columns that are required and that no row fills, or not most of them, or whose codes have no ids at all, such as a `region_id` where nobody keeps cities',
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

export const vanished = entityCheck({
  id: 'vanished',
  levels: ['warn'],
  looksAt:
    'whether a vacancy that leaves the query stays open to the public: under `onVanished: report` nothing is sent of it',
  judge({ entity: { name, noun, onVanished, statusField } }) {
    if (statusField === null) return [];
    if (onVanished !== 'report') return [pass(`what leaves the query is ${ENDS[onVanished]}`)];
    return [
      warn(
        `onVanished is report: a ${noun.one} that leaves the query stays open at the platform, and open to the public`,
        `Set onVanished: close of ${name}. Before that, plan says what would be closed; the guards hold more than usual.`,
      ),
    ];
  },
});

const ENDS = {
  close: 'closed at the platform',
  delete: 'deleted at the platform',
  ignore: 'ignored, as onVanished says',
} as const;

export const parents = entityCheck({
  id: 'parents',
  levels: ['warn', 'fail'],
  looksAt:
    'records that name no parent (the company of a vacancy, the institution of a training), or one that is not in the parent’s query; a column that names another table, one parent for all records',
  judge: (facts, { entities }) => {
    const { entity, rows } = facts;
    const { parent } = entity;
    if (parent === null) return [];
    return judgedRows(rows, (seen) => {
      const wrong = linkVerdicts(
        facts,
        seen,
        entities.find((each) => each.entity.name === parent.entity),
      );
      // What names the wrong table is said once.
      return wrong.length > 0
        ? wrong
        : [...withoutParent(entity, parent, seen), ...withUnknownParent(entity, parent, seen)];
    });
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
    count < read ? `${grouped(count)} of ${recordsText(entity, read)}` : recordsText(entity, count);
  const why = isReturned ? `${column} is null` : `the query has no column ${column}`;
  const link = `the column of ${entity.noun.many} (or of the table between both) that names the ${one}`;
  const hint = `Return ${link} as ${column}, with the same values as key in the query of ${name}; or leave these ${entity.noun.many} out.`;
  if (mustFill(entity).includes(column))
    return [fail(`${records} cannot be sent without ${withArticle(one)}: ${why}`, hint, parentless)];
  const are = plural(count, 'is', 'are');
  return [warn(`${records} ${are} sent without ${withArticle(one)}: ${why}`, hint, parentless)];
}

function withUnknownParent(
  entity: DoctorEntity,
  { entity: parent, column }: Parent,
  { parentless, orphans, nearOrphans, read }: RowFacts,
): readonly Verdict[] {
  if (orphans === null || parentless?.count === read) return [];
  if ('cause' in orphans) return [undone(orphans.cause)];
  const { count, sample } = orphans.value;
  if (count === 0) {
    return parentless !== null && parentless.count > 0
      ? []
      : [pass(`every ${column} is in the query of ${parent}`)];
  }
  const near =
    nearOrphans.count === 0
      ? ''
      : `; for ${grouped(nearOrphans.count)} of them a key there differs only in its form: ${nearOrphans.sample.join('; ')}`;
  return [
    warn(
      `${recordsText(entity, count)} without ${parent}: no such ${column} in the query of ${parent}${near}`,
      near !== ''
        ? `Write key and ${column} alike in both queries: for instance trim(), lower() or normalize() around both.`
        : `Compare the conditions of both queries: return these ${parent}, or leave their ${entity.noun.many} out.`,
      { count, sample },
    ),
  ];
}

function recordsText({ noun }: DoctorEntity, count: number): string {
  return counted(count, noun.one, noun.many);
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

export const stableRows = entityCheck({
  id: 'stable-rows',
  levels: ['warn'],
  looksAt: 'aggregates without ORDER BY, and functions such as `now()` and `random()` in a column',
  judge(facts) {
    const unordered = unorderedAggregates(facts.entity.query.sql);
    const found = volatileVerdicts(facts);
    if (unordered.length > 0)
      found.push(
        warn(
          `${unordered.join(', ')} has no ORDER BY: its text may change from plan to plan`,
          "Write the order into the aggregate: string_agg(name, ',' order by name).",
        ),
      );
    return found.length > 0 ? found : [pass('nothing in the query changes by itself')];
  },
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
  const all = plural(read, `the only one of ${name} has no`, `none of ${countedRecords(read, name)} has a`);
  const groups = whole.flatMap((each) => each.groups);
  const lookups = whole.flatMap(({ column }) => mapContext.lookups[column]?.file ?? []);
  const coded = withoutId(groups);
  const why = coded === 0 ? '' : `; ${codesText(groups, coded, read)}`;
  const fill = coded === 0 ? 'Fill it.' : `Fill in the ids in ${[...new Set(lookups)].join(', ')}.`;
  const instead = coded === 0 ? 'If there is nothing to fill in' : 'If nobody knows the ids';
  return fail(
    `${columns.join(', ')} is required, and ${all} usable one, so nothing of ${name} can be sent${why}${waiting(groups)}`,
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
    `${column} is required, and ${grouped(count)} of ${countedRecords(read, name)} have none, so these cannot be sent${waiting(groups)}`,
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
  const missing = `${counted(codes, 'code has', 'codes have')} no id yet`;
  if (coded >= read) return `the values are there, but ${missing}`;
  return `${grouped(coded)} rows have a value, but ${missing}`;
}

/** Records that wait for these; each counts once per column. */
function waiting(groups: readonly IssueGroup[]): string {
  const follows = new Map<string, number>();
  for (const { entity, count } of groups.flatMap((group) => group.follows))
    follows.set(entity, (follows.get(entity) ?? 0) + count);
  return [...follows]
    .map(([entity, count]) => `; ${countedRecords(count, entity)} ${plural(count, 'waits', 'wait')}`)
    .join('');
}

/** Columns without which a record is invalid: those of the contract, and those that are assumed or configured. */
function mustFill({ columns, mapContext, assumedRequired }: DoctorEntity): readonly string[] {
  const always = columns.filter(({ required }) => required).map(({ name }) => name);
  return [...new Set([...always, ...(mapContext.required ?? assumedRequired)])];
}

/** A column that must be filled and mostly is not. */
interface EmptyColumn {
  readonly column: string;
  /** What says so. */
  readonly groups: readonly IssueGroup[];
  /** Not one record has a usable value. */
  readonly isWhole: boolean;
}

/**
 * Columns that must be filled and are not in any row, or not in most. The one that names the parent is not among them: the
 * check `parents` has it.
 */
export function emptyColumns(
  entity: DoctorEntity,
  { read, groups }: Pick<RowFacts, 'read' | 'groups'>,
): readonly EmptyColumn[] {
  const columns = mustFill(entity).filter((column) => column !== entity.parent?.column);
  return columns.flatMap((column): readonly EmptyColumn[] => {
    const about = groups.filter(({ kind, field }) => kind === 'invalid' && isAbout(field, column));
    if (read === 0 || about.length === 0) return [];
    if (sumOf(about) >= read) return [{ column, groups: about, isWhole: true }];
    const absent = about.filter(({ code }) => code === 'required');
    return 2 * sumOf(absent) > read ? [{ column, groups: absent, isWhole: false }] : [];
  });
}

/** Groups name the column, or the field of the body: `region.id` of `region_id`. */
function isAbout(field: string | null, column: string): boolean {
  return field?.replaceAll('.', '_') === column;
}

function sumOf(groups: readonly IssueGroup[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}

export const applications = entityCheck({
  id: 'applications',
  levels: ['warn'],
  looksAt: 'application statuses whose application is not in the inbox, which the webhook fills',
  judge: ({ entity, rows }) => {
    if (!entity.application) return [];
    return judgedRows(rows, ({ foreign, read }) => {
      if (foreign === null) return [];
      return judged(foreign, ({ count, sample }) => {
        if (count === 0)
          return [
            pass(
              entity.requireInbox
                ? 'every application is in the inbox'
                : 'the inbox is not asked (requireInbox: false)',
            ),
          ];
        const all = count === read ? ' (all of them)' : '';
        return [
          warn(
            `${grouped(count)} ${entity.noun.many}${all} match no application in the inbox, so they are not sent`,
            'Applications come by webhook. Return the id that it brought, not the key of a table of yours.',
            { count, sample },
          ),
        ];
      });
    });
  },
});
