import { hintOf, type Issue } from './issue.js';
import type { EntityName } from './names.js';
import { compareText } from './text.js';

/**
 * Groups records by their problem: by column, code and what their messages have in common. The tally counts records by
 * it, and the groups come out with the largest effect first.
 */

/** Records of another entity that cannot be sent because of a group. */
export interface FollowingRecords {
  readonly entity: EntityName;
  readonly count: number;
  readonly standing: 'waiting';
}

/** What several records may have in common: an issue of their rows, or why they are not sent. */
export interface SharedIssue extends Pick<Issue, 'column' | 'message' | 'common' | 'lookup'> {
  /** Null: about no single field. */
  readonly field: string | null;
  /** Of an issue, or of a parent that does not come: `parent-absent`. */
  readonly code: string;
  /** Null: nothing is known. */
  readonly hint?: string | null | undefined;
  /** Of a parent that does not come: the first of them. */
  readonly parents?: IssueGroup['parents'];
}

/** Records of one entity that have the same problem, and what follows from it: in `plan --json` without `issue`. */
export interface IssueGroup {
  readonly entity: EntityName;
  /**
   * `invalid`: not sent. `rejected`: by the platform. `waiting`: not sent before its parent. `doubtful`: sent, but
   * probably wrong.
   */
  readonly kind: 'invalid' | 'rejected' | 'waiting' | 'doubtful';
  /** The column of the query, where it is known, because that is what a person corrects; else the path in the body. */
  readonly field: string | null;
  readonly code: string;
  /** The code without an id; else the message, without what differs where the messages do. */
  readonly message: string;
  /** What to do about it; null: nothing is known. */
  readonly hint: string | null;
  /** Records that have it. */
  readonly count: number;
  /** The first of them. */
  readonly sampleKeys: readonly string[];
  /** Of `waiting`: the first of the parents that they wait for, as far as they are known. */
  readonly parents?: { readonly entity: EntityName; readonly keys: readonly string[] };
  readonly follows: readonly FollowingRecords[];
  /** What its texts are made of. */
  readonly issue: SharedIssue;
}

/** A group of these records. */
export function groupOf(
  entity: EntityName,
  kind: IssueGroup['kind'],
  issue: SharedIssue,
  records: Pick<IssueGroup, 'count' | 'sampleKeys' | 'parents'> & {
    readonly follows?: IssueGroup['follows'] | null;
  },
): IssueGroup {
  const { code, lookup } = issue;
  const field = issue.column ?? issue.field;
  const parents = records.parents ?? issue.parents;
  const hint = hintOf({ hint: issue.hint, lookup }, 'one');
  return {
    entity,
    kind,
    field,
    code,
    message: lookup ? `code ${JSON.stringify(lookup.code)} has no id` : issue.message,
    hint:
      hint ?? (hint === undefined && code === 'required' ? `Return ${field ?? ''} from the query.` : null),
    count: records.count,
    sampleKeys: records.sampleKeys,
    ...(parents ? { parents } : {}),
    follows: records.follows ?? [],
    issue,
  };
}

/** A group as JSON documents have it. */
export function shownGroup({ issue: _, ...group }: IssueGroup): Omit<IssueGroup, 'issue'> {
  return group;
}

/** Names a group of a tally. */
export type GroupId = number;

/** Counts records by what they have in common. Its memory depends on the number of problems, not of records. */
export interface GroupTally {
  /**
   * Notes records that have these issues; one that is there twice counts once. `keys`: of all of them, or of the first of
   * `count`; of a single record its key. Gives their groups.
   */
  add(
    kind: IssueGroup['kind'],
    keys: string | readonly string[],
    issues: readonly SharedIssue[],
    count?: number,
  ): readonly GroupId[];
  /** Notes records of another entity that cannot be sent because of records of each of these groups. */
  follow(groups: readonly GroupId[], entity: EntityName, count: number): void;
  /** The largest effect first. */
  groups(): readonly IssueGroup[];
  /** The groups in the order in which they were met, with how often their issue was noted, and that of the first record. */
  noted(): readonly { readonly issue: SharedIssue; readonly key: string; readonly times: number }[];
}

