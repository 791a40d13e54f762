import { groupBy } from '../../core/domain/group-by.js';
import { codeBlocks } from './group-text.js';
import type { IssueGroup } from '../../core/domain/issue-group.js';
import type { EntityName } from '../../core/domain/names.js';
import {
  type Trouble,
  TROUBLE_KINDS,
  type TroubleKind,
  type TroubleOf,
  waitsByItself,
} from '../../core/domain/trouble/trouble.js';

/**
 * What to do first: troubles by their cause. One missing code is one cause, whatever the number of entities that have it; a
 * field that is wrong is one, with the children that wait for its records. Run, status and the first page show the same list.
 */

/** One thing that somebody must put right, or that ends by itself. */
export interface Cause {
  /** The same while it lasts, and an anchor. */
  readonly id: string;
  /** All of one kind: those of several entities, where one act ends them. */
  readonly troubles: readonly [Trouble, ...Trouble[]];
  /** What its records have in common; none: the trouble alone says it. */
  readonly groups: readonly IssueGroup[];
  /** Records that cannot be sent, and those that wait for them. */
  readonly records: readonly Counted[];
  readonly waiting: readonly Counted[];
  /** All of them together. */
  readonly keptBack: number;
  /** It ends without a person. */
  readonly passes: boolean;
}

type Counted = readonly [entity: EntityName, count: number];

/** The causes of these troubles: what stops all of it first, then by the records that they keep back with their children. */
export function causesOf(troubles: readonly Trouble[]): readonly Cause[] {
  const found = [
    ...troubles.flatMap((one) => ownCauses(one, troubles)),
    ...codeCauses(troubles),
    ...failures(troubles),
  ];
  const kinds = Object.keys(TROUBLE_KINDS);
  return withChildren(found, troubles).sort(
    (a, b) =>
      Number(isOfEntity(a)) - Number(isOfEntity(b)) ||
      b.keptBack - a.keptBack ||
      kinds.indexOf(a.troubles[0].kind) - kinds.indexOf(b.troubles[0].kind),
  );
}

/** Else of the worker or of a whole area. */
const isOfEntity = ({ troubles: [{ subject }] }: Cause) => subject !== null && 'entity' in subject;

/** One for each reason; without reasons one for all. */
function ownCauses(trouble: Trouble, all: readonly Trouble[]): readonly Cause[] {
  const each = (groups: readonly IssueGroup[]) => groups.map((group) => causeOf([trouble], [group]));
  // These are gathered from several entities.
  if (trouble.kind === 'unmapped' || trouble.kind === 'failed') return [];
  if (trouble.kind === 'invalid' || trouble.kind === 'rejected') {
    const further = 'leftOut' in trouble && trouble.leftOut > 0 ? [causeOf([trouble], [], [])] : [];
    return trouble.reasons.length === 0 ? [causeOf([trouble], [])] : [...each(trouble.reasons), ...further];
  }
  if (trouble.kind !== 'blocked') return [causeOf([trouble], [])];
  return partsOf(trouble).flatMap(({ code, count, group }) => {
    if (ofParents(trouble, code, all)) return [];
    if (!group) return [causeOf([trouble], [])];
    const { sampleKeys } = group;
    const records = trouble.records.filter(({ problem }) => problem === code);
    return [causeOf([{ ...trouble, count, causes: [group], sampleKeys, records }], [group])];
  });
}

/** Why children wait, as far as it is known: where all their parents are kept back, that is why. */
function partsOf({ parentKeptBack, causes, count }: TroubleOf<'blocked'>) {
  return parentKeptBack || causes.length === 0
    ? [{ code: '', count: count ?? 0, group: null }]
    : causes.map((group) => ({ code: group.code, count: group.count, group }));
}

/** The trouble of their parents for which children wait; undefined: they are a cause of their own. */
function ofParents({ parent, parentKeptBack }: TroubleOf<'blocked'>, code: string, all: readonly Trouble[]) {
  const first = (...kinds: readonly TroubleKind[]) =>
    all.find(
      ({ kind, subject }) =>
        kinds.includes(kind) && subject && 'entity' in subject && subject.entity === parent,
    );
  if (parentKeptBack) return first('held', 'push-held', 'failed');
  if (code === 'parent-rejected') return first('rejected');
  return code === 'parent-invalid' ? first('invalid', 'unmapped') : undefined;
}

