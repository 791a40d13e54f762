import { counted, grouped, plural } from '../../../core/domain/text.js';
import { entity as entityNamed } from '../../../core/entities/index.js';
import { entityCheck, judgedRows } from '../check.js';
import { type DoctorEntity, fail, judged, pass, undone, type Verdict, warn } from '../finding.js';
import type { RowFacts } from '../rows/row-tally.js';
import { keyVerdicts, volatileVerdicts } from './chance.js';
import { linkVerdicts } from './links.js';
import { unorderedAggregates } from '../sql/conditions.js';

/** Checks of what the rows of an entity show as a whole: keys, required columns, parents, applications. */

export const keys = entityCheck({
  id: 'keys',
  levels: ['fail', 'warn'],
  looksAt:
    'whether every row has a key, and no key comes twice; keys that change: of a time, a name, a function',
  judge: (facts) =>
    judged(facts.rows, ({ read, withoutKey, duplicates }) => {
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
      return verdicts.length > 0 ? verdicts : [pass(`${grouped(read)} keys, each once`, { count: read })];
    }),
});

function rowsOf(count: number): string {
  return plural(count, 'one row has', `${grouped(count)} rows have`);
}

type Parent = NonNullable<DoctorEntity['parent']>;

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
      `Compare the conditions of both queries, and how each writes the key: return these ${parent}, or leave their ${entity.noun.many} out.`,
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

/** Columns without which a record is invalid: those of the contract, and those that are assumed or configured. */
function mustFill({ columns, mapContext, assumedRequired }: DoctorEntity): readonly string[] {
  const always = columns.filter(({ required }) => required).map(({ name }) => name);
  return [...new Set([...always, ...(mapContext.required ?? assumedRequired)])];
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