/** Groups of one entity that are kept apart; every further problem is counted with others of its field and code. */
const MOST_GROUPS = 2_000;
const SAMPLE_KEYS = 3;

interface Counted {
  readonly kind: IssueGroup['kind'];
  /** Of the first record. */
  readonly issue: SharedIssue;
  /** Of all of them. */
  message: string;
  count: number;
  times: number;
  readonly sampleKeys: string[];
  readonly follows: Map<EntityName, number>;
}

/** A tally for the records of one entity. `mostGroups`: that are kept apart. */
export function createGroupTally(entity: EntityName, mostGroups = MOST_GROUPS): GroupTally {
  const groups: Counted[] = [];
  const ids = new Map<string, GroupId>();

  const idOf = (kind: IssueGroup['kind'], issue: SharedIssue): GroupId => {
    const found = ids.get(nameOf(kind, issue));
    if (found !== undefined) return found;
    const kept = groups.length < mostGroups ? issue : furtherIssues(issue);
    const name = nameOf(kind, kept);
    const id = ids.get(name) ?? groups.length;
    if (id === groups.length) {
      const { message } = kept;
      groups.push({ kind, issue: kept, message, count: 0, times: 0, sampleKeys: [], follows: new Map() });
      ids.set(name, id);
    }
    return id;
  };

  return {
    add(kind, keys, issues, of) {
      const sample = typeof keys === 'string' ? [keys] : keys;
      const count = of ?? sample.length;
      const own = new Set<GroupId>();
      for (const issue of issues) {
        const id = idOf(kind, issue);
        const group = groups[id];
        if (!group) continue;
        group.times += 1;
        if (own.has(id)) continue;
        own.add(id);
        group.count += count;
        group.sampleKeys.push(...sample.slice(0, SAMPLE_KEYS - group.sampleKeys.length));
        if (group.message !== issue.message) group.message = group.issue.common ?? group.issue.message;
      }
      return [...own];
    },
    follow(of, child, count) {
      for (const id of of) {
        const follows = groups[id]?.follows;
        follows?.set(child, (follows.get(child) ?? 0) + count);
      }
    },
    groups: () =>
      largestFirst(
        groups.map(({ issue, message, ...group }) => {
          const follows = [...group.follows].map(
            ([child, count]) => ({ entity: child, count, standing: 'waiting' }) as const,
          );
          return groupOf(entity, group.kind, { ...issue, message }, { ...group, follows });
        }),
      ),
    noted: () => groups.map(({ issue, sampleKeys, times }) => ({ issue, key: sampleKeys[0] ?? '', times })),
  };
}

function nameOf(kind: string, { field, column, code, common, message }: SharedIssue): string {
  return `${kind}\n${column ?? field ?? ''}\n${code}\n${common ?? message}`;
}

function furtherIssues({ field, column, code }: SharedIssue): SharedIssue {
  const message = LOOKUP_CODES.includes(code) ? 'further codes have no id' : 'further problems';
  return { field, column, code, message, hint: null };
}

/** Of issues that an entry in a lookup fixes. */
export const LOOKUP_CODES: readonly string[] = ['unmapped', 'undecided'];

/** How many records cannot be sent because of the group, or are doubtful in it. */
export function effectOf({ count, follows }: Pick<IssueGroup, 'count' | 'follows'>): number {
  return follows.reduce((sum, follow) => sum + follow.count, count);
}

/** Groups with the largest effect first; what is only doubtful comes after what is not sent. */
export function largestFirst(groups: readonly IssueGroup[]): readonly IssueGroup[] {
  return [...groups].sort(
    (a, b) =>
      Number(a.kind === 'doubtful') - Number(b.kind === 'doubtful') ||
      effectOf(b) - effectOf(a) ||
      compareText(sortName(a), sortName(b)),
  );
}

function sortName({ entity, field, message }: IssueGroup): string {
  return `${entity}\n${field ?? ''}\n${message}`;
}

/** Whether records are invalid because a code has no id. */
export function isOpenCode({ kind, code }: Pick<IssueGroup, 'kind' | 'code'>): boolean {
  return kind === 'invalid' && LOOKUP_CODES.includes(code);
}