/** Adds the children that wait for the records of a cause. The reasons of invalid parents have them already. */
function withChildren(causes: readonly Cause[], all: readonly Trouble[]): Cause[] {
  const children = all.flatMap((trouble) =>
    trouble.kind === 'blocked'
      ? partsOf(trouble).flatMap(({ code, count }) => {
          const above = code === 'parent-invalid' ? undefined : ofParents(trouble, code, all);
          const cause = above && causes.find(({ troubles }) => troubles.includes(above));
          return cause ? [{ cause, child: [trouble.subject.entity, count] as const }] : [];
        })
      : [],
  );
  return causes.map((cause) => {
    const waiting = children.flatMap((each) => (each.cause === cause ? [each.child] : []));
    const more = waiting.reduce((sum, [, count]) => sum + count, 0);
    return { ...cause, waiting: [...cause.waiting, ...waiting], keptBack: cause.keptBack + more };
  });
}

/** Codes without an id, by the file that lacks them: whoever opens it fills them in for all entities. */
function codeCauses(troubles: readonly Trouble[]): readonly Cause[] {
  const found = troubles.flatMap((trouble) =>
    trouble.kind === 'unmapped' ? trouble.reasons.map((group) => ({ trouble, group })) : [],
  );
  const places = groupBy(found, ({ group }) => group.issue.lookup?.file ?? group.field ?? group.entity);
  return [...places.values()].flatMap((same) => {
    const groups = same.map(({ group }) => group);
    const [block] = codeBlocks(groups.map((group) => ({ group, place: '', file: null, name: null })));
    const [first, ...others] = new Set(same.map(({ trouble }) => trouble));
    if (!block || !first) return [];
    const sum = (of: 'invalid' | 'waiting') => added(block.codes.flatMap((code) => [...code[of]]));
    // Codes that were not listed are of this place where all that were listed are.
    const leftOut = [first, ...others].reduce(
      (all, { reasons, leftOut: more }) => all + (reasons.every((each) => groups.includes(each)) ? more : 0),
      0,
    );
    const trouble = { ...first, count: block.codes.length + leftOut, leftOut };
    return [causeOf([trouble, ...others], groups, sum('invalid'), sum('waiting'))];
  });
}

/** A source that is away fails each of its entities. */
function failures(troubles: readonly Trouble[]): readonly Cause[] {
  const failed = troubles.flatMap((one) => (one.kind === 'failed' ? [one] : []));
  return [...groupBy(failed, ({ code, message }) => `${code}\n${message ?? ''}`).values()].flatMap(
    ([first, ...others]) => (first ? [causeOf([first, ...others], [])] : []),
  );
}

function causeOf(
  troubles: Cause['troubles'],
  groups: readonly IssueGroup[],
  records: readonly Counted[] = groups.length > 0
    ? groups.map(({ entity, count }) => [entity, count])
    : recordsOf(troubles[0]),
  waiting: readonly Counted[] = groups.flatMap(({ follows }) =>
    follows.map(({ entity, count }) => [entity, count] as const),
  ),
): Cause {
  const [trouble] = troubles;
  const { kind, subject } = trouble;
  const own = [...records, ...waiting].reduce((sum, [, count]) => sum + count, 0);
  const [group] = groups;
  const about = subject === null ? [] : Object.values(subject);
  const names = [kind, ...about, group?.issue.lookup?.file ?? group?.field ?? '', group?.message ?? ''];
  return {
    id: names
      .join(' ')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .slice(0, 120),
    troubles,
    groups,
    records,
    waiting,
    keptBack: subject !== null && 'area' in subject ? (trouble.count ?? 0) : own,
    passes: waitsByItself(trouble),
  };
}

function recordsOf({ subject, count }: Trouble): readonly Counted[] {
  return subject !== null && 'entity' in subject && count !== null ? [[subject.entity, count]] : [];
}

function added(counts: readonly Counted[]): readonly Counted[] {
  return [...groupBy(counts, ([entity]) => entity)].map(([entity, same]) => [
    entity,
    same.reduce((sum, [, count]) => sum + count, 0),
  ]);
}
